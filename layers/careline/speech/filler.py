"""What the line says while an answer is being made: at 1.5, 4 and 10 seconds, until the first sentence comes."""

from __future__ import annotations

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
