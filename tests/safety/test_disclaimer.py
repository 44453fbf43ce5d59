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


@pytest.fixture(scope="module")
def screen() -> DisclaimerScreen:
    disclaimers = load_pack(Path(__file__).parents[2] / "layers" / "careline_packs" / "hospital_line").disclaimers
    assert disclaimers is not None
    return disclaimers


@pytest.mark.parametrize("language", LINES)
def test_medical_vocabulary_calls_for_the_disclaimer(screen: DisclaimerScreen, language: str) -> None:
    assert [line for line in LINES[language]["MEDICAL"] if not screen.medical(line, language)] == []


@pytest.mark.parametrize("language", LINES)
def test_sending_somebody_somewhere_does_not(screen: DisclaimerScreen, language: str) -> None:
    assert [line for line in LINES[language]["NOT_MEDICAL"] if screen.medical(line, language)] == []


def test_one_medical_sentence_among_directions_is_enough(screen: DisclaimerScreen) -> None:
    answer = "Cardiologie bevindt zich op de vierde verdieping. Koorts en pijn komen na de ingreep voor."
    assert screen.medical(answer, "nl")
    assert "nl/SYMPTOM/vocabulary" in screen.reasons(answer, "nl")


def test_the_heading_of_a_list_of_hours_is_as_practical_as_the_list(screen: DisclaimerScreen) -> None:
    hours = "- Noord: van 8:00 tot 17:30 uur\n- Zuid: van 8:30 tot 16:30 uur"
    assert not screen.medical(f"Cardiologie, waar en wanneer: [1]\n{hours}", "nl")
    assert screen.medical(f"De coloscopie, wanneer u wat drinkt: [1]\n{hours}", "nl"), "an examination is prepared"
    assert screen.medical("Cardiologie, wat u krijgt: [1]\n- een onderzoek\n- uitleg", "nl"), "no hours"


def test_visiting_hours_of_every_ward_are_told_without_it(screen: DisclaimerScreen) -> None:
    wards = ("General wards", "Intensive care", "Maternity", "Psychiatry", "Rehabilitation (inpatients)", "Geriatrics")
    rows = "\n".join(f"- {ward}: visiting from 14:00 to 20:00." for ward in wards)
    assert screen.reasons(f"When can I visit: [1]\n{rows}", "en") == ()
    assert screen.medical(f"When can I visit: [1]\n{rows}\n- Fever: stay at home.", "en")


def test_an_answer_in_an_unknown_language_is_read_in_all(screen: DisclaimerScreen) -> None:
    assert screen.medical("Migraine is a form of headache.", "de")


@pytest.mark.parametrize(
    ("language", "where", "how"),
    [
        ("en", "An ECG needs no appointment.", "You must be fasting for six hours."),
        ("nl", "De botscanner is in gebouw F.", "U moet zes uur nuchter zijn."),
        ("fr", "Un ECG se fait sans rendez-vous.", "Soyez à jeun depuis six heures."),
        ("it", "Un ECG si fa senza appuntamento.", "Deve essere a digiuno da sei ore."),
    ],
)
def test_a_place_is_told_without_it_only_where_nothing_tells_how_to_prepare(
    screen: DisclaimerScreen, language: str, where: str, how: str
) -> None:
    assert not screen.medical(where, language)
    assert screen.medical(f"{where} [1] {how} [1]", language)
