"""Commands of Careline as processes that are forked where a test would else wait for the same imports again.

Such a process is like any other: its own arguments, environment, folder, streams, signals and exit code. That a command
starts from nothing is shown by the tests that start `python -m` themselves.
"""

from __future__ import annotations

import atexit
import errno
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from json import dumps
from pathlib import Path
from typing import IO

from tests.source_roots import PYTHONPATH, ROOT


class Forked:
    """A command that runs, with as much of `subprocess.Popen` as the tests need."""

    def __init__(self, pid: int, stdout: IO[str], stderr: IO[str], ended: IO[str]) -> None:
        self.pid, self.stdout, self.stderr = pid, stdout, stderr
        self.returncode: int | None = None
        self._ended, self._asking = ended, threading.Lock()

    def poll(self) -> int | None:
        """The exit code, or nothing while it runs."""
        return self._code(0)

    def wait(self, timeout: float | None = None) -> int:
        """The exit code. Raises: subprocess.TimeoutExpired."""
        code = self._code(timeout)
        if code is None:
            raise subprocess.TimeoutExpired("careline", timeout or 0)
        return code

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        """What is left to read of what it said, and of what it complained of, once it has ended."""
        self.wait(timeout)
        return self.stdout.read(), self.stderr.read()

    def send_signal(self, how: int) -> None:
        """Does nothing when it has ended, also when its end has not been reported yet."""
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, how)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)

    def _code(self, timeout: float | None) -> int | None:
        with self._asking:
            if self.returncode is None and select.select([self._ended], [], [], timeout)[0]:
                with self._ended as ended:
                    self.returncode = int(ended.readline())
            return self.returncode


class ForkServer:
    """The process that forks, one for all workers of a run: it ends with the last process of pytest that uses it."""

    def __init__(self) -> None:
        self._turn = threading.Lock()
        run = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))
        self._address = Path(tempfile.gettempdir()) / f"careline-{run}.forks"
        self._process = self._started()
        self._own = socket.socket(socket.AF_UNIX)
        self._own.connect(str(self._address))
        self._answers = self._own.makefile(encoding="utf-8")
        atexit.register(self.close)

    def start(
        self, arguments: Sequence[str], variables: Mapping[str, str], folder: Path, stdin: bytes = b"", *, live: bool
    ) -> Forked:
        """Start a command. `live`: what it says is read while it runs, and must fit a pipe after that."""
        with tempfile.TemporaryDirectory() as made:
            files = {name: Path(made) / name for name in ("stdin", "stdout", "stderr", "ended")}
            files["stdin"].write_bytes(stdin)
            files["stderr"].touch()
            os.mkfifo(files["ended"])
            if live:
                os.mkfifo(files["stdout"])
            else:
                files["stdout"].touch()
            stdout, stderr, ended = (_reader(files[name]) for name in ("stdout", "stderr", "ended"))
            request = {"arguments": list(arguments), "variables": dict(variables), "folder": str(folder)}
            pid = self._fork(dumps({**request, **{name: str(file) for name, file in files.items()}}))
        return Forked(pid, stdout, stderr, ended)

    def close(self) -> None:
        """Part from the process; it ends once nobody has more to fork, and whoever started it waits for that."""
        self._answers.close()
        self._own.close()
        if self._process is not None:
            self._process.wait()

    def _started(self) -> subprocess.Popen[bytes] | None:
        """The process, for the worker whose socket is there first: the others are heard when it is ready."""
        with socket.socket(socket.AF_UNIX) as listening:
            try:
                listening.bind(str(self._address))
            except OSError as error:
                if error.errno != errno.EADDRINUSE:
                    raise
                return None
            listening.listen()
            return subprocess.Popen(
                [sys.executable, "-m", "tests.journeys.fork_server", str(listening.fileno()), str(self._address)],
                stdin=subprocess.DEVNULL, cwd=ROOT, pass_fds=[listening.fileno()],
                env={**os.environ, "PYTHONPATH": PYTHONPATH, "OPENBLAS_NUM_THREADS": "1"},
            )  # fmt: skip

    def _fork(self, line: str) -> int:
        with self._turn:
            self._own.sendall(f"{line}\n".encode())
            return int(self._answers.readline())


def _reader(file: Path) -> IO[str]:
    """A file opened for reading, though nobody has opened the other end of a pipe yet."""
    number = os.open(file, os.O_RDONLY | os.O_NONBLOCK)
    os.set_blocking(number, True)
    return open(number, encoding="utf-8", newline="")


@cache
def fork_server() -> ForkServer:
    """The one of this process."""
    return ForkServer()
