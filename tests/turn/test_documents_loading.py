"""While documents are being loaded, nobody is told that the hospital has none that answers."""

from __future__ import annotations

from typing import Any

import pytest

from careline.installation import DOCUMENTS, Installation, Part
from careline.safety.completion_end import NO_ANSWER
from careline.schemas import wire
from careline.telemetry.explain import explain
from tests.turn.turns import a_hospital, an_installation, answer, ask, packs

NOWHERE = {
    "nl": "waar leen ik een rolstoel voor mijn vader",
    "en": "where can I borrow a wheelchair for my father",
    "fr": "où puis-je emprunter un fauteuil roulant pour mon père",
    "it": "dove posso prendere in prestito una sedia a rotelle per mio padre",
}


async def told(*answers: Any, is_ready: bool = False, **asked: Any) -> tuple[wire.Answer, Installation]:
    """The answer of a hospital of which no document is there yet, or of one that has some where a model `answers`."""
    installation = await a_hospital(*answers) if answers else an_installation()
    installation.readiness.note(DOCUMENTS, Part(1, 2, is_ready=is_ready))
    return answer(await ask(installation, asked.pop("text"), **asked)), installation


@pytest.mark.parametrize("channel", ["chat", "voice"])
@pytest.mark.parametrize("language", NOWHERE)
async def test_a_question_without_an_answer_is_to_be_asked_again(language: str, channel: str) -> None:
    asked = {"text": NOWHERE[language], "language": language, "channel": channel}
    early, installation = await told(**asked)
    line = packs()["hospital_line"]
    assert early.text == line.template("documents_loading", language)
    assert (early.disposition, early.reason) == ("failed", "DOCUMENTS_LOADING")
    assert [warning.code for warning in early.warnings] == ["DOCUMENTS_LOADING"]
    (entry,) = installation.engines.outbox.waiting  # type: ignore[attr-defined]
    assert "loaded" in explain(entry.body["turn"], packs())["why"][0]
    late, _ = await told(**asked, is_ready=True)
    assert late.text == line.say("unknown", language)


@pytest.mark.parametrize("language", NOWHERE)
async def test_a_clinician_is_told_so_too(language: str) -> None:
    early, _ = await told(text=NOWHERE[language], language=language, pack="clinical_assistant")
    assert early.text.startswith(packs()["clinical_assistant"].template("documents_loading", language))
    assert early.reason == "DOCUMENTS_LOADING"


@pytest.mark.parametrize("written", [NO_ANSWER, "Daar weet een taalmodel iets over."])
async def test_a_writer_that_finds_no_answer_in_what_is_there_says_so_too(written: str) -> None:
    early, _ = await told([written], text="wat kost parkeren met een rolstoel")
    assert (early.disposition, early.reason) == ("failed", "DOCUMENTS_LOADING")
    assert early.text == packs()["hospital_line"].template("documents_loading", "nl")


async def test_what_is_refused_is_refused_whatever_is_loaded() -> None:
    early, _ = await told(text="wanneer mag mijn gips weer nat worden")
    assert early.reason == "SAFETY_REFUSAL"
