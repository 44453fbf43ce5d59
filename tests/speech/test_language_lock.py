"""The first confirmed utterance locks the language of a call; noise does not; another language is refused kindly."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from careline.speech.language_lock import LanguageLock

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
    [("nl", "Kunt u Frans spreken?"), ("nl", "english please"), ("en", "can we continue in Dutch?"),
     ("fr", "Zou u Nederlands kunnen spreken?"), ("it", "possiamo parlare in inglese?"),
     ("fr", "vous parlez allemand ?")],
)  # fmt: skip
def test_a_request_to_switch_leaves_the_lock_and_is_answered_like_a_question(locked: str, request_: str) -> None:
    lock = LanguageLock()
    lock.heard(FIRST[locked], locked, 0.9)
    assert lock.heard(request_, locked, 0.9).kind == "stay"
    assert lock.language == locked


@pytest.mark.parametrize(("said", "wanted"), [("Parla francese?", "fr"), ("do you understand Italian", "it")])
def test_a_call_that_has_no_language_yet_takes_the_one_that_is_asked_for(said: str, wanted: str) -> None:
    lock = LanguageLock()
    assert (lock.heard(said, "nl", 0.9).kind, lock.language) == ("lock", wanted)


def test_plain_words_of_another_language_leave_the_lock_and_are_screened_like_any_others() -> None:
    lock = LanguageLock()
    lock.heard(FIRST["nl"], "nl", 0.9)
    decision = lock.heard("je voudrais savoir combien coûte la chambre pour une nuit", "nl", 0.9)
    assert (decision.kind, decision.language, decision.reply) == ("stay", "nl", None)


@given(st.lists(st.tuples(st.text(max_size=40), st.sampled_from(["nl", "en", "de", "fr-BE", None]), st.floats(0, 1))))
def test_a_call_never_leaves_its_language_by_what_is_said(utterances: list[tuple[str, str | None, float]]) -> None:
    lock = LanguageLock()
    locked = None
    for utterance, language, confidence in utterances:
        lock.heard(utterance, language, confidence)
        assert locked in {None, lock.language}
        locked = lock.language
