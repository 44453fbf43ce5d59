"""Programs that a test starts: written to a log, and ended when the test is over."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import secrets
import signal
import socket
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from tests.source_roots import PYTHONPATH

DIES_WITH_US = ("setpriv", "--pdeathsig", "TERM")
"""A run of the tests that is stopped leaves nothing behind (util-linux)."""
STOP_SECONDS = 15.0
LOOK_SECONDS = 0.05
_ports = itertools.count(20_000 + 10 * secrets.randbelow(1000), 10)


@asynccontextmanager
async def process(
    log: Path, *command: str, environment: Mapping[str, str] | None = None
) -> AsyncIterator[asyncio.subprocess.Process]:
    """A program with its output in `log`; it is asked to end, and killed when it does not."""
    inherited = {**os.environ, "PYTHONPATH": os.pathsep.join([PYTHONPATH, os.environ.get("PYTHONPATH", "")])}
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("wb") as output:
        running = await asyncio.create_subprocess_exec(
            *DIES_WITH_US,
            *command,
            env={**inherited, **(environment or {})},
            stdin=asyncio.subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    try:
        yield running
    finally:
        await stop(running)


async def stop(running: asyncio.subprocess.Process) -> None:
    """End a program; where it does not end, kill it with whatever it has started."""
    if running.returncode is not None:
        return
    running.terminate()
    try:
        await asyncio.wait_for(running.wait(), STOP_SECONDS)
    except TimeoutError:
        # It leads a group of its own, in which its children are.
        os.killpg(running.pid, signal.SIGKILL)
        await running.wait()


async def until(reached: Callable[[], bool], seconds: float, look: float = LOOK_SECONDS) -> bool:
    """Wait for something; False when it does not happen in time. `look` is between two looks, in seconds."""
    limit = asyncio.get_running_loop().time() + seconds
    while not reached():
        if asyncio.get_running_loop().time() > limit:
            return False
        await asyncio.sleep(look)
    return True


def free_port(host: str = "127.0.0.1") -> int:
    """A port that nobody uses now, for UDP and TCP, and the nine after it: none that the system gives out by itself."""
    for port in _ports:
        with contextlib.suppress(OSError), socket.socket() as tcp, socket.socket(type=socket.SOCK_DGRAM) as udp:
            tcp.bind((host, port))
            udp.bind((host, port))
            return port
    raise AssertionError("unreachable: there is always another port")
