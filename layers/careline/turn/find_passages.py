"""Searches the documents for a turn: what its asker may see and what is valid today, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence

from careline.installation import Installation
from careline.model import Hit
from careline.ports import Vector
from careline.turn.turn import Turn


async def find_passages(
    text: str,
    vector: Vector | None,
    turn: Turn,
    installation: Installation,
    limit: int,
    **only: tuple[str | int, ...],
) -> Sequence[Hit]:
    """The best passages for a text; by its words alone where it has no vector. `only` narrows them by facts, as to one
    document. What was taken for a request for advice finds what is public alone. Raises: EngineUnavailable."""
    audiences = ("public",) if turn.supposed_advice else turn.pack.audiences_searched
    return await installation.retrieval.find(
        text,
        vector,
        language=turn.language,
        limit=limit,
        today=turn.began_at.date(),
        filters={"audience": audiences, **only},
    )
