"""The first confirmed utterance locks the language of a call; noise does not; a request to switch is refused kindly."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from careline.speech.language_lock import LanguageLock, asks_to_switch

FIRST = {
    "nl": "Wat zijn de bezoekuren?",
    "en": "What are the visiting hours?",
    "fr": "Quelles sont les heures de visite ?",
    "it": "Quali sono gli orari di visita?",
}


@pytest.mark.parametrize("language", sorted(FIRST))
def test_the_first_confirmed_utterance_locks(language: str) -> None:
    lock = LanguageLock()
    decision = lock.heard(FIRST[language], language, 0.9)
    assert (decision.kind, decision.language, lock.language) == ("lock", language, language)
    assert lock.heard(FIRST[language], language, 0.9).kind == "stay"


@pytest.mark.parametrize("noise", ["hallo", "Allo? Allo?", "", "euh", "...", "ok ok", "hallo ja"])
def test_noise_and_a_hello_alone_do_not_lock_however_sure_the_recogniser_is(noise: str) -> None:
    lock = LanguageLock()
    for _ in range(5):
        assert lock.heard(noise, "en", 0.99).kind == "wait"
    assert lock.language is None


def test_one_unsure_utterance_waits_and_a_second_that_agrees_locks() -> None:
    lock = LanguageLock()
    assert lock.heard("parking tarief", "nl", 0.4).kind == "wait"
    assert lock.heard("parking tarief", "fr", 0.3).kind == "wait"
    assert lock.heard("tarief parking", "nl-BE", 0.4).kind == "lock"
    assert lock.language == "nl"


def test_plain_words_of_one_language_outweigh_the_recogniser() -> None:
    assert LanguageLock().heard("wat zijn de bezoekuren van het ziekenhuis", "en", 0.95).language == "nl"


def test_a_recogniser_that_tells_no_language_leaves_it_to_the_words() -> None:
    assert LanguageLock().heard("quels sont les tarifs pour une chambre", None, 0.9).language == "fr"


def test_a_language_that_the_line_does_not_speak_is_said_so_and_a_person_offered() -> None:
    lock = LanguageLock(default="fr")
    decision = lock.heard("Guten Tag ich hätte gerne einen Termin", "de", 0.95)
    assert decision.kind == "unsupported"
    assert decision.reply is not None
    assert "collaborateur" in decision.reply
    assert lock.heard("Quelles sont les heures de visite ?", "fr", 0.9).kind == "lock"


def test_a_key_chooses_before_and_after_the_lock() -> None:
    lock = LanguageLock()
    assert lock.press("0").kind == "wait"
    assert lock.press("2").language == "fr"
    assert lock.press("3").language == "en"
    assert lock.press("0").kind == "stay"
    assert lock.language == "en"


@pytest.mark.parametrize(
    ("locked", "request_"),
    [
        ("nl", "Kunt u Frans spreken?"),
        ("nl", "english please"),
        ("nl", "do you speak English"),
        ("nl", "Français"),
        ("nl", "je voudrais savoir combien coûte la chambre pour une nuit"),
        ("en", "can we continue in Dutch?"),
        ("fr", "parlez-vous néerlandais ?"),
        ("it", "possiamo parlare in inglese?"),
        ("fr", "vous parlez allemand ?"),
    ],
)
def test_a_request_to_switch_is_refused_with_the_reason_and_a_person(locked: str, request_: str) -> None:
    lock = LanguageLock()
    lock.heard(FIRST[locked], locked, 0.9)
    decision = lock.heard(request_, locked, 0.9)
    assert decision.kind == "refuse_switch"
    assert lock.language == locked
    person = {"nl": "medewerker", "en": "member of staff", "fr": "collaborateur", "it": "operatore"}[locked]
    reason = {"nl": "want", "en": "because", "fr": "car", "it": "perché"}[locked]
    assert decision.reply is not None
    assert person in decision.reply
    assert reason in decision.reply


@pytest.mark.parametrize(
    ("locked", "question"),
    [
        ("nl", "Is er een dokter die Frans spreekt?"),
        ("nl", "Spreekt u Nederlands?"),
        ("nl", "Hebt u die brochure in het Engels?"),
        ("en", "Is there an interpreter for Italian?"),
        ("fr", "y a-t-il un médecin qui parle anglais ?"),
        ("it", "il modulo c'è in tedesco?"),
        ("nl", "waar is de Franse straat"),
    ],
)
def test_a_question_about_a_language_is_a_question(locked: str, question: str) -> None:
    assert not asks_to_switch(question, locked)


@given(st.lists(st.tuples(st.text(max_size=40), st.sampled_from(["nl", "en", "de", "fr-BE", None]), st.floats(0, 1))))
def test_a_call_never_leaves_its_language_by_what_is_said(utterances: list[tuple[str, str | None, float]]) -> None:
    lock = LanguageLock()
    locked = None
    for utterance, language, confidence in utterances:
        lock.heard(utterance, language, confidence)
        assert locked in {None, lock.language}
        locked = lock.language
