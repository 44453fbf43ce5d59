"""The endpoint that copies: the sentence of its sources that fits the question, with the marker of its source."""

from __future__ import annotations

from typing import Any

import pytest

from careline.chat import TextDelta
from careline.engines.openai.client import connect
from careline.engines.openai.model import ModelTimeouts, OpenAIModel, Prices
from careline.turn.speak.generate import messages
from careline_local.bench.hospital import copying_model
from tests.turn.turns import a_turn

SOURCES = (
    "[1] Bezoek (nl)\nBezoek is welkom van 14 tot 20 uur. Op zondag mag u blijven tot 21 uur.\n\n"
    "[2] Parkeren (nl)\nParkeren kost 2,50 euro per uur. Het eerste halfuur is gratis."
)


def told(question: str, sources: str = SOURCES) -> list[dict[str, Any]]:
    system = f"Antwoord uit de bronnen.\n\n<sources>\n{sources}\n</sources>"
    return [{"role": "system", "content": system}, {"role": "user", "content": question}]


@pytest.fixture(scope="module")
def copier() -> copying_model.Copier:
    return copying_model.Copier()


def test_the_sentence_that_fits_best_is_copied_with_its_source(copier: copying_model.Copier) -> None:
    assert copier.copied(told("hoeveel kost parkeren per uur")) == "Parkeren kost 2,50 euro per uur. [2]"
    assert copier.copied(told("tot hoe laat is er bezoek op zondag")) == "Op zondag mag u blijven tot 21 uur. [1]"


def test_a_question_in_another_language_finds_its_sentence_by_meaning(copier: copying_model.Copier) -> None:
    assert copier.copied(told("how much does parking cost")) == "Parkeren kost 2,50 euro per uur. [2]"


def test_without_a_source_nothing_is_written(copier: copying_model.Copier) -> None:
    assert copier.copied(told("hoeveel kost parkeren", "")) == ""


async def test_the_chat_model_port_is_served_over_loopback() -> None:
    asked = messages(a_turn("Tot hoe laat is er bezoek?", sources=["Bezoek mag van 14 tot 20 uur."]))
    with copying_model.serving() as address:
        async with connect(address, None) as client:
            model = OpenAIModel(client, copying_model.NAME, Prices(), ModelTimeouts())
            written = "".join([delta.text async for delta in model.chat(asked) if isinstance(delta, TextDelta)])
    assert written == "Bezoek mag van 14 tot 20 uur. [1]"
