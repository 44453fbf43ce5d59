"""The demo hospital as a visitor meets it: everyday questions in four languages, and some that nothing answers.

The questions are the tests' own: none of them is in `tests/evaluation`, whose figures must stay a measurement.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from careline.speech.spoken.numbers import spoken_numbers
from tests.journeys.process import Careline, Served

pytestmark = pytest.mark.timeout(400)
"""The first test waits until 140 documents are there."""
PERSON = "011 90 10 00"
"""Number of the demo hospital's switchboard."""
LEAST_RIGHT = 9
"""Of the ten questions of a language."""
EVERYDAY = {
    "nl": {
        "hoelang houden jullie gevonden voorwerpen bij": "lost-property",
        "wat is de prijs van het dagmenu in de sluis": "restaurant",
        "mag ik als mama blijven slapen op de kinderafdeling": "childrens-ward",
        "kan er een tolk gebarentaal mee naar mijn afspraak": "interpreters",
        "waar mag ik buiten een sigaret roken op waterpoort": "smoking",
        "hoe vraag ik een kopie van mijn dossier aan": "medical-record-copy",
        "hoeveel kost het per kWh om mijn auto op te laden": "charging-posts",
        "kan ik ergens een rolstoel lenen voor mijn grootmoeder": "wheelchair-access",
        "tot hoe laat is er bezoek op intensieve zorgen": "visiting-hours|directory-departments-intensive-care",
        "ik wil een klacht indienen bij de ombudsdienst": "complaints|directory-departments-ombuds",
    },
    "en": {
        "what does it cost to park at hoogveld for an hour": "parking",
        "until what time can i visit someone in intensive care": "visiting-hours|directory-departments-intensive-care",
        "what goes into my suitcase for giving birth": "maternity",
        "where must i report for the colonoscopy": "colonoscopy-preparation",
        "i am unhappy with how i was treated and want to complain": "complaints|directory-departments-ombuds",
        "can i get a second opinion from another doctor": "second-opinion",
        "where can i borrow a wheelchair at the main entrance": "wheelchair-access",
        "do i have to fast before a blood test": "blood-tests",
        "can i wear my piercing in the mri scanner": "mri-preparation",
        "can i stay overnight with my child on the children's ward": "childrens-ward",
    },
    "fr": {
        "combien coûte un ticket de parking perdu": "parking",
        "à quelle heure puis-je rendre visite à la psychiatrie": "visiting-hours|directory-departments-psychiatry",
        "que dois-je mettre dans ma valise pour accoucher": "maternity",
        "où dois-je me présenter pour ma coloscopie": "colonoscopy-preparation|directory-departments-gastroenterology",
        "comment introduire une plainte au service de médiation": "complaints|directory-departments-ombuds",
        "comment demander un deuxième avis médical": "second-opinion",
        "où trouver un fauteuil roulant à l'entrée": "wheelchair-access",
        "dois-je être à jeun pour une prise de sang": "blood-tests",
        "combien de minutes dure une irm": "mri-preparation",
        "où sont les bornes pour recharger ma voiture électrique": "charging-posts|directory-campuses",
    },
    "it": {
        "quanto costa il biglietto smarrito del parcheggio": "parking",
        "che orari di visita ci sono in terapia intensiva": "visiting-hours|directory-departments-intensive-care",
        "che cosa devo portare per il parto": "maternity",
        "come mi preparo alla colonscopia": "colonoscopy-preparation",
        "come faccio a presentare un reclamo": "complaints|directory-departments-ombuds",
        "posso chiedere un secondo parere a un altro medico": "second-opinion",
        "dove trovo una sedia a rotelle in prestito": "wheelchair-access",
        "devo essere a digiuno per il prelievo del sangue": "blood-tests",
        "si può fare la risonanza con il pacemaker": "mri-preparation",
        "dove posso ricaricare l'auto elettrica": "charging-posts|directory-campuses",
    },
}
UNANSWERABLE = (
    "welke planeet heeft de meeste ringen",
    "how do i grow tomatoes on a balcony",
    "à quelle heure part le dernier train pour lyon",
)


@pytest.fixture(scope="module")
def demo(demo_home: Path) -> Iterator[Served]:
    with Careline(demo_home).served() as server:
        yield server


@pytest.mark.parametrize("language", EVERYDAY)
def test_everyday_questions_are_answered_from_the_right_document(demo: Served, language: str) -> None:
    wrong: dict[str, Any] = {}
    for question, identifier in EVERYDAY[language].items():
        answer = demo.ask(question)
        first = answer["citations"][0]["doc_key"] if answer["citations"] else answer["reason"]
        named = any(one in first for one in identifier.split("|"))
        if not named or answer["language"] != language:
            wrong[question] = (first, answer["language"])
    assert len(wrong) <= len(EVERYDAY[language]) - LEAST_RIGHT, wrong


@pytest.mark.parametrize("question", UNANSWERABLE)
def test_what_the_documents_do_not_say_is_declined_by_offering_a_person_or_the_hospitals_subjects(
    demo: Served, question: str
) -> None:
    answer = demo.ask(question)
    assert answer["citations"] == []
    if answer["reason"] == "NO_EVIDENCE":
        assert (answer["disposition"], PERSON in answer["text"]) == ("escalated", True)
    else:
        ended = (answer["disposition"], answer["reason"])
        assert ended in {("refused", "OFF_TOPIC_PERSONAL"), ("escalated", "CANNOT_DO")}


def test_a_french_question_finds_what_only_a_dutch_document_says_and_announces_it(demo: Served) -> None:
    answer = demo.ask("combien de temps gardez-vous les objets trouvés")
    assert (answer["language"], answer["disposition"]) == ("fr", "answered")
    cited = answer["citations"][0]
    assert (cited["doc_key"], cited["language"]) == ("brochure-lost-property-nl", "nl")
    assert f"document « {cited['title']} »" in answer["text"] or f"“{cited['title']}”" in answer["text"]
    assert "3 maanden" in answer["text"]


def test_a_caller_is_given_the_number_of_this_hospital(demo: Served) -> None:
    answer = demo.ask("ik wil iemand spreken", channel="voice")
    assert answer["disposition"] == "escalated"
    assert spoken_numbers(PERSON, "nl") in answer["text"]


def test_a_clinician_who_asks_for_a_dose_is_shown_what_rules_the_medicine_out(demo: Served) -> None:
    asked = "what is the maximum dose of metformin with an eGFR of 50"
    answer = demo.ask(asked, pack="clinical_assistant")
    warned = [warning["message"] for warning in answer["warnings"] if warning["code"] == "CONTRAINDICATION"]
    assert "2000 mg" in answer["text"]
    assert any("metabolic acidosis" in message for message in warned)
