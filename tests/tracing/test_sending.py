"""Spans that are sent before a process is stopped: who waits for that, and how long."""

from __future__ import annotations

import asyncio
import random
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest

from careline.tracing import sending
from careline.tracing.sending import Sending
from careline.web.http import TraceIds
from tests.source_roots import PYTHONPATH

SILENT = """
import asyncio, os, socket, threading, time
silent = socket.create_server(("127.0.0.1", 0))
os.environ["AWS_LAMBDA_FUNCTION_NAME"] = "x"
from careline.runtime import traces
from careline.settings import TraceSettings
from careline.tracing.sending import send_now, send_soon
from careline.tracing.spans import span
traces.begin("x", TraceSettings(exporter="otlp", endpoint=f"http://127.0.0.1:{silent.getsockname()[1]}/"))
with span("one"):
    pass
began = time.monotonic()
asyncio.run(send_soon())
send_now()
print(time.monotonic() - began)
"""


class Gate:
    """A sending that goes on until it is let go."""

    def __init__(self) -> None:
        self.begun, self.go, self.sent = threading.Event(), threading.Event(), 0

    def __call__(self) -> None:
        self.begun.set()
        assert self.go.wait(10)
        self.sent += 1


@pytest.fixture
def gate() -> Iterator[Gate]:
    made = Gate()
    yield made
    made.go.set()


async def test_a_sending_that_hangs_is_waited_for_no_longer_than_said_and_goes_on(gate: Gate) -> None:
    slow = Sending(gate, 0.05)
    began = time.monotonic()
    await slow.soon()
    slow.now()
    assert time.monotonic() - began < 2
    gate.go.set()
    await Sending.soon(slow)
    assert gate.sent >= 1


async def test_what_ends_while_something_is_sent_is_sent_after_it_and_once_for_all(gate: Gate) -> None:
    slow = Sending(gate, 10)
    first = asyncio.create_task(slow.soon())
    await asyncio.to_thread(gate.begun.wait)
    others = [asyncio.create_task(slow.soon()) for _ in range(5)]
    await asyncio.sleep(0)
    others[0].cancel()
    await asyncio.sleep(0)
    gate.go.set()
    await asyncio.gather(first, *others[1:])
    assert gate.sent == 2


async def test_all_of_an_answer_but_its_end_is_there_before_its_spans_are_sent(
    gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sending, "_sending", Sending(gate, 0.3))
    seen: list[tuple[bytes, bool]] = []

    async def app(scope: object, receive: object, send: object) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})  # type: ignore[operator]
        for part, more in ((b"event", True), (b"", False)):
            await send({"type": "http.response.body", "body": part, "more_body": more})  # type: ignore[operator]

    async def send(message: object) -> None:
        if message["type"] == "http.response.body":  # type: ignore[index]
            seen.append((message["body"], gate.begun.is_set()))  # type: ignore[index]

    scope = {"type": "http", "method": "GET", "path": "/v1/documents", "headers": []}
    began = time.monotonic()
    await TraceIds(app)(scope, None, send)  # type: ignore[arg-type]
    assert (seen, time.monotonic() - began < 2) == ([(b"event", False), (b"", True)], True)


def test_a_collector_that_takes_no_spans_keeps_nobody_waiting_and_a_process_ends_without_a_word() -> None:
    pytest.importorskip("opentelemetry.sdk")
    done = subprocess.run(
        [sys.executable, "-c", SILENT], capture_output=True, text=True, env={"PYTHONPATH": PYTHONPATH}, timeout=30
    )
    assert (done.returncode, "Traceback" in done.stderr) == (0, False)
    assert float(done.stdout) < 2.8, "one second for each, where the SDK would take three"


def test_processes_that_are_restored_from_one_snapshot_give_their_spans_other_ids() -> None:
    pytest.importorskip("opentelemetry.sdk")
    from careline.runtime.span_ids import SystemIds

    state, ids = random.getstate(), SystemIds()
    made = []
    for _ in range(2):
        random.setstate(state)
        made.append((ids.generate_trace_id(), ids.generate_span_id()))
    (trace, span), (other_trace, other_span) = made
    assert (trace != other_trace, span != other_span, ids.is_trace_id_random()) == (True, True, True)
    assert (0 < trace < 1 << 128, 0 < span < 1 << 64) == (True, True)


def test_a_process_whose_spans_are_sent_takes_their_ids_from_the_operating_system() -> None:
    pytest.importorskip("opentelemetry.sdk")
    program = (
        "from careline.runtime import traces\nfrom careline.settings import TraceSettings\n"
        "from opentelemetry import trace\ntraces.begin('x', TraceSettings(exporter='otlp'))\n"
        "print(type(trace.get_tracer_provider().id_generator).__name__)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env={"PYTHONPATH": PYTHONPATH}, check=True
    )
    assert done.stdout.strip() == "SystemIds"
