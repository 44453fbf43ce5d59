"""Makes the vector of what is searched for. Without one, words alone are searched, and the reader is told."""

from __future__ import annotations

from dataclasses import replace

from careline.installation import Installation
from careline.turn.turn import EgressRecord, Turn

STAYS = "The question stays in the house; only exact words could be searched for."
DOWN = "Only exact words could be searched for; the answer may miss documents."


async def embed_query(turn: Turn, installation: Installation) -> Turn:
    """The turn with the vectors of its search text and its topic, which says what was sent for them."""
    return await _topic_embedded(await _embedded(turn, installation), installation)


async def _embedded(turn: Turn, installation: Installation) -> Turn:
    known = turn.embedded
    if known is not None and turn.search_text == known.text and not installation.engines.embedder.is_external:
        # The same model has looked at the same words, for the screens or for what is wanted.
        return replace(turn, vector=known.vector)
    embedded = await installation.retrieval.embed(turn.search_text, inspected=_inspected(turn))
    if embedded.vector is None:
        return turn.warn("KEYWORDS_ONLY", STAYS if embedded.missing == "PHI_ASSUMED" else DOWN)
    return replace(_sent(turn, "search text", installation), vector=embedded.vector)


async def _topic_embedded(turn: Turn, installation: Installation) -> Turn:
    """The turn with the vector of its topic; without one, that of the question is missing too, and the reader knows."""
    if not turn.topic or turn.vector is None:
        return turn
    embedded = await installation.retrieval.embed(turn.topic, inspected=_inspected(turn))
    if embedded.vector is None:
        return turn
    return replace(_sent(turn, "topic", installation), topic_vector=embedded.vector)


def _inspected(turn: Turn) -> bool:
    return turn.phi is None or turn.phi.state != "assumed"


def _sent(turn: Turn, what: str, installation: Installation) -> Turn:
    """The turn that says so where a text went to somebody else's service."""
    embedder = installation.engines.embedder
    if not embedder.is_external:
        return turn
    redacted = turn.phi is not None and turn.phi.state == "found"
    return replace(turn, sent=(*turn.sent, EgressRecord(embedder.name, "cloud", what, redacted)))
