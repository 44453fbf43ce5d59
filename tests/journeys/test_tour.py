"""The tour of the README: every answer in it is the one that is printed, and what of it is left out is said there."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.journeys.process import Careline

pytestmark = pytest.mark.timeout(400)
"""The first test waits until 140 documents are there."""
README = Path(__file__).parents[2] / "README.md"
LEFT_OUT = "…"
_SHOWN = re.compile(r"^    \$ careline (.+)\n((?:    .+\n)+)", re.MULTILINE)
_SOURCE = re.compile(r"^\[(\d)\] ", re.MULTILINE)


def tour() -> list[tuple[str, str]]:
    """Commands and what is shown of their output."""
    return [(command, shown) for command, shown in _SHOWN.findall(README.read_text("utf-8"))]


def flat(text: str) -> str:
    """On one line: the README breaks long ones."""
    return " ".join(text.split())


@pytest.mark.parametrize(("command", "shown"), tour(), ids=[command for command, _ in tour()])
def test_what_the_tour_shows_is_what_is_printed(demo_home: Path, command: str, shown: str) -> None:
    done = Careline(demo_home).run(*shlex.split(command))
    printed = done.stdout
    if command.startswith("ask"):
        printed, last = printed.rstrip("\n").rsplit("\n", 1)
        assert " · turn " in last
    said, _, note = shown.partition(f"    {LEFT_OUT} ")
    if not note:
        assert flat(shown) == flat(printed)
        return
    assert [part for part in said.split(LEFT_OUT) if flat(part) not in flat(printed)] == []
    hidden = set(_SOURCE.findall(printed)) - set(_SOURCE.findall(re.sub("^    ", "", said, flags=re.MULTILINE)))
    assert [number for number in sorted(hidden) if f"[{number}]" not in note] == []
    assert ("contraindications" in note) is ("! Contraindications" in printed)


def test_the_tour_has_answers() -> None:
    assert len(tour()) >= 5
