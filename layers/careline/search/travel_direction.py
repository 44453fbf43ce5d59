"""Tells the way there from the way back, the bus to a campus and from it, and reads "and back?"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from careline.search.asked_words import AskedWord, listed, named, words_of
from careline.search.label_words import folded

_FROM = frozenset(("vanuit", "vanaf", "from", "depuis", "da", "dal", "dalla", "dall", "dallo"))
_FROM_WHERE_TOLD = _FROM | frozenset(("van", "de", "du", "d", "leaves", "leaving", "departs", "vertrekt", "quitte"))
"""In a question these say whose something is as well, or what is asked."""
_TO = frozenset(("naar", "richting", "to", "towards", "vers", "pour", "direction", "per", "verso"))
_TO_WHERE_TOLD = _TO | frozenset(("a", "al", "alla", "au", "aux"))
"""Behind one of the words that say from where, these say to where: "de Waterpoort à Molenrij"."""
_BETWEEN = frozenset(("in", "uit", "op", "campus", "site", "sede", "de", "het", "la", "le", "il", "the"))
_WORD = re.compile(r"[^\W\d_]+")


def runs_the_other_way(question: str, texts: Iterable[str]) -> bool:
    """Whether texts, or what stands under these headings, go to the place that a question starts from, or come from the
    one that it goes to, and not the way it asks about. Who asks for no way, or is told of both, is told."""
    texts = tuple(texts)
    starts, goals = _behind(question, _FROM), _behind(question, _TO)
    if not starts and not goals:
        return False
    said_from = frozenset().union(*(_behind(text, _FROM_WHERE_TOLD, names=True) for text in texts))
    said_to = frozenset().union(*(_behind(text, _TO, names=True) for text in texts))
    return bool((starts & said_to) - said_from or (goals & said_from) - said_to)


def _behind(text: str, prepositions: frozenset[str], *, names: bool = False) -> frozenset[str]:
    """The words behind prepositions, without accents, or only those with a capital; those between are passed over."""
    words = [(folded(word), word) for word in _WORD.findall(text)]
    kept = [each for each in words if each[0] not in _BETWEEN or each[0] in prepositions]
    behind = [second for first, second in pairwise(kept) if first[0] in prepositions]
    return frozenset(plain for plain, written in behind if written[0].isupper() or not names)


def with_way_back(earlier: str, follow_up: str, language: str) -> str:
    """The earlier question with its two places the other way round, where a follow-up says "and back?" and nothing
    besides; empty where it says more, or the question does not tell from where and to where."""
    words, back = words_of(follow_up), listed("way_back", language)
    if not any(word.plain in back for word in words):
        return ""
    if named(" ".join(word.text for word in words if word.plain not in back), language):
        return ""
    said = words_of(earlier)
    start = _place_behind(said, _FROM_WHERE_TOLD, 0)
    goal = _place_behind(said, _TO_WHERE_TOLD, start + 1) if start else 0
    if not goal:
        return ""
    one, other = said[start], said[goal]
    return f"{earlier[: one.start]}{other.text}{earlier[one.end : other.start]}{one.text}{earlier[other.end :]}"


def _place_behind(words: Sequence[AskedWord], prepositions: frozenset[str], at: int) -> int:
    """The place of the word behind the first of some prepositions, those between passed over; 0 where there is none."""
    for n in range(at, len(words) - 1):
        if words[n].plain in prepositions:
            behind = n + 1
            while behind < len(words) and words[behind].plain in _BETWEEN:
                behind += 1
            return behind if behind < len(words) else 0
    return 0
