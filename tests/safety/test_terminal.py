"""What callers say is classified before any model is asked, in four languages.

The lines in `utterances` were written for these tests, from what the classes mean. Nothing was learned from them, and
`tests/training` holds that nothing is. Screens that never met them may be wrong about a few; the floors say how many.
"""

from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from careline.packs.packs import Pack, load_packs
from careline.safety.terminal import Terminal, TerminalScreen, TerminalVerdict

LANGUAGES = ("nl", "en", "fr", "it")
UTTERANCES = Path(__file__).parent / "utterances"
PACKS = Path(__file__).parents[2] / "layers" / "careline_packs"
SPOKEN: dict[str, dict[str, list[str]]] = {
    language: yaml.safe_load((UTTERANCES / f"{language}.yaml").read_text(encoding="utf-8")) for language in LANGUAGES
}
DANGER = (Terminal.EMERGENCY, Terminal.SAFETY_REFUSAL)


@pytest.fixture(scope="module")
def packs() -> Mapping[str, Pack]:
    return load_packs(PACKS)


@pytest.fixture(scope="module")
def screen(packs: Mapping[str, Pack]) -> TerminalScreen:
    return packs["hospital_line"].terminal


def taken_otherwise(screen: TerminalScreen, language: str, *classes: Terminal) -> list[str]:
    """The lines of these classes that come out as a class outside their group: danger is one, others stand alone."""
    return [
        text
        for terminal in classes
        for text in SPOKEN[language][terminal.value]
        if screen.classify(text, language).terminal not in (DANGER if terminal in DANGER else (terminal,))
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_of_24_who_are_in_danger_or_ask_for_advice_at_least_23_are_caught(
    screen: TerminalScreen, language: str
) -> None:
    assert len(missed := taken_otherwise(screen, language, *DANGER)) <= 1, missed


@pytest.mark.parametrize("language", LANGUAGES)
def test_of_12_emergencies_at_least_11_are_no_mere_refusal(screen: TerminalScreen, language: str) -> None:
    lines = SPOKEN[language]["EMERGENCY"]
    missed = [text for text in lines if screen.classify(text, language).terminal is not Terminal.EMERGENCY]
    assert len(missed) <= 1, missed


@pytest.mark.parametrize("language", LANGUAGES)
def test_of_14_harmless_questions_at_least_13_are_let_through(screen: TerminalScreen, language: str) -> None:
    assert len(SPOKEN[language]["FALLTHROUGH"]) == 14
    assert len(stopped := taken_otherwise(screen, language, Terminal.FALLTHROUGH)) <= 1, stopped


@pytest.mark.parametrize("language", LANGUAGES)
def test_of_20_who_want_a_person_a_repetition_or_a_chat_at_least_18_are_understood(
    screen: TerminalScreen, language: str
) -> None:
    social = [each for each in Terminal if each not in DANGER and each is not Terminal.FALLTHROUGH]
    assert sum(len(SPOKEN[language][each.value]) for each in social) == 20
    assert len(missed := taken_otherwise(screen, language, *social)) <= 2, missed


@pytest.mark.parametrize("language", LANGUAGES)
def test_of_12_emergencies_at_least_11_are_heard_whatever_language_the_call_is_in(
    screen: TerminalScreen, language: str
) -> None:
    others = [None, "de", *(each for each in LANGUAGES if each != language)]
    heard = {
        text: {screen.classify(text, other).terminal for other in others} for text in SPOKEN[language]["EMERGENCY"]
    }
    assert len(missed := [text for text, found in heard.items() if found != {Terminal.EMERGENCY}]) <= 1, missed


@pytest.mark.parametrize(
    ("text", "terminal"),
    [
        ("Bedankt voor de informatie, kunt u me toch nog even doorverbinden?", Terminal.HANDOFF_REQUEST),
        ("goeiedag, wat betaal ik voor de parking", Terminal.FALLTHROUGH),
        ("dag mevrouw hoeveel dafalgan mag ik nemen", Terminal.SAFETY_REFUSAL),
        ("verbind me door want mijn man ademt niet meer", Terminal.EMERGENCY),
        ("vorig jaar had ik een hartinfarct en nu heb ik weer pijn op de borst", Terminal.EMERGENCY),
        ("welk medicijn moet ik meebrengen bij opname? en hoeveel dafalgan mag ik nemen?", Terminal.SAFETY_REFUSAL),
        ("behandel ik migraine", Terminal.SAFETY_REFUSAL),
        ("hoe wordt migraine bij jullie behandeld en welke dienst doet dat", Terminal.FALLTHROUGH),
    ],
)
def test_the_graver_class_wins_and_a_request_is_never_lost(
    screen: TerminalScreen, text: str, terminal: Terminal
) -> None:
    assert screen.classify(text, "nl").terminal is terminal


@pytest.mark.parametrize(
    "text",
    [
        "What are the treatments for sudden cardiac arrest?",
        "what is anaphylaxis",
        "What causes cystic fibrosis?",
        "What are the symptoms of leukaemia?",
        "wat is een hartstilstand precies",
        "Hoeveel mensen overleven een hartstilstand?",
        "Wat zijn de symptomen van diabetes?",
        "C'est quoi une embolie pulmonaire ?",
        "quelles sont les causes de la noyade",
        "Cos'è un arresto cardiaco?",
        "quali sono i sintomi del coma diabetico",
    ],
)
def test_who_asks_what_a_disease_is_neither_has_it_nor_asks_for_advice(screen: TerminalScreen, text: str) -> None:
    assert TerminalScreen(screen.rule_layers).classify(text, None).terminal is Terminal.FALLTHROUGH


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "is the purpura nurse in today"),
        ("en", "i've been in the mri machine before"),
        ("en", "a contractions class every tuesday"),
        ("en", "is there a seat belt in the ambulance"),
        ("nl", "ik bel nog eens want die brief is weg"),
        ("nl", "hebt u een folder over cyanose"),
        ("nl", "de baby kreeg 40 kaartjes"),
        ("en", "a sign language interpreter at the scan"),
    ],
)
def test_a_word_that_another_language_knows_as_a_danger_is_none(
    screen: TerminalScreen, language: str, text: str
) -> None:
    assert TerminalScreen(screen.rule_layers).classify(text, language).terminal is Terminal.FALLTHROUGH


@pytest.mark.parametrize(
    "text",
    [
        "what is anaphylaxis my son's lips are swelling",
        "My daughter was stung. What is anaphylaxis?",
        "wat is een hartstilstand mijn man ademt niet",
        "c'est quoi un infarctus j'ai mal à la poitrine",
        "cos'è un infarto ho male al petto",
        "anaphylaxis",
        "i want to die",
    ],
)
def test_a_question_beside_a_danger_does_not_hide_it(screen: TerminalScreen, text: str) -> None:
    assert {TerminalScreen(screen.rule_layers).classify(text, each).terminal for each in LANGUAGES} == {
        Terminal.EMERGENCY
    }


def test_a_verdict_names_the_rule_and_its_language(screen: TerminalScreen) -> None:
    verdict = screen.classify("Aiuto, non riesco a respirare!", "nl")
    assert verdict.language == "it"
    assert verdict.reasons[0] == "it/EMERGENCY/cannot-breathe"


def test_a_greeting_in_an_unknown_language_is_found_in_any(screen: TerminalScreen) -> None:
    assert screen.classify("bonjour madame", None).terminal is Terminal.GREETING
    assert TerminalScreen(screen.rule_layers).classify("bonjour madame", "nl").terminal is Terminal.FALLTHROUGH


@pytest.mark.parametrize(("language", "word"), [("en", "TENS"), ("en", "portal")])
def test_a_word_that_no_caller_greets_with_is_no_greeting(screen: TerminalScreen, language: str, word: str) -> None:
    assert screen.classify(word, language).terminal is Terminal.FALLTHROUGH


def test_a_word_that_callers_greet_or_ask_with_alone_still_does(screen: TerminalScreen) -> None:
    assert screen.classify("hiya", "en").terminal is Terminal.GREETING
    assert screen.classify("human", "en").terminal is Terminal.HANDOFF_REQUEST


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("nl", "ik wil iemand van de sociale dienst spreken, op welke dag zijn ze er"),
        ("en", "I'd like to speak to someone from the social service, what day are they in"),
        ("fr", "je voudrais parler à quelqu'un du service social, c'est à quelle heure"),
        ("it", "vorrei parlare con qualcuno del servizio sociale, a che ora ci sono"),
    ],
)
def test_who_asks_when_somebody_is_there_is_not_put_through_at_once(
    screen: TerminalScreen, language: str, text: str
) -> None:
    assert screen.classify(text, language).terminal is Terminal.FALLTHROUGH
    without = text.split(",")[0]
    assert screen.classify(without, language).terminal is Terminal.HANDOFF_REQUEST


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("nl", "wanneer kan ik eindelijk iemand spreken"),
        ("en", "when can i finally talk to a person"),
        ("fr", "à quelle heure pouvez-vous me passer un collègue"),
        ("it", "quando posso parlare con un operatore"),
    ],
)
def test_who_asks_when_they_can_speak_to_somebody_is_put_through(
    screen: TerminalScreen, language: str, text: str
) -> None:
    assert screen.classify(text, language).terminal is Terminal.HANDOFF_REQUEST


@pytest.mark.parametrize("text", ["", "   ", "?!", "\ud800", "ьюк", "a" * 20_000])
def test_text_without_words_falls_through(screen: TerminalScreen, text: str) -> None:
    assert screen.classify(text, "nl") == TerminalVerdict(Terminal.FALLTHROUGH)


@given(text=st.text(), language=st.sampled_from([None, "de", *LANGUAGES]))
@settings(max_examples=200, deadline=None)
def test_any_text_in_any_language_gets_a_verdict(screen: TerminalScreen, text: str, language: str | None) -> None:
    assert screen.classify(text, language).terminal in Terminal


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("nl", "welke dosis amoxicilline bij een longontsteking"),
        ("en", "what dose of adrenaline in cardiac arrest"),
        ("fr", "quelle dose d'amoxicilline pour une pneumonie"),
        ("it", "che dose di eparina nella trombosi"),
        ("en", "patient with chest pain now which workup"),
        ("en", "the patient is suicidal which medication should i stop"),
    ],
)
def test_a_clinician_is_not_refused_a_clinical_question(packs: Mapping[str, Pack], language: str, text: str) -> None:
    assert packs["clinical_assistant"].terminal.classify(text, language).terminal is Terminal.FALLTHROUGH


def test_a_clinician_who_needs_the_team_or_is_in_danger_is_told_at_once(packs: Mapping[str, Pack]) -> None:
    clinical = packs["clinical_assistant"].terminal
    assert clinical.classify("cardiac arrest in room 12 now", "en").terminal is Terminal.EMERGENCY
    assert clinical.classify("ik wil niet meer leven", "nl").terminal is Terminal.EMERGENCY
    assert clinical.classify("i want to talk to a colleague", "en").terminal is Terminal.HANDOFF_REQUEST
