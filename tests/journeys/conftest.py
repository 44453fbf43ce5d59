"""Homes that hold a handful of small documents. Loaded once, copied for every test that changes something."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.journeys.demo_home import loaded_home
from tests.journeys.process import Careline

DOCUMENTS = {
    "nl/bezoek.md": "# Bezoek\n\nBezoek is elke dag welkom van 14 tot 20 uur. Op zondag mag u blijven tot 21 uur.\n\n"
    "Meer dan drie bezoekers tegelijk is te druk voor de patiënt.\n",
    "nl/parkeren.md": "# Parkeren\n\nParkeren kost 2,50 euro per uur. Het eerste halfuur is gratis.\n\n"
    "## Laadpalen\n\nEr staan acht laadpalen op verdieping min één van de parking.\n",
    "nl/rolstoel.txt": "Een rolstoel lenen\n\nAan de balie van het onthaal kunt u een rolstoel lenen tegen een munt "
    "van twee euro.\n\nBreng de rolstoel daarna terug naar het onthaal.\n",
    "fr/cafeteria.html": "<!doctype html><html lang=fr><title>La cafétéria</title><body><h1>La cafétéria</h1>"
    "<p>La cafétéria est ouverte tous les jours de 8 à 18 heures.</p>"
    "<p>Le repas chaud coûte 11,40 euros et se paie par carte.</p></body></html>",
    "en/lost-property.md": "# Lost property\n\nFound items are kept for three months at the security desk near the "
    "main entrance. Call 03 555 12 12 to ask about yours.\n",
    "it/mensa.md": "# Il wifi\n\nLa rete wifi per i pazienti si chiama Ospite e non richiede alcuna password.\n",
    "clinical/sepsis.md": "# Sepsis bundle\n\nGive the first dose of ceftriaxone 2 g within one hour of recognition.\n",
}
FACTS = {
    "nl/parkeren.md": {"doc_key": "brochure-parkeren", "title": "Parkeren met de auto", "source_type": "brochure"},
    "clinical/sepsis.md": {"audience": "clinician", "source_type": "guideline", "language": "en"},
}
RECORDS = (
    {
        "id": "tolk",
        "question": "Kan ik een tolk krijgen?",
        "text": "Een tolk is gratis; vraag ernaar bij de sociale dienst.",
    },
    {"id": "huisdier", "question": "Mag mijn hond op bezoek?", "text": "Huisdieren zijn alleen in de tuin toegelaten."},
)


def write_documents(folder: Path) -> Path:
    """The documents, their manifest and a file of records."""
    for name, text in DOCUMENTS.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    # YAML reads JSON.
    (folder / "careline.yaml").write_text(json.dumps({"documents": FACTS}), encoding="utf-8")
    lines = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in RECORDS)
    (folder / "vragen.jsonl").write_text(lines, encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def small_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home that holds the documents. For reading: nothing may be written to it."""
    home = tmp_path_factory.mktemp("small-hospital") / "home"
    folder = write_documents(tmp_path_factory.mktemp("documents"))
    report = Careline(home).json("ingest", str(folder))
    assert (report["live"], report["refused"]) == (len(DOCUMENTS) + len(RECORDS), [])
    return home


@pytest.fixture(scope="session")
def home_of_their_own(small_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Careline]:
    """Makes copies of the small home that a test, or all tests of a file, may change."""

    def copy() -> Careline:
        return Careline(Path(shutil.copytree(small_home, tmp_path_factory.mktemp("copy") / "home")))

    return copy


@pytest.fixture(scope="session")
def demo_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home that holds the demo hospital. For asking, not for changing documents."""
    home = tmp_path_factory.mktemp("demo-hospital") / "home"
    loaded_home(home, _load)
    return home


LOAD = """
import sys
from pathlib import Path
from careline_local.cli.session import CommandSession
from careline_local.demo import load
session = CommandSession(Path(sys.argv[1]))
assert session.run(load.load(session)).refused == []
"""


def _load(home: Path) -> None:
    """In a process of its own, so that none has the files open when the home is copied (`in_process`)."""
    subprocess.run([sys.executable, "-c", LOAD, str(home)], check=True, env=Careline(home).variables())


@pytest.fixture
def careline(home_of_their_own: Callable[[], Careline]) -> Careline:
    """The command on a copy of the small home."""
    return home_of_their_own()
