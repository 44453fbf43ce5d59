"""What a first screen offers is what a turn answers without a doubt."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from careline import suggested_questions
from careline.errors import IndexUnavailable
from careline.installation import DOCUMENTS, Installation, Part
from careline.knowledge import pipeline
from careline.knowledge.register import Upload, register
from careline.ports import ReaderText, ReadingPace
from tests.turn.turns import TENANT, an_installation, answer, ask, packs

LINE = "hospital_line"
SHUT = "Hoe laat sluit de bloemist in het ziekenhuis?"
SHOP = f"# De bloemist in het ziekenhuis\n\n## {SHUT}\n\nDe bloemist sluit om zes uur.\n"
SCHOOL = (
    "# Ziekenhuisschool\n\n## Welke lessen en wanneer komt u\n\n"
    "De ziekenhuisschool geeft les aan kinderen die lang blijven.\n"
)
DOUBLE = "Ziekenhuisschool: Welke lessen en wanneer komt u"


class QuestionReader:
    """A reader that finds any text relevant to a question that holds one of its words, and none to another."""

    def __init__(self, *words: str) -> None:
        self.words = words
        self.questions: list[str] = []
        self.waits: asyncio.Event | None = None
        self.is_waiting = asyncio.Event()

    async def pace(self) -> ReadingPace:
        return ReadingPace()

    async def relevance(self, question: str, texts: Sequence[ReaderText]) -> Sequence[float]:
        self.questions.append(question)
        if self.waits is not None:
            self.is_waiting.set()
            await self.waits.wait()
        return [9.0 if any(word in question for word in self.words) else -6.0] * len(texts)


@pytest.fixture(autouse=True)
def nothing_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suggested_questions, "offers", type(suggested_questions.offers)())


async def a_hospital(reader: QuestionReader, *texts: str) -> Installation:
    """A hospital whose documents are quoted."""
    installation = an_installation(reader=reader)
    for number, text in enumerate(texts):
        await ingested(text, f"blad-{number}.md", installation)
    return installation


async def ingested(text: str, name: str, installation: Installation) -> None:
    job = await pipeline.run(
        await register(Upload(TENANT, name, text.encode()), installation.engines), installation.engines
    )
    assert job.state.value == "completed", job.error_message


async def test_first_screens_at_once_are_searched_for_once() -> None:
    alone = await a_hospital(QuestionReader("bloemist"), SHOP)
    assert await offered(alone) == [SHUT]
    reader = QuestionReader("bloemist")
    many = await a_hospital(reader, SHOP)
    suggested_questions.offers.clear()
    told = await asyncio.gather(*(offered(many) for _ in range(10)))
    assert told == [[SHUT]] * 10
    assert len(reader.questions) == len(questions_of(alone))


async def test_while_a_newer_corpus_is_searched_others_get_what_was_offered_before_on_the_same_day() -> None:
    reader = QuestionReader("bloemist")
    hospital = await a_hospital(reader, SHOP)
    assert await offered(hospital) == [SHUT]
    await ingested(SCHOOL, "blad-1.md", hospital)
    reader.words = ("bloemist", "lessen", "wanneer")
    reader.waits = asyncio.Event()
    first = asyncio.create_task(offered(hospital))
    await reader.is_waiting.wait()
    assert await offered(hospital) == [SHUT]
    assert not first.done()
    reader.waits.set()
    assert await first == await offered(hospital) == [SHUT, DOUBLE]


async def test_yesterdays_questions_are_offered_to_nobody() -> None:
    reader = QuestionReader("bloemist")
    hospital = await a_hospital(reader, SHOP)
    assert await offered(hospital) == [SHUT]
    hospital.engines.clock.move(86_400)  # type: ignore[attr-defined]
    reader.words = ()
    assert await offered(hospital) == []


async def test_who_asked_first_may_leave_while_others_wait_for_the_same() -> None:
    reader = QuestionReader("bloemist")
    reader.waits = asyncio.Event()
    hospital = await a_hospital(reader, SHOP)
    first, second = asyncio.create_task(offered(hospital)), asyncio.create_task(offered(hospital))
    await reader.is_waiting.wait()
    first.cancel()
    reader.waits.set()
    assert await second == [SHUT]


def questions_of(installation: Installation) -> list[str]:
    reader = installation.engines.reader
    assert isinstance(reader, QuestionReader)
    return reader.questions


async def down(_: object) -> None:
    raise IndexUnavailable("the index is down")


async def offered(installation: Installation) -> list[str]:
    return list((await suggested_questions.suggested(LINE, "nl", installation))["questions"])


async def test_of_two_questions_in_one_both_answers_are_weighed_as_a_turn_weighs_them() -> None:
    hospital = await a_hospital(QuestionReader("wanneer", "bloemist"), SHOP, SCHOOL)
    unsure = packs()[LINE].template("unsure_notice", "nl")
    # What the second asks is answered by what was quoted for the first already, which nobody is sure of.
    assert answer(await ask(hospital, DOUBLE, language="nl")).text.startswith(unsure)
    assert await offered(hospital) == [SHUT]


async def test_what_is_offered_is_answered_without_a_doubt() -> None:
    hospital = await a_hospital(QuestionReader("lessen", "wanneer", "bloemist"), SHOP, SCHOOL)
    unsure = packs()[LINE].template("unsure_notice", "nl")
    questions = await offered(hospital)
    assert questions == [SHUT, DOUBLE]
    for question in questions:
        assert not answer(await ask(hospital, question, language="nl")).text.startswith(unsure)


async def test_while_documents_are_loaded_nothing_is_offered() -> None:
    hospital = await a_hospital(QuestionReader("bloemist"), SHOP)
    hospital.readiness.note(DOCUMENTS, Part(1, 2))
    assert await offered(hospital) == []
    hospital.readiness.note(DOCUMENTS, Part(is_ready=True))
    assert await offered(hospital) == [SHUT]


async def test_what_could_not_be_searched_for_is_not_remembered_as_unanswered(monkeypatch: pytest.MonkeyPatch) -> None:
    hospital = await a_hospital(QuestionReader("bloemist"), SHOP)
    with monkeypatch.context() as patched:
        patched.setattr(hospital.engines.index, "find", down)
        with pytest.raises(IndexUnavailable):
            await offered(hospital)
    assert await offered(hospital) == [SHUT]
