"""Reads tables of plain text whose columns are set below one another with spaces."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from careline.knowledge.extract.lists import is_marker
from careline.tables import read as tables
from careline.tables.extracted import Cell
from careline.tables.headers import is_figure

_RULE = re.compile(r"[ ]*-{2,}(?:[ ]{1,80}-{2,})+[ ]*")
_FIELDS = re.compile(r"[^ ](?:[^ ]| (?! ))*")
_FEWEST_ROWS = 3
_MOST_HEADER_LINES = 8
_SAMPLE = 60
"""Lines by which it is decided whether a table begins; so much work for each line of a text at most."""

_USUAL, _OVERRUN = 0.6, 0.25
"""Share of the rows that begin a field where a column begins, and of those with a cell wider than its column."""
_WIDEST = 400
_LONGEST_GROUP = 60


def table_size(lines: Sequence[str], at: int) -> int:
    """How many lines from this one on form a table set with spaces; 0 when none do."""
    sample = lines[at : at + _SAMPLE]
    if not sample or (len(_fields(sample[0])) < 2 and not _starts_inside(sample)):
        return 0
    rule = _rule(sample)
    if rule:
        edges = [found.start() for found in re.finditer(r"-+", sample[rule])]
        if not all(_fits(line, edges) for line in sample[:rule]):
            return 0
        end = at + rule + 1
        while end < len(lines) and (_fits(lines[end], edges) or _RULE.fullmatch(lines[end])):
            end += 1
        return end - at if end - at > rule + 1 else 0
    return _size_by_gaps(lines, at)


def cells_of(lines: Sequence[str]) -> tuple[Cell, ...]:
    """The cells of a table that `table_size` found."""
    rule = _rule(lines)
    edges = [found.start() for found in re.finditer(r"-+", lines[rule])] if rule else _edges(lines)
    rows = [_row(line, edges) for line in lines if not _RULE.fullmatch(line)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(edges))]
    if rule:
        widths = [len(found.group()) for found in re.finditer(r"-+", lines[rule])]
    head = _joined(rows[:rule], widths, rule > 0)
    return tables.cells_of([*head, *_joined(rows[rule:], widths, rule > 0)], len(head))


def _rule(lines: Sequence[str]) -> int:
    """The place of the line of dashes below a header; 0 when there is none."""
    return next((n for n, line in enumerate(lines[: _MOST_HEADER_LINES + 1]) if n and _RULE.fullmatch(line)), 0)


def _fields(line: str) -> list[re.Match[str]]:
    return list(_FIELDS.finditer(line[:_WIDEST]))


def _starts_inside(lines: Sequence[str]) -> bool:
    """The first line is set far to the right, above a second one with columns: an empty corner."""
    return len(lines) > 1 and lines[0].startswith("   ") and len(_fields(lines[1])) > 1


def _fits(line: str, edges: Sequence[int]) -> bool:
    """No word of a line runs over the beginning of a column."""
    return all(edge >= len(line) or line[edge - 1] == " " for edge in edges[1:]) and bool(line.strip())


def _size_by_gaps(lines: Sequence[str], at: int) -> int:
    end = at
    while end < len(lines) and end - at < _SAMPLE and _may_be_row(lines, at, end):
        end += 1
    edges = _edges(lines[at:end])
    if len(edges) < 2 or end - at < _FEWEST_ROWS:
        return 0
    rows = [_row(line, edges) for line in lines[at:end]]
    full = [row for row in rows if sum(map(bool, row)) > 1]
    if len(full) < max(_FEWEST_ROWS, len(rows) / 2) or all(is_marker(row[0]) for row in full if row[0]):
        return 0
    while end < len(lines) and _may_be_row(lines, at, end) and (_fits(lines[end], edges) or _is_group(lines, end)):
        end += 1
    return end - at


def _may_be_row(lines: Sequence[str], at: int, index: int) -> bool:
    """Several fields, a cell that goes on below its column, or a line that names the rows below it."""
    return len(_fields(lines[index])) > 1 or (index > at and lines[index].startswith("   ")) or _is_group(lines, index)


def _is_group(lines: Sequence[str], index: int) -> bool:
    line = lines[index].strip()
    short = len(line) <= _LONGEST_GROUP and not line.endswith((".", ",", ";"))
    return short and len(_fields(line)) == 1 and index + 1 < len(lines) and len(_fields(lines[index + 1])) > 1


def _edges(lines: Sequence[str]) -> list[int]:
    """Where columns begin: behind the blank strips, two wide at least, that run through all rows, or all but a few
    with a cell that is wider than its column."""
    rows = [line[:_WIDEST] for line in lines if len(_fields(line)) > 1 or line.startswith("   ")]
    strict, usual = _edges_of_all(rows), _usual_edges(rows)
    return usual if len(usual) > len(strict) else strict


def _usual_edges(rows: Sequence[str]) -> list[int]:
    """Where most rows begin a field, if the other rows have just as many fields; none where they have not."""
    begun = Counter(field.start() for row in rows for field in _fields(row))
    edges = sorted(at for at, count in begun.items() if count >= _USUAL * len(rows))
    others = [row for row in rows if not _fits(row, edges)]
    if len(others) > len(rows) * _OVERRUN or any(len(_fields(row)) != len(edges) for row in others):
        return []
    return edges if edges[:1] == [0] else []


def _edges_of_all(rows: Sequence[str]) -> list[int]:
    width = max(map(len, rows), default=0)
    filled = [any(at < len(row) and row[at] != " " for row in rows) for at in range(width)]
    begins = [at for at in range(width) if filled[at] and not any(filled[max(0, at - 2) : at])]
    return [0, *(at for at in begins[1:])] if begins else []


def _row(line: str, edges: Sequence[int]) -> list[str]:
    if len(_fields(line)) == 1 and not line.startswith(" "):
        return [line.strip(), *[""] * (len(edges) - 1)]
    if not _fits(line, edges) and len(fields := _fields(line)) == len(edges):
        return [field.group().strip() for field in fields]
    return [line[start:end].strip() for start, end in pairwise([*edges, None])]


def _joined(rows: Sequence[list[str]], widths: Sequence[int], ruled: bool) -> list[list[str]]:
    """Rows with the lines of a wrapped cell put together. `ruled` says that dashes tell how wide columns are."""
    joined: list[list[str]] = []
    last: list[str] = []
    went_on = False
    for row in rows:
        has_begun = bool(joined) if ruled else len(joined) > 1
        went_on = has_begun and (
            _is_third_line(last, row, went_on=went_on) or _goes_on(joined[-1][0], last, row, widths, ruled)
        )
        if went_on:
            joined[-1] = [f"{above} {text}".strip() for above, text in zip(joined[-1], row, strict=True)]
        else:
            joined.append(row)
        last = row
    return joined


def _is_third_line(last: Sequence[str], row: Sequence[str], *, went_on: bool) -> bool:
    """Whether a line has text below that of a line alone which went on itself, and no name of a row."""
    return went_on and not row[0] and all(above for above, text in zip(last, row, strict=True) if text)


def _goes_on(name: str, last: Sequence[str], row: Sequence[str], widths: Sequence[int], ruled: bool) -> bool:
    """Every piece of the line did not fit behind the piece above it, and the line has a gap or only words. `name` is
    the first cell of the row above, `last` its last line."""
    pieces = [(above, text, width) for above, text, width in zip(last, row, widths, strict=True) if text]
    if len(pieces) == len(row) and not all(" " in above and text[:1].islower() for above, text, _ in pieces):
        return False
    if not ruled and (not name or row[0][:1].isupper() or is_figure(row[0][:1])):
        return False
    return all(above and len(above) + 1 + len(text.split()[0]) > width for above, text, width in pieces)
