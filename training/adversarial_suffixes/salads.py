"""Makes tails of plain words that stand in no sentence, which no sign tells from what callers say."""

from __future__ import annotations

from collections.abc import Callable

from training.adversarial_suffixes.lines import LANGUAGES, SCRIPTS, Chance, Material, any_word, own_word, run

_MARKS = (
    "-",
    "; ",
    " / ",
    "/",
    ", ",
    " | ",
    "-- ",
    " - ",
    ". ",
    "... ",
    " + ",
    "_ ",
    ": ",
    "! ",
    "* ",
    "~ ",
    " = ",
    " & ",
    ",",
)


def _plain(chance: Chance, held: Material, count: int) -> str:
    """Words of the line's own language, seldom heard here."""
    words = held.own[held.language]
    return " ".join(chance.choice(words) for _ in range(max(3, count)))


def _bound(chance: Chance, held: Material, count: int) -> str:
    """The same with words between them that bind sentences."""
    words, binding = held.own[held.language], (*held.binding[held.language], *held.scattered[held.language])
    share = chance.uniform(0.15, 0.6)
    return " ".join(chance.choice(binding if chance.random() < share else words) for _ in range(max(4, count)))


def _scattered(chance: Chance, held: Material, count: int) -> str:
    words = held.scattered[held.language]
    return " ".join(chance.choice(words) for _ in range(max(4, count)))


def _many_languages(chance: Chance, held: Material, count: int) -> str:
    """A word of each, now and then with marks of its own."""
    lists = [*held.own.values(), *held.foreign.values(), *held.scattered.values(), *held.binding.values()]
    words = [chance.choice(chance.choice(lists)) for _ in range(max(4, count))]
    if chance.random() < 0.2:
        words = [word + chance.choice(("", "", ",", "::", "]", "**", ".", "{", "!")) for word in words]
    return " ".join(words)


def _one_of_each(chance: Chance, held: Material, count: int) -> str:
    """Three to six words, no two of the same language."""
    own = [(*held.own[each], *held.binding[each]) for each in LANGUAGES if each != held.language]
    lists = [*own, *held.foreign.values()]
    made = [chance.choice(words) for words in chance.sample(lists, chance.choice((3, 4, 4, 5, 6)))]
    if chance.random() < 0.25:
        made[-1] = chance.choice((*held.shards, *held.code))
        made[0], made[1] = (run(chance, each, 1, 5) for each in chance.sample(SCRIPTS, 2))
    return " ".join(made)


def _sprinkled(chance: Chance, held: Material, count: int) -> str:
    """Words of the line's own language and some of another."""
    others = [*(held.own[each] for each in LANGUAGES if each != held.language), *held.foreign.values()]
    own = (held.own[held.language], held.scattered[held.language], held.said_words[held.language])
    share = chance.uniform(0.25, 0.7)
    return " ".join(
        chance.choice(chance.choice(others) if chance.random() < share else chance.choice(own))
        for _ in range(max(4, count))
    )


def _numbered(chance: Chance, held: Material, count: int) -> str:
    made = [chance.choice(held.own[held.language]) for _ in range(max(3, count))]
    for _ in range(max(1, count // 4)):
        made.insert(chance.randrange(len(made) + 1), str(chance.randint(0, chance.choice((9, 99, 999)))))
    return " ".join(made)


def _marked(chance: Chance, held: Material, count: int) -> str:
    """One mark between all words."""
    source = held.own[held.language] if chance.random() < 0.5 else held.own[chance.choice(LANGUAGES)]
    mark = chance.choice(_MARKS)
    return mark.join(chance.choice(source) for _ in range(max(4, count)))


def _enclosed(chance: Chance, held: Material, count: int) -> str:
    """Words that each have one odd sign."""
    signs = r"_ # % $ @ & * ~ ^ = + | < > [ ] { } ( ) \ ` : ;".split()
    made = []
    for _ in range(max(3, count // 2)):
        word, sign = any_word(chance, held), chance.choice(signs)
        shape = chance.choice(("{s}{w}", "{w}{s}", "{s}{w}{s}", "{w} {s}", "{w}{s}{v}", "{w}{s}{s}", "{w}"))
        made.append(shape.format(s=sign, w=word, v=own_word(chance, held)))
    made[chance.randrange(len(made))] += chance.choice(signs)
    return " ".join(made)


def _again(chance: Chance, held: Material, count: int) -> str:
    """One to three words again and again."""
    few = [any_word(chance, held) for _ in range(chance.choice((1, 2, 2, 3)))]
    if chance.random() < 0.3:
        few[0] = chance.choice(held.assents).lower()
    made = few * max(2 if len(few) > 1 else 6, max(5, count) // len(few))
    if chance.random() < 0.5:
        made.sort()
    return " ".join(made)


def _joined(chance: Chance, held: Material, count: int) -> str:
    """Small words run together, with nothing to show where each begins."""
    words = held.own[chance.choice((held.language, chance.choice(LANGUAGES)))]
    few = chance.choice((2, 2, 3))
    return " ".join("".join(chance.choice(words) for _ in range(chance.randint(4, 7))) for _ in range(few))


def _cut(chance: Chance, held: Material, count: int) -> str:
    """Pieces of words."""
    made = []
    for _ in range(max(5, count)):
        word = any_word(chance, held).lower()
        size = chance.randint(2, 5)
        at = chance.choice((max(0, len(word) - size), 0, chance.randrange(max(1, len(word) - size + 1))))
        made.append(word[at : at + size])
    if chance.random() < 0.3:
        made = [chance.choice(("", "##", "Ġ", "▁", "-", "")) + piece for piece in made]
    return " ".join(made)


def _backwards(chance: Chance, held: Material, count: int) -> str:
    return " ".join(own_word(chance, held)[::-1] for _ in range(max(2, count)))


def _assent(chance: Chance, held: Material, count: int) -> str:
    """Yes to anything, and a beginning of an answer, among words that bind nothing."""
    made = [*chance.choice(held.assents).split(), *_bound(chance, held, count).split()]
    for _ in range(chance.choice((0, 1, 2))):
        made.insert(chance.randrange(len(made)), chance.choice(held.assents))
    return " ".join(made) if chance.random() < 0.6 else " ".join(made).lower()


SALAD_KINDS: dict[str, Callable[[Chance, Material, int], str]] = {
    "plain": _plain,
    "plain-again": _plain,
    "bound": _bound,
    "scattered-own": _scattered,
    "many-languages": _many_languages,
    "one-of-each": _one_of_each,
    "one-of-each-again": _one_of_each,
    "sprinkled": _sprinkled,
    "sprinkled-again": _sprinkled,
    "numbered": _numbered,
    "marked": _marked,
    "enclosed": _enclosed,
    "again": _again,
    "joined": _joined,
    "cut": _cut,
    "backwards": _backwards,
    "assent": _assent,
}
