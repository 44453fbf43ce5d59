"""What the line says to a caller who is silent, when it closes the call, and what a goodbye is."""

from __future__ import annotations

from dataclasses import dataclass

from careline.speech import language_data
from careline.speech.phrases import PhraseSet, phrases, plain_words

BETWEEN_SECONDS = 7.0
"""Silence before each step; the worker's limit of dead air is ten."""
MOST_GOODBYE_WORDS = 16


@dataclass(frozen=True, slots=True)
class SilenceStep:
    """A sentence; `closes`: the call ends after it."""

    text: str
    closes: bool


class SilenceWatch:
    """One call's silences. `due` tells what to say, `heard` starts again when the caller speaks or presses a key."""

    def __init__(self, language: str) -> None:
        prompts = language_data.texts(language, "silence", "prompts")
        self._steps = [SilenceStep(prompt, closes=False) for prompt in prompts]
        self._steps.append(SilenceStep(language_data.text(language, "silence", "close"), closes=True))
        self._said = 0

    def due(self, silent_seconds: float) -> SilenceStep | None:
        """The next step, once `silent_seconds` since anybody spoke have reached `BETWEEN_SECONDS`; None before."""
        if silent_seconds < BETWEEN_SECONDS or self._said == len(self._steps):
            return None
        self._said += 1
        return self._steps[self._said - 1]

    def heard(self) -> None:
        """The caller is there."""
        self._said = 0


def is_goodbye(text: str, language: str) -> bool:
    """Whether the caller ends the call in so many words: a goodbye, with nothing but thanks and courtesies around it.

    "Bedankt" alone is none, nor is "tot ziens, of wacht, nog één vraag".
    """
    words = plain_words(text)
    explicit, around = phrases(language, "goodbye", "explicit"), phrases(language, "goodbye", "around")
    if "?" in text or len(words) > MOST_GOODBYE_WORDS or not explicit.found_in(words):
        return False
    both = PhraseSet(explicit.known | around.known, max(explicit.longest, around.longest))
    return both.make_up(words)
