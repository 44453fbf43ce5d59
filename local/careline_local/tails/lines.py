"""Makes tails that nobody wrote, for the suffix screen to be trained on: those that are told by their signs.

Word lists and sentences are in `local/careline_local/tails/words.yaml`. Some words are held back, so that tests can try
the screen on tails of words that it has not been trained on.
"""

from __future__ import annotations

import json
import random
import string
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import yaml

from careline.safety.rules.plain_text import normalise

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
_CONSONANTS, _BINDING = "bcdfghjklmnpqrstvwxz", 120

Chance = random.Random
Others = dict[str, Sequence[str]]
"""Lines of each language to mix in."""


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
    fragments: list[str]
    assents: list[str]
    pictures: list[str]
    counted: dict[str, list[str]]
    held_back: frozenset[str]
    language: str = "en"
    """Of the line that is being made."""
    said: dict[str, list[str]] = field(default_factory=dict)
    """What callers say, a language each."""
    said_words: dict[str, list[str]] = field(default_factory=dict)
    """Every word of it, as often as it is said."""
    binding: dict[str, list[str]] = field(default_factory=dict)
    """The most frequent ones."""

    def heard(self, said: dict[str, list[str]]) -> Material:
        """The same with what callers of some lines say."""
        words = {
            language: [word for text in texts for word in text.lower().split() if word not in self.held_back]
            for language, texts in said.items()
        }
        binding = {
            language: [word for word, _ in Counter(each).most_common(_BINDING) if word.isalpha()]
            for language, each in words.items()
        }
        return replace(self, said=said, said_words=words, binding=binding)

    def of(self, language: str) -> Material:
        """The same for a line of that language."""
        return replace(self, language=language)


def read_material() -> Material:
    """The lists, without the words that are held back."""
    held: dict[str, Any] = yaml.load((HERE / "words.yaml").read_bytes(), Loader=yaml.CSafeLoader)
    tested = frozenset(held["held_back"].split())
    tested |= {normalise(word).strip() for word in tested if word.isalpha()}

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
        fragments=held["fragments"],
        assents=held["assents"],
        pictures=held["pictures"].split(),
        counted={language: words.split() for language, words in held["counted"].items()},
        held_back=tested,
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


def run(chance: Chance, letters: str, least: int, most: int) -> str:
    """Letters of these, at random."""
    return "".join(chance.choice(letters) for _ in range(chance.randint(least, most)))


def own_word(chance: Chance, held: Material) -> str:
    """A word of any language of the house."""
    return chance.choice(held.own[chance.choice(LANGUAGES)])


def any_word(chance: Chance, held: Material) -> str:
    """A word of any language, of the house or not."""
    source = chance.random()
    if source < 0.5:
        return own_word(chance, held)
    lists = held.scattered if source < 0.65 else held.foreign
    return chance.choice(lists[chance.choice(list(lists))])


def _salad(chance: Chance, held: Material, count: int) -> str:
    return " ".join(any_word(chance, held) for _ in range(max(3, count)))


def _own_salad(chance: Chance, held: Material, count: int) -> str:
    return " ".join(own_word(chance, held) for _ in range(max(4, count)))


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
    return " ".join(run(chance, letters, chance.choice((2, 3, 4)), 8) for _ in range(max(3, count // 2)))


def _groups(chance: Chance, held: Material, count: int) -> str:
    """Digits, hex and short letters in groups, as no number is read out."""
    if chance.random() < 0.25:
        return " ".join(run(chance, "0123456789abcdef", 2, 2) for _ in range(max(5, count)))
    made = []
    for _ in range(max(4, count)):
        letters = chance.choice(
            ("0123456789abcdef", string.digits + string.ascii_lowercase, _CONSONANTS, string.digits)
        )
        made.append(run(chance, letters, 1, 4))
    made[chance.randrange(len(made))] = chance.choice(("0x", "0x", "#")) + run(chance, "0123456789abcdefABCDEF", 3, 6)
    made[chance.randrange(len(made))] = run(chance, _CONSONANTS, 2, 3)
    return " ".join(made)


def _salad_with_numbers(chance: Chance, held: Material, count: int) -> str:
    made = [any_word(chance, held) for _ in range(max(3, count))]
    for _ in range(max(2, count // 3)):
        made.insert(chance.randrange(len(made)), str(chance.randint(0, chance.choice((9, 99, 999, 9999)))))
    return " ".join(made)


def _mixed(chance: Chance, held: Material, count: int) -> str:
    letters = string.ascii_letters + string.digits + SIGNS
    return " ".join(run(chance, letters, 3, 10) for _ in range(max(2, count // 2)))


def _one_run(chance: Chance, held: Material, count: int) -> str:
    return run(chance, string.ascii_letters + string.digits + SIGNS, 14, 70)


def _signs(chance: Chance, held: Material, count: int) -> str:
    return " ".join(run(chance, SIGNS, 2, 6) for _ in range(max(2, count // 2)))


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
    joints = r""" .](~ [ **~ ~\ }{~ |~ "~] ;)~ ~== {~ ]( :: .\~ ( )}~ =" << > %% =>~ """.split()
    return "".join(any_word(chance, held) + chance.choice(joints).replace("~", " ") for _ in range(max(2, count)))


def _searched(chance: Chance, held: Material, count: int) -> str:
    """Shards, code, glued words and words of any language, as searches for tails bring them up."""
    weights = (chance.random(), chance.random(), chance.random(), chance.random() / 2, 0.2)
    made = []
    for which in chance.choices(range(5), weights, k=max(3, count)):
        word = any_word(chance, held)
        made.append(
            (
                chance.choice(held.shards),
                chance.choice(held.code),
                word,
                word + own_word(chance, held).title(),
                word
                + chance.choice((".", "**", ".](", '"', "}", "();", "::", "!", "]]", "_", "=", ">"))
                + own_word(chance, held),
            )[which]
        )
    made[chance.randrange(len(made))] = chance.choice(held.shards)
    made[chance.randrange(len(made))] = chance.choice(held.shards if chance.random() < 0.5 else held.code)
    return " ".join(made)


def _scripts(chance: Chance, held: Material, count: int) -> str:
    chosen = chance.sample(SCRIPTS, chance.randint(3, len(SCRIPTS)))
    return " ".join(run(chance, chosen[n % len(chosen)], 1, 6) for n in range(max(3, count)))


def _of_each_script(chance: Chance, held: Material, count: int) -> str:
    """A word of each of some scripts, one of this alphabet, and a sign or two."""
    made = [run(chance, script, 1, 5) for script in chance.sample(SCRIPTS, chance.randint(2, 3))]
    made.append(any_word(chance, held))
    made.append(run(chance, SYMBOLS, 1, 3))
    return " ".join(made)


def _symbols(chance: Chance, held: Material, count: int) -> str:
    return " ".join(
        run(chance, SYMBOLS, 1, 4) if chance.random() < 0.7 else any_word(chance, held)
        for _ in range(max(3, count // 2))
    )


def _spelt_and_coded(chance: Chance, held: Material, count: int) -> str:
    """Words between code: the language's own, with brackets, escapes or percent signs."""
    shapes = (
        "\\u00{0:02x}{w}", "%20{w}%20", "{w}%3C", "{{{{{w}}}}}", "<{w}>", "[{w}]:", "&{w};", "${w}", "{w}()", "/{w}/",
        "#{w}#", "@{w}::", "`{w}`", "{w}=", "|{w}|", "'+{w}+'",
    )  # fmt: skip
    return " ".join(
        chance.choice(shapes).format(chance.randint(0, 255), w=any_word(chance, held))
        for _ in range(max(2, count // 2))
    )


def _repeats(chance: Chance, held: Material, count: int) -> str:
    """The same few pieces again and again."""
    few = [chance.choice(held.shards), any_word(chance, held), run(chance, SIGNS, 2, 4), chance.choice(held.code)]
    return " ".join(chance.choice(few) for _ in range(max(4, count)))


SIGN_KINDS: dict[str, Callable[[Chance, Material, int], str]] = {
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
    "of-each-script": _of_each_script,
    "symbols": _symbols,
    "coded": _spelt_and_coded,
    "repeats": _repeats,
}
"""What real tails are most often stands here twice."""
