"""What a caller's words decide: the call's language, murmurs, and nothing before it is certain what was said."""

from __future__ import annotations

import pytest

from careline.speech.overlay import read_overlays

pytest.importorskip("livekit.agents", reason="requirements/voice.txt is not installed: `make voice`")

from livekit.agents import LanguageCode, stt

from careline_voice.listening.consent import accepts
from careline_voice.listening.hearing import Hearing

FINAL, INTERIM = stt.SpeechEventType.FINAL_TRANSCRIPT, stt.SpeechEventType.INTERIM_TRANSCRIPT
OVERLAYS = read_overlays("nl: {cardiologie: [kar die logie]}", "overlays.yaml")


def an_event(text: str, language: str = "nl", kind: stt.SpeechEventType = FINAL) -> stt.SpeechEvent:
    heard = stt.SpeechData(LanguageCode(language), text, start_time=1.0, end_time=4.0, confidence=0.95)
    return stt.SpeechEvent(type=kind, alternatives=[heard])


def said(hearing: Hearing, text: str, language: str = "nl", message: str = "m1") -> str | None:
    """The caller says it and it is certain; the call's language afterwards."""
    hearing.take(an_event(text, language), speaking=False)
    hearing.attempt(message, text)
    hearing.commit(message)
    return hearing.language


def test_the_language_is_locked_by_what_was_said_and_not_by_what_was_only_begun() -> None:
    hearing = Hearing("nl", OVERLAYS)
    hearing.take(an_event("quelles sont les heures de visite", "fr"), speaking=False)
    assert hearing.attempt("m1", "quelles sont les heures de visite").language == "fr"
    assert (hearing.language, hearing.spoken) == (None, "nl")
    assert hearing.commit("m1")
    assert hearing.language == "fr"


def test_words_of_another_language_and_requests_for_it_go_to_the_orchestrator_in_the_locked_one() -> None:
    hearing = Hearing("nl", OVERLAYS)
    assert said(hearing, "wanneer zijn de bezoekuren op de afdeling") == "nl"
    assert hearing.attempt("m2", "can you speak english please").reply is None
    decision = hearing.attempt("m3", "my father has stopped breathing please help us")
    assert (decision.language, decision.reply) == ("nl", None)


def test_a_noise_locks_nothing() -> None:
    assert said(Hearing("nl", OVERLAYS), "eh", "it") is None


@pytest.mark.parametrize("kind", [FINAL, INTERIM])
def test_a_murmur_is_kept_back_while_the_line_speaks_and_is_an_answer_when_it_does_not(
    kind: stt.SpeechEventType,
) -> None:
    hearing = Hearing("nl", OVERLAYS)
    assert hearing.take(an_event("ja ja", kind=kind), speaking=True) is None
    assert hearing.take(an_event("ja ja", kind=kind), speaking=False) is not None
    assert hearing.take(an_event("ja maar wacht eens", kind=kind), speaking=True) is not None


def test_known_mishearings_are_repaired_before_anything_is_understood() -> None:
    kept = Hearing("nl", OVERLAYS).take(an_event("de dienst kar die logie"), speaking=False)
    assert kept is not None
    assert kept.alternatives[0].text == "de dienst cardiologie"


@pytest.mark.parametrize(
    ("language", "text", "yes"),
    [
        ("nl", "ja graag", True), ("nl", "Ja, doe maar.", True), ("nl", "nee dank u", False), ("nl", "dank u", False),
        ("nl", "ja maar wat kost dat", False), ("en", "yes please", True), ("en", "thank you", False),
        ("nl", "Ja, heel graag.", True), ("nl", "Heel graag.", True), ("en", "Yes please, that would be lovely", True),
        ("fr", "Oui, très volontiers", True), ("it", "Sì, molto volentieri", True), ("it", "grazie mille", False),
        ("en", "thank you very much", False),
        ("fr", "oui s'il vous plaît", True), ("fr", "non merci", False), ("it", "sì grazie", True), ("it", "no", False),
    ],
)  # fmt: skip
def test_a_person_is_accepted_by_a_yes_and_nothing_else(language: str, text: str, yes: bool) -> None:
    assert accepts(text, language) is yes
