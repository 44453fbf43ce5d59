"""Takes in a hospital's documents and asks its questions, one by one, as a client does."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from careline.errors import BadRequest, EngineUnavailable
from careline.installation import Installation
from careline.schemas import wire
from careline.search.measured_fit import fit_file
from careline.settings import Settings
from careline.telemetry import turns
from careline.turn import pipeline
from careline.turn.turn import Evidence
from careline_local.bench.evaluation_sets import Part, hospitals_of
from careline_local.bench.hospital.outcomes import HospitalOutcome, How
from careline_local.bench.hospital.questions import DOCUMENTS, HospitalQuestion, HospitalQuestions, read_questions
from careline_local.bench.hospital.said_figures import figures, ungrounded
from careline_local.cli.session import CommandSession
from careline_local.ingest import Report, ingest, progress_bar
from careline_local.intake import find


@dataclass(frozen=True, slots=True)
class Hospital:
    """A hospital whose documents have been taken in: its questions and its home."""

    name: str
    questions: HospitalQuestions
    settings: Settings
    report: Report


@dataclass(frozen=True, slots=True)
class Case:
    """A question in one of the ways in which it is asked."""

    question: HospitalQuestion
    how: How


@contextmanager
def loaded(folder: Path, settings: Settings, *, quiet: bool) -> Iterator[Hospital]:
    """A hospital's documents in a home of their own, which is gone afterwards. Raises: BadRequest."""
    questions = read_questions(folder)
    with tempfile.TemporaryDirectory(prefix="careline-hospital-") as home:
        # Whatever the settings say, nothing of a bench goes where an installation keeps its own.
        measured = settings.engines.relevance or str(fit_file(settings))
        apart = untimed(settings).with_changes(
            home=Path(home), storage="embedded", engines={"relevance": measured}
        )
        session = CommandSession(Path(home), given=apart)
        report = session.run(ingest(find([str(folder / DOCUMENTS)]), {}, session, quiet=quiet))
        yield Hospital(folder.resolve().name, questions, apart, report)


def untimed(settings: Settings) -> Settings:
    """The settings with time to read every window, unless they name a time: answers are counted, not the processor."""
    named = "reader_milliseconds" in settings.engines.model_fields_set
    return settings if named else settings.with_changes(engines={"reader_milliseconds": 0.0})


def unread(folder: Path) -> Path:
    """The folder, when its questions can be read. Raises: BadRequest, which tells nothing of them."""
    try:
        read_questions(folder)
    except BadRequest:
        raise BadRequest(f"{folder.name}: its questions cannot be used; nothing of them is shown") from None
    return folder


def folders(part: Part) -> list[Path]:
    """The folders of the hospitals of one part, by name. Raises: SettingsInvalid, BadRequest."""
    found = hospitals_of(part)
    return found if part == "open" else [unread(one) for one in found]


def cases(questions: Sequence[HospitalQuestion]) -> list[Case]:
    """Every question as it is asked: a follow-up in a conversation, and with the earlier questions as history."""
    made: list[Case] = []
    for question in questions:
        ways: tuple[How, ...] = ("conversation", "history") if question.before else ("alone",)
        made += [Case(question, how) for how in ways]
    return made


def asked(hospital: Hospital, settings: Settings, *, quiet: bool) -> list[HospitalOutcome]:
    """Every question of a hospital, with an installation of the given settings. Raises: CarelineError."""
    session = CommandSession(settings.home, given=settings)
    return session.run(_asked(hospital, session, quiet))


async def _asked(hospital: Hospital, session: CommandSession, quiet: bool) -> list[HospitalOutcome]:
    installation, found = session.installation, []
    todo = cases(hospital.questions.questions)
    with progress_bar(session, quiet) as progress:
        bar = progress.add_task(f"asking {hospital.name}", total=len(todo))
        for case in todo:
            found.append(await _outcome(hospital.name, case, installation))
            progress.advance(bar)
    return found


async def _outcome(name: str, case: Case, installation: Installation) -> HospitalOutcome:
    answer = await _answer(case, installation)
    evidence, is_unsure = await _evidence(answer, installation)
    outcome = HospitalOutcome(name, case.question, case.how, answer, evidence, is_unsure=is_unsure)
    if not outcome.is_answered:
        return outcome
    said = figures(answer.text)
    cited = {(one.doc_key, one.version) for one in answer.citations}
    tenant, index = installation.settings.tenant, installation.engines.index
    passages = [passage for one in cited for passage in await index.passages(tenant, *one)]
    return replace(outcome, figures=said, ungrounded=ungrounded(said, passages))


async def _answer(case: Case, installation: Installation) -> wire.Answer:
    question = case.question
    if case.how == "history":
        return await _turn(wire.QueryRequest(text=question.ask, history=list(question.before)), installation)
    conversation: str | None = None
    for text in question.before:
        earlier = await _turn(wire.QueryRequest(text=text, conversation_id=conversation), installation)
        conversation = earlier.conversation_id
    return await _turn(wire.QueryRequest(text=question.ask, conversation_id=conversation), installation)


async def _turn(request: wire.QueryRequest, installation: Installation) -> wire.Answer:
    last: wire.Event | None = None
    async for event in pipeline.run(request, installation, installation.engines.new_id()):
        last = event
    if isinstance(last, wire.Failed):
        raise EngineUnavailable(f"a question got no answer: {last.problem.message}")
    if not isinstance(last, wire.Done):
        raise RuntimeError("a turn did not end in an answer")
    return last.answer


async def _evidence(answer: wire.Answer, installation: Installation) -> tuple[Evidence | None, bool]:
    """What the record of the turn says of the best passage that was found, and whether the answer begins by saying that
    it may not be one."""
    await turns.relay(installation.engines)
    record = await turns.show(answer.id, installation.settings.tenant, installation.engines)
    found = record.get("evidence")
    if found is None:
        return None, False
    decides = found["relevance"] if found["confidence"] is None else found["confidence"]
    return Evidence(decides, found["by"]), found["is_unsure"]
