"""Which language a caller is answered in."""

from __future__ import annotations

from dataclasses import replace

import pytest

from careline.model import Conversation
from careline.tenants.tenant_records import Tenant
from careline.text.languages import FrequentWordsThenStatistics
from careline.turn.stages.detect_language import detect_language
from tests.fakes import OneLanguage
from tests.turn.turns import TENANT, a_hospital, a_turn, an_installation, answer, ask


async def told(code: str, confidence: float = 0.95, *, kept: str | None = None, **chosen: object) -> str:
    """The language of a turn whose question is taken for `code` in a conversation that was held in `kept`."""
    turn = a_turn(conversation=Conversation("talk", TENANT, language=kept), **chosen)
    return (await detect_language(turn, an_installation(identify=OneLanguage(code, confidence)))).language


async def test_a_clear_question_is_answered_in_its_own_language() -> None:
    assert await told("fr") == "fr"


async def test_what_the_client_asks_for_wins() -> None:
    assert await told("fr", kept="nl", language_asked="it") == "it"


@pytest.mark.parametrize(
    ("question", "language"),
    [("e a Waterzijde invece?", "it"), ("et au Molenheide alors ?", "fr"), ("and at Groot Veldhoven?", "en")],
)
async def test_a_name_in_a_short_question_does_not_tell_its_language(question: str, language: str) -> None:
    turn = a_turn(question=question, conversation=Conversation("talk", TENANT, language=language))
    found = await detect_language(turn, an_installation(identify=FrequentWordsThenStatistics()))
    assert found.language == language


async def test_a_chat_follows_the_language_of_its_last_question() -> None:
    assert await told("fr", kept="nl") == "fr"


async def test_a_call_keeps_the_language_it_began_in() -> None:
    assert await told("fr", kept="nl", channel="voice") == "nl"


async def test_an_unclear_question_stays_in_the_language_of_the_conversation() -> None:
    assert await told("it", 0.4, kept="fr") == "fr"


async def test_an_unclear_first_question_is_taken_for_the_hospitals_language() -> None:
    assert await told("it", 0.4, tenant=Tenant(TENANT, default_language="fr"), question="ehm okido") == "fr"


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("parking heidezijde vendredi svp", "fr"),
        ("wifi groenhout wachtwoord", "nl"),
        ("parcheggio groenhout sabato", "it"),
        ("parking lindeveld giovedì", "it"),
        ("menu lindeveld thursday", "en"),
    ],
)
async def test_where_a_language_is_unclear_the_words_of_a_hospital_tell_it(question: str, language: str) -> None:
    assert await told("en", 0.4, question=question) == language
    assert await told("en", 0.4, kept="en", question=question) == "en"


async def test_a_language_that_the_pack_does_not_speak_falls_back_to_one_that_it_does() -> None:
    assert await told("de") == "nl"
    assert await told("de", kept="en") == "en"


@pytest.mark.parametrize("channel", ["chat", "voice"])
async def test_an_unclear_first_word_does_not_lock_the_conversation(channel: str) -> None:
    installation = await a_hospital(identify=OneLanguage("nl", 0.3), settings={"hospital": {"default_language": "nl"}})
    await ask(installation, "mri", channel=channel, conversation_id="talk")
    french = replace(installation, engines=replace(installation.engines, identify=OneLanguage("fr")))
    assert answer(await ask(french, "bonjour", channel=channel, conversation_id="talk")).language == "fr"
    dutch = replace(installation, engines=replace(installation.engines, identify=OneLanguage("nl")))
    later = answer(await ask(dutch, "goeiedag", channel=channel, conversation_id="talk")).language
    assert later == ("fr" if channel == "voice" else "nl")


@pytest.mark.parametrize(
    ("topic", "language"), [("ombudsdienst?", "nl"), ("parcheggio", "it"), ("coiffeur", "fr"), ("interpreter", "en")]
)
async def test_a_word_alone_that_one_language_has_is_of_that_language(topic: str, language: str) -> None:
    assert await told("en", 0.3, question=topic) == language


async def test_a_word_alone_that_languages_share_stays_in_the_language_of_the_conversation_or_hospital() -> None:
    assert await told("en", 0.9, question="parking", kept="fr") == "fr"
    assert await told("en", 0.9, question="parking", tenant=Tenant(TENANT, default_language="nl")) == "nl"


@pytest.mark.parametrize(
    ("question", "language"), [("à Bellerive ?", "fr"), ("a Rivalago?", "it"), ("in Bosrand?", "nl")]
)
async def test_a_preposition_and_a_name_are_of_the_language_of_the_conversation(question: str, language: str) -> None:
    turn = a_turn(question=question, conversation=Conversation("talk", TENANT, language=language))
    found = await detect_language(turn, an_installation(identify=OneLanguage("en", 0.95)))
    assert found.language == language
