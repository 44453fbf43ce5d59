"""What a first screen offers is what a turn answers without a doubt."""

from __future__ import annotations

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

    async def pace(self) -> ReadingPace:
        return ReadingPace()

    async def relevance(self, question: str, texts: Sequence[ReaderText]) -> Sequence[float]:
        self.questions.append(question)
        return [9.0 if any(word in question for word in self.words) else -6.0] * len(texts)


@pytest.fixture(autouse=True)
def nothing_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suggested_questions, "_known", type(suggested_questions._known)())


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
