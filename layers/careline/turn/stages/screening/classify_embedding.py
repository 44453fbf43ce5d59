"""Lets the semantic classifiers look at the sentence embedding of words that rules and lexical classifiers doubted."""

from __future__ import annotations

from careline.installation import Installation
from careline.turn.endings.end_by_verdict import settled
from careline.turn.endings.fails_closed import fails_closed
from careline.turn.turn import Turn


@fails_closed
async def classify_embedding(turn: Turn, installation: Installation) -> Turn:
    """The turn, finished when its words are of a terminal class or an injection, or could not be screened.

    Without an embedding, which was late or is made by nothing, what words alone say stands.
    """
    looks = turn.first_looks
    if looks is None:
        return turn
    return settled(
        turn,
        looks.terminal.verdict(turn.sentence_embedding),
        looks.injection.verdict(turn.sentence_embedding),
        installation,
    )
