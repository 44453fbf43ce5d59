"""Tells which category of facts a passage is of, by words of its language; which hospital wrote it makes no difference.

A rule of `categories/<lang>.yaml` is a topic of a category. The category with the most topics is the passage's, those
of its title and headings counted twice; a passage with none is `general`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import get_args

from careline.errors import PackInvalid
from careline.model import Category, Chunk, Passage
from careline.safety.rules.plain_text import normalise
from careline.safety.rules.review import CompiledRules
from careline.safety.rules.rule_sets import RuleSet, read_rule_set

RULE_SETS = Path(__file__).with_name("categories")
CATEGORIES: tuple[Category, ...] = get_args(Category)
"""In the order of the columns of `affinity.csv`; of two with as many topics the rarer one counts (`_RAREST_FIRST`)."""
GENERAL: Category = "general"
_RAREST_FIRST = ("regulatory", "legal_admin", "appointments", "practical", "clinical_info")
HEADING_WORTH = 2
"""What a topic of the title or a heading counts, where one of the text counts one."""


@cache
def category_rules() -> Mapping[str, RuleSet]:
    """The rule sets by language. Raises: PackInvalid for a rule whose examples fail, or for an unknown category."""
    compiled = CompiledRules(RULE_SETS.name)
    found = {file.stem: read_rule_set(file, compiled.of(file)) for file in sorted(RULE_SETS.glob("*.yaml"))}
    for rule_set in found.values():
        if unknown := rule_set.groups - set(_RAREST_FIRST):
            raise PackInvalid(f"{rule_set.file}: there is no category {min(unknown)}")
    return MappingProxyType(found)


def categorised(chunk: Chunk, title: str, language: str) -> Category:
    """The category of a chunk of a document with this title; `general` in a language that has no rules."""
    return category_in(" \n".join((title, *chunk.heading_path)), chunk.text, language)


@lru_cache(maxsize=4_000)
def category_in(headings: str, said: str, language: str) -> Category:
    """The category of a text below its headings, either of which may be empty."""
    rule_set = category_rules().get(language)
    if rule_set is None:
        return GENERAL
    topics = Counter[str]()
    for text, worth in ((headings, HEADING_WORTH), (said, 1)):
        for category, rules in rule_set.find(normalise(text)).items():
            topics[category] += worth * len(rules)
    best = max(_RAREST_FIRST, key=lambda name: topics[name])
    return next(one for one in CATEGORIES if one == best) if topics[best] else GENERAL


def category_of(passage: Passage) -> Category:
    """The category that a passage was indexed with; one that was indexed without is told now, and kept."""
    return passage.chunk.category or categorised(passage.chunk, passage.facts.title, passage.facts.language)
