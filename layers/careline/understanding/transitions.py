"""How a message goes on from what was said: it joins on, puts right, or begins something else."""

from __future__ import annotations

from collections.abc import Sequence

from careline.text.asked_words import AskedWord, holds, kinds, listed, phrase_at, phrases, words_of
from careline.text.label_words import question_words


def without_join(question: str, language: str) -> str:
    """A question without an "and" at its beginning."""
    words = words_of(question)
    start = 1 if words and words[0].plain in listed("joins", language) else 0
    return question[words[start].start :] if start < len(words) else ""


def without_change_of_topic(question: str, language: str) -> tuple[str, bool]:
    """A question without the words that say it is about something else ("another question"), and whether it had any."""
    bare = without_join(question, language)
    words = words_of(bare)
    taken = phrase_at(words, 0, phrases("changes_topic", language))
    if not taken:
        return question, False
    rest = words[taken:]
    return bare[rest[0].start :] if rest else "", True


def asks_by_itself(question: str, language: str) -> bool:
    """Whether a question has a subject that people ask about without saying more, such as parking, and asks."""
    words = words_of(question)
    asks = any(phrase_at(words, at, phrases("asks", language)) for at in range(min(2, len(words))))
    return asks and any(kinds()["subject"].has(word, language) for word in question_words(question, language))


def is_correction(question: str, language: str) -> bool:
    """Whether a question puts right what was said before ("oh sorry, I meant campus East") and says what is meant."""
    words = words_of(question)
    taken = _led_in(words, language)
    return taken < len(words) and holds(words[:taken], phrases("means", language))


def _led_in(words: Sequence[AskedWord], language: str) -> int:
    """How many words at the beginning exclaim and correct."""
    known = [phrases(table, language) for table in ("greets", "corrects", "means")]
    start = 0
    while taken := max((phrase_at(words, start, one) for one in known), default=0):
        start += taken
    return start
