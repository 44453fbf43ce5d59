"""Completes the tables among the sources: rows of a long one that were not found may be what is asked for."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from careline.errors import EngineUnavailable
from careline.installation import Installation
from careline.model import Passage
from careline.search.asked_cells import WholeTable, whole_tables
from careline.search.read_windows import ReadHit
from careline.turn.find_passages import find_passages
from careline.turn.turn import Turn

MOST_TABLES = 2
"""Tables that are completed for one question."""
MOST_PIECES = 24
"""Pieces of tables of a document that are looked at; a table that they do not make whole stays as it was found."""

logger = logging.getLogger(__name__)


async def with_missing_pieces(found: Sequence[ReadHit], turn: Turn, installation: Installation) -> list[ReadHit]:
    """What was found, and behind it the other pieces of its tables: they say the same headers. As it is where the index
    does not answer."""
    incomplete = [one for one in whole_tables([each.hit for each in found]) if len(one.table.rows) < one.table.total]
    completed = list(found)
    for whole in incomplete[:MOST_TABLES]:
        own = whole.hits[0].passage
        only = {"document_id": (own.document_id,), "kind": ("table",)}
        try:
            hits = await find_passages(_headers(whole), None, turn, installation, MOST_PIECES, **only)
        except EngineUnavailable as error:
            logger.warning("a table was not completed", extra={"code": error.code, "reason": error.message})
            break
        held = {one.hit.passage.chunk_id for one in completed}
        missing = [one for one in hits if _is_of_table(one.passage, own) and one.passage.chunk_id not in held]
        rows = len(whole.table.rows) + sum(
            len(one.passage.chunk.table.rows) for one in missing if one.passage.chunk.table
        )
        if rows >= whole.table.total:
            completed += [ReadHit(one, ()) for one in sorted(missing, key=lambda one: one.passage.chunk.ordinal)]
    return completed


def _headers(whole: WholeTable) -> str:
    """What every piece of a table says."""
    table = whole.table
    return " ".join((*whole.headings, table.caption, *table.stub, *(label for path in table.columns for label in path)))


def _is_of_table(passage: Passage, own: Passage) -> bool:
    """Whether a passage is a piece of the same table."""
    table, other = passage.chunk.table, own.chunk.table
    if table is None or other is None or passage.chunk.heading_path != own.chunk.heading_path:
        return False
    return (table.caption, table.columns, table.stub) == (other.caption, other.columns, other.stub)
