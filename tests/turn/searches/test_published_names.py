"""A name that the hospital's documents hold is searched for; one that only the caller gave is not."""

from __future__ import annotations

from typing import Any

from careline.errors import IndexUnavailable
from careline.installation import Installation
from careline.model import Conversation, Message
from careline.turn.stages.detect_phi import detect_phi
from careline.turn.stages.search.embed_query import embed_query
from careline.turn.stages.search.retrieve import retrieve
from careline.turn.stages.search.rewrite_query import rewrite_query
from careline.turn.turn import Turn
from tests.builders import a_passage
from tests.fakes import NOW, FakeDetector
from tests.turn.turns import TENANT, BrokenIndex, a_turn, an_installation, with_passages


async def hospital(*names: str) -> Installation:
    return await with_passages(
        an_installation(detector=FakeDetector(*names)),
        a_passage("Campus De Vlasgaard heeft 30 bedden.", tenant=TENANT, doc_key="brochure-campus"),
        a_passage("Dokter Claes is er op maandag.", tenant=TENANT, doc_key="brochure-artsen"),
    )


async def searched(question: str, installation: Installation, **chosen: Any) -> Turn:
    turn = await detect_phi(a_turn(question, **chosen), installation)
    for stage in (rewrite_query, embed_query, retrieve):
        turn = await stage(turn, installation)
    return turn


async def test_a_campus_that_is_called_like_somebody_stays_in_what_is_searched_for() -> None:
    turn = await searched("hoeveel bedden heeft de vlasgaard", await hospital("de vlasgaard"))
    assert turn.search_text == "hoeveel bedden heeft de vlasgaard"


async def test_nothing_is_searched_for_before_the_search() -> None:
    broken = BrokenIndex(1, IndexUnavailable("down"))
    installation = an_installation(detector=FakeDetector("De Vlasgaard"), index=broken)
    turn = await detect_phi(a_turn("hoeveel bedden heeft De Vlasgaard"), installation)
    assert (await rewrite_query(turn, installation)).names is not None
    assert broken.asked == 0


async def test_what_a_language_model_is_told_keeps_the_token() -> None:
    turn = await searched("hoeveel bedden heeft De Vlasgaard", await hospital("De Vlasgaard"))
    assert turn.phi is not None
    assert turn.phi.question == "hoeveel bedden heeft [PERSON_1]"


async def test_the_name_of_a_caller_is_not_searched_for() -> None:
    turn = await searched("wanneer mag Jan Peeters bezoek krijgen", await hospital("Jan Peeters"))
    assert "Peeters" not in turn.search_text


async def test_part_of_a_name_in_the_documents_does_not_publish_the_whole_name() -> None:
    turn = await searched("wanneer mag Els Claes bezoek krijgen", await hospital("Els Claes"))
    assert "Claes" not in turn.search_text


async def test_a_published_name_of_an_earlier_question_is_carried_on() -> None:
    messages = (Message("user", "wat zijn de bezoekuren op De Vlasgaard", NOW),)
    conversation = Conversation("talk", TENANT, messages)
    turn = await searched("en op zondag?", await hospital("De Vlasgaard"), conversation=conversation)
    assert turn.search_text == "wat zijn de bezoekuren op De Vlasgaard? en op zondag?"


async def test_where_the_index_does_not_answer_no_name_is_searched_for() -> None:
    installation = await hospital("De Vlasgaard")
    installation.engines.index.down = True  # type: ignore[attr-defined]
    turn = await searched("hoeveel bedden heeft De Vlasgaard", installation)
    assert "Vlasgaard" not in turn.search_text
