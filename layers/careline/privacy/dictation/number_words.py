"""Number words of the four languages, those that are written in one piece among them (`vierendertig`, `trentotto`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Any

from careline.model import LANGUAGES
from careline.privacy.vocabulary import folded, tables


class Numeral(Enum):
    """What a number word does in a number."""

    ZERO = 1
    UNIT = 2
    TEEN = 3
    TEN = 4
    WHOLE = 5
    """A number of two digits or more in one piece."""
    HUNDRED = 6
    THOUSAND = 7
    REPEAT = 8
    ORDINAL = 9


@dataclass(frozen=True, slots=True)
class NumberWord:
    """One reading of a word. `doubtful`: also an ordinary word, a number only beside another one."""

    language: str
    kind: Numeral
    value: int
    doubtful: bool = False
    foreign: bool = False
    """An ordinary word in another of the languages."""


@cache
def number_words() -> Mapping[str, tuple[NumberWord, ...]]:
    """Folded word → its readings, in the order of the languages."""
    found: dict[str, list[NumberWord]] = {}
    for language in LANGUAGES:
        for word, reading in _of(language, tables(language)["numbers"]):
            found.setdefault(word, []).append(reading)
    return {word: tuple(readings) for word, readings in found.items()}


def _of(language: str, table: dict[str, Any]) -> Iterator[tuple[str, NumberWord]]:
    doubtful = {folded(word) for word in table["doubtful"]}
    foreign = {folded(word) for word in table["foreign"]}
    seen = set()
    for word, kind, value in (*_listed(table), *_glued(language, table)):
        if word not in seen:
            seen.add(word)
            yield word, NumberWord(language, kind, value, word in doubtful, word in foreign)


def _listed(table: dict[str, Any]) -> Iterator[tuple[str, Numeral, int]]:
    for name, kind, first, step in _SERIES:
        for number, spellings in enumerate(table[name]):
            for word in spellings.split("|"):
                yield folded(word), kind, first + step * number
    for name, kind, value in (
        ("zero", Numeral.ZERO, 0),
        ("hundred", Numeral.HUNDRED, 100),
        ("thousand", Numeral.THOUSAND, 1000),
    ):
        yield from ((folded(word), kind, value) for word in table[name])
    for name, kind in (("repeat", Numeral.REPEAT), ("ordinals", Numeral.ORDINAL)):
        yield from ((folded(word), kind, value) for word, value in table[name].items())


_SERIES = (("units", Numeral.UNIT, 1, 1), ("teens", Numeral.TEEN, 10, 1), ("tens", Numeral.TEN, 20, 10))


def _glued(language: str, table: dict[str, Any]) -> Iterator[tuple[str, Numeral, int]]:
    """Dutch and Italian write whole numbers in one word; years go up to 2099."""
    if language == "nl":
        small = _dutch(table)
        yield from ((word, Numeral.WHOLE, value) for word, value in small)
        for word, value in small:
            ending = "ste" if value >= 20 else "de"
            # Flemish declines the ordinal after `den`.
            yield from ((word + ending + n, Numeral.ORDINAL, value) for n in ("", "n") if value < 100)
    if language == "it":
        yield from ((word, Numeral.WHOLE, value) for word, value in _italian(table))


def _spellings(table: dict[str, Any], name: str) -> list[str]:
    return [folded(listed.split("|")[0]) for listed in table[name]]


def _dutch(table: dict[str, Any]) -> list[tuple[str, int]]:
    units, teens, tens = (_spellings(table, name) for name in ("units", "teens", "tens"))
    two = [(unit + "en" + ten, 10 * t + u) for t, ten in enumerate(tens, 2) for u, unit in enumerate(units, 1)]
    below = [(word, n) for n, word in enumerate(units, 1)]
    below += [(word, n) for n, word in enumerate(teens, 10)] + [(word, 10 * n) for n, word in enumerate(tens, 2)] + two
    hundreds = [("honderd", 100), *((word + "honderd", 100 * n) for word, n in below if 1 < n < 20)]
    hundreds += [("tweeduizend", 2000), ("duizend", 1000)]
    longer = [(head + link + tail, h + n) for head, h in hundreds for link in ("", "en") for tail, n in below]
    thousands = [(word + "duizend", 1000 * n) for word, n in below if n < 10]
    longer += [
        (head + link + tail, h + n) for head, h in thousands if h > 2000 for link in ("", "en") for tail, n in below
    ]
    # Postcodes are said in hundreds: "drieentwintighonderd".
    hundreds += [(word + "honderd", 100 * n) for word, n in two]
    years = [(head + tail, h + n) for head, h in (("negentien", 1900), ("twintig", 2000)) for tail, n in below[9:]]
    return below[9:] + years + [pair for pair in hundreds if pair[1] != 100] + longer + thousands


def _italian(table: dict[str, Any]) -> list[tuple[str, int]]:
    units, teens, tens = (_spellings(table, name) for name in ("units", "teens", "tens"))
    two = [
        ((ten[:-1] if unit[0] in "uo" else ten) + unit, 10 * t + u)
        for t, ten in enumerate(tens, 2)
        for u, unit in enumerate(units, 1)
    ]
    below = [(word, n) for n, word in enumerate(units, 1)] + [(word, n) for n, word in enumerate(teens, 10)]
    below += [(word, 10 * n) for n, word in enumerate(tens, 2)] + two
    hundreds = [("cento", 100), *((word + "cento", 100 * n) for n, word in enumerate(units, 1) if n > 1)]
    hundreds_and = [(head + tail, h + n) for head, h in hundreds for tail, n in below]
    years = [("mille" + word, 1000 + n) for word, n in (*hundreds, *hundreds_and) if n >= 800]
    years += [("duemila", 2000), *(("duemila" + word, 2000 + n) for word, n in below)]
    thousands = [(word + "mila", 1000 * n) for n, word in enumerate(units, 1) if n > 2]
    thousands += [(head + tail, h + n) for head, h in thousands for tail, n in (*below, *hundreds, *hundreds_and)]
    return two + [pair for pair in hundreds if pair[1] != 100] + hundreds_and + years + thousands
