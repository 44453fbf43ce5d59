"""Reads a short question together with the one before it: what it leaves unsaid stands there."""

from __future__ import annotations

from careline.text.asked_words import has_subject
from careline.understanding.transitions import is_correction, points_back, without_join

SHORT = 12
"""Words; a question of fewer may leave something to the one before it."""
FEW = 8
"""Words; a question of fewer that names nothing does."""
_ENDS = " ?.!…,;"


def leans(question: str, language: str) -> bool:
    """Whether a question is read together with the one before it: a short one that joins on, corrects or points back,
    and one of a few words that names nothing of a hospital. "Is there wifi?" after parking begins something else."""
    count = len(question.split())
    if count >= SHORT:
        return False
    joins = without_join(question, language) != question or is_correction(question, language)
    return joins or points_back(question, language) or (count < FEW and not has_subject(question, language))


def joined(before: str, question: str) -> str:
    """A question behind the one before it, as one text."""
    return f"{before.strip(_ENDS)}? {question.strip(_ENDS)}?"
