"""What a turn tells of a person's answer: its own source alone, to whoever writes, with a reader and without one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from careline.model import CuratedText, Hit, Passage
from careline.ports import PassageQuery
from careline.turn.speak.generate import messages
from careline.turn.stages.search.rerank import rerank
from careline.turn.turn import Turn
from tests.builders import a_passage
from tests.turn.turns import TENANT, a_turn, an_installation, answer, ask, sources_told, with_passages

QUESTION = "Is er een kapper in het ziekenhuis?"


def written(text: str = "De kapper komt op dinsdag.") -> Passage:
    passage = a_passage(text, tenant=TENANT, doc_key="answer-1", facts={"title": QUESTION, "owner": "Onthaal"})
    curated = CuratedText((QUESTION,), ("Dienstnota 7",), "2026-11-30")
    return replace(passage, chunk=replace(passage.chunk, curated=curated, heading_path=curated.questions))


def a_page() -> Passage:
    text = "De kapper in het ziekenhuis is er een die op vrijdag komt."
    return a_passage(text, tenant=TENANT, doc_key="brochure-kapper", facts={"title": "De kapper"})


async def ranked(question: str) -> Turn:
    """The turn with the sources it would be answered from."""
    installation = await with_passages(an_installation(), a_page(), written())
    turn = a_turn(question)
    query = PassageQuery(tenant=TENANT, text=question, vector=None, limit=10)
    found = await installation.engines.index.find(query)
    # As near as can be, so that what is told does not hang on the fake index.
    hits = [replace(hit, similarity=0.8, relative_similarity=0.2, score=score_of(hit)) for hit in found]
    return await rerank(replace(turn, hits=tuple(hits)), installation)


def score_of(hit: Hit) -> float:
    """The answer is found before the page."""
    return 1.0 if hit.passage.doc_key == "answer-1" else 0.2


async def test_the_answer_is_the_only_source_and_a_person_the_evidence() -> None:
    turn = await ranked("is er een kapper in het ziekenhuis")
    assert [source.hit.passage.doc_key for source in turn.sources] == ["answer-1"]
    assert turn.evidence is not None
    assert (turn.evidence.by, turn.sure_from) == ("person", float("-inf"))
    assert sources_told(messages(turn)) == {QUESTION: 1}, "a language model is told nothing else"


@pytest.mark.parametrize("asked", ["wat kost een kapper in het ziekenhuis", "kan de kapper mijn baard scheren"])
async def test_for_another_question_the_pages_are_sources_too_and_the_answer_is_told_with_a_doubt(asked: str) -> None:
    turn = await ranked(asked)
    assert [source.hit.passage.doc_key for source in turn.sources] == ["answer-1", "brochure-kapper"]
    assert turn.evidence is not None
    assert (turn.evidence.by, turn.sure_from) == ("search", float("inf"))


async def test_an_answer_without_what_the_question_sets_is_no_source() -> None:
    turn = await ranked("is er een kapper na de operatie")
    assert "answer-1" not in [source.hit.passage.doc_key for source in turn.sources]


async def test_the_answer_is_quoted_whole_with_its_owner_and_its_day() -> None:
    text = "Ja.\n- Op dinsdag komt hij op de kamer\n- Op vrijdag is hij in de hal"
    installation = await with_passages(an_installation(), a_page(), written(text))
    installation = replace(installation, engines=replace(installation.engines, model=None))
    said = answer(await ask(installation, QUESTION))
    assert "- Op vrijdag is hij in de hal" in said.text
    assert said.citations[0].curated is not None
    assert said.citations[0].curated.owner == "Onthaal"
    assert said.citations[0].reference == f"Onthaal. {QUESTION} 2026-11-30."
    assert said.citations[0].section is None
