"""A caller goes from a complaint to a doctor's hours in four turns, which the directory answers, in four languages."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from careline.text.sentences import split
from tests.journeys.process import Careline

SET_UP = """
import sys
from pathlib import Path
from careline_local.cli.session import CommandSession
from careline_local.demo import load
session = CommandSession(Path(sys.argv[1]))
session.run(load.set_up(session.settings.tenant, session.installation.engines))
"""


@dataclass(frozen=True, slots=True)
class Call:
    """What a caller says, and what each answer has to hold."""

    utterances: tuple[str, str, str, str]
    number: str
    """That of the department, as it is spoken."""
    no_advice: str
    others: str
    hours: tuple[str, ...]


PROFESSOR, OTHER = "Hilde Van den Abbeele", "Karim El Ouassi"
CALLS: Mapping[str, Call] = {
    "nl": Call(
        (
            "Ik heb last van hartkloppingen, bij welke dienst moet ik zijn?",
            "Welke artsen werken er op de dienst cardiologie?",
            "Vertel me meer over professor Van den Abbeele.",
            "Wanneer werkt zij?",
        ),
        "nul één één, negentig, dertien, tweeëndertig",
        "Medisch advies mag ik niet geven",
        "twee andere artsen",
        ("houdt raadpleging op maandagvoormiddag van negen uur", "donderdagnamiddag"),
    ),
    "en": Call(
        (
            "I suffer from palpitations, which department should I go to?",
            "Which doctors work in the cardiology department?",
            "Tell me more about professor Van den Abbeele.",
            "When does she work?",
        ),
        "zero one one, nine zero, one three, three two",
        "I may not give medical advice",
        "two other doctors",
        ("sees patients on Monday morning from nine a.m.", "Thursday afternoon"),
    ),
    "fr": Call(
        (
            "J'ai des palpitations, à quel service dois-je m'adresser ?",
            "Quels médecins travaillent dans le service de cardiologie ?",
            "Parlez-moi du professeur Van den Abbeele.",
            "Quand travaille-t-elle ?",
        ),
        "zéro un un, nonante, treize, trente-deux",
        "Je ne peux pas donner d'avis médical",
        "deux autres médecins",
        ("consulte le lundi matin de neuf heures", "jeudi après-midi"),
    ),
    "it": Call(
        (
            "Ho delle palpitazioni, a quale reparto devo rivolgermi?",
            "Quali medici lavorano nel reparto di cardiologia?",
            "Mi parli della professoressa Van den Abbeele.",
            "Quando lavora lei?",
        ),
        "zero uno uno, nove zero, uno tre, tre due",
        "Non posso dare consigli medici",
        "altri due medici",
        ("riceve lunedì mattina dalle nove", "giovedì pomeriggio"),
    ),
}


Told = Callable[[str], Sequence[Mapping[str, Any]]]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Told:
    """The turns of the call in a language, by `careline call --text`; each call is held once."""
    home = tmp_path_factory.mktemp("elzenvoorde") / "home"
    careline = Careline(home)
    subprocess.run([sys.executable, "-c", SET_UP, str(home)], check=True, env=careline.variables())
    held: dict[str, list[Mapping[str, Any]]] = {}

    def of(language: str) -> Sequence[Mapping[str, Any]]:
        if language not in held:
            said = (part for text in CALLS[language].utterances for part in ("--text", text))
            done = careline.run("call", "--json", "--lang", language, *said)
            assert done.returncode == 0, done.stderr
            held[language] = [json.loads(line) for line in done.stdout.splitlines()]
        return held[language]

    return of


def from_the_directory(turn: Mapping[str, Any]) -> str:
    """What is spoken, where the directory answers: no model, no figure, two sentences at most."""
    spoken: str = turn["spoken"]
    assert (turn["disposition"], turn["reason"], turn["model"]) == ("answered", "DIRECTORY", None)
    assert turn["citations"]
    assert all(cited.startswith("directory-") for cited in turn["citations"])
    assert not any(sign.isdigit() for sign in spoken)
    assert len(split(spoken, turn["language"])) <= 2
    return spoken


@pytest.mark.parametrize("language", CALLS)
def test_a_complaint_leads_to_a_department_with_its_number_and_to_no_advice(language: str, told: Told) -> None:
    spoken = from_the_directory(told(language)[0])
    assert spoken.startswith(CALLS[language].no_advice)
    assert "Cardiolog" in spoken or "Cardiology" in spoken
    assert CALLS[language].number in spoken


@pytest.mark.parametrize("language", CALLS)
def test_of_the_doctors_of_a_department_two_are_named_and_the_others_counted(language: str, told: Told) -> None:
    turn = told(language)[1]
    spoken = from_the_directory(turn)
    assert PROFESSOR in spoken
    assert OTHER in spoken
    assert CALLS[language].others in spoken
    assert "Claeskens" not in spoken
    assert turn["citations"][0] == "directory-departments-cardiology"


@pytest.mark.parametrize("language", CALLS)
def test_a_doctor_who_is_named_by_title_and_surname_is_told_of(language: str, told: Told) -> None:
    turn = told(language)[2]
    spoken = from_the_directory(turn)
    assert PROFESSOR in spoken
    assert "Waterpoort" in spoken
    assert turn["citations"] == ["directory-doctors-van-den-abbeele-hilde"]


@pytest.mark.parametrize("language", CALLS)
def test_when_she_works_is_asked_of_the_doctor_before(language: str, told: Told) -> None:
    turn = told(language)[3]
    spoken = from_the_directory(turn)
    assert PROFESSOR in spoken
    assert all(hours in spoken for hours in CALLS[language].hours)
    assert CALLS[language].number in spoken
    assert "directory-doctors-van-den-abbeele-hilde" in turn["citations"]
