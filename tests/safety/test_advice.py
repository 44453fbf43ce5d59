"""Answers of a public line never advise like a doctor would, and brochures may still be quoted."""

from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from careline.packs.packs import load_pack
from careline.safety.advice import AdviceScreen
from careline.safety.in_context import InContext

ANSWERS = Path(__file__).parent / "answers"
LINES = {
    language: yaml.safe_load((ANSWERS / f"{language}.yaml").read_text(encoding="utf-8"))
    for language in ("nl", "en", "fr", "it")
}
ADVICE = [(language, line) for language, lines in LINES.items() for line in lines["ADVICE"]]
SAFE = [(language, line) for language, lines in LINES.items() for line in lines["SAFE"]]


@pytest.fixture(scope="module")
def screen() -> AdviceScreen:
    advice = load_pack(Path(__file__).parents[2] / "layers" / "careline_packs" / "hospital_line").advice
    assert advice is not None
    return advice


def blocked(screen: AdviceScreen, sentences: list[str], language: str) -> bool:
    so_far = ""
    for sentence in sentences:
        if screen.judge(InContext(sentence, so_far), language).action == "block":
            return True
        so_far += f" {sentence}"
    return False


@pytest.mark.parametrize(("language", "line"), ADVICE)
def test_advice_is_stopped(screen: AdviceScreen, language: str, line: str | list[str]) -> None:
    assert blocked(screen, [line] if isinstance(line, str) else line, language)


@pytest.mark.parametrize(("language", "line"), SAFE)
def test_what_a_brochure_says_is_let_through(screen: AdviceScreen, language: str, line: str) -> None:
    assert not screen.judge(InContext(line), language).reasons


@pytest.mark.parametrize("language", LINES)
def test_a_brochure_read_from_start_to_end_is_let_through(screen: AdviceScreen, language: str) -> None:
    assert not blocked(screen, LINES[language]["SAFE"], language)


def test_advice_over_two_sentences_is_caught_by_what_was_said_before(screen: AdviceScreen) -> None:
    assert screen.judge(InContext("Ibuprofen."), "nl").action == "allow"
    verdict = screen.judge(InContext("Ibuprofen.", "Tegen de pijn kunt u iets nemen. Ik raad u dit aan."), "nl")
    assert verdict.action == "block"


def test_what_was_allowed_before_does_not_block_what_comes_after(screen: AdviceScreen) -> None:
    said = "Neem twee tabletten paracetamol."
    assert screen.judge(InContext("De cafetaria is open.", said), "nl").action == "allow"


def test_a_verdict_names_its_rules(screen: AdviceScreen) -> None:
    assert screen.judge(InContext("U heeft waarschijnlijk griep."), "nl").reasons == ("nl/DIAGNOSIS/you-have",)


def test_an_answer_in_a_language_without_a_rule_set_is_read_in_all_of_them(screen: AdviceScreen) -> None:
    assert screen.judge(InContext("Take two tablets of paracetamol."), "de").action == "block"


@given(sentence=st.text(), so_far=st.text(), language=st.sampled_from(["nl", "en", "fr", "it", "de"]))
@settings(max_examples=100, deadline=None)
def test_any_sentence_gets_a_verdict(screen: AdviceScreen, sentence: str, so_far: str, language: str) -> None:
    assert screen.judge(InContext(sentence, so_far), language).action in {"allow", "block"}
