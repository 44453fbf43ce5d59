"""The worker's process: endpoints, a stop that lets calls finish, logs without words, figures without names."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import subprocess
import sys

import aiohttp
import pytest

from careline.settings import PhoneSettings, VoiceSettings

pytest.importorskip("livekit.agents", reason="requirements/voice.txt is not installed: `make voice`")

from livekit import rtc
from livekit.agents.cli.log import JsonFormatter
from prometheus_client import CollectorRegistry, generate_latest

from careline_voice.call_events import CallEvents
from careline_voice.main import PrivateFields, caller_of, keep_logs_private, worker
from careline_voice.metrics import CallMetrics
from tests.source_roots import PYTHONPATH


async def test_a_worker_serves_health_and_metrics_and_takes_no_call_once_it_is_told_to_stop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("careline_voice.main.tempfile.mkdtemp", lambda prefix: None)
    monkeypatch.setattr(logging.getLogger(), "handlers", [])
    server = worker(PhoneSettings(voice=VoiceSettings(health_port=0, metrics_port=0)))
    server.update_options(num_idle_processes=0)
    running = asyncio.create_task(server.run(devmode=True, unregistered=True))
    started = asyncio.Event()
    server.on("worker_started", started.set)
    await asyncio.wait_for(started.wait(), 30)
    async with aiohttp.ClientSession() as http, http.get(f"http://127.0.0.1:{server.worker_info.http_port}/") as health:
        assert (health.status, await health.text()) == (200, "OK")
    await server.drain()
    assert server.draining
    await server.aclose()
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


def test_what_was_said_does_not_reach_a_log_record() -> None:
    record = logging.makeLogRecord({"msg": "skipping user input", "lk.pii.user_input": "ik ben Jan", "code": "X"})
    assert PrivateFields().filter(record)
    assert "ik ben Jan" not in str(vars(record))
    assert record.__dict__["code"] == "X"


def test_a_record_of_the_framework_is_a_line_as_ours_without_what_was_said(monkeypatch: pytest.MonkeyPatch) -> None:
    handler = logging.StreamHandler()
    handler.setFormatter(JsonFormatter())
    monkeypatch.setattr(logging.getLogger(), "handlers", [handler])
    keep_logs_private()
    record = logging.makeLogRecord({"name": "livekit.agents", "msg": "heard %s", "args": ("ik ben Jan",), "ms": 3})
    assert handler.filter(record)
    line = json.loads(handler.format(record))
    assert (line["code"], line["message"], line["function"], line["ms"]) == ("library", "heard %s", "voice-worker", 3)


def test_what_a_process_of_one_call_writes_has_the_calls_id_also_where_a_library_calls_back() -> None:
    program = "from careline.log import context as c; c.add_to_process(call='call-1'); c.add(turn='t'); print(c.ids())"
    environment = {**os.environ, "PYTHONPATH": PYTHONPATH}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "{'call': 'call-1', 'turn': 't'}"


@pytest.mark.parametrize(
    ("number", "known"), [("+32 470 11 12 22", "32470111222"), ("anonymous", None), ("", None), ("1" * 99, "1" * 20)]
)
def test_a_callers_number_is_digits_or_nobodys(number: str, known: str | None) -> None:
    class Participant(rtc.RemoteParticipant):
        def __init__(self) -> None:
            pass

        @property
        def attributes(self) -> dict[str, str]:
            return {"sip.phoneNumber": number}

    caller = caller_of(Participant())
    assert caller.number == known
    assert caller.conversation_id.startswith("call-")


def test_calls_are_counted_by_what_happened() -> None:
    registry = CollectorRegistry()
    metrics, call_events = CallMetrics(registry), CallEvents()
    metrics.follow(call_events)
    for name in ("started", "turn", "turn", "murmur"):
        call_events.note(name)
    call_events.note("outage", of="voice")
    call_events.note("answered", disposition="answered", reason="")
    call_events.note("first_audio", seconds=0.7)
    shown = generate_latest(registry).decode()
    assert "careline_voice_questions_total 2.0" in shown
    assert 'careline_voice_outages_total{of="voice"} 1.0' in shown
    assert 'careline_voice_first_audio_seconds_bucket{le="0.8"} 1.0' in shown
