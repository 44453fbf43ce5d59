"""What the framework makes of one turn: each passage's category and multiplier, the category that they are mostly of,
and how many of the best are of one that was not asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from careline.model import Category, DocumentFacts, Passage
from careline.search.read_windows import NO_PREFERENCE, Preference
from careline.value_framework.affinity import NEUTRAL, Overrides, affinity
from careline.value_framework.category import CATEGORIES, GENERAL, category_of
from careline.value_framework.priorities import priorities
from careline.value_framework.units import UnitMismatch, asked_unit, spoken_of, unit_mismatch

TOP = 5
"""Of the best passages, those that tell what an answer is mostly about, and that a mismatch is counted among."""


@dataclass(frozen=True, slots=True)
class Weighing:
    """How passages are preferred for one question. `year` is this year; `is_of_it` whether a document
    states the specialty that the question is of."""

    intent: str
    question: str = ""
    year: int = 0
    overrides: Overrides = field(default_factory=dict)
    is_of_it: Callable[[DocumentFacts], bool] = lambda facts: False

    def __call__(self, passage: Passage) -> Preference:
        """The preference of a passage; none for an intent that nobody gave a weight."""
        is_of_it = self.is_of_it(passage.facts)
        added = priorities().added(self.intent, passage.facts, self.question, self.year, is_of_it=is_of_it)
        if affinity().row(self.intent) is None:
            return Preference(added=added) if added else NO_PREFERENCE
        return Preference(self.multiplier(category_of(passage)), added)

    def multiplier(self, category: Category) -> float:
        """What a passage of a category is multiplied by."""
        return affinity().multiplier(self.intent, category, self.overrides)


@dataclass(frozen=True, slots=True)
class ValuedPassage:
    """A passage with its category, what its similarity was multiplied by, and how well it answers, above 0."""

    chunk_id: str
    category: Category
    multiplier: float
    similarity: float


@dataclass(frozen=True, slots=True)
class ValueFindings:
    """What was found for a turn, best first; `units` where its prices are by another unit than was asked for."""

    intent: str
    valued: tuple[ValuedPassage, ...] = ()
    units: UnitMismatch | None = None

    @property
    def row(self) -> str | None:
        """The row of the matrix that it was weighed by; None where the intent has none."""
        return affinity().row(self.intent)

    @property
    def primary(self) -> Category:
        """The category with the largest sum of similarities among the best, the better one of two that are level."""
        best = self.valued[:TOP]
        sums = {one: sum(each.similarity for each in best if each.category == one) for one in CATEGORIES}
        return max((each.category for each in best), key=lambda one: sums[one], default=GENERAL)

    @property
    def mismatched(self) -> int:
        """How many of the best are of a category that counts less for the intent."""
        return sum(one.multiplier < NEUTRAL for one in self.valued[:TOP])

    @property
    def mismatch_rate(self) -> float:
        """Their share, 0 to 1; 0 where nothing was found."""
        return self.mismatched / len(self.valued[:TOP]) if self.valued else 0.0

    def to_json(self) -> dict[str, Any]:
        """What is kept of it: names and figures, no words of the question."""
        return {
            "row": self.row,
            "primary": self.primary,
            "evaluated": len(self.valued),
            "mismatched": self.mismatched,
            "mismatch_rate": round(self.mismatch_rate, 4),
            "units": None if self.units is None else dict(zip(("asked", "told"), spoken_of(self.units), strict=True)),
            "candidates": [
                {"chunk_id": one.chunk_id, "category": one.category, "multiplier": one.multiplier}
                for one in self.valued[:TOP]
            ],
        }


def findings(weighing: Weighing, ranked: Sequence[tuple[Passage, float]]) -> ValueFindings:
    """What is made of passages with their similarities, best first."""
    valued = tuple(
        ValuedPassage(passage.chunk_id, category := category_of(passage), weighing.multiplier(category), similarity)
        for passage, similarity in ranked
    )
    texts = (text_of(passage) for passage, _ in ranked[:TOP])
    return ValueFindings(weighing.intent, valued, unit_mismatch(asked_unit(weighing.question), texts))


def text_of(passage: Passage) -> str:
    """A passage with its headings, in which the unit of a price may stand."""
    return "\n".join((*passage.chunk.heading_path, passage.chunk.text))


def notes_for_model(found: ValueFindings | None) -> str:
    """What a language model is told of it beside its sources; "" where there is nothing to tell."""
    if found is None:
        return ""
    notes = []
    if found.primary != GENERAL:
        notes.append(
            f"[PRIMARY CATEGORY] {found.primary}. Do not fuse categories: answer from sources of this category, and do "
            "not join to it what a source says of another matter."
        )
    if found.units is not None:
        asked, told = spoken_of(found.units)
        notes.append(
            f"[UNIT MISMATCH] The question asks for a price per {asked}; the sources give prices per {told}. Say so "
            "in your answer, and do not convert one into the other."
        )
    return "\n".join(notes)
