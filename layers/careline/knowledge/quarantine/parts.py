"""The parts of a passage that a finding marks, and the passage without some of them.

A part is what the screen judged at a time: a sentence, a line, or the cell of a row. A person may decide about each;
what is told then is the passage without those that were discarded.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from careline.model import Chunk, TableRow
from careline.records.record_table import Body
from careline.safety.injection.document_screen import Finding
from careline.tables.read import row_lines, text_of

_CELLS = " | "
_LIST_SIGNS = "-*•–—>|#: \t"


@dataclass(frozen=True, slots=True)
class Part:
    """Characters `start` to `end` of a passage's text, as code points, the last one not counted, and why they are held
    against it. `part_id` is made of the words, 16 hexadecimal digits."""

    part_id: str
    start: int
    end: int
    text: str
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of one passage in order. `whole` says that something is held against the passage as a whole, or against
    its headings, so that deciding about parts is not enough."""

    parts: tuple[Part, ...]
    whole: bool

    def of(self, part_id: str) -> Part | None:
        """The first part of this name."""
        return next((one for one in self.parts if one.part_id == part_id), None)


def part_id(text: str) -> str:
    """The name of a part by its words."""
    return hashlib.sha256(json.dumps(text, ensure_ascii=True).encode()).hexdigest()[:16]


def parts_of(text: str, findings: Sequence[Finding]) -> Parts:
    """What may be decided about apart. Marks that overlap are one part."""
    marks = sorted((start, end, finding.reason) for finding in findings for start, end in finding.marks)
    merged: list[tuple[int, int, list[str]]] = []
    for start, end, reason in marks:
        if merged and start < merged[-1][1]:
            first, last, reasons = merged[-1]
            merged[-1] = first, max(last, end), [*reasons, reason]
        else:
            merged.append((start, end, [reason]))
    parts = tuple(
        Part(part_id(text[start:end]), start, end, text[start:end], tuple(dict.fromkeys(reasons)))
        for start, end, reasons in merged
    )
    return Parts(parts, any(one.beside or not one.marks for one in findings))


def to_json(findings: Sequence[Finding]) -> list[Body]:
    """Findings as the record of a held passage keeps them."""
    return [
        {"reason": one.reason, "excerpt": one.excerpt, "marks": list(map(list, one.marks)), "beside": one.beside}
        for one in findings
    ]


def findings_in(entry: Body) -> list[Finding]:
    """The findings in a record; of one that was kept without their places, its excerpt where the text has it."""
    kept = entry.get("findings")
    if kept is not None:
        return [
            Finding(one["reason"], one["excerpt"], tuple((start, end) for start, end in one["marks"]), one["beside"])
            for one in kept
        ]
    excerpt: str = entry["excerpt"]
    at = entry["text"].find(excerpt) if excerpt else -1
    marks = ((at, at + len(excerpt)),) if at >= 0 else ()
    # Only the first reason has its words kept: what the others are about cannot be cut out.
    return [
        Finding(reason, excerpt, marks if n == 0 else (), beside=n > 0 or not marks)
        for n, reason in enumerate(entry["reasons"])
    ]


def without(chunk: Chunk, parts: Sequence[Part], discarded: Collection[str]) -> Chunk | None:
    """The passage without the parts of these names; None where nothing is left that says something."""
    gone = [(one.start, one.end) for one in parts if one.part_id in discarded]
    if not gone:
        return chunk
    left = _without_text(chunk, gone) if chunk.table is None else _without_cells(chunk, gone)
    return left if any(map(str.isalnum, left.text)) else None


def _without_text(chunk: Chunk, gone: Sequence[tuple[int, int]]) -> Chunk:
    """Lines of which nothing is left go too, and headings in the text keep their lines."""
    lines: list[str] = []
    number_now: dict[int, int] = {}
    at = 0
    for number, line in enumerate(chunk.text.split("\n")):
        kept = _cut(line, at, gone)
        at += len(line) + 1
        if kept == line or kept.strip(_LIST_SIGNS):
            number_now[number] = len(lines)
            lines.append(kept)
    titles = tuple((number_now[number], depth) for number, depth in chunk.titles if number in number_now)
    return replace(chunk, text="\n".join(lines).strip("\n"), titles=titles)


def _cut(line: str, at: int, gone: Sequence[tuple[int, int]]) -> str:
    """A line that begins at a place of the text, without what is gone of it."""
    kept, last = [], 0
    for start, end in gone:
        first, behind = max(0, start - at), min(len(line), end - at)
        if first < behind:
            kept.append(line[last:first])
            last = behind
    if not last:
        return line
    kept.append(line[last:])
    return " ".join(" ".join(kept).split()) if line[:1].strip() else " ".join(kept).rstrip()


def _without_cells(chunk: Chunk, gone: Sequence[tuple[int, int]]) -> Chunk:
    """A value that is gone alone leaves its place empty; a row whose name is gone, or that has nothing else, goes."""
    assert chunk.table is not None
    rows: list[TableRow] = []
    at = 0
    for row, line in zip(chunk.table.rows, row_lines(chunk.table), strict=True):
        found = chunk.text.find(line, at)
        at = found + len(line) if found >= 0 else at
        left = row if found < 0 else _row_without(row, line, found, gone)
        if left is not None:
            rows.append(left)
    table = replace(chunk.table, rows=tuple(rows))
    text = text_of(table) if rows and not _beyond_rows(chunk, gone) else ""
    return replace(chunk, table=table, text=text)


def _beyond_rows(chunk: Chunk, gone: Sequence[tuple[int, int]]) -> bool:
    """Whether something is gone that is no row: the caption, the header, a note. All of the table depends on it."""
    assert chunk.table is not None
    lines = row_lines(chunk.table)
    first = chunk.text.find(lines[0])
    last = chunk.text.rfind(lines[-1]) + len(lines[-1])
    return any(start < first or end > last for start, end in gone)


def _row_without(row: TableRow, line: str, at: int, gone: Sequence[tuple[int, int]]) -> TableRow | None:
    values = list(row.values)
    start = at
    for number, cell in enumerate(line.split(_CELLS)):
        touched = any(first < start + len(cell) and last > start for first, last in gone)
        start += len(cell) + len(_CELLS)
        if not touched:
            continue
        if number == 0 or number > len(values):
            return None
        values[number - 1] = ""
    return replace(row, values=tuple(values)) if any(each.strip() for each in values) else None
