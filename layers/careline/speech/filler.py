"""What the line says while an answer is being made: at 1.5, 4 and 10 seconds, until the first sentence comes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from careline.speech import language_data
from careline.speech.phrases import phrases, plain_words

Topic = Literal["default", "parking", "appointment", "documents"]
TOPICS: tuple[Topic, ...] = ("parking", "appointment", "documents")
AFTER_SECONDS = (1.5, 4.0, 10.0)


@dataclass(frozen=True, slots=True)
class FillerStep:
    """One sentence and the seconds of silence, from the end of the question, after which it is said."""

    after_seconds: float
    text: str


def ladder(language: str, topic: Topic = "default") -> tuple[FillerStep, ...]:
    """The three steps for a language (one of the four) and what the question is about."""
    said = language_data.texts(language, "filler", "steps", topic)
    return tuple(FillerStep(after, text) for after, text in zip(AFTER_SECONDS, said, strict=True))


def topic_of(question: str, language: str) -> Topic:
    """What a question is about, as far as the fillers tell things apart."""
    words = plain_words(question)
    return next((topic for topic in TOPICS if phrases(language, "filler", "topics", topic).found_in(words)), "default")


class FillerLadder:
    """The fillers of one question. Ask `due` from time to time; `cancel` when the first sentence of the answer comes.

    `clock` gives seconds and runs from the making of the ladder, which is the end of the caller's question.
    """

    def __init__(self, language: str, topic: Topic, clock: Callable[[], float]) -> None:
        self._steps = ladder(language, topic)
        self._clock = clock
        self._begun = clock()
        self._next = 0
        self._cancelled = False

    def due(self, elapsed: float | None = None) -> str | None:
        """The filler to say now, each once; a late question gets the latest alone, not those that were missed.

        `elapsed`: seconds since the question, by the ladder's clock where it is not given.
        """
        seconds = self._clock() - self._begun if elapsed is None else elapsed
        passed = sum(step.after_seconds <= seconds for step in self._steps)
        if self._cancelled or passed <= self._next:
            return None
        self._next = passed
        return self._steps[passed - 1].text

    def next_after(self) -> float | None:
        """Seconds since the question at which the next filler falls due; None when there is none left."""
        return None if self._cancelled or self._next == len(self._steps) else self._steps[self._next].after_seconds

    def cancel(self) -> None:
        """The answer has begun: nothing more is said."""
        self._cancelled = True
