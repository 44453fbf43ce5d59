"""Looks among what was found for tables that hold the cells a question asks for, each put together of its pieces."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from careline.model import Hit, Table
from careline.search.table_answer import FoundCells, accounted, find
from careline.search.table_sight import CellPlace


@dataclass(frozen=True, slots=True)
class WholeTable:
    """The pieces of one table that were found, put together. `hits` has for each row the passage that holds it, `place`
    is that of the first among what was found."""

    table: Table
    hits: tuple[Hit, ...]
    place: int
    stands: CellPlace

    @property
    def language(self) -> str:
        """That of its document."""
        return self.hits[0].passage.facts.language

    @property
    def headings(self) -> tuple[str, ...]:
        """What stands above it, outermost first."""
        return self.hits[0].passage.chunk.heading_path

    def labels(self) -> Iterator[str]:
        """Every label, the caption and the headings below the title."""
        return _labels(self.table, self.headings)

    def row_of(self, hit: Hit, row: int) -> int | None:
        """The number in the whole of a row of one piece; None where the piece is not of this table."""
        names = [one.passage.chunk_id for one in self.hits]
        own = hit.passage.chunk_id
        return names.index(own) + row if own in names else None


@dataclass(frozen=True, slots=True)
class AskedCells:
    """A table and the cells of it that a question asks for."""

    whole: WholeTable
    found: FoundCells


Speaks = Callable[[WholeTable], bool]
"""Whether a table may be told of at all, such as whether it is of the medicine that is asked about."""


@dataclass(frozen=True, slots=True)
class AskedTables:
    """The tables among what was found, and what they answer.

    `cells` are what is asked for, `empty` the cells that are asked for and have no value. `declined` is, of the tables
    that do not hold what is asked for, how many of the question's words the one has that has the most.
    """

    wholes: tuple[WholeTable, ...]
    cells: tuple[AskedCells, ...]
    empty: tuple[AskedCells, ...]
    declined: int


def asked_cells(question: str, language: str, hits: Sequence[Hit], speaks: Speaks) -> AskedTables:
    """The cells that tables hold of what a question asks for.

    A table that has more of what is asked for, and not the cell, is believed before one that has less.
    """
    asked: list[AskedCells] = []
    declined = 0
    wholes = whole_tables(hits)
    for whole in wholes:
        place = question, language, whole.table, whole.language, whole.stands
        found = find(*place) if speaks(whole) else None
        if found is None:
            declined = max(declined, accounted(*place))
        else:
            asked.append(AskedCells(whole, found))
    empty = tuple(one for one in asked if one.found.is_empty and one.found.matched >= declined)
    least = max((one.found.matched + 1 for one in empty), default=declined)
    cells = (one for one in asked if not one.found.is_empty and one.found.matched >= least)
    return AskedTables(tuple(wholes), tuple(cells), empty, declined)


def whole_tables(hits: Sequence[Hit]) -> list[WholeTable]:
    """Pieces of a table share its document, headings, caption and columns; a table alike on another page is another."""
    groups: dict[object, list[tuple[int, Hit, Table]]] = {}
    for place, hit in enumerate(hits):
        passage, table = hit.passage, hit.passage.chunk.table
        if table is not None:
            key = (passage.document_id, passage.chunk.heading_path, table.caption, table.columns, table.stub)
            groups.setdefault(key, []).append((place, hit, table))
    wholes = [_whole(group) for group in groups.values()]
    return [replace(whole, stands=_stands(whole, wholes, hits)) for whole in wholes]


def _whole(group: list[tuple[int, Hit, Table]]) -> WholeTable:
    ordered = sorted(group, key=lambda one: one[1].passage.chunk.ordinal)
    rows = tuple((row, hit) for _, hit, table in ordered for row in table.rows)
    notes = tuple(dict.fromkeys(note for _, _, table in ordered for note in table.notes))
    table = replace(ordered[0][2], rows=tuple(row for row, _ in rows), notes=notes)
    return WholeTable(table, tuple(hit for _, hit in rows), min(place for place, _, _ in group), CellPlace(()))


def _stands(whole: WholeTable, wholes: Sequence[WholeTable], hits: Sequence[Hit]) -> CellPlace:
    passage = whole.hits[0].passage
    facts = passage.facts
    titles = (facts.title, passage.file_name.rpartition(".")[0], facts.organisation or "", facts.publisher or "")
    headings = tuple(heading for heading in passage.chunk.heading_path if heading != facts.title)
    others = [other for other in wholes if other is not whole]
    elsewhere = {(label, other.language) for other in others for label in other.labels()}
    same = [one.passage for one in hits if one.passage.document_id == passage.document_id]
    return CellPlace(titles, headings, tuple(sorted(elsewhere)), tuple(one.chunk.text for one in same))


def _labels(table: Table, headings: Sequence[str]) -> Iterator[str]:
    for row in table.rows:
        yield from row.labels
    for path in table.columns:
        yield from path
    yield table.caption
    yield from headings[1:]
