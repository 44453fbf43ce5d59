"""Careline in a process of its own, as its users start it: one command, or a server that is stopped at the end."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2

from careline.schemas import wire
from tests.journeys.forked import Forked, fork_server
from tests.patience import PATIENT
from tests.source_roots import PYTHONPATH

ROOT = Path(__file__).parents[2]
TIMEOUT = 60.0
"""Seconds after which a command or a start has gone wrong."""


@dataclass(frozen=True)
class Careline:
    """The command for one home. `environment` is added to the process's own, without that of the person who tests."""

    home: Path
    environment: Mapping[str, str] = field(default_factory=dict)

    def run(self, *arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[str]:
        """Run a command to its end, whatever it ends with."""
        if not self._is_forked():
            done = subprocess.run(
                self.line(*arguments), input=stdin, capture_output=True, env=self.variables(), cwd=self.home.parent,
                timeout=TIMEOUT, check=False,
            )  # fmt: skip
            return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())
        process = self._forked(arguments, stdin, live=False)
        try:
            said, complained = process.communicate(TIMEOUT)
            return subprocess.CompletedProcess(self.line(*arguments), process.wait(), said, complained)
        finally:
            process.kill()
            process.stdout.close()
            process.stderr.close()

    def json(self, *arguments: str, code: int = 0) -> Any:
        """What a command prints with `--json`; it must end with `code`. Of `ingest`, the summary: its last line."""
        done = self.run(*arguments, "--json")
        assert done.returncode == code, (done.stdout, done.stderr)
        lines = done.stdout.splitlines()
        return json.loads(lines[-1] if arguments[0] == "ingest" else done.stdout)

    def lines(self, *arguments: str, stdin: str, code: int = 0) -> list[Any]:
        """What a batch command answers to JSON Lines."""
        done = self.run(*arguments, stdin=stdin.encode())
        assert done.returncode == code, (done.stdout, done.stderr)
        return [json.loads(line) for line in done.stdout.splitlines()]

    @contextmanager
    def served(self, *more: str) -> Iterator[Served]:
        """The server on a free port; it is stopped when the block is left, however that is."""
        arguments = ("up", "--port", "0", "--no-demo", "--json", *more)
        process: subprocess.Popen[str] | Forked
        if self._is_forked():
            process = self._forked(arguments, b"", live=True)
        else:
            process = subprocess.Popen(
                self.line(*arguments),
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=self.variables(), cwd=self.home.parent,
            )  # fmt: skip
        watchdog = threading.Timer(TIMEOUT, process.kill)
        watchdog.start()
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            watchdog.cancel()
            assert line, f"the server did not start: {process.communicate()[1]}"
            with httpx2.Client(base_url=json.loads(line)["address"], timeout=TIMEOUT) as client:
                served = Served(client, process)
                # It says where it is before it can be found by commands and can be stopped, and answers before all
                # is loaded.
                served.eventually("/health", lambda response: response.json()["status"] != "loading")
                yield served
        finally:
            watchdog.cancel()
            if process.poll() is None:
                process.kill()
            process.wait()
            for stream in (process.stdout, process.stderr):
                assert stream is not None
                stream.close()

    def line(self, *arguments: str) -> list[str]:
        """The command as a shell starts it."""
        return [sys.executable, "-m", "careline_local.cli.main", "--home", str(self.home), *arguments]

    def _is_forked(self) -> bool:
        """Whether a fork is the same: not where Python itself is told to start in another way."""
        return not any(name.startswith("PYTHON") for name in self.environment)

    def _forked(self, arguments: tuple[str, ...], stdin: bytes, *, live: bool) -> Forked:
        all_of_them = ("--home", str(self.home), *arguments)
        return fork_server().start(all_of_them, self.variables(), self.home.parent, stdin, live=live)

    def variables(self) -> dict[str, str]:
        """The environment of its processes."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("CARELINE_")}
        return {
            **kept,
            "PYTHONPATH": PYTHONPATH,
            **PATIENT,
            **self.environment,
        }


@dataclass(frozen=True)
class Served:
    """A running server."""

    client: httpx2.Client
    process: subprocess.Popen[str] | Forked

    def ask(self, text: str, **more: Any) -> dict[str, Any]:
        """The answer to a question as JSON."""
        response = self.client.post("/v1/query", json={"text": text, **more})
        assert response.status_code == 200, response.text
        answer: dict[str, Any] = response.json()
        return answer

    def stream(self, text: str, **more: Any) -> list[wire.Event]:
        """The events of a question, read from the bytes as any client reads them."""
        headers = {"accept": "text/event-stream"}
        with self.client.stream("POST", "/v1/query", json={"text": text, **more}, headers=headers) as response:
            assert response.headers["content-type"].startswith("text/event-stream")
            return list(wire.read_events(response.iter_lines()))

    def record(self, turn_id: str) -> dict[str, Any]:
        """The record of a turn, as soon as telemetry has taken it."""
        return self.eventually(f"/v1/turns/{turn_id}", lambda response: response.status_code == 200)

    def job(self, job_id: str) -> dict[str, Any]:
        """A job when it has ended."""
        states = {"completed", "failed", "superseded"}
        return self.eventually(f"/v1/jobs/{job_id}", lambda response: response.json().get("state") in states)

    def eventually(self, path: str, holds: Any) -> dict[str, Any]:
        """The JSON at a path once `holds(response)`."""
        until = time.monotonic() + TIMEOUT
        while True:
            response = self.client.get(path)
            if holds(response):
                found: dict[str, Any] = response.json()
                return found
            assert time.monotonic() < until, response.text
            time.sleep(0.05)

    def stop(self, how: signal.Signals) -> int:
        """Send a signal and give the exit code."""
        self.process.send_signal(how)
        return self.process.wait(TIMEOUT)
