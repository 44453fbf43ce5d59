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
from careline.search.select_windows import cut
from careline.search.timetable import runs_of

FEWEST_WORDS = 2
"""Words of the question, but for those that say only where, that a table has to account for."""
MOST_TABLES = 2
"""Tables that hold what is asked for equally well; of more the question does not say enough."""


def sources_of_cells(question: str, language: str, hits: Sequence[Hit]) -> tuple[Source, ...]:
    """The numbered sources that hold the cells a question names by row and column, each read at its table; empty where
    no table holds them or too many do."""
    asked = asked_cells(question, language, hits, partial(speaks_of_medicines, question))
    named = [one for one in asked.cells if one.found.is_chosen and one.found.matched - one.found.places >= FEWEST_WORDS]
    most = max((one.found.matched for one in named), default=0)
    best = [one for one in named if one.found.matched == most]
    if len(best) > MOST_TABLES:
        return ()
    return tuple(_source(number, hit) for number, hit in enumerate(_hits(best), 1))


def sources_of_runs(question: str, language: str, hits: Sequence[Hit]) -> tuple[Source, ...]:
    """The numbered sources with the runs of timetables that a question asks for; empty where none has them."""
    runs = [AskedCells(*one) for one in runs_of(question, language, whole_tables(hits))]
    return tuple(_source(number, hit) for number, hit in enumerate(_hits(runs), 1))


def with_named_rows(question: str, language: str, best: Sequence[ReadHit], found: Sequence[ReadHit]) -> list[ReadHit]:
    """What answers best and, where its best row is of another thing than the question names, the pieces of tables that
    have a row of that thing: the reader may have read other rows of a long table."""
    row = _best_row(best[0]) if best else None
    if row is None:
        return list(best)
    wholes = whole_tables([one.hit for one in found])
    named = NamedLabels(question, language, wholes)
    places = ((whole, whole.row_of(best[0].hit, row)) for whole in wholes)
    if not any(at is not None and named.pass_over(whole, whole.table.rows[at]) for whole, at in places):
        return list(best)
    held = {one.hit.passage.chunk_id for one in best}
    also = [hit.passage.chunk_id for hit in named.hits() if hit.passage.chunk_id not in held][:MOST_TABLES]
    return [*best, *(one for one in found if one.hit.passage.chunk_id in also)]


def _best_row(one: ReadHit) -> int | None:
    """The number of the row that was read best, among those of its piece; None where it is no row."""
    windows = cut(one.hit.passage.chunk, one.hit.passage.facts.language)
    number = one.read[0].number if one.read else len(windows)
    return windows[number].row if number < len(windows) else None


def _hits(cells: Sequence[AskedCells]) -> list[Hit]:
    """The pieces of the tables, each once."""
    pieces = {hit.passage.chunk_id: hit for one in cells for hit in one.whole.hits}
    return list(pieces.values())


def _source(number: int, hit: Hit) -> Source:
    return Source(number, hit.passage.facts.title, hit.passage.facts.language, hit, (ReadWindow(0, 0.0),))
