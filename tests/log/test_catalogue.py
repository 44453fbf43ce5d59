"""Every line that Careline logs is an event of the catalogue, and the catalogue is what docs/operations.md shows."""

from __future__ import annotations

import ast
import json
import logging
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from careline.log import context
from careline.log.catalogue import LogEvent, as_markdown, event, events
from careline.log.formatters import INVOCATION

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ("layers/careline", "functions", "voice_worker", "local")
OWN = ROOT / "layers" / "careline" / "log"
"""The log itself."""
WRITES = {"write": 1, "write_raised": 2}
"""Methods of an `EventLog`, and how many arguments by position each takes."""
SPLAT = {"kind_and_place": {"kind", "at"}, "counts": {"conversations", "messages", "turns"},
         "particulars": {"kind", "status"}}  # fmt: skip
"""Fields of what is given with two stars."""
LINE_KEYS = {"timestamp", "level", "code", "message", "function", "logger", "raised", *context.NAMES}
RECORD = set(vars(logging.makeLogRecord({}))) | {"message", "asctime"}


@cache
def sources() -> dict[Path, ast.Module]:
    files = (path for source in SOURCES for path in (ROOT / source).rglob("*.py") if OWN not in path.parents)
    return {path: ast.parse(path.read_text()) for path in files}


def calls() -> Iterator[tuple[str, ast.Call]]:
    """Every call that writes an event, with its place."""
    for path, tree in sources().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in WRITES:
                owner = node.func.value
                if (owner.attr if isinstance(owner, ast.Attribute) else getattr(owner, "id", "")) == "log":
                    yield f"{path.relative_to(ROOT)}:{node.lineno}", node


def codes(call: ast.Call) -> list[str]:
    """The codes that a call may write: constants, or the two sides of a choice."""
    given = call.args[0]
    sides = [given.body, given.orelse] if isinstance(given, ast.IfExp) else [given]
    return [side.value for side in sides if isinstance(side, ast.Constant) and isinstance(side.value, str)]


def named_codes(place: str, call: ast.Call) -> list[str]:
    """The same where the code has a name, or stands in a table that has one, in the same file."""
    given = call.args[0]
    name = ast.unparse(given.value) if isinstance(given, ast.Subscript) else getattr(given, "id", None)
    if name is None:
        return codes(call)
    tree = sources()[ROOT / place.partition(":")[0]]
    assigned: list[ast.expr] = []
    for node in ast.walk(tree):
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        value = getattr(node, "value", None)
        if getattr(targets[0], "id", "") == name and isinstance(value, ast.expr):
            assigned += value.values if isinstance(value, ast.Dict) else [value]
    return [code for value in assigned for code in codes(ast.Call(func=call.func, args=[value], keywords=[]))]


def fields(call: ast.Call) -> set[str]:
    found: set[str] = set()
    for keyword in call.keywords:
        if keyword.arg is not None:
            found.add(keyword.arg)
            continue
        value = keyword.value
        name = value.func.id if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) else ast.unparse(value)
        found |= SPLAT[name]
    return found


def test_no_line_is_written_but_through_the_catalogue() -> None:
    loud = {"debug", "info", "warning", "error", "exception", "critical", "getLogger"}
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno} {ast.unparse(node.func)}"
        for path, tree in sources().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in loud
        if (node.func.attr == "getLogger") or ast.unparse(node.func.value) in {"logging", "log", "logger", "self._log"}
    ]
    assert [one for one in found if "framework_messages" not in one and "careline_voice/main" not in one] == []


def test_there_are_lines_to_look_at() -> None:
    assert len(list(calls())) > 50


@pytest.mark.parametrize(("place", "call"), list(calls()), ids=[place for place, _ in calls()])
def test_a_line_names_an_event_of_the_catalogue_and_gives_exactly_its_fields(place: str, call: ast.Call) -> None:
    attribute = call.func
    assert isinstance(attribute, ast.Attribute)
    assert len(call.args) == WRITES[attribute.attr]
    named = named_codes(place, call)
    assert named, "a code is written out"
    for code in named:
        assert code in events(), "the catalogue knows it"
        assert fields(call) == set(events()[code].fields)


def test_every_event_of_the_catalogue_is_written_somewhere() -> None:
    assert {code for place, call in calls() for code in named_codes(place, call)} == set(events())


@pytest.mark.parametrize("one", events().values(), ids=events())
def test_an_event_is_told_in_full(one: LogEvent) -> None:
    assert re.fullmatch(r"[a-z]+(_[a-z]+)+", one.code)
    assert one.do
    assert not set("%{") & set(one.message)
    assert set(one.fields).isdisjoint(LINE_KEYS), "a field does not hide what every line has"
    assert set(one.fields).isdisjoint(RECORD)


def test_the_lines_that_quality_questions_are_answered_from_keep_their_names() -> None:
    levels = {
        "voice_citations_written": logging.INFO, "voice_disclaimer_decision": logging.INFO,
        "voice_llm_post_filter_triggered": logging.WARNING, "voice_history_loaded": logging.INFO,
    }  # fmt: skip
    assert {code: event(code).level for code in levels} == levels
    assert event("voice_disclaimer_decision").fields == ("detected", "prepend")


def test_operations_shows_the_catalogue() -> None:
    assert as_markdown() in (ROOT / "docs" / "operations.md").read_text()


def test_the_samples_of_operations_are_lines_as_they_are_written_now() -> None:
    page = (ROOT / "docs" / "operations.md").read_text()
    samples = [json.loads(line) for line in page.splitlines() if line.startswith('{"timestamp"')]
    assert {sample["function"] for sample in samples} == {"orchestrator", "ingestion-chunk", "voice-worker"}
    for sample in samples:
        one = event(sample["code"])
        assert (sample["level"], sample["message"]) == (logging.getLevelName(one.level), one.message)
        assert set(sample) == LINE_KEYS & set(sample) | set(INVOCATION) & set(sample) | set(one.fields)


def test_a_code_that_slipped_through_makes_an_error() -> None:
    assert (event("no_such_event").level, event("no_such_event").code) == (logging.ERROR, "no_such_event")
