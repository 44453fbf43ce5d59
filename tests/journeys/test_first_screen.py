"""What the first screen, the start and the list of commands suggest is answered, by the hospital that is asked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from careline.model import LANGUAGES
from careline_local.cli.up import OF_DEMO, TO_ASK
from tests.journeys.process import Careline, Served

pytestmark = pytest.mark.timeout(400)
PACKS = ("hospital_line", "clinical_assistant")
OWN = {
    "wasserij.md": "# Wasserij\n\n## Hoe laat gaat de wasserij open?\n\nDe wasserij gaat open om half acht."
    "\n\n## Mag ik mijn tabletten halveren in de wasserij?\n\nVraag dat aan de apotheker.\n",
    "kapper.md": "# Kapper in het ziekenhuis\n\n## Wat kost een knipbeurt bij de kapper?\n\nEen knipbeurt bij de "
    "kapper kost 19 euro.\n\n## Waar moet u zijn?\n\nDe kapper is in de inkomhal.\n",
    "laundry.md": "# The laundry\n\n## When does the laundry open?\n\nThe laundry opens at half past seven.\n",
}


@pytest.fixture(scope="module", name="demo")
def the_demo(demo_home: Path) -> Iterator[Served]:
    with Careline(demo_home).served() as server:
        yield server


def suggested(server: Served, pack: str, language: str) -> list[str]:
    response = server.client.get("/v1/suggestions", params={"pack": pack, "language": language}, timeout=120)
    assert response.status_code == 200, response.text
    questions: list[str] = response.json()["questions"]
    return questions


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("pack", PACKS)
def test_what_is_suggested_of_the_demo_is_answered_from_the_documents_without_a_doubt(
    demo: Served, pack: str, language: str
) -> None:
    questions = suggested(demo, pack, language)
    assert len(questions) >= 2
    assert len(set(questions)) == len(questions)
    unsure = ("weet niet zeker", "not sure", "peut-être pas", "non risponde")
    for question in questions:
        answer = demo.ask(question, pack=pack, language=language)
        assert (answer["disposition"], answer["language"]) == ("answered", language), question
        assert answer["citations"], question
        assert answer["citations"][0]["language"] == language, question
        assert not any(words in answer["text"] for words in unsure), question


def test_what_the_start_suggests_is_answered_with_the_fact(demo: Served) -> None:
    assert all(question in OF_DEMO for question in TO_ASK)
    for question in TO_ASK:
        answer = demo.ask(question)
        assert answer["disposition"] == "answered"
        assert "15:00" in answer["text"], question
        assert "19:30" in answer["text"], question


def test_an_installation_with_documents_of_its_own_suggests_their_questions_and_no_others(tmp_path: Path) -> None:
    for name, text in OWN.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    home = Careline(tmp_path / "home")
    home.json("ingest", *(str(tmp_path / name) for name in OWN))
    with home.served() as server:
        dutch = suggested(server, "hospital_line", "nl")
        # Neither what the line refuses nor what says by itself nothing.
        assert sorted(dutch) == ["Hoe laat gaat de wasserij open?", "Wat kost een knipbeurt bij de kapper?"]
        assert suggested(server, "hospital_line", "en") == ["When does the laundry open?"]
        assert suggested(server, "hospital_line", "fr") == []
        answer = server.ask("Wat kost een knipbeurt bij de kapper?")
        assert "19 euro" in answer["text"]
        (kept,) = (one["doc_key"] for one in home.json("documents", "list")["documents"] if "kapper" in one["doc_key"])
        server.client.delete(f"/v1/documents/{kept}")
        assert suggested(server, "hospital_line", "nl") == ["Hoe laat gaat de wasserij open?"]
        for query, said in (({"pack": "none"}, "no such pack"), ({"language": "xx"}, "speaks nl")):
            response = server.client.get("/v1/suggestions", params=query)
            assert response.status_code == 400
            assert said in response.json()["message"]
