"""The final text of an answer decides whether it carries the disclaimer."""

from pathlib import Path

import pytest
import yaml

from careline.packs.packs import load_pack
from careline.safety.disclaimer import DisclaimerScreen

ANSWERS = Path(__file__).parent / "answers"
LINES = {
    language: yaml.safe_load((ANSWERS / f"{language}.yaml").read_text(encoding="utf-8"))
    for language in ("nl", "en", "fr", "it")
}
MEDICAL = [(language, line) for language, lines in LINES.items() for line in lines["MEDICAL"]]
OTHER = [(language, line) for language, lines in LINES.items() for line in lines["NOT_MEDICAL"]]


@pytest.fixture(scope="module")
def screen() -> DisclaimerScreen:
    disclaimers = load_pack(Path(__file__).parents[2] / "layers" / "careline_packs" / "hospital_line").disclaimers
    assert disclaimers is not None
    return disclaimers


@pytest.mark.parametrize(("language", "line"), MEDICAL)
def test_medical_vocabulary_calls_for_the_disclaimer(screen: DisclaimerScreen, language: str, line: str) -> None:
    assert screen.medical(line, language)


@pytest.mark.parametrize(("language", "line"), OTHER)
def test_sending_somebody_somewhere_does_not(screen: DisclaimerScreen, language: str, line: str) -> None:
    assert not screen.medical(line, language)


def test_one_medical_sentence_among_directions_is_enough(screen: DisclaimerScreen) -> None:
    answer = "Cardiologie bevindt zich op de vierde verdieping. Koorts en pijn komen na de ingreep voor."
    assert screen.medical(answer, "nl")
    assert "nl/SYMPTOM/vocabulary" in screen.reasons(answer, "nl")


def test_an_answer_in_an_unknown_language_is_read_in_all(screen: DisclaimerScreen) -> None:
    assert screen.medical("Migraine is a form of headache.", "de")
