"""Completes the tables among the sources: rows of a long one that were not found may be what is asked for."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from careline.errors import EngineUnavailable
from careline.installation import Installation
from careline.model import Hit, Passage
from careline.search.asked_cells import whole_tables
from careline.search.read_windows import ReadHit

MOST_DOCUMENTS = 2
"""Documents whose tables are completed for one question."""
MOST_PIECES = 12
"""Pieces that a table is completed with at most; with more it stays as it was found, and says so itself."""

logger = logging.getLogger(__name__)


async def with_missing_pieces(found: Sequence[ReadHit], installation: Installation) -> list[ReadHit]:
    """What was found, and behind it the other pieces of its tables; as it is where the index does not answer."""
    incomplete = [one for one in whole_tables([each.hit for each in found]) if len(one.table.rows) < one.table.total]
    completed = list(found)
    for whole in incomplete[:MOST_DOCUMENTS]:
        own = whole.hits[0].passage
        try:
            passages = await installation.engines.index.passages(own.tenant, own.doc_key, own.version)
        except EngineUnavailable as error:
            logger.warning("a table was not completed", extra={"code": error.code, "reason": error.message})
            break
        held = {one.hit.passage.chunk_id for one in completed}
        missing = [one for one in passages if _is_of_table(one, own) and one.chunk_id not in held]
        if len(missing) <= MOST_PIECES:
            completed += [ReadHit(Hit(one, 0.0), ()) for one in missing]
    return completed


def _is_of_table(passage: Passage, own: Passage) -> bool:
    """Whether a passage is a piece of the same table."""
    table, other = passage.chunk.table, own.chunk.table
    if table is None or other is None or passage.chunk.heading_path != own.chunk.heading_path:
        return False
    return (table.caption, table.columns, table.stub) == (other.caption, other.columns, other.stub)
