"""Searches the documents by words alone, for what a turn has to know before it knows what to search for."""

from __future__ import annotations

from collections.abc import Sequence

from careline.installation import Installation
from careline.model import Hit
from careline.turn.turn import Turn


async def find_by_words(
    text: str, turn: Turn, installation: Installation, limit: int, **only: tuple[str | int, ...]
) -> Sequence[Hit]:
    """The passages that hold most of the words, best first, of those that the asker may see and that are valid today;
    `only` narrows them by facts, as of one document. Raises: EngineUnavailable."""
    return await installation.retrieval.find(
        text,
        None,
        language=turn.language,
        limit=limit,
        today=turn.began_at.date(),
        filters={"audience": turn.pack.audiences_searched, **only},
    )
