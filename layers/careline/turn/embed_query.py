"""Makes the vector of what is searched for. Without one, words alone are searched, and the reader is told."""

from __future__ import annotations

from dataclasses import replace

from careline.installation import Installation
from careline.turn.turn import EgressRecord, Turn

STAYS = "The question stays in the house; only exact words could be searched for."
DOWN = "Only exact words could be searched for; the answer may miss documents."


async def embed_query(turn: Turn, installation: Installation) -> Turn:
    """The turn with the vector of its search text, which says what was sent for it."""
    if turn.question_vector is not None and turn.search_text == turn.question:
        # The screens have looked at the same words through the same model.
        return replace(turn, vector=turn.question_vector)
    inspected = turn.phi is None or turn.phi.state != "assumed"
    embedded = await installation.retrieval.embed(turn.search_text, inspected=inspected)
    if embedded.vector is None:
        return turn.warn("KEYWORDS_ONLY", STAYS if embedded.missing == "PHI_ASSUMED" else DOWN)
    embedder = installation.engines.embedder
    if embedder.is_external:
        redacted = turn.phi is not None and turn.phi.state == "found"
        turn = replace(turn, sent=(*turn.sent, EgressRecord(embedder.name, "cloud", "search text", redacted)))
    return replace(turn, vector=embedded.vector)
