"""Puts made-up tails of every kind behind what callers ask, for the suffix screen to be trained on."""

from __future__ import annotations

import string
from collections.abc import Callable

from training.adversarial_suffixes.lines import SIGN_KINDS, Chance, Material, any_word, run
from training.adversarial_suffixes.salads import SALAD_KINDS

_JOINTS = (" ",) * 9 + ("? ", "? ", " ? ", ", ", ". ", "?", "! ", " - ", ": ", "... ")
_ENDS = (" please?", " ok", " svp", " grazie", " ?", " alstublieft", ".", " thanks", " !")
_ROWS = (
    "qwertyuiop",
    "asdfghjkl",
    "zxcvbnm",
    "azertyuiop",
    "qsdfghjklm",
    "wxcvbn",
    "poiuytrewq",
    "lkjhgfdsa",
    "mnbvcxz",
)
_LOOK = str.maketrans("aeiostbglz", "4310578612")
_ABOVE = "\u0300\u0301\u0302\u0308\u030a\u0327\u0336\u0337\u0338\u0489\u0360"
_SHIFTED = (0xFF41, 0x1D41A, 0x1D44E, 0x1D4B6, 0x1D552, 0x1D5BA, 0x24D0, 0x1F130, 0x1D68A)
"""Where alphabets of other shapes begin: wide, bold, script, ringed."""


def tail(chance: Chance, held: Material) -> tuple[str, str]:
    """A kind of tail and one of that kind, 2 to 30 tokens (a run without a space is one)."""
    kind = chance.choice(_NAMES)
    made = KINDS[kind](chance, held, _length(chance))
    if chance.random() < 0.1:
        other = chance.choice(_NAMES)
        kind, made = f"{kind}+", f"{made} {KINDS[other](chance, held, chance.choice((2, 3, 4, 6)))}"
    if chance.random() < 0.08:
        made += chance.choice(_ENDS)
    return kind, made


def joined(chance: Chance, text: str, made: str) -> tuple[str, str]:
    """The text as it stands before the tail, cut short now and then, and what stands from there on."""
    if chance.random() < 0.3:
        text = f"{text[:1].upper()}{text[1:]}"
    words = text.split()
    if chance.random() < 0.3 and len(words) > 4:
        text = " ".join(words[: chance.randint(max(3, len(words) - 4), len(words))])
    before = text.rstrip("?. ") + chance.choice(_JOINTS)
    if chance.random() < 0.06:
        made = f"{made} {' '.join(words[-chance.randint(1, 3) :])}"
    return before, made


def _length(chance: Chance) -> int:
    return chance.choice((2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 8, 9, 10, 12, 14, 17, 21, 25))


def _number(chance: Chance) -> str:
    return str(chance.randint(0, chance.choice((9, 99, 999, 9999))))


def _fragments(chance: Chance, held: Material, count: int) -> str:
    """One to three pieces of code, markup or a log, cut off at either end."""
    pieces = []
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        shape = chance.choice(held.fragments)
        piece = shape.replace("{w}", "\0").replace("{o}", "\1").replace("{n}", "\2").replace("{a}", "\3")
        piece = "".join(_filled(chance, held, each) for each in piece.replace("{{", "{").replace("}}", "}"))
        if len(piece) > 12 and chance.random() < 0.4:
            at = chance.randrange(len(piece) // 3)
            piece = piece[at:] if chance.random() < 0.5 else piece[: len(piece) - at]
        pieces.append(piece.strip())
    return " ".join(pieces)


def _filled(chance: Chance, held: Material, sign: str) -> str:
    if sign == "\0":
        return any_word(chance, held) if chance.random() < 0.7 else run(chance, string.ascii_lowercase, 1, 3)
    if sign == "\1":
        return chance.choice(held.own[held.language])
    return {"\2": _number(chance), "\3": chance.choice(held.assents)}.get(sign, sign)


def _keys(chance: Chance, held: Material, count: int) -> str:
    """Keys side by side."""
    made = []
    for _ in range(max(3, count // 2)):
        row = chance.choice(_ROWS)
        at = chance.randrange(len(row) - 2)
        made.append(row[at : at + chance.randint(3, 6)])
    return " ".join(made)


def _short_groups(chance: Chance, held: Material, count: int) -> str:
    """Three or four groups of letters and digits that no code has."""
    letters = string.ascii_lowercase + string.digits
    made = [run(chance, letters, 2, 3) for _ in range(max(3, count // 3))]
    made[0] = run(chance, "zxqkjv", 1, 2) + run(chance, letters, 1, 2)
    return " ".join(made)


def _numbers(chance: Chance, held: Material, count: int) -> str:
    """Numbers that grow, or have nothing to do with one another."""
    size = max(9, count)
    if chance.random() < 0.4:
        step, first = chance.randint(2, 9), chance.randint(1, 50)
        return chance.choice((" ", ", ")).join(str(first + n * step) for n in range(size))
    return chance.choice((" ", " ", ", ", ";")).join(_number(chance) for _ in range(size))


def _pictures(chance: Chance, held: Material, count: int) -> str:
    few = [chance.choice(held.pictures) for _ in range(max(5, count))]
    return chance.choice(("", "", " ")).join(few)


def _leet(chance: Chance, held: Material, count: int) -> str:
    return " ".join(any_word(chance, held).lower().translate(_LOOK) for _ in range(max(3, count)))


def _up_and_down(chance: Chance, held: Material, count: int) -> str:
    """Capitals and small letters in turn."""
    words = (any_word(chance, held) for _ in range(max(3, count)))
    return " ".join("".join(a.upper() if n % 2 else a.lower() for n, a in enumerate(word)) for word in words)


def _heaped(chance: Chance, held: Material, count: int) -> str:
    """Letters with marks heaped on them, or of another shape."""
    words = (any_word(chance, held) for _ in range(chance.choice((1, 2, max(2, count // 2)))))
    if chance.random() < 0.5:
        return " ".join("".join(each + run(chance, _ABOVE, 0, 3) for each in word) for word in words)
    first = chance.choice(_SHIFTED)
    return " ".join(
        "".join(chr(first + ord(each) - 97) if "a" <= each <= "z" else each for each in word) for word in words
    )


def _interleaved(chance: Chance, held: Material, count: int) -> str:
    """What a caller says with pieces of code after every word or two."""
    made = []
    for word in chance.choice(held.said[held.language]).split()[: max(4, count)]:
        made.append(word)
        if chance.random() < 0.6:
            made.append(chance.choice((*held.code, *held.shards)))
    return " ".join([*made, chance.choice(held.shards), chance.choice(held.code)])


def _few_shards(chance: Chance, held: Material, count: int) -> str:
    """Two to four leftovers, one of them glued to a word."""
    made = [
        chance.choice(held.shards if chance.random() < 0.6 else held.code) for _ in range(chance.choice((2, 3, 3, 4)))
    ]
    made.insert(
        chance.randrange(len(made)), any_word(chance, held) + chance.choice(("", "]", "**", "::", "{", ".[", "_"))
    )
    return " ".join(made)


FORM_KINDS: dict[str, Callable[[Chance, Material, int], str]] = {
    "fragments": _fragments,
    "fragments-again": _fragments,
    "fragments-more": _fragments,
    "keys": _keys,
    "short-groups": _short_groups,
    "number-list": _numbers,
    "pictures": _pictures,
    "leet": _leet,
    "up-and-down": _up_and_down,
    "heaped": _heaped,
    "interleaved": _interleaved,
    "few-shards": _few_shards,
    "few-shards-again": _few_shards,
}
KINDS = {**SIGN_KINDS, **SALAD_KINDS, **FORM_KINDS}
"""What real tails are most often stands here twice."""
_NAMES = tuple(KINDS)
