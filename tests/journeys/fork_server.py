"""A process that has read what commands need and forks one for each line it is sent: a second or two less for each.

It is given the number of a socket that listens and the address of that; lines come from whoever connects. A line is a
JSON object: `arguments`, `variables` and `folder` of a command, and the files `stdin`, `stdout`, `stderr` and `ended`
it is to use. The process id is answered at once; the exit code is written to `ended`.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import select
import signal
import socket
import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import IO, Any

from careline import bootstrap
from careline.engines.embedded import embedder, reader
from careline.engines.embedded.e5.model import E5Model
from careline.model import LANGUAGES
from careline.privacy.detect import Detector
from careline.runtime import warm_up
from careline.safety.injection.document_screen import read_document_screen
from careline.settings import Settings
from careline.text.languages import FrequentWordsThenStatistics
from careline_local.cli import main as command_line

IMPORTED_LATE = (
    "careline.turn.pipeline", "careline_local.server", "sqlite3", "uvicorn.lifespan.on", "uvicorn.loops.asyncio",
    "uvicorn.protocols.http.h11_impl", "cryptography.hazmat.primitives.ciphers.aead",
    "cryptography.hazmat.primitives.kdf.hkdf", "careline.engines.embedded.clock",
    "careline.engines.embedded.files", "careline.engines.embedded.passage_index.index",
    "careline.engines.embedded.job_launcher", "careline.engines.embedded.key_check",
    "careline.engines.embedded.outbox", "careline.engines.embedded.table",
)  # fmt: skip
"""What commands import while they run."""
STREAMS = {"stdin": os.O_RDONLY, "stdout": os.O_WRONLY, "stderr": os.O_WRONLY, "ended": os.O_WRONLY}
NOT_IMPORTED = ("bench",)
FIRST_SECONDS = 60.0
"""What is waited for somebody to connect."""


class Forks:
    """Commands that were forked, and who asked for them."""

    def __init__(self, listening: socket.socket, address: Path) -> None:
        self._listening, self._address = listening, address
        self._woken, self._wake = os.pipe()
        self._asking: dict[IO[str], socket.socket] = {}
        self._running: dict[int, int] = {}

    def serve(self) -> bool:
        """Fork until everybody has gone. Whether this is a forked process, which has a command to run."""
        for end in (self._woken, self._wake):
            os.set_blocking(end, False)
        signal.set_wakeup_fd(self._wake)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        while True:
            ready = select.select([self._listening, self._woken, *self._asking], [], [], FIRST_SECONDS)[0]
            if self._woken in ready:
                os.read(self._woken, 4096)
                report_ended(self._running)
            if self._listening in ready:
                self._accept()
            for one in [each for each in self._asking if each in ready]:
                if self._answer(one):
                    return True
            if not self._asking and not self._anybody_came():
                return False

    def _accept(self) -> None:
        came = self._listening.accept()[0]
        self._asking[came.makefile(encoding="utf-8")] = came

    def _anybody_came(self) -> bool:
        """Nobody can after the address is gone; who was there before that is answered."""
        self._address.unlink(missing_ok=True)
        if not select.select([self._listening], [], [], 0)[0]:
            return False
        self._accept()
        return True

    def _answer(self, asking: IO[str]) -> bool:
        """Fork for the next line. Whether this is the forked process."""
        if not (line := asking.readline()):
            self._asking.pop(asking).close()
            asking.close()
            return False
        request = json.loads(line)
        stdin, stdout, stderr, ended = (os.open(request[name], way) for name, way in STREAMS.items())
        if (pid := os.fork()) == 0:
            ours = (self._listening.fileno(), *(one.fileno() for one in self._asking), *self._running.values())
            for each in (self._woken, self._wake, ended, *ours):
                os.close(each)
            become(request, (stdin, stdout, stderr))
            return True
        for each in (stdin, stdout, stderr):
            os.close(each)
        self._running[pid] = ended
        self._asking[asking].sendall(f"{pid}\n".encode())
        return False


def report_ended(running: dict[int, int]) -> None:
    """Write the exit code of every command that has ended where its starter waits for it."""
    while running:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if not pid:
            return
        ended = running.pop(pid)
        os.write(ended, f"{os.waitstatus_to_exitcode(status)}\n".encode())
        os.close(ended)


def become(request: dict[str, Any], streams: tuple[int, int, int]) -> None:
    """Make the forked process what a command starts as."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.environ.clear()
    os.environ.update(request["variables"])
    os.chdir(request["folder"])
    sys.argv = [command_line.__file__, *request["arguments"]]


def prepare() -> None:
    """Import what commands import, and read what each process reads once: lists, rules, packs and models as shipped.

    Nothing here may start a thread: only this thread is in a forked process.
    """
    for module in (*map(command_line.module_of, command_line.COMMANDS), *IMPORTED_LATE):
        if module.rpartition(".")[2] not in NOT_IMPORTED:
            import_module(module)
    for language in (None, *LANGUAGES):
        Detector().find("mijn naam is an maes, two of three, 0470 12 34 56, an.maes@example.org", language)
    FrequentWordsThenStatistics().identify("in which language is this", of_any=True)
    for rule_set in read_document_screen().rule_sets.values():
        rule_set.compile()
    read_packs()
    load_models()
    keep()


def read_packs() -> None:
    """A folder of packs is read once, and the screens of those that are shipped are ready."""
    bootstrap.load_packs = cache(bootstrap.load_packs)
    for language in LANGUAGES:
        warm_up.read_word_lists(language)
    for pack in bootstrap.load_packs(Settings().packs).values():
        warm_up.ready_screens(pack)


def load_models() -> None:
    """Every installation gets the same embedder and the same reader, loaded; their pools have no thread yet."""
    shared = E5Model()
    embedding, reading = embedder.E5Embedder(shared=shared), reader.E5Reader(shared)
    embedding.load(whole=True)
    reading.load()
    embedder.E5Embedder = lambda **_: embedding
    # Without a budget of time, so that a test finds the same on every machine.
    reader.E5Reader = lambda _, **__: reading


def keep() -> None:
    """Let what is there now outlive every forked process: each would spend a fifth of a second on freeing its copy."""
    gc.collect()
    for held in gc.get_objects():
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(held))
    gc.freeze()


if __name__ == "__main__":
    number, where = sys.argv[1:]
    prepare()
    if Forks(socket.socket(fileno=int(number)), Path(where)).serve():
        command_line.main(prog_name="python -m careline_local.cli.main")
