"""Finds evidence in tables that the reader does not see: cells whose labels say every word of the question."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from careline.model import Hit, ReadWindow
from careline.ports import Source
from careline.safety.grounding.medicines import speaks_of_medicines
from careline.search.asked_cells import AskedCells, asked_cells, whole_tables
from careline.search.named_labels import NamedLabels
from careline.search.read_windows import ReadHit

FEWEST_WORDS = 2
"""Words of the question that a table has to account for."""
MOST_TABLES = 2
"""Tables that hold what is asked for equally well; of more the question does not say enough."""


def sources_of_cells(question: str, language: str, hits: Sequence[Hit]) -> tuple[Source, ...]:
    """The numbered sources that hold the cells a question names by row and column, each read at its table; empty where
    no table holds them or too many do."""
    asked = asked_cells(question, language, hits, partial(speaks_of_medicines, question))
    named = [one for one in asked.cells if one.found.is_chosen and one.found.matched >= FEWEST_WORDS]
    most = max((one.found.matched for one in named), default=0)
    best = [one for one in named if one.found.matched == most]
    if len(best) > MOST_TABLES:
        return ()
    return tuple(_source(number, hit) for number, hit in enumerate(_hits(best), 1))


def with_named_rows(question: str, language: str, best: Sequence[ReadHit], found: Sequence[ReadHit]) -> list[ReadHit]:
    """What answers best and, where its tables have no row that the question names, the pieces of tables that have one:
    the reader may have read other rows of a long table."""
    tables = whole_tables([one.hit for one in best])
    if not tables or NamedLabels(question, language, tables).hits():
        return list(best)
    held = {one.hit.passage.chunk_id for one in best}
    named = NamedLabels(question, language, whole_tables([one.hit for one in found])).hits()
    also = [hit.passage.chunk_id for hit in named if hit.passage.chunk_id not in held][:MOST_TABLES]
    return [*best, *(one for one in found if one.hit.passage.chunk_id in also)]


def _hits(cells: Sequence[AskedCells]) -> list[Hit]:
    """The pieces of the tables, each once."""
    pieces = {hit.passage.chunk_id: hit for one in cells for hit in one.whole.hits}
    return list(pieces.values())


def _source(number: int, hit: Hit) -> Source:
    return Source(number, hit.passage.facts.title, hit.passage.facts.language, hit, (ReadWindow(0, 0.0),))
