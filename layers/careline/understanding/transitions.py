"""How a message goes on from what was said: it joins on, points back, or puts right."""

from __future__ import annotations

from collections.abc import Sequence

from careline.text.asked_words import AskedWord, holds, listed, named, phrase_at, phrases, words_of


def without_join(question: str, language: str) -> str:
    """A question without an "and" at its beginning."""
    words = words_of(question)
    start = 1 if words and words[0].plain in listed("joins", language) else 0
    return question[words[start].start :] if start < len(words) else ""


def points_back(question: str, language: str) -> bool:
    """Whether a question leaves its subject to what was said before it."""
    words = words_of(question)
    if holds(words, phrases("stands_for", language)):
        return True
    names = named(question, language)
    return not names or (len(names) < 3 and holds(words, phrases("may_stand_for", language)))


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
