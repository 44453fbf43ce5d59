"""Whole conversations, turn by turn: how a question was read, which stages it passed, what was said and in how long.

The conversations are those of `tests/evaluation/calls.yaml`. A hospital is its directory alone: no documents, no model.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import yaml

from careline import bootstrap
from careline.curation.editions import keep
from careline.directory.directory import Directory
from careline.directory.formats.files import read_file
from careline.errors import BadRequest
from careline.installation import Installation
from careline.schemas import wire
from careline.settings import Settings
from careline.turn import pipeline
from careline.turn.stages.admit import admit
from careline.turn.stages.detect_language import detect_language
from careline.turn.stages.detect_phi import detect_phi
from careline.turn.stages.understand import understand
from careline.understanding.question import Intent
from careline_local.bench.evaluation_sets import FOLDERS
from careline_local.bench.understanding.directories import WORKBOOK, FixedClock
from careline_local.demo import load

DEMO = "elzenvoorde"
"""The hospital that comes with its own directory; any other is a workbook."""
CHANNELS = ("chat", "voice")
HELD_AT = datetime(2026, 12, 2, 10, 15, tzinfo=UTC)
"""When the calls are held: doctors are away at other times."""


@dataclass(frozen=True, slots=True)
class HeldTurn:
    """One turn of a conversation. `path` are the stages that it passed, the last of them decided or spoke; `ms` is what
    all of them took together."""

    asked: str
    intent: Intent
    path: tuple[str, ...]
    answer: wire.Answer
    ms: float

    @property
    def cited(self) -> tuple[str, ...]:
        """The documents or entries that are cited, in their order."""
        return tuple(one.doc_key for one in self.answer.citations)

    @property
    def ids(self) -> frozenset[str]:
        """The entries of the directory that the question named."""
        return frozenset(one for entity in self.intent.entities for one in entity.ids)


@dataclass(frozen=True, slots=True)
class HeldCall:
    """A conversation of one hospital, in one language and on one channel."""

    hospital: str
    language: str
    channel: str
    turns: tuple[HeldTurn, ...]


def calls() -> Mapping[str, Mapping[str, Sequence[str]]]:
    """What callers say, by hospital and language."""
    read: Mapping[str, Mapping[str, Sequence[str]]] = yaml.load(
        (FOLDERS["held_out"] / "calls.yaml").read_text("utf-8"), Loader=yaml.CSafeLoader
    )
    return read


async def with_directory(name: str, made: Installation) -> Installation:
    """An empty installation with the directory of a hospital, at the time of the calls.

    Raises: BadRequest for a workbook that cannot be used.
    """
    if name == DEMO:
        await load.set_up(made.settings.tenant, made.engines)
    else:
        await keep(_directory(name), made.settings.tenant, made.engines, by="bench")
    return bootstrap.by_clock(made, FixedClock(made.engines.clock, HELD_AT))


def _directory(name: str) -> Directory:
    file = FOLDERS["held_out"] / "directories" / name / WORKBOOK
    read = read_file(WORKBOOK, file.read_bytes())
    if read.directory is None:
        raise BadRequest(f"{name}: {'; '.join(map(str, read.problems[:3]))}")
    return read.directory


async def held(
    installation: Installation, said: Sequence[str], language: str, channel: str
) -> tuple[HeldTurn, ...]:
    """Hold one conversation through the turns that the server runs."""
    turns: list[HeldTurn] = []
    for text in said:
        conversation = turns[-1].answer.conversation_id if turns else None
        turns.append(await _turn(installation, text, language, channel, conversation))
    return tuple(turns)


async def _turn(
    installation: Installation, text: str, language: str, channel: str, conversation: str | None
) -> HeldTurn:
    asked = {"text": text, "language": language, "channel": channel, "conversation_id": conversation}
    request = wire.QueryRequest.model_validate({**asked, "pack": "hospital_line"})
    intent = await _read(request, installation)
    answer: wire.Answer | None = None
    async for event in pipeline.run(request, installation, "bench"):
        answer = event.answer if isinstance(event, wire.Done) else answer
    if answer is None:
        raise BadRequest(f"a turn ended without an answer: {text!r}")
    path = tuple(one.stage for one in answer.timings)
    return HeldTurn(text, intent, path, answer, sum(one.ms for one in answer.timings))


async def _read(request: wire.QueryRequest, installation: Installation) -> Intent:
    """What the turn will understand. It is read here once more, as no record holds a question in plain words."""
    turn = await admit(request, "bench", installation)
    for stage in (detect_language, detect_phi, understand):
        turn = await stage(turn, installation)
    return turn.intent


async def run() -> list[HeldCall]:
    """Hold every call, on both channels."""
    found: list[HeldCall] = []
    for name, by_language in calls().items():
        with tempfile.TemporaryDirectory(prefix="careline-bench-") as home:
            settings = Settings().with_changes(home=Path(home), storage="embedded")
            installation = await with_directory(name, bootstrap.installation(settings))
            for language, said in by_language.items():
                for channel in CHANNELS:
                    found.append(HeldCall(name, language, channel, await held(installation, said, language, channel)))
    return found


def rows(found: Sequence[HeldCall]) -> Iterator[tuple[str, ...]]:
    """The turns as a table has them: call, what was said, how it was read, what decided, milliseconds, what is cited
    and what was answered."""
    for call in found:
        for turn in call.turns:
            yield (
                f"{call.hospital} {call.language} {call.channel}", turn.asked, turn.intent.standalone_question,
                decided_by(turn), f"{turn.ms:.0f}", " ".join(turn.cited), str(turn.answer.text),
            )  # fmt: skip


def decided_by(turn: HeldTurn) -> str:
    """The stage behind which there was nothing but speaking."""
    spoken = {"speak", "screen_output"}
    return next((one for one in reversed(turn.path) if one not in spoken), "")
