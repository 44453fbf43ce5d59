"""What a client of `careline up` sees: first words over HTTP, and the memory of the process that serves."""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from careline_local.bench.measures import Measure, figure
from careline_local.bench.questions import QUESTIONS
from careline_local.loaded import wait_until_loaded

ROUNDS = 6
MEBIBYTE = 1024
"""Kibibytes, the unit of `ps`."""


def run(home: Path) -> list[Measure]:
    """Start the server on a home that is loaded, ask, measure, stop it."""
    with serving(home) as (process, address):
        fresh: list[float] = []
        first: list[float] = []
        whole: list[float] = []
        for round_ in range(ROUNDS + 1):
            for question in QUESTIONS:
                word, end = _ask(address, question)
                (first if round_ else fresh).append(word * 1000)
                whole.append(end * 1000)
        memory = resident(process.pid)
    return [
        figure("first token over HTTP (SSE), extractive answer", "ms", first, "p95 60"),
        figure("the same for passages that nobody asked about before", "ms", fresh),
        figure("last event over HTTP (SSE)", "ms", whole),
        figure("memory of `careline up` with the demo loaded, after the questions", "MB", [memory], "700"),
    ]


@contextmanager
def serving(home: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`careline up` on a home and a free port: its process and its address; stopped when the block is left."""
    command = [
        sys.executable,
        "-m",
        "careline_local.cli.main",
        "--home",
        str(home),
        "up",
        "--port",
        "0",
        "--no-demo",
        "--json",
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)  # noqa: S603 - our own command
    try:
        assert process.stdout is not None
        address = json.loads(process.stdout.readline())["address"].removeprefix("http://")
        wait_until_loaded(address)
        yield process, address
    finally:
        process.terminate()
        process.wait(timeout=30)
        if process.stdout is not None:
            process.stdout.close()


def _ask(address: str, question: str) -> tuple[float, float]:
    """Seconds until the first token event and until the last event."""
    connection = http.client.HTTPConnection(address, timeout=30)
    headers = {"Accept": "text/event-stream", "Content-Type": "application/json"}
    began = time.perf_counter()
    connection.request("POST", "/v1/query", json.dumps({"text": question}), headers)
    response, first = connection.getresponse(), 0.0
    while line := response.readline():
        if not first and line.startswith(b"event: token"):
            first = time.perf_counter() - began
    connection.close()
    return first, time.perf_counter() - began


def resident(pid: int) -> float:
    """Resident memory in MB."""
    said = subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True, check=True)  # noqa: S603, S607
    return int(said.stdout) / MEBIBYTE
