"""Which documents a conversation is about, what of them is read, and how much that counts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from careline.model import Hit
from careline.search.read_windows import READ, ReadHit, read_windows
from careline.search.relevance import shipped_fit
from careline.search.select_windows import OF_TOPIC, Topic, select_windows
from careline.search.topic import MOST, beside, topic_documents
from tests.builders import a_passage
from tests.fakes import KeywordReader

QUESTION = "wat moet ik dan betalen"


def a_hit(text: str, name: str, score: float = 0.5, windows: tuple[float, ...] = ()) -> Hit:
    return Hit(
        a_passage(text, doc_key=name, document_id=name, facts={"title": "Blad", "language": "nl"}),
        score,
        windows=windows,
    )


def document(hit: Hit) -> str:
    return hit.passage.document_id


def best(found: list[ReadHit]) -> str:
    return document(found[0].hit)


def test_the_document_that_is_found_best_is_the_topic_and_others_as_far_as_they_come_near() -> None:
    parking = a_hit("Parkeren kost twee euro.", "parkeren", 0.9, (0.9,))
    tariffs = a_hit("Tarieven om te parkeren.", "tarieven", 0.8, (0.88,))
    menu = a_hit("Soep en brood.", "menu", 0.1, (0.5,))
    found = topic_documents([menu, parking, tariffs], "wat kost parkeren", "nl")
    assert found[document(parking)] == 1.0
    assert 0 < found[document(tariffs)] < 1
    assert document(menu) not in found


def test_no_more_documents_are_a_topic_than_a_page_in_each_language_and_one() -> None:
    hits = [a_hit("Parkeren kost twee euro.", f"parkeren-{n}", 0.9, (0.9,)) for n in range(9)]
    assert len(topic_documents(hits, "wat kost parkeren", "nl")) == MOST


def test_nothing_found_is_no_topic() -> None:
    assert topic_documents([], "wat kost parkeren", "nl") == {}


def test_what_a_topic_has_besides_lies_below_all_that_was_found() -> None:
    found = [a_hit("Een.", "een", 0.9), a_hit("Twee.", "twee", 0.3)]
    more = beside(found, [replace(found[0], score=1.0), a_hit("Drie.", "drie", 1.0)])
    assert [(hit.passage.chunk.text, hit.score) for hit in more] == [("Drie.", 0.3)]


def test_a_few_windows_of_the_topic_are_read_though_others_promise_more() -> None:
    others = [a_hit(f"Zin {n} om te betalen.", f"ander-{n}", 0.9, (0.9,)) for n in range(20)]
    topic = a_hit("\n\n".join(f"Kop {n}\nZin {n}." for n in range(9)), "parkeren", 0.1, (0.2,) * 9)
    chosen = select_windows(others, QUESTION, "nl", READ, Topic({document(topic): 1.0}, (topic,)))
    assert len(chosen) == READ
    assert sum(one.hit is topic for one in chosen) == OF_TOPIC
    plain = select_windows(others, QUESTION, "nl", READ)
    assert [one.worth for one in chosen[: READ - OF_TOPIC]] == [one.worth for one in plain[: READ - OF_TOPIC]]


async def test_of_two_that_answer_as_well_the_one_of_the_topic_comes_first() -> None:
    other, topic = (
        a_hit("Betalen kan hier. Tien euro.", "ander", 0.5),
        a_hit("Betalen kan daar. Twaalf euro.", "parkeren", 0.4),
    )
    reader = KeywordReader("euro")
    assert best(await read_windows(reader, [other, topic], QUESTION, "nl")) == document(other)
    found = await read_windows(reader, [other, topic], QUESTION, "nl", Topic({document(topic): 1.0}))
    assert best(found) == document(topic)


async def test_a_question_that_another_page_answers_is_answered_from_that() -> None:
    other, topic = a_hit("Betalen kan hier. Tien euro.", "ander", 0.4), a_hit("Betalen kan daar.", "parkeren", 0.5)
    found = await read_windows(KeywordReader("euro"), [other, topic], QUESTION, "nl", Topic({document(topic): 1.0}))
    assert best(found) == document(other)


async def test_a_topic_that_lacks_what_the_question_names_does_not_come_first() -> None:
    other = a_hit("Een bril kost tien euro.", "ander", 0.5)
    topic = a_hit("Hier kost het twee euro.", "parkeren", 0.5)
    found = await read_windows(KeywordReader("euro"), [other, topic], "bril", "nl", Topic({document(topic): 1.0}))
    assert best(found) == document(other)


@pytest.mark.parametrize("word", ["euro", "nergens"])
async def test_whether_there_is_an_answer_is_told_without_the_topic(word: str) -> None:
    other, topic = (
        a_hit("Betalen kan hier. Tien euro.", "ander", 0.5),
        a_hit("Betalen kan daar. Twaalf euro.", "parkeren", 0.5),
    )
    plain = await read_windows(KeywordReader(word), [other, topic], QUESTION, "nl")
    found = await read_windows(KeywordReader(word), [other, topic], QUESTION, "nl", Topic({document(topic): 1.0}))
    assert found[0].relevance == pytest.approx(plain[0].relevance)


def test_the_topic_counts_less_than_an_answer() -> None:
    assert 0 < shipped_fit().order.topic < KeywordReader.YES - KeywordReader.NO
