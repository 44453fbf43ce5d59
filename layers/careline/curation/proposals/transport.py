"""Finds the lines of public transport that stop near a campus: in tables of lines and stops, and in lines of text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from careline.curation.proposals.proposal import Statement
from careline.curation.proposals.reading.cells import Page, row_text, values_of
from careline.curation.proposals.reading.words import is_nothing, words
from careline.model import Table
from careline.records.record_table import Body
from careline.text.figure_words import plain

_LINE = re.compile(r"(?:n[or]?[.°º] ?)?([A-Za-z]{0,2}[0-9]{1,4}[A-Za-z]?)")
_JOINS = re.compile(r" ?[,;/+&] ?| (?:en|and|et|e) ")
_MINUTES = re.compile(r"([0-9]{1,3}) ?(?:min\.?|minuten|minutes?|minuti|')")
_WORD = re.compile(r"[a-z]+")
_MOST_STOP = 80


def transport_in(page: Page, table: Table) -> Iterator[Statement]:
    """One statement for each line that a row names with its stop."""
    values = list(values_of(table))
    around = " ".join(page.context)
    for row, held in enumerate(table.rows):
        cells = [one for one in values if one.row == row]
        stubs = (*table.stub, *("",) * len(held.labels))
        named = [(stub, label) for stub, label in zip(stubs, held.labels, strict=False) if label]
        named += [(" ".join(one.path), one.value) for one in cells if not is_nothing(one.value)]
        if any(one.notes for one in cells):
            continue
        for value in _of_row(named, around):
            yield _statement(page, value, row_text(table, row), row, page.context, _places(named))


def transport_of_line(page: Page, text: str, number: int, context: tuple[str, ...]) -> list[Statement]:
    """What a line of text says of lines: "Bus 21: stop Hospital, 3 minutes on foot"."""
    name, colon, said = text.strip().lstrip("-–*•· ").replace(" :", ":").partition(": ")
    lines = _lines(name, "") if colon else []
    parts = [part.strip() for part in said.rstrip(".").split(",")]
    stops = [stop for part in parts if (stop := _stop(part)) is not None]
    walks = [minutes for part in parts if (minutes := _on_foot(part, "")) is not None]
    if len(stops) != 1 or len(stops) + len(walks) != len(parts) or len(walks) > 1:
        return []
    walk: Body = {"walking_minutes": walks[0]} if walks else {}
    return [
        _statement(page, {"kind": kind, "line": line, "stop": stops[0], **walk}, text.strip(), number, context, ())
        for kind, line in lines
        if kind is not None
    ]


def _of_row(named: list[tuple[str, str]], around: str) -> list[Body]:
    """The lines of a row, each with the stop and the way from there, as the headers say which is which."""
    lines: list[tuple[str | None, str]] = []
    kind = stop = minutes = None
    for header, text in named:
        known = set(_WORD.findall(plain(header)))
        if known & words().stops and stop is None and len(text) <= _MOST_STOP:
            stop = text.strip()
        elif (walked := _on_foot(text, header)) is not None:
            minutes = walked
        elif not lines and (_is_of_lines(known) or _kind_of(text)):
            kind = _kind_of(text) or _kind_of(header) or kind
            lines = _lines(text, header)
    kind = kind or _kind_of(around)
    if not stop:
        return []
    walk: Body = {} if minutes is None else {"walking_minutes": minutes}
    return [
        {"kind": own or kind, "line": line, "stop": stop, **walk} for own, line in lines if own or kind
    ]


def _is_of_lines(header: set[str]) -> bool:
    """Whether a header says that lines follow, and nothing else: "Bus", "Lijn nr.", but not "Bus bay"."""
    known = {word for word in header if len(word) > 2}
    return bool(header) and known <= words().lines | set(words().transport) and bool(known)


def _kind_of(text: str) -> str | None:
    """The one means of transport that a text names."""
    found = {words().transport[word] for word in _WORD.findall(plain(text)) if word in words().transport}
    return next(iter(found)) if len(found) == 1 else None


def _lines(text: str, header: str) -> list[tuple[str | None, str]]:
    """The lines that a text names by their numbers, and what runs on each: "Bus 4 en 5", "Bus 4, tram 2". None where
    there is more in the text than that, as in "Bus 4 to 6", which says of no line between whether it is one."""
    found: list[tuple[str | None, str]] = []
    kind = _kind_of(header)
    for part in _JOINS.split(text):
        kind = _kind_of(part) or kind
        left = [
            token for token in part.split()
            if plain(token) not in words().transport and plain(token) not in words().lines
        ]  # fmt: skip
        line = _LINE.fullmatch(" ".join(left))
        if line is None:
            return []
        found.append((kind, line[1]))
    return list(dict.fromkeys(found))


def _stop(text: str) -> str | None:
    """The stop behind the word for one: "arrêt Hôpital"."""
    first, _, rest = text.partition(" ")
    bare = rest.strip().strip("\"'“”«» ")
    return bare if plain(first).strip(":") in words().stops and 0 < len(bare) <= _MOST_STOP else None


def _on_foot(text: str, header: str) -> int | None:
    """Minutes on foot, where the text or its header says that they are walked."""
    found = _MINUTES.search(plain(text))
    said = f" {plain(header)} {plain(text)} "
    is_walked = any(phrase in said for phrase in words().on_foot)
    return int(found[1]) if found and is_walked else None


def _places(named: list[tuple[str, str]]) -> tuple[str, ...]:
    """The campus of a row, where a column of it names one."""
    return tuple(text for header, text in named if set(_WORD.findall(plain(header))) & words().campuses)


def _statement(
    page: Page, value: Body, text: str, row: int, context: tuple[str, ...], labels: tuple[str, ...]
) -> Statement:
    source = page.source(text, row)
    return Statement("transport", page.language, labels, (), context, {"public_transport": [value]}, (), source)
