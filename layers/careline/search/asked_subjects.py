"""Tells which of the things that a question is about a page has nothing of, in whatever language it is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache

from careline.model import Passage
from careline.search.asked_words import named, table_of
from careline.search.label_words import label_words

Subjects = tuple[frozenset[str], ...]
"""Of each thing that is asked about, the concepts by which a page may say it."""


def asked_subjects(question: str, language: str) -> Subjects:
    """The things of a hospital that a question names; none of those that people mention by the way."""
    known = _said_by()
    found = (
        frozenset().union(*(known[one] for one in word.concepts & known.keys())) for word in named(question, language)
    )
    return tuple(dict.fromkeys(said_by for said_by in found if said_by))


def share_lacked(subjects: Subjects, passage: Passage) -> float:
    """The share of the things asked about of which a passage, its title and its headings say nothing; 0 to 1."""
    if not subjects:
        return 0.0
    held = _held(passage.facts.title, passage.chunk.heading_path, passage.chunk.text, passage.facts.language)
    return sum(held.isdisjoint(said_by) for said_by in subjects) / len(subjects)


@cache
def _said_by() -> Mapping[str, frozenset[str]]:
    return {name: frozenset((name, *others.split())) for name, others in table_of("said_by").items()}


@lru_cache(maxsize=2_000)
def _held(title: str, headings: Sequence[str], text: str, language: str) -> frozenset[str]:
    lines = (title, *headings, *text.splitlines())
    return frozenset(concept for line in lines for word in label_words(line, language) for concept in word.concepts)
