"""What is made of what was found: the primary category, the mismatch rate, and what a language model is told."""

from __future__ import annotations

import json
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from careline.model import Category, Passage
from careline.value_framework.category import CATEGORIES
from careline.value_framework.findings import TOP, ValueFindings, Weighing, findings, notes_for_model
from tests.builders import a_passage


def of(category: Category, text: str = "Iets.", number: int = 1) -> Passage:
    passage = a_passage(text, doc_key=f"brochure-{number}")
    return replace(passage, chunk=replace(passage.chunk, category=category))


def found(intent: str, *ranked: tuple[Category, float], question: str = "") -> ValueFindings:
    passages = [(of(category, number=n), similarity) for n, (category, similarity) in enumerate(ranked)]
    return findings(Weighing(intent, question), passages)


def test_the_primary_category_is_that_of_the_most_similarity_and_not_of_the_most_passages() -> None:
    assert found("general", ("practical", 0.9), ("regulatory", 0.3), ("regulatory", 0.3)).primary == "practical"
    assert found("general", ("practical", 0.9), ("regulatory", 0.5), ("regulatory", 0.5)).primary == "regulatory"


def test_passages_behind_the_fifth_elect_nothing() -> None:
    ranked = [("practical", 0.2)] * TOP + [("regulatory", 0.9)] * 9
    assert found("general", *ranked).primary == "practical"  # type: ignore[arg-type]


def test_the_mismatch_rate_is_the_share_of_the_best_that_count_less() -> None:
    ranked: list[tuple[Category, float]] = [
        ("practical", 0.9), ("regulatory", 0.8), ("clinical_info", 0.8), ("appointments", 0.5), ("general", 0.4),
        ("regulatory", 0.1),
    ]  # fmt: skip
    told = found("navigation_or_practical_info", *ranked)
    assert (told.mismatched, told.mismatch_rate, len(told.valued)) == (2, 0.4, 6)
    assert found("general", *ranked).mismatch_rate == 0.0


def test_where_nothing_was_found_nothing_is_mismatched() -> None:
    told = found("billing_or_insurance")
    assert (told.primary, told.mismatch_rate, told.to_json()["evaluated"]) == ("general", 0.0, 0)
    assert notes_for_model(told) == ""


def test_a_model_is_told_the_category_and_not_to_fuse_it_with_another() -> None:
    note = notes_for_model(found("general", ("regulatory", 0.9), ("practical", 0.2)))
    assert "regulatory" in note
    assert "practical" not in note
    assert "Do not fuse categories" in note
    assert notes_for_model(None) == notes_for_model(found("general", ("general", 0.9))) == ""


def test_a_model_is_told_of_prices_by_another_unit() -> None:
    passage = of("practical", "Laden kost € 0,41 per kWh.")
    told = findings(Weighing("general", "wat kost laden per minuut"), [(passage, 0.9)])
    assert "[UNIT MISMATCH]" in notes_for_model(told)
    assert "per minute" in notes_for_model(told)
    same = findings(Weighing("general", "wat kost laden per kWh"), [(passage, 0.9)])
    assert "[UNIT MISMATCH]" not in notes_for_model(same)


def test_what_is_kept_holds_none_of_the_words_of_the_question() -> None:
    question = "mevrouw Perelaer vraagt wat laden kost per minuut"
    told = findings(Weighing("general", question), [(of("practical", "Laden kost € 0,41 per kWh."), 0.9)])
    kept = json.dumps(told.to_json())
    assert not {word for word in question.split() if f'"{word}' in kept or f"{word} " in kept}
    assert told.to_json()["units"] == {"asked": "minute", "told": "kWh"}


@given(st.lists(st.tuples(st.sampled_from(CATEGORIES), st.floats(0, 1)), max_size=12), st.text(max_size=20))
def test_the_rate_is_a_share_and_the_primary_one_of_those_that_were_found(
    ranked: list[tuple[Category, float]], intent: str
) -> None:
    told = found(intent, *ranked)
    assert 0.0 <= told.mismatch_rate <= 1.0
    assert told.primary in {category for category, _ in ranked[:TOP]} | {"general"}
