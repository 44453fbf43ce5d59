"""A caller's words keep their place, with what a page would call it beside them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from careline.model import LANGUAGES
from careline.understanding.terms.rewritten import rewritten

TEXTS = st.one_of(
    st.text(max_size=40),
    st.lists(
        st.sampled_from(
            "snurken rugpijn hoge bloeddruk, hypertensie heart attack chest pain (angina) mal au dos oki".split()
        ),
        max_size=8,
    ).map(" ".join),
)


@pytest.mark.parametrize(
    ("language", "text", "written"),
    [
        ("nl", "wie behandelt hoge bloeddruk?", "wie behandelt hoge bloeddruk (hypertensie)?"),
        ("en", "a heart attack last year", "a heart attack (myocardial infarction, acute coronary syndrome) last year"),
        ("it", "la Tachipirina", "la Tachipirina (paracetamolo)"),
        ("fr", "mes acouphènes", "mes acouphènes"),
        ("nl", "hoge bloeddruk of hypertensie", "hoge bloeddruk of hypertensie"),
        ("en", "where do I park?", "where do I park?"),
    ],
)
def test_the_clinical_name_stands_beside_what_was_said(language: str, text: str, written: str) -> None:
    assert rewritten(text, language) == written


@given(TEXTS, st.sampled_from((*LANGUAGES, None)))
def test_what_was_rewritten_stays_as_it_is(text: str, language: str | None) -> None:
    once = rewritten(text, language)
    assert rewritten(once, language) == once
