"""What a language model is told."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from careline.model import Conversation, Message
from careline.ports import Source
from careline.tenants.directory import Tenant
from careline.turn.generate import HISTORY, prompt_input
from tests.fakes import NOW
from tests.turn.turns import TENANT, a_hit, a_hospital, a_turn, ask, packs


async def test_the_model_is_given_the_question_the_numbered_sources_and_the_vector_they_were_found_by() -> None:
    installation = await a_hospital(["Van 14 tot 20 uur [1]."])
    await ask(installation, "wanneer is er bezoek")
    (told,) = installation.engines.model.prompt_inputs
    assert told.question == told.search_text == "wanneer is er bezoek"
    assert [source.number for source in told.sources] == list(range(1, len(told.sources) + 1))
    assert "14 tot 20 uur" in told.sources[0].hit.passage.chunk.text
    assert told.vector is not None


@pytest.mark.parametrize("pack", ["hospital_line", "clinical_assistant"])
def test_the_instructions_name_the_hospital_and_the_language_of_the_answer_every_turn(pack: str) -> None:
    tenant = Tenant(TENANT, {"nl": "Sint-Elisabeth"}, "nl")
    system = prompt_input(a_turn(pack=packs()[pack], tenant=tenant, language="fr")).system
    assert ("Sint-Elisabeth" in system, "French" in system, "{" in system) == (True, True, False)


def test_the_hospital_line_is_told_the_emergency_number_of_the_place() -> None:
    assert "144" in prompt_input(a_turn(tenant=Tenant(TENANT, emergency_number="144"))).system


def test_the_instructions_do_without_a_name() -> None:
    assert "the hospital" in prompt_input(a_turn()).system


def test_only_the_last_messages_of_a_conversation_are_shown_to_the_model() -> None:
    messages = tuple(Message("user", f"vraag {n}", NOW + timedelta(seconds=n)) for n in range(HISTORY + 3))
    told = prompt_input(a_turn(conversation=Conversation("talk", TENANT, messages)))
    assert [message.text for message in told.history] == [f"vraag {n}" for n in range(3, HISTORY + 3)]


@pytest.mark.parametrize(("language", "named"), [("fr", "Frans"), ("de", "Duits"), ("pt", "andere taal")])
def test_a_source_in_another_language_comes_with_the_sentence_that_announces_it(language: str, named: str) -> None:
    foreign = Source(1, "Les visites", language, a_hit(facts={"language": language}))
    own = Source(2, "Bezoek", "nl", a_hit())
    notices = prompt_input(replace(a_turn(), sources=(foreign, own))).foreign_notices
    assert set(notices) == {language}
    assert named in notices[language]
    assert "{title}" in notices[language]
