"""What CloudWatch reads from a worker's log: figures in its embedded metric format, one line each, without words."""

from __future__ import annotations

import asyncio
import json
import re
from typing import Any

import pytest

pytest.importorskip("livekit.agents", reason="requirements/voice.txt is not installed: `make voice`")

from livekit.agents import CloseReason

from careline.schemas import phone_figures
from careline.settings import AwsSettings, PhoneSettings, VoiceSettings
from careline_voice.call_events import CallEvents
from careline_voice.fargate.ecs_task import EcsTask
from careline_voice.fargate.figures import CallFigures, FigureLog

SETTINGS = PhoneSettings(
    voice=VoiceSettings(service="careline-prod-voice"), aws=AwsSettings(stage="prod")
)
LOG = FigureLog("prod", "careline-prod-voice")


def read(line: str) -> dict[str, Any]:
    """A line as CloudWatch takes it: what is declared is a member of it (embedded metric format specification)."""
    told: dict[str, Any] = json.loads(line)
    for declared in told["_aws"]["CloudWatchMetrics"]:
        assert re.fullmatch(r"[\w./:#-]{1,255}", declared["Namespace"])
        assert all(isinstance(told[name], str) for one in declared["Dimensions"] for name in one)
        assert 0 < len(declared["Metrics"]) <= 100
        for metric in declared["Metrics"]:
            assert metric["Unit"] in {"Count", "Seconds", "Milliseconds"}
            values = told[metric["Name"]]
            assert all(isinstance(one, int | float) for one in (values if isinstance(values, list) else [values]))
    return told


def dimensions(told: dict[str, Any], metric: str) -> list[list[str]]:
    """The sets of dimensions that a metric is kept under."""
    declared = told["_aws"]["CloudWatchMetrics"]
    return [one for each in declared if metric in {m["Name"] for m in each["Metrics"]} for one in each["Dimensions"]]


def test_a_call_is_one_line_with_what_happened_in_it(capsys: pytest.CaptureFixture[str]) -> None:
    now = iter(range(100, 200))
    call_events = CallEvents(clock=lambda: float(next(now)))
    CallFigures(LOG).follow(call_events)
    for name in ("started", "turn", "turn", "not_heard"):
        call_events.note(name)
    for seconds in (0.7, 2.6):
        call_events.note("first_audio", seconds=seconds)
    call_events.note("outage", of="voice")
    call_events.note("transferred")
    assert capsys.readouterr().out == ""
    call_events.note("ended", reason="participant_disconnected")
    told = read(capsys.readouterr().out)
    counted = {"calls": 1, "questions": 2, "transfers": 1, "refused_transfers": 0, "outages": 1, "calls_dropped": 0}
    assert counted.items() <= told.items()
    assert (told["first_audio_ms"], told["first_audio_late"], told["call_seconds"]) == ([700, 2600], [0, 1], 8.0)
    assert set(told) - {"_aws", "code", "stage", "service"} == set(phone_figures.OF_A_CALL)
    assert dimensions(told, "first_audio_ms") == [["stage"]]


@pytest.mark.parametrize("reason", list(CloseReason))
def test_a_call_is_dropped_where_neither_caller_nor_line_ended_it(
    capsys: pytest.CaptureFixture[str], reason: CloseReason
) -> None:
    call_events = CallEvents()
    CallFigures(LOG).follow(call_events)
    call_events.note("ended", reason=reason.value)
    dropped = read(capsys.readouterr().out)["calls_dropped"]
    assert dropped == (reason in {CloseReason.ERROR, CloseReason.JOB_SHUTDOWN})


def test_a_call_without_an_answer_has_no_first_audio(capsys: pytest.CaptureFixture[str]) -> None:
    call_events = CallEvents()
    CallFigures(LOG).follow(call_events)
    call_events.note("started")
    call_events.note("ended", reason="user_initiated")
    assert "first_audio_ms" not in read(capsys.readouterr().out)


def test_a_long_call_has_no_more_values_than_a_line_may_have(capsys: pytest.CaptureFixture[str]) -> None:
    LOG.write({phone_figures.FIRST_AUDIO: [0.5] * 500})
    assert len(read(capsys.readouterr().out)["first_audio_ms"]) == phone_figures.MOST_VALUES


async def test_a_worker_tells_how_many_calls_it_holds(capsys: pytest.CaptureFixture[str]) -> None:
    running = asyncio.create_task(EcsTask(SETTINGS, lambda: 3, {}).run())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    told = read(capsys.readouterr().out)
    assert (told["CallsPerTask"], told["protection_failures"], told["outdated_workers"]) == (3, 0, 0)
    assert dimensions(told, "CallsPerTask") == [["stage"], ["stage", "service"]]
    assert (told["stage"], told["service"]) == ("prod", "careline-prod-voice")


def test_a_figure_that_is_in_no_list_is_not_written() -> None:
    with pytest.raises(KeyError):
        phone_figures.line({}, 0, {"what_a_caller_said": 1})
