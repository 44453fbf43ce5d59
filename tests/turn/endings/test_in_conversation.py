"""A topic or a follow-up is no greeting and no goodbye, however few its words; danger stays what it is."""

from __future__ import annotations

import pytest

from careline.safety.terminal import Terminal, TerminalVerdict
from careline.turn.endings.in_conversation import in_conversation
from tests.turn.turns import a_turn

EARLIER = {
    "nl": "wat zijn de bezoekuren op cardiologie",
    "en": "what are the visiting hours on cardiology",
    "fr": "quelles sont les heures de visite en cardiologie",
    "it": "quali sono gli orari di visita in cardiologia",
}
VARIATIONS = {"nl": "en op zondag?", "en": "and at weekends?", "fr": "et pour les enfants ?", "it": "e la domenica?"}
CORRECTIONS = {
    "nl": "sorry ik bedoelde hoogveld",
    "en": "oh no sorry I meant waterpoort",
    "fr": "ah pardon je voulais dire la pédiatrie",
    "it": "no scusi intendevo molenrij",
}
TOPICS = [
    ("nl", "adres"),
    ("en", "tv"),
    ("fr", "dialyse"),
    ("it", "mediazione"),
    ("nl", "bus"),
    ("it", "pronto soccorso"),
]
SOCIAL = [Terminal.GREETING, Terminal.FAREWELL, Terminal.REPEAT_REQUEST, Terminal.HANDOFF_REQUEST]


def judged(question: str, terminal: Terminal, *said: str, language: str = "nl", by: str = "learned") -> Terminal:
    verdict = TerminalVerdict(terminal, (f"{by}/{terminal}/0.60",), language)
    return in_conversation(a_turn(question, said=said, language=language), verdict).terminal


@pytest.mark.parametrize("terminal", SOCIAL)
@pytest.mark.parametrize("language", VARIATIONS)
def test_a_follow_up_is_not_ended_by_what_a_model_supposes(language: str, terminal: Terminal) -> None:
    question = VARIATIONS[language]
    assert judged(question, terminal, EARLIER[language], language=language) is Terminal.FALLTHROUGH


@pytest.mark.parametrize("terminal", SOCIAL)
@pytest.mark.parametrize("language", CORRECTIONS)
def test_a_correction_is_not_ended_by_what_a_model_supposes(language: str, terminal: Terminal) -> None:
    question = CORRECTIONS[language]
    assert judged(question, terminal, EARLIER[language], language=language) is Terminal.FALLTHROUGH
    assert judged(question, terminal, language=language) is terminal


@pytest.mark.parametrize(
    ("language", "question"),
    [("nl", "en de grootouders?"), ("en", "and the grandparents?"), ("fr", "et les cousins ?"), ("it", "e i cugini?")],
)
def test_what_leans_on_an_earlier_question_is_no_greeting(language: str, question: str) -> None:
    assert judged(question, Terminal.GREETING, EARLIER[language], language=language) is Terminal.FALLTHROUGH
    assert judged(question, Terminal.GREETING, language=language) is Terminal.GREETING


@pytest.mark.parametrize(
    ("language", "question"),
    [("nl", "op bosrand dan"), ("en", "at westbrook then"), ("fr", "à bellerive alors"), ("it", "a rivalago allora")],
)
def test_who_goes_on_at_a_place_takes_no_leave(language: str, question: str) -> None:
    assert judged(question, Terminal.FAREWELL, EARLIER[language], language=language) is Terminal.FALLTHROUGH
    assert judged(question, Terminal.FAREWELL, language=language) is Terminal.FAREWELL


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("nl", "en in bosrand?"), ("nl", "en griep?"), ("en", "and at westbrook"), ("en", "and hay fever?"),
        ("fr", "et la grippe ?"), ("fr", "à Bellerive ?"), ("it", "e a Rivalago?"), ("it", "e la rosolia?"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("terminal", [Terminal.REPEAT_REQUEST, Terminal.FAREWELL, Terminal.GREETING])
def test_who_names_something_else_does_not_ask_to_hear_it_again(
    language: str, question: str, terminal: Terminal
) -> None:
    assert judged(question, terminal, EARLIER[language], language=language) is Terminal.FALLTHROUGH


@pytest.mark.parametrize(
    ("language", "question", "terminal"),
    [
        ("nl", "en nog eens?", Terminal.REPEAT_REQUEST),
        ("en", "and again?", Terminal.REPEAT_REQUEST),
        ("fr", "et encore une fois ?", Terminal.REPEAT_REQUEST),
        ("it", "e di nuovo?", Terminal.REPEAT_REQUEST),
        ("nl", "en tot ziens", Terminal.FAREWELL),
        ("it", "e arrivederci", Terminal.FAREWELL),
    ],
)
def test_who_asks_again_or_takes_leave_with_an_and_does_so(language: str, question: str, terminal: Terminal) -> None:
    assert judged(question, terminal, EARLIER[language], language=language) is terminal


@pytest.mark.parametrize("language", CORRECTIONS)
def test_a_correction_is_refused_where_it_was(language: str) -> None:
    question = CORRECTIONS[language]
    verdict = judged(question, Terminal.SAFETY_REFUSAL, EARLIER[language], language=language)
    plain = f"{question.rsplit(' ', 1)[0]} siroop"
    assert verdict in {Terminal.SAFETY_REFUSAL, Terminal.FALLTHROUGH}
    assert judged(plain, Terminal.SAFETY_REFUSAL, EARLIER[language], language=language) is Terminal.SAFETY_REFUSAL


@pytest.mark.parametrize("terminal", SOCIAL)
@pytest.mark.parametrize(("language", "topic"), TOPICS)
def test_a_topic_is_not_ended_by_what_a_model_supposes(language: str, topic: str, terminal: Terminal) -> None:
    assert judged(topic, terminal, language=language) is Terminal.FALLTHROUGH


def test_what_a_pattern_found_stands() -> None:
    assert judged("en op zondag?", Terminal.FAREWELL, EARLIER["nl"], by="nl") is Terminal.FAREWELL


def test_danger_stands_in_a_follow_up_too() -> None:
    assert judged("en op zondag?", Terminal.EMERGENCY, EARLIER["nl"]) is Terminal.EMERGENCY


@pytest.mark.parametrize("question", ["en als ik de siroop verdubbel?", "and could it be shingles?"])
def test_advice_that_names_something_of_its_own_stays_refused(question: str) -> None:
    assert judged(question, Terminal.SAFETY_REFUSAL, EARLIER["nl"]) is Terminal.SAFETY_REFUSAL


@pytest.mark.parametrize("goodbye", ["dat is het", "oké dank u", "salukes"])
def test_a_goodbye_stays_one_in_a_conversation(goodbye: str) -> None:
    assert judged(goodbye, Terminal.FAREWELL, EARLIER["nl"]) is Terminal.FAREWELL


def test_an_unknown_word_alone_is_no_topic() -> None:
    assert judged("goeiedagskes", Terminal.GREETING) is Terminal.GREETING


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("nl", "hoe lang duurt het voor ik een antwoord krijg"),
        ("en", "how long does a reply take"),
        ("fr", "combien de temps faut-il pour une réponse"),
        ("it", "entro quanto tempo mi rispondete"),
    ],
)
def test_a_question_for_a_time_asks_for_nothing_again_where_nothing_was_said(language: str, question: str) -> None:
    assert judged(question, Terminal.REPEAT_REQUEST, language=language) is Terminal.FALLTHROUGH
