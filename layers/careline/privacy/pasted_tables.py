"""Reads lists as clerks paste them: a first line of column names, then rows whose cells those names tell.

A cell has nothing before it but a comma or a bar, so that no word in the row says what it holds.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from careline.model import LANGUAGES, Span, SpanType
from careline.privacy.vocabulary import folded, tables

_BARS = ("\t", "|", ";", ",", " / ")
"""What stands between cells, the surest first."""
_KINDS = {
    "person": SpanType.PERSON,
    "birth": SpanType.DATE_OF_BIRTH,
    "date": SpanType.DATE,
    "mrn": SpanType.MRN,
    "phone": SpanType.PHONE,
}
_CELLS = range(2, 25)
_LONGEST_HEAD = 30
_SENTENCE = 2
"""Words with a comma between that are no names of columns yet."""
_DATE = re.compile(r"\d{1,4}[./ -]{1,3}\w{1,9}[./ -]{1,3}\d{2,4}|\d{1,2}[./-]\d{1,2}")
_NUMBER = re.compile(r"[A-Za-z]{0,4}[ ./-]?\d[\w ./-]{1,15}")
_PHONE = re.compile(r"\+?[\d(][\d ()./-]{5,20}")
_NAME = re.compile(r"[^\W\d_](?:[^\W\d_]|[ .'\u2019,()-]){0,60}")
_SHAPES = {
    SpanType.PERSON: _NAME,
    SpanType.DATE_OF_BIRTH: _DATE,
    SpanType.DATE: _DATE,
    SpanType.MRN: _NUMBER,
    SpanType.PHONE: _PHONE,
}
_FEWEST = {SpanType.MRN: 3, SpanType.PHONE: 6}
"""Digits that a cell holds at least."""


@dataclass(frozen=True, slots=True)
class PastedTable:
    """What the cells below heads hold, and where the heads stand."""

    cells: tuple[Span, ...] = ()
    lines: tuple[tuple[int, int], ...] = ()

    def heads(self, span: Span) -> bool:
        """Whether a find lies in a line of column names, where there is nobody's."""
        line = bisect_right(self.lines, (span.start, span.end)) - 1
        return any(start <= span.start < end for start, end in self.lines[max(0, line) : line + 2])


_NONE = PastedTable()


def read(text: str) -> PastedTable:
    """The rows of a text below their heads; nothing where no line is one of heads."""
    if not any(bar in text for bar in _BARS):
        return _NONE
    cells: list[Span] = []
    heads: list[tuple[int, int]] = []
    bar, at = "", 0
    columns: tuple[SpanType | None, ...] = ()
    for line in text.splitlines(keepends=True):
        start, at = at, at + len(line)
        found = _heads(line)
        if found:
            bar, columns = found
            heads.append((start, at))
        elif columns:
            listed = tuple(_cells(line, bar, start))
            if len(listed) == len(columns):
                cells += _told(text, listed, columns)
            elif bar == "," and bar not in line:
                # Below a list with commas there may be sentences with as many; other bars stand in no sentence.
                columns = ()
    return PastedTable(tuple(cells), tuple(heads)) if heads else _NONE


def _heads(line: str) -> tuple[str, tuple[SpanType | None, ...]] | None:
    """What parts a line of column names, and what each column holds; None for any other line."""
    bar = next((each for each in _BARS if each in line), "")
    if not bar or any(character.isdigit() for character in line):
        return None
    # "Columns: surname, forename" and a last full stop are no part of the names.
    listed = [part.strip(" \t\r\n.\"'") for part in line.partition(": ")[2].split(bar) or [""]] if ": " in line else []
    if not listed or len(listed) not in _CELLS:
        listed = [part.strip(" \t\r\n\"'") for part in line.strip().strip("|").split(bar)]
    if len(listed) not in _CELLS or max(map(len, listed)) > _LONGEST_HEAD:
        return None
    known = [_columns().get(folded(name), "") for name in listed]
    told = sum(kind in _KINDS for kind in known)
    # "name, ward" may be said in a sentence.
    enough = told > 1 or (told and (bar != "," or len(known) > _SENTENCE))
    return (bar, tuple(_KINDS.get(kind) for kind in known)) if enough and all(known) else None


def _cells(line: str, bar: str, start: int) -> Iterator[tuple[int, int]]:
    """Where the cells of a row are, empty ones too, without the spaces and quotation marks around them."""
    body = line.rstrip("\r\n")
    at = start
    if bar == "|":
        # A bar at either end parts nothing.
        bare = body.strip(" \t")
        body = bare.removeprefix("|").removesuffix("|")
        at += line.index(bare) + bare.startswith("|")
    for part in _parts(body, bar):
        bare = part.strip(' \t"')
        first = at + part.find(bare) if bare else at
        yield first, first + len(bare)
        at += len(part) + len(bar)


def _parts(body: str, bar: str) -> Iterator[str]:
    """What stands between the bars outside quotation marks."""
    whole: list[str] = []
    open_quote = False
    for part in body.split(bar):
        whole.append(part)
        open_quote ^= part.count('"') % 2 == 1
        if not open_quote:
            yield bar.join(whole)
            whole = []
    # A quotation mark that is never closed is a character like others.
    yield from whole


def _told(text: str, cells: Sequence[tuple[int, int]], columns: Sequence[SpanType | None]) -> Iterator[Span]:
    for (start, end), kind in zip(cells, columns, strict=False):
        value = text[start:end]
        if kind is None or not _SHAPES[kind].fullmatch(value):
            continue
        if sum(character.isdigit() for character in value) >= _FEWEST.get(kind, 0):
            yield Span(start, end, kind, f"{kind.value.lower()}/cell")


@cache
def field_words() -> frozenset[str]:
    """Names of columns of one word, and the words for a date that longer ones begin with."""
    return frozenset(name for name in _columns() if " " not in name) | {"date", "data"}


@cache
def _columns() -> dict[str, str]:
    """The folded names of columns in every language, and the list that each is in; a kind of data before others."""
    found: dict[str, str] = {}
    for listed in ("other", *reversed(_KINDS)):
        for language in LANGUAGES:
            found.update((folded(name), listed) for name in tables(language)["columns"][listed])
    return found
