"""Reads a question in the light of the one before it: "and on Sundays?" asks about what was asked last."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from careline.installation import Installation
from careline.privacy.redaction.redact import without_tokens
from careline.search.words import terms
from careline.turn.turn import Turn

LONGEST_FOLLOW_UP = 10
"""Words of a question that can lean on the one before; longer ones stand by themselves."""
REACH = 3
"""Messages back that a chain of follow-ups may lead."""
_WORD = re.compile(r"\w+")


async def rewrite_query(turn: Turn, installation: Installation) -> Turn:
    """The turn with the text that is searched for."""
    asked = " ".join([*reversed(list(_leant_on(turn))), _asked(turn)])
    return replace(turn, search_text=without_tokens(asked).strip() or asked)


def _asked(turn: Turn) -> str:
    """The user's words without personal data; as they are when nobody could look, for then they stay in the house."""
    return turn.question if turn.phi is None or turn.phi.state == "assumed" else turn.phi.question


def _leant_on(turn: Turn) -> Iterator[str]:
    """The user's messages that the question leans on, newest first, up to one that stands by itself."""
    messages = turn.phi.history if turn.phi is not None and turn.phi.history else turn.conversation.messages
    before = [message.text for message in messages if message.role == "user"]
    text = _asked(turn)
    for earlier in reversed(before[-REACH:]):
        if not leans(text, turn):
            return
        yield earlier
        text = earlier


def leans(text: str, turn: Turn) -> bool:
    """Whether a question leans on the one before: short, and opening or ending in a word of the pack's list.

    "En op zondag?" opens like one and "hoe lang duurt het" ends in one; a question that informs of nothing leans too.
    """
    words = [word.lower() for word in _WORD.findall(text)]
    if not words or len(words) > LONGEST_FOLLOW_UP:
        return False
    cues = turn.pack.follow_up.get(turn.language)
    cued = cues is not None and (words[0] in cues.opens or words[-1] in cues.ends)
    return cued or not terms(text, turn.language)
