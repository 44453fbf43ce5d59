"""Which passages an answer may lean on, in which order, and when there is not enough to go by."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from careline.model import Conversation, Hit, Message, ReadWindow
from careline.safety.terminal import Terminal, TerminalVerdict
from careline.search.read_windows import ReadHit
from careline.search.relevance import shipped_fit
from careline.turn.outcome import Reply, Written
from careline.turn.stages.search.rerank import rerank
from careline.turn.turn import Evidence, Turn
from tests.builders import NOW
from tests.fakes import KeywordReader
from tests.turn.turns import TENANT, a_hit, a_turn, an_installation, packs

SHIPPED = packs()["hospital_line"]
STRICT = replace(
    SHIPPED, evidence=SHIPPED.evidence.model_copy(update={"min_relative_similarity": 0.06, "min_coverage": 0.6})
)


async def ranked(*hits: Hit, **chosen: object) -> Turn:
    return await rerank(a_turn(hits=hits, pack=STRICT, **chosen), an_installation())


def keys(turn: Turn) -> list[str]:
    return [source.hit.passage.doc_key for source in turn.sources]


async def test_sources_are_numbered_from_one_best_document_first() -> None:
    turn = await ranked(a_hit(0.6, "eerste", doc_key="b"), a_hit(0.9, "tweede", doc_key="a"))
    assert [source.number for source in turn.sources] == [1, 2]
    assert keys(turn) == ["a", "b"]


async def test_the_same_text_in_two_documents_is_one_source() -> None:
    text = "Parkeren kost twee euro vijftig per uur op alle parkings van het ziekenhuis."
    assert keys(await ranked(a_hit(0.9, text, doc_key="new"), a_hit(0.8, text, doc_key="old"))) == ["new"]


async def test_nothing_that_stands_out_is_no_evidence_and_a_person_is_offered() -> None:
    turn = await ranked(a_hit(0.95, relative_similarity=0.01, coverage=0.2))
    assert isinstance(turn.outcome, Reply)
    assert (turn.outcome.reason, turn.outcome.reply) == ("NO_EVIDENCE", "unknown")
    assert turn.sources == ()


async def test_words_of_the_question_make_up_for_a_little_less_similarity() -> None:
    assert (await ranked(a_hit(relative_similarity=0.05, coverage=0.0))).outcome != Written()
    assert (await ranked(a_hit(relative_similarity=0.05, coverage=1.0))).outcome == Written()


async def test_another_embedding_model_is_held_against_the_limits_of_a_pack_by_what_was_measured_with_it() -> None:
    hit = a_hit(relative_similarity=0.05, coverage=0.0)
    for times, outcome in ((0.5, True), (2.0, False)):
        other = replace(shipped_fit(), relative_similarity=shipped_fit().relative_similarity * times)
        turn = await rerank(a_turn(hits=(hit,), pack=STRICT), replace(an_installation(), relevance=other))
        assert (turn.outcome == Written()) is outcome


async def test_without_vectors_the_share_of_words_decides() -> None:
    assert (await ranked(a_hit(similarity=0.0, relative_similarity=0.0, coverage=0.7))).outcome == Written()
    assert (await ranked(a_hit(similarity=0.0, relative_similarity=0.0, coverage=0.5))).outcome != Written()


async def test_no_hits_are_no_evidence() -> None:
    assert (await ranked()).outcome != Written()


async def test_a_weak_passage_may_stand_beside_a_strong_one() -> None:
    turn = await ranked(
        a_hit(0.9, "sterk", doc_key="strong"), a_hit(0.5, "zwak", doc_key="weak", relative_similarity=0.0)
    )
    assert keys(turn) == ["strong", "weak"]


async def test_the_turn_knows_how_well_the_best_passage_answers_and_by_which_measure() -> None:
    hits = (a_hit(relative_similarity=0.05, coverage=1.0), a_hit(0.8, "ander", relative_similarity=0.2, coverage=0.0))
    assert (await ranked(*hits)).evidence == Evidence(pytest.approx(0.2), "search")
    assert (await ranked(a_hit(similarity=0.0, relative_similarity=0.0, coverage=0.5))).evidence == Evidence(
        0.5, "search"
    )
    assert (await ranked()).evidence is None
    read = await rerank(a_turn("bezoek", hits=hits, pack=STRICT), an_installation(reader=KeywordReader()))
    assert read.evidence is not None
    assert read.evidence.by == "reader"


@pytest.mark.parametrize(
    ("relevance", "confidence", "expected"),
    [(3.0, 2.0, [1]), (3.0, -2.0, [0, 1]), (-1.0, 2.0, [1])],
    ids=["answers", "is not sure", "is the best of a few"],
)
async def test_of_a_follow_up_the_last_question_is_answered_alone_where_something_answers_it(
    monkeypatch: pytest.MonkeyPatch, relevance: float, confidence: float, expected: list[int]
) -> None:
    hit = a_hit(text="Eerst. Dan.")
    first = ReadWindow(0, 5.0, confidence=5.0)
    last = ReadWindow(1, relevance, question=1, confidence=confidence)

    async def read(*asked: object) -> list[ReadHit]:
        return [ReadHit(hit, (first, last))]

    monkeypatch.setattr("careline.turn.stages.search.rerank.read_windows", read)
    installation = an_installation(reader=KeywordReader())
    turn = await rerank(a_turn("wat kost parkeren? en voor een week?", hits=(hit,), leans=True), installation)
    assert [each.question for source in turn.sources for each in source.read] == expected
    decides = (relevance, confidence) if expected == [1] else (5.0, 5.0)
    assert turn.evidence == Evidence(decides[0], "reader", decides[1], best_of_few=relevance < 0)
    assert (turn.sure_from == math.inf) is (relevance < 0)


@pytest.mark.parametrize(("said", "reason"), [((), "OFF_TOPIC_PERSONAL"), (("Kies het netwerk Gast.",), "NO_EVIDENCE")])
async def test_who_was_told_something_is_not_off_topic_by_what_a_model_supposes(
    said: tuple[str, ...], reason: str
) -> None:
    verdict = TerminalVerdict(Terminal.OFF_TOPIC_PERSONAL, ("learned/OFF_TOPIC_PERSONAL/0.80",), "nl")
    talk = Conversation("talk", TENANT, tuple(Message("assistant", text, NOW) for text in said))
    turn = await ranked(terminal=verdict, conversation=talk)
    assert isinstance(turn.outcome, Reply)
    assert turn.outcome.reason == reason
