"""A listening caller is not interrupted for; one who wants the floor gets it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from careline.speech.backchannel import is_backchannel

LISTENING = {
    "nl": ["mhm", "Ja.", "ja ja", "oké", "ah ja", "juist, juist", "inderdaad", "ik begrijp het"],
    "en": ["mhm", "yeah", "Okay.", "right, right", "I see", "uh-huh", "got it"],
    "fr": ["mhm", "oui", "d'accord", "Très bien.", "oui oui, je vois", "c'est ça", "ah bon"],
    "it": ["mhm", "sì", "va bene", "sì, sì, ho capito", "d'accordo", "certo"],
}
WANTING_THE_FLOOR = {
    "nl": [
        "ja maar",
        "stop",
        "ja?",
        "nee",
        "wacht even",
        "help",
        "ja mijn borst doet pijn",
        "oké en de parking",
        "",
        "ja ja ja ja ja ja",
    ],
    "en": ["yes but", "stop", "okay?", "no", "hang on", "help", "yes I am bleeding", "right where is it", "!!"],
    "fr": ["oui mais", "arrêtez", "oui ?", "non", "attendez", "au secours", "oui j'ai mal à la poitrine"],
    "it": ["sì ma", "basta", "va bene?", "no", "aspetti", "aiuto", "sì mi fa male il petto"],
}


@pytest.mark.parametrize(("language", "said"), [(code, said) for code, some in LISTENING.items() for said in some])
def test_a_sign_of_listening_does_not_interrupt(language: str, said: str) -> None:
    assert is_backchannel(said, language)


@pytest.mark.parametrize(
    ("language", "said"), [(code, said) for code, some in WANTING_THE_FLOOR.items() for said in some]
)
def test_a_but_a_stop_a_question_or_danger_interrupts(language: str, said: str) -> None:
    assert not is_backchannel(said, language)


@given(st.text(max_size=60), st.sampled_from(sorted(LISTENING)))
def test_any_text_gets_a_verdict(said: str, language: str) -> None:
    assert is_backchannel(said, language) in {True, False}
