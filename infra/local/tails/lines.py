"""Makes what the suffix screen is trained on: tails that nobody wrote, and ordinary lines that look odd.

Word lists and sentences are in `infra/local/tails/words.yaml`. The words of the tails that the tests try the screen on
are left out, so that those stay a test.
"""

from __future__ import annotations

import json
import random
import string
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from careline.safety.plain_text import normalise
from tests.safety import made_tails

HERE = Path(__file__).parent
LOCAL = HERE.parent
NAMES = LOCAL / "names"
WORDS = LOCAL.parents[1] / "layers" / "careline" / "privacy" / "data" / "names"
LANGUAGES = ("nl", "en", "fr", "it")
SIGNS = "!@#$%^&*()[]{}\\|;:<>?+=~`/_-\"'"
SCRIPTS = (
    "бвгджзклмнпрст",
    "γδεζηθλμνξπ",
    "人大中国上来到时",
    "אבגדהוזח",
    "กขคงจฉชซ",
    "ابتثجحخد",
    "가나다라마바",
    string.ascii_lowercase,
)
SYMBOLS = "∮∯∴∵⊕⊗⟐⟁⌬⌭⍟⎔⏣◬◭◮☌☍♄♃🝔🝕≋≌∬∂∇Ωλπß§¶†‡ɐɓɔɖɘ"
_VOWELS, _CONSONANTS = "aeiou", "bcdfghjklmnpqrstvwxz"

Chance = random.Random


@dataclass(frozen=True, slots=True)
class Material:
    """Everything that lines are put together from."""

    own: dict[str, list[str]]
    foreign: dict[str, list[str]]
    scattered: dict[str, list[str]]
    code: list[str]
    shards: list[str]
    smileys: list[str]
    abroad: list[str]
    openers: dict[str, list[str]]
    particulars: dict[str, list[str]]
    shown: list[str]
    slots: dict[str, dict[str, list[str]]]
    drugs: list[str]
    streets: list[str]
    first: list[str]
    last: list[str]
    places: list[str]


def read_material() -> Material:
    """The lists, without the words that the tests' tails are made of."""
    held: dict[str, Any] = yaml.load((HERE / "words.yaml").read_bytes(), Loader=yaml.CSafeLoader)
    tested = {*made_tails.WORDS, *made_tails.FRAGMENTS, *made_tails.CODE}
    tested |= {normalise(word).strip() for word in made_tails.WORDS}

    def kept(words: Sequence[str]) -> list[str]:
        return [word for word in words if word not in tested and normalise(word).strip() not in tested]

    return Material(
        own={language: kept(_own_words(language)) for language in LANGUAGES},
        foreign={language: kept(words.split()) for language, words in held["foreign"].items()},
        scattered={language: kept(words.split()) for language, words in held["scattered"].items()},
        code=[token for token in held["code"].split() if token not in tested],
        shards=[token for token in held["shards"].split() if token not in tested],
        smileys=held["smileys"].split(),
        abroad=held["abroad"],
        openers=held["openers"],
        particulars=held["particulars"],
        shown=held["shown"],
        slots={language: _slots(language) for language in LANGUAGES},
        drugs=held["drugs"].split(),
        streets=[street.replace("-", " ") for street in held["streets"].split()],
        first=_names("first"),
        last=_names("last"),
        places=_names("places"),
    )


def _own_words(language: str) -> list[str]:
    """Words of a language of the house: half from the list of frequent words, half from the ordinary ones."""
    ordinary = (NAMES / f"ordinary_{language}.txt").read_text(encoding="utf-8").split()
    frequent = [word for word in json.loads((WORDS / f"words_{language}.json").read_bytes()) if len(word) > 2]
    return ordinary + random.Random(3).sample(frequent, 4 * len(ordinary))  # noqa: S311 - repeatable


def _slots(language: str) -> dict[str, list[str]]:
    """Medicines, illnesses, departments and more, as the templates of the training name them."""
    held = yaml.load((LOCAL / "training" / language / "templates.yaml").read_bytes(), Loader=yaml.CSafeLoader)
    return {name: list(map(str, words)) for name, words in held["lists"].items()}


def _names(file: str) -> list[str]:
    lines = (NAMES / f"{file}.txt").read_text(encoding="utf-8").splitlines()
    return [entry.replace("_", " ") for line in lines if not line.startswith("#") for entry in line.split()]


def tail(chance: Chance, held: Material) -> tuple[str, str]:
    """A kind of tail and one of that kind, 2 to 30 tokens (a run without a space is one)."""
    kind = chance.choice(list(KINDS))
    made = KINDS[kind](chance, held, _length(chance))
    if chance.random() < 0.08:
        made += chance.choice([" please?", " ok", " svp", " grazie", " ?", " alstublieft", "."])
    return kind, made


def _length(chance: Chance) -> int:
    return chance.choice((2, 3, 3, 4, 4, 5, 5, 6, 7, 8, 9, 10, 12, 14, 17, 21, 25, 30))


def _run(chance: Chance, letters: str, least: int, most: int) -> str:
    return "".join(chance.choice(letters) for _ in range(chance.randint(least, most)))


def _own_word(chance: Chance, held: Material) -> str:
    return chance.choice(held.own[chance.choice(LANGUAGES)])


def _any_word(chance: Chance, held: Material) -> str:
    source = chance.random()
    if source < 0.5:
        return _own_word(chance, held)
    lists = held.scattered if source < 0.65 else held.foreign
    return chance.choice(lists[chance.choice(list(lists))])


def _salad(chance: Chance, held: Material, count: int) -> str:
    return " ".join(_any_word(chance, held) for _ in range(max(3, count)))


def _own_salad(chance: Chance, held: Material, count: int) -> str:
    return " ".join(_own_word(chance, held) for _ in range(max(4, count)))


def _scattered(chance: Chance, held: Material, count: int) -> str:
    """Words of two languages or one with those that bind sentences, and words about answering."""
    languages = chance.choices(LANGUAGES, k=chance.choice((1, 2, 2, 3)))
    share, made = chance.uniform(0.15, 0.5), []
    for _ in range(max(5, count)):
        lists = held.scattered if chance.random() < share else held.own
        made.append(chance.choice(lists[chance.choice(languages)]))
    return " ".join(made)


def _one_language(chance: Chance, held: Material, count: int) -> str:
    words = held.own[chance.choice(LANGUAGES)]
    return " ".join(chance.choice(words) for _ in range(max(5, count)))


def _letters(chance: Chance, held: Material, count: int) -> str:
    letters = chance.choice((string.ascii_lowercase, _CONSONANTS, _CONSONANTS + "aeio"))
    return " ".join(_run(chance, letters, chance.choice((2, 3, 4)), 8) for _ in range(max(3, count // 2)))


def _groups(chance: Chance, held: Material, count: int) -> str:
    """Digits, hex and short letters in groups, as no number is read out."""
    if chance.random() < 0.25:
        return " ".join(_run(chance, "0123456789abcdef", 2, 2) for _ in range(max(5, count)))
    made = []
    for _ in range(max(4, count)):
        letters = chance.choice(
            ("0123456789abcdef", string.digits + string.ascii_lowercase, _CONSONANTS, string.digits)
        )
        made.append(_run(chance, letters, 1, 4))
    made[chance.randrange(len(made))] = chance.choice(("0x", "0x", "#")) + _run(chance, "0123456789abcdefABCDEF", 3, 6)
    made[chance.randrange(len(made))] = _run(chance, _CONSONANTS, 2, 3)
    return " ".join(made)


def _salad_with_numbers(chance: Chance, held: Material, count: int) -> str:
    made = [_any_word(chance, held) for _ in range(max(3, count))]
    for _ in range(max(2, count // 3)):
        made.insert(chance.randrange(len(made)), str(chance.randint(0, chance.choice((9, 99, 999, 9999)))))
    return " ".join(made)


def _mixed(chance: Chance, held: Material, count: int) -> str:
    letters = string.ascii_letters + string.digits + SIGNS
    return " ".join(_run(chance, letters, 3, 10) for _ in range(max(2, count // 2)))


def _one_run(chance: Chance, held: Material, count: int) -> str:
    return _run(chance, string.ascii_letters + string.digits + SIGNS, 14, 70)


def _signs(chance: Chance, held: Material, count: int) -> str:
    return " ".join(_run(chance, SIGNS, 2, 6) for _ in range(max(2, count // 2)))


def _pieces(words: Callable[[Material], Sequence[str]]) -> Callable[[Chance, Material, int], str]:
    def made(chance: Chance, held: Material, count: int) -> str:
        return " ".join(chance.choice(words(held)) for _ in range(max(3, count)))

    return made


def _glued(chance: Chance, held: Material, count: int) -> str:
    """Words run together with capitals inside."""
    parts = (
        "".join(
            word if n == 0 else word.title()
            for n, word in enumerate(_salad(chance, held, chance.randint(2, 4)).split())
        )
        for _ in range(max(2, count // 2))
    )
    return " ".join(parts)


def _one_glued(chance: Chance, held: Material, count: int) -> str:
    joint = chance.choice(("", "", "_", "::", "->", "}{", "|", "**"))
    end = chance.choice(("", ">>", "]]", "();", "{", ":"))
    return joint.join(word.title() for word in _salad(chance, held, max(4, count // 2)).split()) + end


def _hugging(chance: Chance, held: Material, count: int) -> str:
    joints = (
        ".]( ",
        "[",
        "** ",
        " \\",
        "}{ ",
        "| ",
        '" ]',
        ";) ",
        " ==",
        "{ ",
        "]( ",
        "::",
        ".\\ ",
        "(",
        ")} ",
        '="',
        "<<",
        ">",
        "%%",
        "=> ",
    )
    return "".join(_any_word(chance, held) + chance.choice(joints) for _ in range(max(2, count)))


def _searched(chance: Chance, held: Material, count: int) -> str:
    """Shards, code, glued words and words of any language, as searches for tails bring them up."""
    weights = (chance.random(), chance.random(), chance.random(), chance.random() / 2, 0.2)
    made = []
    for which in chance.choices(range(5), weights, k=max(3, count)):
        word = _any_word(chance, held)
        made.append(
            (
                chance.choice(held.shards),
                chance.choice(held.code),
                word,
                word + _own_word(chance, held).title(),
                word
                + chance.choice((".", "**", ".](", '"', "}", "();", "::", "!", "]]", "_", "=", ">"))
                + _own_word(chance, held),
            )[which]
        )
    made[chance.randrange(len(made))] = chance.choice(held.shards)
    made[chance.randrange(len(made))] = chance.choice(held.shards if chance.random() < 0.5 else held.code)
    return " ".join(made)


def _scripts(chance: Chance, held: Material, count: int) -> str:
    chosen = chance.sample(SCRIPTS, chance.randint(3, len(SCRIPTS)))
    return " ".join(_run(chance, chosen[n % len(chosen)], 1, 6) for n in range(max(3, count)))


def _symbols(chance: Chance, held: Material, count: int) -> str:
    return " ".join(
        _run(chance, SYMBOLS, 1, 4) if chance.random() < 0.7 else _any_word(chance, held)
        for _ in range(max(3, count // 2))
    )


def _spelt_and_coded(chance: Chance, held: Material, count: int) -> str:
    """Words between code: the language's own, with brackets, escapes or percent signs."""
    shapes = (
        "\\u00{0:02x}{w}",
        "%20{w}%20",
        "{w}%3C",
        "{{{{{w}}}}}",
        "<{w}>",
        "[{w}]:",
        "&{w};",
        "${w}",
        "{w}()",
        "/{w}/",
        "#{w}#",
        "@{w}::",
        "`{w}`",
        "{w}=",
        "|{w}|",
        "'+{w}+'",
    )
    return " ".join(
        chance.choice(shapes).format(chance.randint(0, 255), w=_any_word(chance, held))
        for _ in range(max(2, count // 2))
    )


def _repeats(chance: Chance, held: Material, count: int) -> str:
    """The same few pieces again and again."""
    few = [chance.choice(held.shards), _any_word(chance, held), _run(chance, SIGNS, 2, 4), chance.choice(held.code)]
    return " ".join(chance.choice(few) for _ in range(max(4, count)))


KINDS: dict[str, Callable[[Chance, Material, int], str]] = {
    "salad": _salad,
    "salad-again": _salad,
    "own-salad": _own_salad,
    "one-language": _one_language,
    "scattered": _scattered,
    "scattered-again": _scattered,
    "numbers": _salad_with_numbers,
    "letters": _letters,
    "groups": _groups,
    "mixed": _mixed,
    "one-run": _one_run,
    "signs": _signs,
    "code": _pieces(lambda held: held.code),
    "shards": _pieces(lambda held: held.shards),
    "glued": _glued,
    "one-glued": _one_glued,
    "hugging": _hugging,
    "searched": _searched,
    "searched-again": _searched,
    "scripts": _scripts,
    "symbols": _symbols,
    "coded": _spelt_and_coded,
    "repeats": _repeats,
}
"""What real tails are most often stands here twice."""
