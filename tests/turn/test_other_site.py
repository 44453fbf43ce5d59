"""\"And at the other campus?\" asks about the campus that was not asked about, by its name."""

from __future__ import annotations

import pytest

from careline.installation import Installation
from careline.model import Conversation, Message
from careline.turn.rewrite_query import rewrite_query
from tests.builders import a_passage
from tests.fakes import NOW
from tests.turn.turns import TENANT, a_turn, an_installation, with_passages


async def hospital(*pages: str) -> Installation:
    passages = [a_passage(text, tenant=TENANT, doc_key=f"page-{n}") for n, text in enumerate(pages)]
    return await with_passages(an_installation(), *passages)


async def two_sites() -> Installation:
    return await hospital(
        "Parkeren op campus Hoogveld kost 2 euro. Parking, parcheggio: site Hoogveld.",
        "Parkeren op campus Waterpoort kost 3 euro. Parking, parcheggio: site Waterpoort.",
    )


async def searched(installation: Installation, *said: str, language: str = "nl") -> str:
    messages = tuple(Message("assistant" if text.startswith("> ") else "user", text.lstrip("> "), NOW) for text in said)
    conversation = Conversation("talk", TENANT, messages[:-1])
    turn = a_turn(said[-1], conversation=conversation, language=language)
    return (await rewrite_query(turn, installation)).search_text


@pytest.mark.parametrize(
    ("language", "first", "follow_up", "asked"),
    [
        ("nl", "wat kost parkeren in hoogveld?", "en op de andere campus?", "wat kost parkeren in Waterpoort?"),
        ("en", "what is parking at Hoogveld?", "and at the other site?", "what is parking at Waterpoort?"),
        ("fr", "le parking de Hoogveld, combien ?", "et sur l'autre campus ?", "le parking de Waterpoort, combien ?"),
        (
            "it",
            "quanto costa il parcheggio a Hoogveld?",
            "e nell'altra sede?",
            "quanto costa il parcheggio a Waterpoort?",
        ),
    ],
)
async def test_the_other_campus_is_asked_for_by_name(language: str, first: str, follow_up: str, asked: str) -> None:
    assert await searched(await two_sites(), first, follow_up, language=language) == asked


async def test_what_is_asked_besides_the_other_campus_is_asked_there() -> None:
    said = "wat kost parkeren in Hoogveld?", "en op de andere campus op zondag?"
    assert await searched(await two_sites(), *said) == "wat kost parkeren in Waterpoort op zondag?"


async def test_the_next_follow_up_stays_at_the_other_campus() -> None:
    said = "wat kost parkeren in Hoogveld?", "en op de andere campus?", "en op zondag?"
    assert await searched(await two_sites(), *said) == "wat kost parkeren in Waterpoort op zondag?"


async def test_the_other_of_the_other_campus_is_the_first() -> None:
    said = "wat kost parkeren in Hoogveld?", "en op de andere campus?", "en op de andere campus?"
    assert await searched(await two_sites(), *said) == "wat kost parkeren in Hoogveld?"


async def test_the_campus_of_the_answer_is_the_first_where_the_question_names_none() -> None:
    said = "wat kost parkeren?", "> Parkeren op campus Hoogveld kost 2 euro.", "en op de andere campus?"
    assert await searched(await two_sites(), *said) == "wat kost parkeren Waterpoort?"


async def test_without_a_second_campus_the_question_stays_what_it_was() -> None:
    installation = await hospital("Parkeren op campus Hoogveld kost 2 euro.")
    asked = await searched(installation, "wat kost parkeren in Hoogveld?", "en op de andere campus?")
    assert asked == "wat kost parkeren op de andere campus?"


async def test_where_the_index_does_not_answer_the_question_stays_what_it_was() -> None:
    installation = await two_sites()
    installation.engines.index.down = True  # type: ignore[attr-defined]
    asked = await searched(installation, "wat kost parkeren in Hoogveld?", "en op de andere campus?")
    assert asked == "wat kost parkeren op de andere campus?"
