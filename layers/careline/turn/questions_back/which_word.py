"""Asks what a word alone stands for, where nothing surely answers it."""

from __future__ import annotations

from careline.conversation.pending import Choice
from careline.packs.clarifications import WHICH_PART, WordAlone
from careline.turn.outcome import Clarification
from careline.turn.turn import Turn
from careline.understanding.ambiguous import is_one_of

REASON = "WHICH_WORD"


def which_word(turn: Turn) -> Clarification | None:
    """The question what a word alone stands for; None where it is none of the pack's, or was asked about."""
    word = word_alone(turn)
    topic = "" if word is None else f"word:{word.name}"
    if word is None or turn.choice is not None or topic in turn.conversation.asked_back:
        return None
    choices = tuple(Choice(told, question) for told, question in word.questions.items())
    return Clarification(REASON, WHICH_PART, choices, {"title": word.about}, topic=topic)


def word_alone(turn: Turn) -> WordAlone | None:
    """The word of the pack that is the whole question."""
    known = turn.pack.asks_back_about(turn.language).words
    return next((word for word in known if is_one_of(turn.without_phi, word.words)), None)
