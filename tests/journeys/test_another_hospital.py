"""Somebody else's documents, in another language, without any configuration."""

from __future__ import annotations

import pytest

from tests.journeys.process import Careline

DOCUMENTS = {
    "accueil/visites.md": "# Les visites\n\nLes visites sont permises de 13 heures à 19 heures 30, tous les jours.\n\n"
    "Aux soins intensifs, deux visiteurs au plus entrent à la fois.\n",
    "accueil/parking.txt": "Le parking\n\nLe parking des visiteurs coûte 1,80 euro par heure. La première demi-heure "
    "est gratuite.\n",
    "facturation.html": "<html lang=fr><head><title>La facture</title></head><body><h1>La facture</h1><p>Elle arrive "
    "par la poste six semaines après la sortie.</p></body></html>",
}


@pytest.fixture(scope="module")
def clinique(tmp_path_factory: pytest.TempPathFactory) -> Careline:
    """The home of a hospital that was only given a folder."""
    folder = tmp_path_factory.mktemp("clinique")
    for name, text in DOCUMENTS.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    careline = Careline(tmp_path_factory.mktemp("home") / "clinique")
    assert careline.json("ingest", str(folder))["live"] == len(DOCUMENTS)
    return careline


@pytest.mark.parametrize(
    ("question", "source", "said"),
    [
        ("Quelles sont les heures de visite ?", "accueil/visites.md", "19 heures 30"),
        ("combien coûte le parking", "accueil/parking.txt", "1,80 euro"),
        ("quand vais-je recevoir ma facture", "facturation.html", "six semaines"),
    ],
)
def test_a_french_question_is_answered_in_french_from_the_right_document(
    clinique: Careline, question: str, source: str, said: str
) -> None:
    answer = clinique.json("ask", question)
    assert (answer["language"], answer["disposition"]) == ("fr", "answered")
    assert answer["citations"][0]["source"] == source
    assert said in answer["text"]


def test_a_dutch_question_is_answered_from_a_french_document_which_is_announced_and_quoted(clinique: Careline) -> None:
    answer = clinique.json("ask", "hoeveel kost de parking per uur")
    assert (answer["language"], answer["disposition"]) == ("nl", "answered")
    assert answer["citations"][0]["language"] == "fr"
    assert "document “parking”, dat in het Frans is" in answer["text"]
    assert "1,80 euro par heure" in answer["text"]


def test_a_reply_without_a_directory_names_no_number_but_the_general_one(clinique: Careline) -> None:
    unknown = clinique.json("ask", "louez-vous des béquilles électriques")
    assert unknown["disposition"] == "escalated"
    assert "{" not in unknown["text"]
    assert "112" in clinique.json("ask", "mon beau-père ne respire plus du tout")["text"]
