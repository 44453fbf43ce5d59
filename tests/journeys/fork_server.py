"""A process that has imported what commands need and forks one for each line it is sent: half a second less for each.

A line is a JSON object: `arguments`, `variables` and `folder` of a command, and the files `stdin`, `stdout`, `stderr`
and `ended` it is to use. The process id is answered at once; the exit code is written to `ended`.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
from importlib import import_module
from typing import Any

from careline.privacy.detect import Detector
from careline.safety.injection.document_screen import read_document_screen
from careline_local.cli import main as command_line

IMPORTED_LATE = ("careline.turn.pipeline", "careline_local.server", "sqlite3")
"""What commands import while they run."""
STREAMS = {"stdin": os.O_RDONLY, "stdout": os.O_WRONLY, "stderr": os.O_WRONLY, "ended": os.O_WRONLY}
NOT_IMPORTED = ("bench",)


def serve() -> bool:
    """Fork until there are no more lines. Whether this is a forked process, which has a command to run."""
    woken, wake = os.pipe()
    for end in (woken, wake):
        os.set_blocking(end, False)
    signal.set_wakeup_fd(wake)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    running: dict[int, int] = {}
    while True:
        if woken in select.select([0, woken], [], [])[0]:
            os.read(woken, 4096)
            report_ended(running)
            continue
        if not (line := sys.stdin.readline()):
            return False
        request = json.loads(line)
        stdin, stdout, stderr, ended = (os.open(request[name], way) for name, way in STREAMS.items())
        if (pid := os.fork()) == 0:
            for each in (woken, wake, ended, *running.values()):
                os.close(each)
            become(request, (stdin, stdout, stderr))
            return True
        for each in (stdin, stdout, stderr):
            os.close(each)
        running[pid] = ended
        os.write(1, f"{pid}\n".encode())


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
    """Import what commands import, and read the lists and rules that are read once for each process.

    No library may be among them that starts threads when it is imported: only this thread is in a forked process.
    """
    for module in (*(f"careline_local.cli.{name.replace('-', '_')}" for name in command_line.COMMANDS), *IMPORTED_LATE):
        if module.rpartition(".")[2] not in NOT_IMPORTED:
            import_module(module)
    Detector().find("mijn naam is an maes, two of three", None)
    for rule_set in read_document_screen().rule_sets.values():
        rule_set.compile()


if __name__ == "__main__":
    prepare()
    if serve():
        command_line.main(prog_name="python -m careline_local.cli.main")
