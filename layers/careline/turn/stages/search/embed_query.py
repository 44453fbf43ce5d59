"""Makes the vector of what is searched for. Without one, words alone are searched, and the reader is told."""

from __future__ import annotations

from dataclasses import replace

from careline.installation import Installation
from careline.turn.turn import EgressRecord, Turn

STAYS = "The question stays in the house; only exact words could be searched for."
DOWN = "Only exact words could be searched for; the answer may miss documents."


async def embed_query(turn: Turn, installation: Installation) -> Turn:
    """The turn with the vector of its search text, which says what was sent for it."""
    known = turn.embedded
    if known is not None and turn.search_text == known.text and not installation.engines.embedder.is_external:
        # The same model has looked at the same words, for the screens or for what is wanted.
        return replace(turn, vector=known.vector)
    embedded = await installation.retrieval.embed(turn.search_text, inspected=_inspected(turn))
    if embedded.vector is None:
        return turn.warn("KEYWORDS_ONLY", STAYS if embedded.missing == "PHI_ASSUMED" else DOWN)
    return replace(_sent(turn, "search text", installation), vector=embedded.vector)


def _inspected(turn: Turn) -> bool:
    return turn.phi is None or turn.phi.state != "assumed"


def _sent(turn: Turn, what: str, installation: Installation) -> Turn:
    """The turn that says so where a text went to somebody else's service."""
    embedder = installation.engines.embedder
    if not embedder.is_external:
        return turn
    redacted = turn.phi is not None and turn.phi.state == "found"
    return replace(turn, sent=(*turn.sent, EgressRecord(embedder.name, "cloud", what, redacted)))
