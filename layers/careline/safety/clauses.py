"""Parts what is said where one thing ends and the next begins: "where can I park, and may I stop my pills tonight".

Speech-to-text writes no commas, so the words that join clauses part them too. Danger in one clause would be outweighed
by the politeness of the others if only the whole were looked at.
"""

from __future__ import annotations

import re
from functools import cache

from careline.text.languages import word_lists

LEAST_WORDS = 4
"""A shorter part goes with the one after it, or with the one before when it is the last: it says little alone."""
_MARKS = r"[.?!,;:()…–—\n]"
# Begun only where a run of marks begins, or a long run would be read again from each of its marks.
_BREAK = re.compile(rf"(?<!{_MARKS}){_MARKS}+(?:\s+|$)|\s-\s")


def clauses(text: str, language: str | None) -> list[str]:
    """The parts of an utterance or a sentence, in order; none when it is all of one piece.

    An unknown language means that the joining words of every language part it.
    """
    joining = _joining(language)
    parts: list[list[str]] = []
    for piece in _BREAK.split(text):
        begun: list[str] = []
        for word in piece.split():
            if begun and word.lower() in joining:
                parts.append(begun)
                begun = []
            begun.append(word)
        parts.append(begun)
    whole = _without_short(parts)
    return [" ".join(words) for words in whole] if len(whole) > 1 else []


def _without_short(parts: list[list[str]]) -> list[list[str]]:
    whole: list[list[str]] = []
    held: list[str] = []
    for part in parts:
        held = held + part
        if len(held) >= LEAST_WORDS:
            whole.append(held)
            held = []
    if held and whole:
        whole[-1] = whole[-1] + held
    return whole


@cache
def _joining(language: str | None) -> frozenset[str]:
    """The words that begin a clause, from `words.yaml`."""
    lists = word_lists()["joining"]
    known = [lists[language]] if language in lists else lists.values()
    return frozenset(word for words in known for word in words.split())
