"""Puts what tells of the days that a question names before what tells of none, where one page has both."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from careline.engines.embedded.prose_quotes import WindowRead
from careline.search.answer_kind import answer_kinds
from careline.search.label_days import days_of

NO_DAY = 3.0
"""What a window counts less, in logits, that names none of the days asked for where another one of its page does."""
_TIME = frozenset(("time",))
_ANY_DAY = re.compile(
    r"\b(?:elke dag|alle dagen|dagelijks|altijd|every day|daily|always|tous les jours|chaque jour|toujours|ogni giorno|"
    r"tutti i giorni|sempre|7 (?:dagen|days|jours|giorni))\b",
    re.IGNORECASE,
)


def asked_days_first(ranked: Sequence[WindowRead], question: str, language: str) -> list[WindowRead]:
    """The windows, those lower that are silent on the days of a question for times, or tell of others: "and at the
    weekend?" is not answered by when it is busiest."""
    asked = days_of(question, language)
    if not asked or not answer_kinds(question) & _TIME:
        return list(ranked)
    told = [_days(one) for one in ranked]
    pages = {_page(one) for one, days in zip(ranked, told, strict=True) if asked & days}
    return [
        _lowered(one) if not asked & days and _page(one) in pages and not _ANY_DAY.search(one.window.text) else one
        for one, days in zip(ranked, told, strict=True)
    ]


def _lowered(one: WindowRead) -> WindowRead:
    return replace(one, read=replace(one.read, relevance=one.read.relevance - NO_DAY))


def _page(one: WindowRead) -> str:
    return one.source.hit.passage.document_id


def _days(one: WindowRead) -> frozenset[int]:
    lines = one.window.heading, *one.window.text.splitlines()
    return frozenset().union(*(days_of(line, one.source.language) for line in lines))
