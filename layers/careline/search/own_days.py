"""Leaves out on which day somebody's own appointment is.

"What do I bring for my operation on Monday?" is asked of every day, and a day that is searched for finds hours.
"""

from __future__ import annotations

from collections.abc import Sequence

from careline.search.asked_words import AskedWord, listed, words_of
from careline.search.label_days import asked_days
from careline.search.label_words import question_words

REACH = 2
"""Small words between what somebody has and its day: "le … prochain", "on the coming …"."""


def without_own_days(text: str, language: str) -> str:
    """The text without the day of what somebody is to come for ("my operation on Monday"), as far as it says whose."""
    words = words_of(text)
    for n in range(len(words) - 1, 1, -1):
        start = _after_own(words, n, language) if _is_day(words[n], language) else 0
        if start:
            text = _without(text, words, start, n, language)
    return text


def without_days(text: str, language: str) -> str:
    """The text, which tells a story and asks nothing, without its days and the small words before them."""
    words = words_of(text)
    for n in range(len(words) - 1, -1, -1):
        if _is_day(words[n], language):
            start = n
            while start and words[start - 1].plain in listed("before_days", language):
                start -= 1
            text = _without(text, words, start, n, language)
    return text


def _is_day(word: AskedWord, language: str) -> bool:
    return any(asked_days(label) for label in question_words(word.text, language))


def _after_own(words: Sequence[AskedWord], day: int, language: str) -> int:
    """Where the words stand that say on which day somebody has something or is taken in; 0 where they say otherwise."""
    small = listed("before_days", language)
    at = day
    while at and day - at < REACH and words[at - 1].plain in small:
        at -= 1
    taken_in = listed("is_taken_in", language)
    if any(word.plain in taken_in for word in (*words[max(at - 1, 0) : at], *words[day + 1 : day + 2])):
        return at
    noun = words[at - 1].plain if at else ""
    is_own = any(word.plain in listed("own", language) for word in words[max(at - 4, 0) : at - 1])
    return at if is_own and noun in listed("comes_for", language) else 0


def _without(text: str, words: Sequence[AskedWord], start: int, day: int, language: str) -> str:
    """The text without the words from `start` to the day and one behind it that says which: "lundi prochain"."""
    last = day
    if day + 1 < len(words) and words[day + 1].plain in listed("before_days", language) - listed("small", language):
        last += 1
    return f"{text[: words[start].start].rstrip()}{text[words[last].end :]}"
