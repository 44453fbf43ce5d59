"""What the value framework adds to a turn: 20 passages weighed, the primary category elected, units compared."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime

from careline.model import LANGUAGES, Category, Chunk, DocumentFacts, Passage
from careline.value_framework.affinity import affinity
from careline.value_framework.category import RULE_SETS, categorised, category_in
from careline.value_framework.findings import Weighing, findings, notes_for_model
from careline.value_framework.units import price_units
from careline_local.bench.measures import Measure, figure

PASSAGES = 20
SAMPLES, UNCOUNTED = 400, 40
WORDS = 300
PROMISED = "p95 5"
"""Milliseconds (the specification's own, V5)."""
QUESTION = "how much is parking per minute"


def run() -> list[Measure]:
    """Time it over passages that were indexed with their category, and once over passages that were not."""
    made = list(_passages())
    known = [replace(one, chunk=replace(one.chunk, category=_category(one))) for one in made]
    added = [_milliseconds(known, intent) for intent in _intents()][UNCOUNTED:]
    unknown = []
    for intent in affinity().rows:
        category_in.cache_clear()
        unknown.append(_milliseconds(made, intent))
    return [
        figure(f"value framework, {PASSAGES} passages", "ms", added, PROMISED),
        figure(f"value framework, {PASSAGES} passages without a category, first time", "ms", unknown),
    ]


def _intents() -> Iterator[str]:
    rows = list(affinity().rows)
    yield from (rows[n % len(rows)] for n in range(SAMPLES + UNCOUNTED))


def _milliseconds(passages: list[Passage], intent: str) -> float:
    """What one turn takes whose passages were never found before."""
    price_units.cache_clear()
    began = time.perf_counter()
    weighing = Weighing(intent, QUESTION, 2026)
    preferred = sorted(passages, key=lambda one: -weighing(one).multiplier)
    notes_for_model(findings(weighing, [(one, 0.5) for one in preferred]))
    return (time.perf_counter() - began) * 1000


def _category(one: Passage) -> Category:
    return categorised(one.chunk, one.facts.title, one.facts.language)


def _passages() -> Iterator[Passage]:
    """Passages of about 500 tokens in four languages, made of the examples of the rules."""
    at = datetime(2026, 1, 1, tzinfo=UTC)
    for number in range(PASSAGES):
        language = LANGUAGES[number % len(LANGUAGES)]
        text = _text(language, number)
        chunk = Chunk(0, f"{text} € {number} per kWh.", "text", ("Prices",), 1, 1, 500)
        facts = DocumentFacts(f"Document {number}", "brochure", language)
        yield Passage(f"d{number}:1:0", "bench", f"d{number}", 1, f"d{number}", "d.md", chunk, facts, "none", at)


def _text(language: str, number: int) -> str:
    words = (RULE_SETS / f"{language}.yaml").read_text("utf-8").split()
    letters = [word for word in words if word.isalpha()]
    return " ".join(letters[(number * 31 + n) % len(letters)] for n in range(WORDS))
