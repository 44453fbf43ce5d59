"""Tells whether a text is of who pays for something, or pays it back: neither a price nor a loan answers that."""

from __future__ import annotations

from functools import lru_cache

from careline.model import Passage
from careline.safety.rules.plain_text import normalise
from careline.text.answer_kind import asks_for_price
from careline.value_framework.category import category_rules

PAID_BACK, INSURER = "paid-back", "insurer"
"""Topics of `categories/<lang>.yaml`."""
GROUP = "regulatory"
PAYING = frozenset((PAID_BACK, INSURER, "bill", "entitled", "prescribed"))
"""Topics by one of which a text may say who pays for something."""


def paying_topics(text: str, language: str) -> frozenset[str]:
    """The topics of paying that a text has; none in a language that has no rules. Not kept, as it may be a caller's."""
    rule_set = category_rules().get(language)
    if rule_set is None:
        return frozenset()
    found = rule_set.find(normalise(text), groups=frozenset((GROUP,))).get(GROUP, ())
    return PAYING.intersection(rule.rpartition("/")[2] for rule in found)


def asks_to_be_paid_back(question: str, language: str) -> bool:
    """Whether a question is whether something is paid back, and not what it costs."""
    return PAID_BACK in paying_topics(question, language) and not asks_for_price(question)


@lru_cache(maxsize=4_000)
def _of_page(text: str, language: str) -> frozenset[str]:
    """The same of a passage, which is looked at for many questions."""
    return paying_topics(text, language)


def tells_of_paying(passage: Passage) -> bool:
    """Whether a passage may tell who pays for something."""
    chunk, facts = passage.chunk, passage.facts
    text = "\n".join((facts.title, *chunk.heading_path, chunk.text))
    return bool(_of_page(text, facts.language))
