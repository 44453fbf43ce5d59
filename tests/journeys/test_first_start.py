"""The first start with the demo hospital: it serves at once, may be stopped while it loads, and goes on from there."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.journeys.process import TIMEOUT, Careline

COUNTED = re.compile(r"loading (\d+) of (\d+)")
AT_ONCE = 20.0
"""Seconds for what takes two where nothing else runs."""


def started(careline: Careline) -> tuple[subprocess.Popen[str], str]:
    process = subprocess.Popen(
        careline.line("up", "--port", "0", "--demo", "--json"),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=careline.variables(), cwd=careline.home.parent,
    )  # fmt: skip
    assert process.stdout is not None
    return process, json.loads(process.stdout.readline())["address"]


def stopped(process: subprocess.Popen[str]) -> tuple[int, str]:
    process.send_signal(signal.SIGINT)
    try:
        _, complaints = process.communicate(timeout=TIMEOUT)
    finally:
        process.kill()
    return process.returncode, complaints


def done_of(health: dict[str, Any]) -> int:
    """How many documents are there, as `/health` tells it."""
    counted = COUNTED.fullmatch(health["parts"].get("documents", ""))
    return int(counted[1]) if counted else 0


def health_when(client: httpx2.Client, least: int) -> dict[str, Any]:
    until = time.monotonic() + 3 * TIMEOUT
    while done_of(said := client.get("/health").json()) < least:
        assert said["status"] == "loading" and time.monotonic() < until, said  # noqa: PT018 - one state
        time.sleep(0.05)
    return said


@pytest.mark.timeout(400)
def test_a_start_that_is_stopped_while_the_demo_is_loaded_goes_on_where_it_was(tmp_path: Path) -> None:
    careline = Careline(tmp_path / "home")
    began = time.monotonic()
    process, address = started(careline)
    try:
        with httpx2.Client(base_url=address, timeout=TIMEOUT) as client:
            first = client.get("/health").json()
            assert time.monotonic() - began < AT_ONCE
            assert first["status"] == "loading"
            answer = client.post("/v1/query", json={"text": "Hoeveel kost parkeren per uur?"}).json()
            assert "DOCUMENTS_LOADING" in [one["code"] for one in answer["warnings"]]
            was = done_of(health_when(client, 3))
    finally:
        code, complaints = stopped(process)
    assert (code, "Traceback" in complaints) == (0, False), complaints
    process, address = started(careline)
    try:
        with httpx2.Client(base_url=address, timeout=TIMEOUT) as client:
            assert client.get("/health").json()["status"] == "loading"
            assert len(client.get("/v1/documents").json()["documents"]) >= was
            # Those that were live are counted in a moment.
            health_when(client, was)
    finally:
        code, complaints = stopped(process)
    assert (code, "Traceback" in complaints) == (0, False), complaints
