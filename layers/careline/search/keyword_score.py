"""How well the words of a passage meet a question's: BM25 over its text and, twice, its title, the same in every index.

The embedded index leaves it to tantivy. OpenSearch scores too, by other word forms and by counts that hold what is no
longer live, other tenants, and one shard alone; so its best hits are scored here again, with tantivy's formula.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from careline.text.analysers import terms

K1, B = 1.2, 0.75
"""Saturation and the weight of length: what tantivy and Lucene take."""
TITLE_WEIGHT = 2.0
MOST_TERMS = 64
EXACT_LENGTHS = 24
"""Lengths of a field are kept in a byte: below this as they are, above it with four leading bits and rounded down."""


@dataclass(frozen=True, slots=True)
class FieldCounts:
    """What a corpus holds in one field: its words altogether, and how many passages hold each word asked for."""

    words: int = 0
    holding: Mapping[str, int] = field(default_factory=dict)


def asked_terms(question: str, language: str) -> list[str]:
    """The informative words of a question, each once, as the analyser of a language writes them."""
    return list(dict.fromkeys(terms(question, language)[:MOST_TERMS]))


def rarity(passages: int, holding: int) -> float:
    """Inverse document frequency: log(1 + N / (1 + n)), Robertson & Sparck Jones's shape."""
    return math.log(1 + (passages + 1) / (1 + holding))


def bm25(asked: Sequence[str], held: Sequence[str], counts: FieldCounts, passages: int) -> float:
    """The score of one field. `held` are its words in order, `passages` those of the corpus in any language: a field
    of another language counts as an empty one for the average length, as it does in tantivy."""
    here = Counter(held)
    average = max(counts.words, 1) / max(passages, 1)
    norm = K1 * (1 - B + B * _kept(len(held)) / average)
    return sum(
        _weight(passages, counts.holding.get(term, 0)) * (K1 + 1) * here[term] / (here[term] + norm)
        for term in asked
        if here[term]
    )


def _weight(passages: int, holding: int) -> float:
    most = max(passages, holding)
    return math.log(1 + (most - holding + 0.5) / (holding + 0.5))


def _kept(length: int) -> int:
    beyond = length - EXACT_LENGTHS
    shift = beyond.bit_length() - 4 if beyond >= 16 else 0
    return EXACT_LENGTHS + (beyond >> shift << shift) if shift else length
