"""Which category of facts a passage is of, in four languages and whoever wrote it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from careline.model import LANGUAGES, Chunk
from careline.safety.rules.review import check
from careline.value_framework.category import CATEGORIES, RULE_SETS, categorised, category_of, category_rules
from tests.builders import a_passage
from tests.safety.shipped_rule_sets import shipped

FILES = sorted(RULE_SETS.glob("*.yaml"))


def a_chunk(text: str, *headings: str) -> Chunk:
    return Chunk(0, text, "text", headings, 1, 1, len(text.split()))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_pattern_keeps_the_examples_beside_it_and_is_needed(file: Path) -> None:
    assert check(shipped(file)) == []


def test_every_language_has_rules_for_every_category_but_the_one_of_what_is_left() -> None:
    assert category_rules().keys() == set(LANGUAGES)
    assert all(each.groups == set(CATEGORIES) - {"general"} for each in category_rules().values())


@pytest.mark.parametrize(
    ("language", "text", "category"),
    [
        ("nl", "Voor een rolstoelpad volgt u de borden tot aan de inkomhal; de liften staan links.", "practical"),
        ("en", "The insurer refunds half of what the aid costs, once the fund approved it.", "regulatory"),
        ("fr", "La plaie reste couverte trois jours; un peu de fièvre est normal après l'anesthésie.", "clinical_info"),
        ("it", "Per disdire la visita chiami lo sportello; la lista d'attesa è lunga.", "appointments"),
        ("nl", "Wie ontevreden is, schrijft naar de ombudsman en vraagt inzage.", "legal_admin"),
        ("en", "Our founders came here two hundred years ago.", "general"),
        ("de", "Das Parkhaus liegt unter dem Gebäude.", "general"),
    ],
)
def test_a_passage_is_of_the_category_that_most_of_its_words_are_of(language: str, text: str, category: str) -> None:
    assert categorised(a_chunk(text), "", language) == category


def test_what_it_stands_under_counts_more_than_what_it_says_besides() -> None:
    text = "Ask the desk beside the lift."
    assert categorised(a_chunk(text), "", "en") == "practical"
    assert categorised(a_chunk(text, "Reimbursement of a wheelchair"), "", "en") == "regulatory"


def test_a_passage_that_was_indexed_without_a_category_has_the_one_that_it_would_be_indexed_with() -> None:
    passage = a_passage("Het ziekenfonds beslist over de terugbetaling.")
    assert passage.chunk.category is None
    told = categorised(passage.chunk, passage.facts.title, passage.facts.language)
    assert category_of(passage) == told == "regulatory"


def test_a_category_that_it_was_indexed_with_is_not_told_again() -> None:
    passage = a_passage("Het ziekenfonds beslist over de terugbetaling.")
    assert category_of(replace(passage, chunk=replace(passage.chunk, category="practical"))) == "practical"


@given(st.text(max_size=400), st.sampled_from((*LANGUAGES, "", "de")))
def test_any_text_is_of_some_category(text: str, language: str) -> None:
    assert categorised(a_chunk(text, text[:40]), text[:20], language) in CATEGORIES
