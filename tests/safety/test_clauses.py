"""Where an utterance is parted: at punctuation where somebody typed it, at joining words where somebody said it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from careline.model import LANGUAGES
from careline.safety.clauses import LEAST_WORDS, clauses


@pytest.mark.parametrize(
    ("language", "text", "parts"),
    [
        (
            "nl",
            "waar kan ik mij parkeren en mag ik vanavond mijn pil overslaan",
            ["waar kan ik mij parkeren", "en mag ik vanavond mijn pil overslaan"],
        ),
        (
            "en",
            "Thanks! My husband is shivering and doesn't know where he is.",
            ["Thanks My husband is shivering", "and doesn't know where he is"],
        ),
        (
            "fr",
            "je viens mardi pour la radio, d'ici là je double la dose",
            ["je viens mardi pour la radio", "d'ici là je double la dose"],
        ),
        (
            "it",
            "dove si paga il ticket perché la bambina è tutta blu",
            ["dove si paga il ticket", "perché la bambina è tutta blu"],
        ),
    ],
)
def test_an_utterance_is_parted_where_one_thing_ends_and_the_next_begins(
    language: str, text: str, parts: list[str]
) -> None:
    assert clauses(text, language) == parts


def test_an_accent_tells_a_joining_word_from_another() -> None:
    assert clauses("la mia gamba è gonfia da ieri sera", "it") == []
    assert len(clauses("la mia gamba fa male e gonfia da ieri sera", "it")) == 2


def test_a_number_is_not_parted_at_its_comma() -> None:
    assert clauses("mag ik 1,5 gram of 2.5 gram nemen vandaag", "nl") == [
        "mag ik 1,5 gram",
        "of 2.5 gram nemen vandaag",
    ]


def test_in_an_unknown_language_the_joining_words_of_all_part() -> None:
    text = "waar is de parking want ik bloed heel erg"
    assert clauses(text, None) == clauses(text, "nl") == ["waar is de parking", "want ik bloed heel erg"]


@given(st.text(max_size=300), st.sampled_from([*LANGUAGES, None]))
def test_no_word_is_lost_and_no_part_is_too_short(text: str, language: str | None) -> None:
    parts = clauses(text, language)
    assert len(parts) != 1
    assert all(len(part.split()) >= LEAST_WORDS for part in parts)
    if parts:
        marks = dict.fromkeys(map(ord, ".?!,;:()…–—-"))
        assert "".join("".join(parts).split()).translate(marks) == "".join(text.split()).translate(marks)
