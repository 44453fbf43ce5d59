"""Which questions are the one that an answer was written for, and which only look like it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from careline.model import LANGUAGES, CuratedText, Hit
from careline.search.curated.curated_for import curated_for, nearness
from careline.search.curated.same_question import QuestionContent, is_same_question
from careline.search.read_windows import ReadHit
from tests.builders import a_passage, some_facts

CASES: list[dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parent / "look_alikes.yaml").read_text(encoding="utf-8")
)


def same(asked: str, written: str, language: str) -> bool:
    return is_same_question(QuestionContent.of(asked, language), QuestionContent.of(written, language))


def pairs(kind: str) -> list[tuple[str, str, str]]:
    return [(case["language"], case["written"], one) for case in CASES for one in case.get(kind, ())]


@pytest.mark.parametrize(("language", "written", "asked"), pairs("same"))
def test_a_question_in_other_words_of_the_same_form_is_the_same(language: str, written: str, asked: str) -> None:
    assert same(asked, written, language)


@pytest.mark.parametrize(("language", "written", "asked"), [*pairs("other"), *pairs("near")])
def test_a_question_that_only_looks_alike_is_another(language: str, written: str, asked: str) -> None:
    assert not same(asked, written, language)
    assert not same(written, asked, language), "whichever of both was written"


def test_no_question_of_one_answer_is_that_of_another() -> None:
    written = [(case["language"], case["written"]) for case in CASES]
    mixed = [(a, b) for a in written for b in written if a != b and a[0] == b[0] and same(b[1], a[1], a[0])]
    assert mixed == []


@given(st.text(max_size=120), st.sampled_from(LANGUAGES))
def test_a_question_is_the_same_as_itself_and_nothing_is_the_same_as_another_without_words(
    text: str, language: str
) -> None:
    assert same(text, text, language)
    assert not same("?", f"{text} kapper", language)


def a_read_answer(*questions: str, text: str = "Ja.", language: str = "nl") -> ReadHit:
    facts = some_facts(language=language)
    passage = a_passage(text, heading_path=questions, facts=facts, doc_key=f"answer-{questions}")
    chunk = replace(passage.chunk, curated=CuratedText(questions))
    return ReadHit(Hit(replace(passage, chunk=chunk), 0.5), ())


def a_read_page(text: str = "De kapper komt.") -> ReadHit:
    return ReadHit(Hit(a_passage(text), 0.9), ())


def test_the_answer_is_found_under_the_wording_that_was_asked_wherever_it_stands_among_pages() -> None:
    answer = a_read_answer("Is er een kapper?", "Komt de kapper op de kamer?")
    (found,) = curated_for([a_read_page(), answer], "komt de kapper op de kamer", "nl")
    assert (found.hit, [one.number for one in found.read]) == (answer.hit, [1])


def test_nothing_is_found_for_a_page_another_language_or_another_question() -> None:
    answer = a_read_answer("Is er een kapper?")
    assert curated_for([a_read_page()], "is er een kapper", "nl") == []
    assert curated_for([answer], "is er een kapper", "fr") == []
    assert curated_for([answer], "wat kost de kapper", "nl") == []


def test_two_questions_at_once_are_answered_by_two_answers_or_by_none() -> None:
    barber, shop = a_read_answer("Is er een kapper?"), a_read_answer("Waar is de winkel?", text="In de hal.")
    both = curated_for([barber, shop], "Is er een kapper? Waar is de winkel?", "nl")
    assert [[one.question for one in each.read] for each in both] == [[0], [1]]
    assert curated_for([barber], "Is er een kapper? Waar is de winkel?", "nl") == []


@pytest.mark.parametrize(
    ("asked", "stands"),
    [
        ("komt er ook een kapper langs op dinsdag", "covered"),
        ("wat kost de kapper", "unsure"),
        ("kan de kapper mijn baard scheren", "unsure"),
        ("is er een kapper op campus Molenrij", "apart"),
        ("is er geen kapper", "apart"),
        ("is er een kapper na de operatie", "apart"),
        ("kan de kapper om 18.30 uur komen", "apart"),
        ("is er een kapper voor mijn moeder", "apart"),
        ("moet er een kapper zijn", "unsure"),
    ],
)
def test_an_answer_to_another_question_stands_by_what_the_question_names(asked: str, stands: str) -> None:
    hit = a_read_answer("Is er een kapper?", text="Ja, de kapper komt op dinsdag op campus Waterpoort langs.").hit
    assert nearness(hit, asked, "nl") == stands


def test_of_a_page_and_of_an_answer_in_another_language_the_reader_tells() -> None:
    assert nearness(a_read_page().hit, "is er een kapper", "nl") is None
    assert nearness(a_read_answer("Is er een kapper?").hit, "is there a barber", "en") is None
