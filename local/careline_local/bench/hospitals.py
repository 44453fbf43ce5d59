"""Asks a hospital's questions of Careline and judges the answers: document, fact, wrong figures, declined, refused."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

import regex

from careline import wire
from careline.installation import Installation
from careline.turn import pipeline
from careline_local.bench.hospital_questions import DOCUMENTS, HospitalQuestion, HospitalQuestions, read_questions
from careline_local.bench.measures import Share
from careline_local.cli.session import CommandSession
from careline_local.ingest import ingest
from careline_local.intake import find

ANSWERED = "answered"
LONGEST_SEARCH = 2.0
"""Seconds a pattern of the questions may take on one answer."""


@dataclass(frozen=True, slots=True)
class HospitalOutcome:
    """One question and how it was answered."""

    question: HospitalQuestion
    answer: wire.Answer

    @property
    def is_answered(self) -> bool:
        """Whether something of a document was told."""
        return self.answer.disposition == ANSWERED and bool(self.answer.citations)

    @property
    def is_refused(self) -> bool:
        """Whether it was refused as advice, as off topic or as an emergency."""
        return not self.is_answered and self.answer.disposition != "escalated"

    @property
    def right_document(self) -> bool:
        """Whether one of the documents that are right is cited first."""
        return self.is_answered and PurePath(self.answer.citations[0].source).name in self.question.documents

    @property
    def fact(self) -> bool:
        """Whether every fact is said."""
        return self.is_answered and all(_found(one, self.answer.text) for one in self.question.facts)

    @property
    def wrong_figure(self) -> bool:
        """Whether a value was said that answers another question, and not the one that was asked for."""
        said = any(_found(one, self.answer.text) for one in self.question.wrong)
        return self.is_answered and said and not self.fact


def _found(pattern: str, text: str) -> bool:
    plain = text.replace("\u00a0", " ").replace("\u202f", " ")
    return regex.search(pattern, plain, regex.IGNORECASE, timeout=LONGEST_SEARCH) is not None


def run(folder: Path) -> list[HospitalOutcome]:
    """Ingest the documents of a folder into a home of its own, and ask its questions. Raises: BadRequest."""
    questions = read_questions(folder)
    with tempfile.TemporaryDirectory(prefix="careline-hospital-") as home:
        session = CommandSession(Path(home))
        session.run(ingest(find([str(folder / DOCUMENTS)]), {}, session))
        return asked(CommandSession(Path(home)), questions)


def asked(session: CommandSession, questions: HospitalQuestions) -> list[HospitalOutcome]:
    """Every question of a hospital, asked in a conversation of its own."""
    return session.run(_asked(session.installation, questions))


async def _asked(installation: Installation, questions: HospitalQuestions) -> list[HospitalOutcome]:
    return [HospitalOutcome(one, await _answer(one, installation)) for one in questions.questions]


async def _answer(question: HospitalQuestion, installation: Installation) -> wire.Answer:
    conversation: str | None = None
    answer: wire.Answer | None = None
    for text in (*question.before, question.ask):
        answer = await _turn(wire.QueryRequest(text=text, conversation_id=conversation), installation)
        conversation = answer.conversation_id
    assert answer is not None
    return answer


async def _turn(request: wire.QueryRequest, installation: Installation) -> wire.Answer:
    last: wire.Event | None = None
    async for event in pipeline.run(request, installation, installation.engines.new_id()):
        last = event
    if not isinstance(last, wire.Done):
        raise RuntimeError("a turn did not end in an answer")
    return last.answer


def shares(outcomes: Sequence[HospitalOutcome]) -> Iterator[Share]:
    """The figures of a set of outcomes: all together, then by kind."""
    kinds = dict.fromkeys(one.question.kind for one in outcomes)
    for name, chosen in [("all", list(outcomes)), *((k, [o for o in outcomes if o.question.kind == k]) for k in kinds)]:
        yield from _shares(name, chosen)


def _shares(name: str, outcomes: Sequence[HospitalOutcome]) -> Iterator[Share]:
    answerable = [one for one in outcomes if one.question.expect == "answer"]
    unanswerable = [one for one in outcomes if one.question.expect == "decline"]
    refused = [one for one in outcomes if one.question.expect == "refuse"]
    if answerable:
        of = len(answerable)
        yield Share(f"{name}: right document first", sum(one.right_document for one in answerable), of)
        yield Share(f"{name}: the fact is said", sum(one.fact for one in answerable), of)
        yield Share(f"{name}: a wrong figure is said", sum(one.wrong_figure for one in answerable), of)
        declined = sum(not one.is_answered and not one.is_refused for one in answerable)
        yield Share(f"{name}: wrongly declined", declined, of)
        yield Share(f"{name}: wrongly refused", sum(one.is_refused for one in answerable), of)
    if unanswerable:
        admitted = sum(not one.is_answered for one in unanswerable)
        yield Share(f"{name}: unanswerable, admitted", admitted, len(unanswerable))
    if refused:
        yield Share(f"{name}: refused as it should be", sum(one.is_refused for one in refused), len(refused))
