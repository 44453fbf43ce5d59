"""A short question that leaves something unsaid is read behind the one before it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from careline.understanding.joined import SHORT, joined, leans


def test_a_short_question_stands_behind_the_one_before_it() -> None:
    assert joined("wat kost parkeren?", "en op zondag ?") == "wat kost parkeren? en op zondag?"


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("nl", "en op zondag?"), ("nl", "en waar kan ik parkeren?"), ("nl", "zondag?"), ("nl", "mag dat met krukken?"),
        ("en", "how long does that one keep me covered?"), ("en", "I meant campus East"), ("en", "for my little boy"),
        ("fr", "et la grippe ?"), ("it", "e andare in bici?"), ("it", "anche lì?"),
    ],
)  # fmt: skip
def test_what_joins_on_corrects_points_back_or_names_nothing_leans(language: str, question: str) -> None:
    assert leans(question, language)


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("nl", "is er wifi?"), ("nl", "kan ik bij u parkeren"), ("en", "parking"), ("en", "when are visiting hours"),
        ("fr", "où est le parking ?"), ("it", "dove si può parcheggiare"),
    ],
)  # fmt: skip
def test_a_question_with_a_subject_of_its_own_leans_on_nothing(language: str, question: str) -> None:
    assert not leans(question, language)


def test_a_long_question_leans_on_nothing() -> None:
    assert leans("en " * (SHORT - 1), "nl")
    assert not leans("en " * SHORT, "nl")


@given(st.text(max_size=60), st.text(max_size=60))
def test_every_word_of_both_is_kept(before: str, question: str) -> None:
    whole = joined(before, question)
    assert [word for word in whole.split() if word != "?"] or not "".join((before + question).split()).strip("?.!…,;")
    assert before.strip(" ?.!…,;") in whole
    assert question.strip(" ?.!…,;") in whole
