"""The walk of a question in docs/architecture.md names what a question goes through, in that order."""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import pytest
from starlette.testclient import TestClient

from careline.turn.stages.screening import embed_question
from careline_local import server
from careline_local.cli.session import CommandSession
from tests.journeys.in_process import installed
from tests.patience import PATIENCE, patient
from tests.source_roots import ROOT

PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
WALK = PAGE.partition("## A question, from handler to answer")[2].partition("\n## ")[0]
ASKED = WALK.split('"')[1]
STOP = re.compile(r"`([A-Za-z_.0-9]+)`(?: \(`([\w/]+\.py)`\))?")
FOLDERS = (str(ROOT / "layers" / "careline") + "/", str(ROOT) + "/")
"""What the paths of the page begin at."""
PACKAGE = ROOT / "layers" / "careline"
STAGES = {file.stem: str(file.relative_to(PACKAGE)) for file in (PACKAGE / "turn" / "stages").rglob("*.py")}
"""The file of each stage, by its name."""

LOOPBACK = "http://127.0.0.1"

Call = tuple[str, str]
"""A file and the function in it."""


def bullets() -> Iterator[tuple[str, str]]:
    """The numbers of each line of the walk, and what it says of this question."""
    for line in WALK.splitlines():
        if found := re.match(r"- \*\*([\d-]+)\*\* (.*)", line):
            sentences = re.split(r"(?<=\.) (?=[A-Z`])", found[2])
            yield found[1], " ".join(one for one in sentences if not one.startswith("Else"))


def stops(said: str) -> Iterator[Call]:
    """The functions that a line names, each with its file: its own, that of a stage, or the next that is named."""
    named = STOP.findall(said)
    for at, (function, file) in enumerate(named):
        if not file:
            file = STAGES.get(function, "")
        yield file or next(each for _, each in named[at:] if each), function


@contextmanager
def called(calls: list[Call]) -> Iterator[None]:
    """Notes every call of a function of ours, in every thread that begins meanwhile."""

    def note(frame: FrameType, event: str, _: object) -> None:
        file = frame.f_code.co_filename
        if event == "call" and (folder := next((one for one in FOLDERS if file.startswith(one)), None)):
            calls.append((file.removeprefix(folder), frame.f_code.co_qualname))

    threading.setprofile(note)
    try:
        yield
    finally:
        threading.setprofile(None)


def test_the_stops_are_counted_right() -> None:
    numbers = [number for number, _ in bullets()]
    counted = [len(list(stops(said))) for _, said in bullets()]
    expected, begin = [], 1
    for count in counted:
        expected.append(f"{begin}-{begin + count - 1}" if count > 1 else str(begin))
        begin += count
    assert numbers == expected
    assert f"{sum(counted)} stops" in WALK


@pytest.mark.timeout(300)
def test_a_question_goes_through_every_stop_in_order(demo_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[Call] = []
    assert sys.getprofile() is None
    monkeypatch.setattr(embed_question, "TIMEOUT", PATIENCE)
    settings = patient(CommandSession(demo_home).settings)
    with (
        installed(demo_home, settings) as installation,
        called(calls),
        TestClient(server.application(installation), LOOPBACK) as client,
    ):
        # The first one loads the models.
        client.post("/v1/query", json={"text": "Waar kan ik iets eten?"})
        del calls[:]
        answer = client.post("/v1/query", json={"text": ASKED}, headers={"accept": "text/event-stream"})
    assert "event: citation" in answer.text
    assert missed(calls) == []


def missed(calls: list[Call]) -> list[Call]:
    """The stops that do not come behind those before them."""
    at, found = 0, list[Call]()
    for file, function in (stop for _, said in bullets() for stop in stops(said)):
        names = (n for n in range(at, len(calls)) if calls[n][0] == file)
        here = next((n for n in names if f"{calls[n][1]}.".startswith(f"{function}.")), None)
        if here is None:
            found.append((file, function))
        else:
            at = here + 1
    return found
