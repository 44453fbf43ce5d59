"""Plans the searches of a turn: what its asker may see and what is valid today at the hospital, and nothing else."""

from __future__ import annotations

from careline.ports import PlannedSearch, Vector
from careline.search.sources import KNOWLEDGE_BASE
from careline.turn.turn import Turn


def planned(text: str, vector: Vector | None, turn: Turn, limit: int, **only: tuple[str | int, ...]) -> PlannedSearch:
    """The search of the documents for a text; by its words alone where it has no vector. `only` narrows it by facts, as
    to one document. What was taken for a request for advice finds what is public alone."""
    audiences = ("public",) if turn.supposed_advice else turn.pack.audiences_searched
    return PlannedSearch(
        KNOWLEDGE_BASE,
        text,
        vector,
        language=turn.language,
        filters={"audience": audiences, **only},
        limit=limit,
        today=turn.tenant.day_of(turn.began_at),
    )
