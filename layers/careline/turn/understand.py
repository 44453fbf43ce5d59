"""Reads a question in the light of the one before it: "and on Sundays?" asks about what was asked last."""

from __future__ import annotations

import re
from dataclasses import replace

from careline.search.words import terms
from careline.turn.turn import Installation, Turn

LONGEST_FOLLOW_UP = 10
"""Words of a question that can lean on the one before; longer ones stand by themselves."""
_WORD = re.compile(r"\w+")


async def understand(turn: Turn, installation: Installation) -> Turn:
    """The turn with the text that is searched for."""
    before = [message.text for message in turn.conversation.messages if message.role == "user"]
    if before and is_follow_up(turn):
        return replace(turn, search_text=f"{before[-1]} {turn.question}")
    return replace(turn, search_text=turn.question)


def is_follow_up(turn: Turn) -> bool:
    """Whether a question leans on the one before: short, and opening or ending in a word of the pack's list.

    "En op zondag?" opens like one and "hoe lang duurt het" ends in one; a question that informs of nothing leans too.
    """
    words = [word.lower() for word in _WORD.findall(turn.question)]
    if not words or len(words) > LONGEST_FOLLOW_UP:
        return False
    cues = turn.pack.follow_up.get(turn.language)
    leans = cues is not None and (words[0] in cues.opens or words[-1] in cues.ends)
    return leans or not terms(turn.question, turn.language)
