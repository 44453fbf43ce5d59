"""Prefers, among passages that answer about equally well, those whose document's facts suit the intent: a firm
recommendation for who asks for a guideline, the medicine's own pages for who asks about a medicine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from careline.model import DocumentFacts
from careline.text.label_words import folded


@dataclass(frozen=True, slots=True)
class Priorities:
    """`intents` are the weights of facts in logits, by intent; `shares` what of a weight a value of a fact gets."""

    intents: Mapping[str, Mapping[str, float]]
    shares: Mapping[str, Mapping[str, float]]
    recency_years: float

    def added(self, intent: str, facts: DocumentFacts, question: str, year: int, *, is_of_it: bool = False) -> float:
        """Logits that a passage of a document is preferred by; 0 for an intent that is not listed.

        `year` is this year, from which recency is counted; `is_of_it` whether the document states the specialty that
        the question is of.
        """
        weights = self.intents.get(intent, {})
        return sum(weight * self._share(name, facts, question, year, is_of_it) for name, weight in weights.items())

    def _share(self, name: str, facts: DocumentFacts, question: str, year: int, is_of_it: bool) -> float:
        if name == "drug_name":
            return float(_names(question, facts.drug_name))
        if name == "specialty":
            return float(is_of_it)
        if name == "recency":
            return max(0.0, 1 - self._age(facts, year) / self.recency_years)
        value = facts.source_type if name == "source_kind" else getattr(facts, name)
        return self.shares[name].get(_plain(value), 0.0)

    def _age(self, facts: DocumentFacts, year: int) -> float:
        updated = facts.last_updated.year if facts.last_updated else None
        known = [one for one in (facts.year, updated) if one is not None]
        return max(year - max(known), 0) if known else self.recency_years


def _names(question: str, drug: str | None) -> bool:
    """Whether a question names a medicine, as a word of its own."""
    return bool(drug) and f" {folded(drug or '')} " in f" {' '.join(_words(question))} "


def _words(text: str) -> list[str]:
    return "".join(one if one.isalnum() else " " for one in folded(text)).split()


def _plain(value: str | None) -> str:
    """A value as the file writes it: `Class IIa` and `IIa` are `iia`."""
    words = _words((value or "").replace("_", " "))
    return words[-1] if words else ""


@cache
def priorities() -> Priorities:
    """The shipped weights."""
    said: dict[str, Any] = yaml.safe_load(
        files("careline.value_framework").joinpath("priorities.yaml").read_text("utf-8")
    )
    shares = {name: said[name] for name in ("recommendation_class", "evidence_level", "source_kind")}
    return Priorities(said["intents"], shares, float(said["recency_years"]))
