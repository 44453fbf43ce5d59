"""Quotes from tables: of the tables among the sources, the cells that the question asks for, said with their labels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from careline.model import Table, TableRow
from careline.ports import PromptInput, Source
from careline.safety.grounding.figures import readable
from careline.safety.grounding.medicines import medicines
from careline.search.quotable import Quotable
from careline.search.said_row import about_of, said_row
from careline.search.table_answer import FoundCells, accounted, find
from careline.search.table_sight import CellPlace


@dataclass(frozen=True, slots=True)
class TableQuote:
    """What a table answers. `place` is that of its source among the sources; `found` says how well it fits, `rows` are
    those that are told."""

    source: Source
    place: int
    quotable: Quotable
    found: FoundCells
    rows: tuple[TableRow, ...]


@dataclass(frozen=True, slots=True)
class _Whole:
    """The pieces of one table that are among the sources, put together; each row with the source that holds it."""

    table: Table
    sources: tuple[Source, ...]
    place: int


def table_quotes(prompt_input: PromptInput) -> tuple[list[TableQuote], int]:
    """The quotes; and of the tables that do not hold what is asked for, how many of the question's words the one has
    that has the most."""
    quotes: list[TableQuote] = []
    declined = 0
    wholes = _wholes(prompt_input.sources)
    for whole in wholes:
        source = whole.sources[0]
        asked = (
            prompt_input.asked,
            prompt_input.language,
            whole.table,
            source.language,
            _place(whole, wholes, prompt_input.sources),
        )
        found = find(*asked) if _is_of_the_medicine(prompt_input, whole) else None
        if found is None:
            declined = max(declined, accounted(*asked))
        else:
            quotes.append(_quote(whole, found, source.hit.passage.chunk.heading_path))
    # A table that has more of what is asked for, and not the cell, is believed before one that has less.
    return [quote for quote in quotes if quote.found.matched >= declined], declined


def _is_of_the_medicine(prompt_input: PromptInput, whole: _Whole) -> bool:
    """Whether a table speaks of every medicine that the question names: the dose of another one is no answer."""
    asked = medicines(readable(prompt_input.question))
    passage = whole.sources[0].hit.passage
    texts = (passage.facts.title, passage.facts.drug_name or "", *passage.chunk.heading_path, passage.chunk.text)
    return not asked or asked <= medicines(readable("\n".join((*texts, *_labels(whole)))))


def _place(whole: _Whole, wholes: Sequence[_Whole], sources: Sequence[Source]) -> CellPlace:
    passage = whole.sources[0].hit.passage
    facts = passage.facts
    titles = (facts.title, passage.file_name.rpartition(".")[0], facts.organisation or "", facts.publisher or "")
    headings = tuple(heading for heading in passage.chunk.heading_path if heading != facts.title)
    others = [other for other in wholes if other is not whole]
    elsewhere = {(label, other.sources[0].language) for other in others for label in _labels(other)}
    same = [one.hit.passage for one in sources if one.hit.passage.document_id == passage.document_id]
    return CellPlace(titles, headings, tuple(sorted(elsewhere)), tuple(one.chunk.text for one in same))


def _labels(whole: _Whole) -> Iterator[str]:
    for row in whole.table.rows:
        yield from row.labels
    for path in whole.table.columns:
        yield from path
    yield whole.table.caption
    yield from whole.sources[0].hit.passage.chunk.heading_path[1:]


def _quote(whole: _Whole, found: FoundCells, headings: Sequence[str]) -> TableQuote:
    heading = " ".join(headings[-1:]) or whole.sources[0].title
    language = whole.sources[0].language
    # What the table tells of is said once: before the only row, or above the list of rows.
    about = about_of(whole.table, headings, language) if len(found.rows) == 1 else ""
    said = [said_row(whole.table, whole.table.rows[row], found.columns, language, about) for row in found.rows]
    source, rows = whole.sources[found.rows[0]], tuple(whole.table.rows[row] for row in found.rows)
    if len(said) == 1:
        return TableQuote(source, whole.place, Quotable(heading, said[0]), found, rows)
    lead = (whole.table.caption or heading).rstrip("?:. ") + ":"
    return TableQuote(source, whole.place, Quotable(heading, lead, tuple(said)), found, rows)


def _wholes(sources: Sequence[Source]) -> list[_Whole]:
    """Pieces of a table share its document, headings, caption and columns; a table alike on another page is another."""
    groups: dict[object, list[tuple[int, Source, Table]]] = {}
    for place, source in enumerate(sources):
        passage, table = source.hit.passage, source.hit.passage.chunk.table
        if table is not None:
            key = (passage.document_id, passage.chunk.heading_path, table.caption, table.columns, table.stub)
            groups.setdefault(key, []).append((place, source, table))
    return [_whole(group) for group in groups.values()]


def _whole(group: list[tuple[int, Source, Table]]) -> _Whole:
    place = min(place for place, _, _ in group)
    ordered = sorted(group, key=lambda one: one[1].hit.passage.chunk.ordinal)
    rows = tuple((row, source) for _, source, table in ordered for row in table.rows)
    notes = tuple(dict.fromkeys(note for _, _, table in ordered for note in table.notes))
    table = replace(ordered[0][2], rows=tuple(row for row, _ in rows), notes=notes)
    return _Whole(table, tuple(source for _, source in rows), place)
