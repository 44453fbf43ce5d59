"""An abbreviation keeps its place and gets what it stands for behind it, once, and only where it is clear."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from careline.model import LANGUAGES
from careline.understanding.terms.expansions import expanded

WORDS = (
    "HTN htn DM MS ms RA PE PT AF af CT-scan CT-MRI MRI's NSAIDs als ALS (HTN) HTN/DM treatment BRAIN hart neurology "
    "hypertension (hypertension) (hypertensie) ( ) , FA Infarct œdème MI's 'MI TV OK COPD copd pas"
).split()
TEXTS = st.one_of(st.text(max_size=40), st.lists(st.sampled_from(WORDS), max_size=10).map(" ".join))
LANGUAGE = st.sampled_from((*LANGUAGES, None, "de"))


@pytest.mark.parametrize(
    ("language", "text", "written"),
    [
        ("en", "HTN treatment", "HTN (hypertension) treatment"),
        ("en", "DM and CAD", "DM (diabetes mellitus) and CAD (coronary artery disease)"),
        ("en", "CHF or MI?", "CHF (congestive heart failure) or MI (myocardial infarction)?"),
        ("en", "AF after CVA", "AF (atrial fibrillation) after CVA (cerebrovascular accident)"),
        ("nl", "HTN bij VKF", "HTN (hypertensie) bij VKF (voorkamerfibrillatie)"),
        ("fr", "une IRC avec HTA", "une IRC (insuffisance rénale chronique) avec HTA (hypertension artérielle)"),
        ("it", "terapia della BPCO", "terapia della BPCO (broncopneumopatia cronica ostruttiva)"),
        ("nl", "een CT-scan morgen", "een CT-scan (computertomografie) morgen"),
        ("en", "which NSAIDs are safe", "which NSAIDs (non-steroidal anti-inflammatory drug) are safe"),
        ("de", "HTN Therapie", "HTN (hypertension) Therapie"),
    ],
)
def test_what_it_stands_for_is_written_behind_it(language: str, text: str, written: str) -> None:
    assert expanded(text, language)[0] == written


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("nl", "Als ik kom, is er dan koffie?"),
        ("nl", "is dat OK voor u?"),
        ("it", "mi serve la tv in camera"),
        ("it", "C'è la TV in camera?"),
        ("en", "I need ALL documents"),
        ("en", "Is mi casa open?"),
        ("fr", "la TV ne marche pas"),
        ("en", "hypertension (HTN) clinic"),
    ],
)
def test_an_ordinary_word_or_one_that_is_explained_is_left(language: str, text: str) -> None:
    assert expanded(text, language) == (text, ())


def test_small_letters_count_where_a_text_has_no_capitals() -> None:
    assert expanded("af treatment", "en")[0] == "af (atrial fibrillation) treatment"
    assert expanded("Ask: af treatment", "en")[0] == "Ask: af treatment"
    assert expanded("copd bij mijn vader", "nl")[0] == "copd (chronisch obstructieve longziekte) bij mijn vader"


def test_capitals_mean_nothing_in_a_text_of_capitals() -> None:
    assert expanded("KOM ALS DE DOKTER BELT", "nl")[1] == ()
    assert expanded("ALS", "nl")[0] == "ALS (amyotrofe laterale sclerose)"


def test_one_with_several_meanings_needs_another_word_that_tells() -> None:
    assert expanded("MS prognosis", "en")[0] == "MS prognosis"
    assert expanded("MS and epilepsy", "en")[0] == "MS (multiple sclerosis) and epilepsy"
    assert expanded("MS of the heart", "en")[0] == "MS (mitral stenosis) of the heart"
    assert expanded("MS, heart and brain", "en")[0] == "MS, heart and brain"


def test_one_abbreviation_may_tell_what_another_means() -> None:
    assert expanded("PE after DVT and COPD", "en")[0].startswith("PE (pulmonary embolism) after DVT")


def test_each_is_explained_where_it_stands_first() -> None:
    written, expansions = expanded("HTN now, HTN later", "en")
    assert written == "HTN (hypertension) now, HTN later"
    assert [(each.start, each.end, each.expansion) for each in expansions] == [(0, 3, "hypertension")]


def test_places_are_those_of_the_text_as_it_was() -> None:
    text = "is HTN worse with DM?"
    assert [text[each.start : each.end] for each in expanded(text, "en")[1]] == ["HTN", "DM"]


@given(TEXTS, LANGUAGE)
def test_what_is_expanded_stays_as_it_is(text: str, language: str | None) -> None:
    written, expansions = expanded(text, language)
    again, same = expanded(written, language)
    assert again == written
    assert [each.expansion for each in same] == [each.expansion for each in expansions]


@given(TEXTS, LANGUAGE)
def test_expansions_stand_in_the_text_in_order(text: str, language: str | None) -> None:
    done = 0
    for each in expanded(text, language)[1]:
        assert done <= each.start < each.end <= len(text)
        assert text[each.start : each.end].rstrip("s").casefold() == each.abbreviation.rstrip("s").casefold()
        done = each.end
