"""Patterns meet one form of text, however it was typed or transcribed."""

import pytest
import re2
from hypothesis import given
from hypothesis import strategies as st

from careline.safety.rules import plain_text
from careline.safety.rules.plain_text import normalise, normalise_answer


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("Hoeveel Dafalgan mag ik nemen?", " hoeveel dafalgan mag ik nemen . "),
        ("J’ai mal à l'estomac", " j ai mal a l estomac "),
        ("500mg", " 500 mg "),
        ("vitamine b12", " vitamine b12 "),
        ("euh ik ik heb uhm pijn", " ik heb pijn "),
        ("Œdème", " oedeme "),
        ("Dr. Peeters, 12.30 u", " dr . peeters 12 30 u "),
        ("perché\u0301 è così", " perche e cosi "),
        ("", " "),
        ("🚑", " "),
    ],
)
def test_accents_apostrophes_units_and_hesitations_are_made_plain(written: str, plain: str) -> None:
    assert normalise(written) == plain


@given(st.text())
def test_any_text_becomes_ascii_words_between_single_spaces(text: str) -> None:
    plain = normalise(text)
    assert plain.isascii()
    assert plain == (f" {' '.join(plain.split())} " if plain.strip() else " ")


@given(st.text())
def test_making_plain_text_plain_again_changes_nothing(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)


def test_markdown_markers_and_table_rules_vanish_from_an_answer() -> None:
    written = "## Dosis\n\n- **Neem** 1 tablet [1]\n\n| Middel | Dosis |\n|---|---|\n| Paracetamol | 1000 mg |"
    assert normalise_answer(written).split() == "dosis . neem 1 tablet . middel dosis . paracetamol 1000 mg".split()


def test_a_line_broken_inside_a_paragraph_is_one_sentence() -> None:
    assert " . " not in normalise_answer("u drinkt\neen liter water").rstrip()


@given(st.text())
def test_any_answer_can_be_made_plain(text: str) -> None:
    assert normalise_answer(text).isascii()


@given(st.lists(st.sampled_from([*"`[](|!#>*+-•–_~123.) \n\ta", "---", "1. ", "- ", "[1]", "één"])).map("".join))
def test_an_answer_without_markdown_is_made_plain_as_if_it_were_looked_for(text: str) -> None:
    markdown, plain_text._MAYBE_MARKED = plain_text._MAYBE_MARKED, re2.compile("")
    try:
        looked_for = normalise_answer(text)
    finally:
        plain_text._MAYBE_MARKED = markdown
    assert normalise_answer(text) == looked_for
