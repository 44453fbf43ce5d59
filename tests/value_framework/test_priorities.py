"""Which documents come first, among passages that answer about as well, by what is known about them."""

from __future__ import annotations

from datetime import date
from itertools import pairwise

import pytest

from careline.model import DocumentFacts
from careline.value_framework.priorities import priorities

YEAR = 2026


def added(
    intent: str, question: str = "what is known about zolvamide", *, is_of_it: bool = False, **facts: object
) -> float:
    made = {"title": "A page", "source_type": "brochure", "language": "en", **facts}
    return priorities().added(intent, DocumentFacts(**made), question, YEAR, is_of_it=is_of_it)  # type: ignore[arg-type]


def test_a_firmer_recommendation_comes_first_whatever_its_evidence() -> None:
    firm = added("guideline", recommendation_class="Class I", evidence_level="C")
    weak = added("guideline", recommendation_class="IIa", evidence_level="A", source_type="guideline")
    assert firm > weak
    order = [added("guideline", recommendation_class=each) for each in ("I", "IIa", "IIb", None)]
    assert all(before > after for before, after in pairwise(order))
    assert added("guideline", recommendation_class="III") == added("guideline", recommendation_class="I")


def test_of_one_recommendation_class_the_better_evidence_comes_first() -> None:
    order = [added("guideline", recommendation_class="I", evidence_level=each) for each in ("A", "Level B", "C", None)]
    assert all(before > after for before, after in pairwise(order))


def test_of_who_asks_about_a_medicine_its_own_pages_come_first_and_then_the_newer() -> None:
    named = added("drug_info", drug_name="Zolvamide", year=2016)
    assert named > added("drug_info", drug_name="Perlotine", year=YEAR)
    assert added("drug_info", year=YEAR) > added("drug_info", year=2020) > added("drug_info", year=2016)
    assert added("drug_info", year=2016) == added("drug_info", year=1990) == added("drug_info")


def test_a_document_that_was_looked_at_again_counts_as_new() -> None:
    assert added("drug_info", year=2016, last_updated=date(2026, 1, 5)) == added("drug_info", year=YEAR)


def test_pages_of_the_specialty_that_a_question_is_of_come_first() -> None:
    for intent in ("guideline", "treatment", "diagnosis", "drug_info"):
        assert added(intent, is_of_it=True) > added(intent)
    assert added("general", is_of_it=True) == 0.0


def test_a_medicine_is_named_by_its_whole_word() -> None:
    assert added("drug_info", question="does bizolvamide help", drug_name="zolvamide") == added("drug_info")


def test_guidelines_come_before_textbooks_uptodate_and_trials() -> None:
    kinds = ("guideline", "textbook", "uptodate", "trial", "brochure")
    order = [added("guideline", source_type=each) for each in kinds]
    assert all(before > after for before, after in pairwise(order))


@pytest.mark.parametrize("intent", ["general", "visiting_hours", ""])
def test_for_other_intents_these_facts_add_nothing(intent: str) -> None:
    facts = {"recommendation_class": "I", "evidence_level": "A", "source_type": "guideline", "drug_name": "zolvamide"}
    assert added(intent, year=YEAR, **facts) == 0.0


def test_all_of_it_together_stays_below_a_logit() -> None:
    assert all(0 < sum(weights.values()) < 1 for weights in priorities().intents.values())
