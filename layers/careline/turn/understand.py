"""Reads a question in the light of the one before it: "and on Sundays?" asks about what was asked last."""

from __future__ import annotations

import re
from dataclasses import replace

from careline.search.words import terms
from careline.turn.turn import Installation, Turn

LONGEST_FOLLOW_UP = 9
"""Words of a question that can lean on the one before; longer ones stand by themselves."""
FEWEST_WORDS = 1
"""Informative words from which on a question is searched alone, unless it opens or points like a follow-up."""
_WORD = re.compile(r"\w+")


async def understand(turn: Turn, installation: Installation) -> Turn:
    """The turn with the text that is searched for."""
    before = [message.text for message in turn.conversation.messages if message.role == "user"]
    if before and is_follow_up(turn):
        return replace(turn, search_text=f"{before[-1]} {turn.question}")
    return replace(turn, search_text=turn.question)


def is_follow_up(turn: Turn) -> bool:
    """Whether a question leans on the one before: short, and opening or pointing like one, or without own content."""
    words = [word.lower() for word in _WORD.findall(turn.question)]
    if len(words) > LONGEST_FOLLOW_UP:
        return False
    if len(set(terms(turn.question, turn.language))) < FEWEST_WORDS:
        return True
    cues = turn.pack.follow_up.get(turn.language)
    if cues is None:
        return False
    return words[0] in cues.openings or any(word in cues.pronouns for word in words)
