"""Everyday questions on hospitals that are a workbook alone: what the directory answers, wrongly or not, and what it
leaves to documents.

A folder holds `directory.xlsx` and `questions.yaml` (`tests/evaluation/directories`). Questions with an even number are
the half that nobody reads who works on the answers.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import regex
import yaml

from careline import bootstrap
from careline.curation.editions import keep
from careline.curation.hospital import hospital
from careline.directory.formats.files import read_file
from careline.errors import BadRequest
from careline.installation import Installation
from careline.ports import Clock
from careline.schemas import wire
from careline.settings import Settings
from careline.time_zone import DEFAULT, zone
from careline.turn import pipeline
from careline_local.bench.evaluation_sets import FOLDERS
from careline_local.bench.measures import Share

Expected = Literal["answer", "fall_through", "ask_back"]
FROM_DIRECTORY = "DIRECTORY"
LONGEST = 1.0
"""Seconds that one expression may look at an answer."""
WORKBOOK, QUESTIONS = "directory.xlsx", "questions.yaml"


@dataclass(frozen=True, slots=True)
class EverydayQuestion:
    """A question and what a right answer holds: every one of `contains`, and none of `absent`."""

    id: str
    language: str
    ask: str
    expect: Expected
    contains: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    history: tuple[str, ...] = ()
    channel: str = "chat"
    now: datetime | None = None

    @property
    def is_open(self) -> bool:
        """Whether it may be read by who works on the answers."""
        return int("".join(filter(str.isdigit, self.id))) % 2 == 1


@dataclass(frozen=True, slots=True)
class Told:
    """What was told to a question. `verdict` is `right`, `wrong` or `fell through`."""

    question: EverydayQuestion
    verdict: str
    reason: str
    text: str


@dataclass(frozen=True, slots=True)
class FixedClock:
    """The installation's clock, which shows the moment of a question."""

    clock: Clock
    at: datetime

    def now(self) -> datetime:
        """That moment."""
        return self.at

    def elapsed(self) -> float:
        """Seconds that pass as ever."""
        return self.clock.elapsed()


def folders() -> list[Path]:
    """The hospitals, by name."""
    return sorted(one for one in (FOLDERS["held_out"] / "directories").iterdir() if (one / WORKBOOK).is_file())


def questions(folder: Path) -> list[EverydayQuestion]:
    """The questions of one hospital."""
    written = yaml.load((folder / QUESTIONS).read_text("utf-8"), Loader=yaml.CSafeLoader)
    return [_question(one) for one in written]


def _question(written: dict[str, Any]) -> EverydayQuestion:
    at = written.get("now")
    contains, absent, history = (tuple(written.get(name) or ()) for name in ("contains", "absent", "history"))
    now = datetime.fromisoformat(at) if isinstance(at, str) else at
    plain = {name: written[name] for name in ("id", "language", "ask", "expect")}
    channel = written.get("channel", "chat")
    return EverydayQuestion(**plain, contains=contains, absent=absent, history=history, channel=channel, now=now)


async def run(folder: Path, part: str) -> list[Told]:
    """Ask the questions of one hospital. Raises: BadRequest for a workbook that cannot be used."""
    with tempfile.TemporaryDirectory(prefix="careline-bench-") as home:
        installation = bootstrap.installation(Settings().with_changes(home=Path(home), storage="embedded"))
        read = read_file(WORKBOOK, (folder / WORKBOOK).read_bytes())
        if read.directory is None:
            raise BadRequest(f"{folder.name}: {'; '.join(map(str, read.problems[:3]))}")
        await keep(read.directory, installation.settings.tenant, installation.engines, by="bench")
        wanted = [one for one in questions(folder) if part == "both" or one.is_open == (part == "open")]
        return [await _told(one, installation) for one in wanted]


async def _told(one: EverydayQuestion, installation: Installation) -> Told:
    if one.now is not None:
        engines = installation.engines
        tenant, _ = await hospital(engines, installation.settings.tenant, installation.settings)
        at = one.now.replace(tzinfo=zone(tenant.time_zone or DEFAULT)).astimezone(UTC)
        installation = replace(installation, engines=replace(engines, clock=FixedClock(engines.clock, at)))
    asked = {"text": one.ask, "language": one.language, "history": list(one.history), "channel": one.channel}
    request = wire.QueryRequest.model_validate({**asked, "pack": "hospital_line"})
    answer: wire.Answer | None = None
    async for event in pipeline.run(request, installation, one.id):
        answer = event.answer if isinstance(event, wire.Done) else answer
    if answer is None:
        return Told(one, "wrong", "NO_ANSWER", "")
    return Told(one, verdict(one, answer), answer.reason or "", str(answer.text))


def verdict(one: EverydayQuestion, answer: wire.Answer) -> str:
    """Whether a question was told what it should be."""
    from_directory = answer.reason == FROM_DIRECTORY
    if one.expect == "ask_back":
        return "right" if answer.disposition == "clarified" else "wrong" if from_directory else "fell through"
    if one.expect == "fall_through":
        return "wrong" if from_directory else "right"
    if not from_directory:
        return "fell through"
    text = str(answer.text)
    holds = all(_has(text, each) for each in one.contains)
    return "right" if holds and not any(_has(text, each) for each in one.absent) else "wrong"


def _has(text: str, pattern: str) -> bool:
    """Whether a text has what a writer of questions looks for, within a second."""
    return regex.search(pattern, text, regex.IGNORECASE, timeout=LONGEST) is not None


def shares(name: str, told: Sequence[Told]) -> Iterator[Share]:
    """How many were right, wrong and left to documents."""
    for kind in ("right", "wrong", "fell through"):
        yield Share(f"{name}: {kind}", sum(one.verdict == kind for one in told), len(told))


def not_right(told: Sequence[Told]) -> list[str]:
    """Those that were not told right, of questions that may be read."""
    return [
        f"{one.verdict}: {one.question.id} {one.question.ask!r} after {list(one.question.history)} -> "
        f"[{one.reason}] {one.text[:300]!r}; wanted {list(one.question.contains)}"
        for one in told
        if one.question.is_open and one.verdict != "right"
    ]
