"""A hospital for each file of cases: its documents taken in as they ship, the real embedder and reader behind it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from careline import bootstrap
from careline.curation.editions import keep
from careline.directory.directory import read_directory
from careline.installation import Installation
from careline.schemas import wire
from careline.settings import Settings
from careline.turn import pipeline
from careline.turn.stages.screening import embed_question
from careline_local.bench.understanding.directories import FixedClock
from careline_local.cli.session import CommandSession
from careline_local.ingest import ingest
from careline_local.intake import find
from tests.cases.case_files import Case, CaseFile
from tests.patience import PATIENCE, patient


class AskedHospital:
    """Documents in a home of their own, of which questions are asked. `changes` are of the settings, by group."""

    def __init__(self, home: Path, file: CaseFile, **changes: Any) -> None:
        folder = home / "given"
        folder.mkdir(parents=True)
        for document in file.documents:
            (folder / document.name).write_text(document.text, "utf-8")
        settings = patient(Settings(home=home, storage="embedded", pack=file.pack)).with_changes(**changes)
        self._session, self._now = CommandSession(home, given=settings), file.now
        self._then: Installation | None = None
        report = self._session.run(ingest(find([str(folder)]), {}, self._session, quiet=True))
        if file.directory:
            self._session.run(self._directory(file.directory))
        refused = [one.where for one in report.refused]
        assert not refused, f"documents of a case were refused: {refused}"

    def ask(self, case: Case) -> wire.Answer:
        """The answer to the last question of a conversation."""
        return self._session.run(self._asked(case))

    async def _directory(self, written: dict[str, Any]) -> None:
        made = self._session.installation
        directory, problems = read_directory(written)
        assert directory is not None, problems
        await keep(directory, made.settings.tenant, made.engines, by="test")

    def notice(self, answer: wire.Answer) -> str:
        """What an answer begins with that may not be one."""
        return self._session.installation.packs[answer.pack].template("unsure_notice", answer.language)

    async def _asked(self, case: Case) -> wire.Answer:
        conversation: str | None = None
        for text in (*case.before, case.ask):
            request = wire.QueryRequest(
                text=text, conversation_id=conversation, channel=case.channel, language=case.language,
                clinical_context=wire.ClinicalContext(**case.patient) if case.patient else None,
            )  # fmt: skip
            answer = await self._turn(request)
            conversation = answer.conversation_id
        return answer

    async def _turn(self, request: wire.QueryRequest) -> wire.Answer:
        made = self._at_its_time()
        events = [event async for event in pipeline.run(request, made, made.engines.new_id())]
        assert isinstance(events[-1], wire.Done), events[-1]
        return events[-1].answer

    def _at_its_time(self) -> Installation:
        """The installation, whose clock stands still where the questions are of a certain moment."""
        made = self._session.installation
        if self._now is None:
            return made
        if self._then is None:
            self._then = bootstrap.by_clock(made, FixedClock(made.engines.clock, self._now))
        return self._then


@pytest.fixture(scope="module")
def hospital_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[CaseFile], AskedHospital]:
    """The hospital of a file of cases, made when it is asked for first."""
    made: dict[str, AskedHospital] = {}

    def of(file: CaseFile) -> AskedHospital:
        if file.capability not in made:
            made[file.capability] = AskedHospital(tmp_path_factory.mktemp(file.capability), file)
        return made[file.capability]

    return of


@pytest.fixture(autouse=True)
def screens_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """The screens get their sentence embedding on a busy machine too."""
    monkeypatch.setattr(embed_question, "TIMEOUT", PATIENCE)


@pytest.fixture
def reading_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """What tells what a question wants gets its embedding on a busy machine too."""
    monkeypatch.setattr("careline.turn.question.understood.PATIENCE", PATIENCE)
