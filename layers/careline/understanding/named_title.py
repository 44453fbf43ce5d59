"""Finds the title that is meant when somebody says yes to "this page comes closest, is that what you mean?"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from careline.model import Message
from careline.text.asked_words import AskedWord, listed, phrase_at, phrases, words_of
from careline.text.label_words import LabelWord, question_words, same, vocabulary

LONGEST = 6
"""Words of an answer to that question; a longer one is a question of its own."""
_CLOSING = 80
"""Characters behind the last title, up to the question mark that ends the message."""
_BEHIND = re.compile(r"(?: \([^()]{1,40}\))?\.?")
"""What may stand behind a title: the language of its page, and the end of the sentence that names it."""
_BETWEEN = 30
"""Characters between two titles of one question."""
_OPEN, _CLOSE, _ENDS = "“«", "”»", ".!?…"


def meant_title(answer: str, messages: Sequence[Message], language: str) -> str | None:
    """The title, of the one or two that the last message of the assistant asked about, that an answer means."""
    titles = _offered(messages)
    words = words_of(answer)
    if not titles or not words or len(words) > LONGEST:
        return None
    plain = {word.plain for word in words}
    if len(titles) > 1 and plain & listed("second", language):
        return titles[1]
    if plain & listed("first", language) or _affirmed(words, language):
        return titles[0]
    return _by_words(answer, titles, language)


def _offered(messages: Sequence[Message]) -> list[str]:
    """The one or two titles that the last message asks about; none where it asks about something else."""
    if not messages or messages[-1].role != "assistant":
        return []
    text = messages[-1].text.rstrip()
    found = _quoted(text)
    if not found or not text.endswith("?"):
        return []
    closing = _BEHIND.sub("", text[found[-1][1] + 1 : -1], count=1)
    if len(closing) > _CLOSING or any(mark in closing for mark in _ENDS):
        return []
    between = text[found[-2][1] + 1 : found[-1][0]] if len(found) > 1 else _ENDS
    one_question = len(between) <= _BETWEEN and not any(mark in between for mark in _ENDS)
    return [text[start + 1 : end].strip() for start, end in (found[-2:] if one_question else found[-1:])]


def _quoted(text: str) -> list[tuple[int, int]]:
    """Where quotation marks open and close, in order."""
    found, opened = [], None
    for at, character in enumerate(text):
        if character in _OPEN:
            opened = at
        elif character in _CLOSE and opened is not None:
            found.append((opened, at))
            opened = None
    return found


def _affirmed(words: Sequence[AskedWord], language: str) -> bool:
    return phrase_at(words, 0, phrases("affirms", language)) == len(words)


def _by_words(answer: str, titles: Sequence[str], language: str) -> str | None:
    """The title that has every word the answer names; None where it asks something or names another thing."""
    words = words_of(answer)
    start = phrase_at(words, 0, phrases("affirms", language))
    if start == len(words) or phrase_at(words, start, phrases("asks", language)):
        return None
    asked = vocabulary().asks.get(language, {})
    said = question_words(answer[words[start].start :], language)
    names = [word for word in said if not word.is_talk or word.text in asked]
    return next((title for title in titles if names and all(_has(title, name, language) for name in names)), None)


def _has(title: str, name: LabelWord, language: str) -> bool:
    return any(same(name, word, typed_wrong=True) for word in question_words(title, language))
