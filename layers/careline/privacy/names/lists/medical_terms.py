"""Holds what medicine calls its things, and tells words that are made as its words are."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from careline.privacy.names.lists.files import content

_PHRASES = frozenset({"naming", "collective"})
"""Lists of phrases, one a line."""
_ENDED = 5
"""Letters that a word has more of when its ending says what it is."""
_BEGUN = 8
"""The same where its beginning does."""


@dataclass(frozen=True, slots=True)
class MedicalTerms:
    """What one language and medicine have for things: see `data/person/medical.yaml`."""

    naming: frozenset[str]
    collective: frozenset[str]
    persons: frozenset[str]
    subjects: frozenset[str]
    neutral: frozenset[str]
    between: frozenset[str]
    sold: frozenset[str]
    sufferers: frozenset[str]
    has: frozenset[str]
    conditions: frozenset[str]
    clipped: frozenset[str]
    matters: frozenset[str]
    described: frozenset[str]
    familiar: frozenset[str]
    lands: frozenset[str]
    illnesses: tuple[str, ...]
    others: tuple[str, ...]
    beginnings: tuple[str, ...]

    def is_word(self, word: str) -> bool:
        """Whether a folded word is made as words of medicine are ("nephrostomy", "hyperkaliemie")."""
        if len(word) > _BEGUN and word.startswith(self.beginnings):
            return True
        return len(word) > _ENDED and (word.endswith(self.illnesses) or word.endswith(self.others))

    def is_illness(self, word: str) -> bool:
        """Whether a folded word is a kind of illness, such as is named after who described it."""
        return word in self.conditions or (len(word) > _ENDED and word.endswith(self.illnesses))


@cache
def medical_terms(language: str) -> MedicalTerms:
    """What "nl", "en", "fr" or "it" has for things."""
    written: dict[str, Any] = content("medical")
    own, shared = written[language], written["shared"]
    listed: dict[str, Any] = {name: frozenset(own[name].split()) for name in own.keys() - _PHRASES}
    listed |= {name: frozenset(own[name].splitlines()) for name in _PHRASES}
    listed |= {name: tuple(shared[name].split()) for name in ("illnesses", "others", "beginnings")}
    return MedicalTerms(**listed, lands=frozenset(shared["lands"].split()))
