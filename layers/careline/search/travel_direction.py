"""Tells whether a text is of the way there where a question asks for the way back: the bus to a campus and from it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise

from careline.search.label_words import folded

_FROM = frozenset(("vanuit", "vanaf", "from", "depuis", "da", "dal", "dalla", "dall", "dallo"))
_FROM_WHERE_TOLD = _FROM | frozenset(("van", "de", "du", "d", "leaves", "leaving", "departs", "vertrekt", "quitte"))
"""In a question these say whose something is as well, or what is asked."""
_TO = frozenset(("naar", "richting", "to", "towards", "vers", "pour", "direction", "per", "verso"))
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
