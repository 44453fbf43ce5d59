"""The other side of a call by a written scenario: sipp, for what a telephone cannot be told to do."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.telephone.processes import free_port, process

SCENARIOS = Path(__file__).parent / "sipp"


@asynccontextmanager
async def a_scenario(
    name: str, log: Path, address: str, *, port: int | None = None, calling: str | None = None
) -> AsyncIterator[asyncio.subprocess.Process]:
    """A scenario for one call, which ends with status 0 when all went as it is written.

    It calls the address of a line, `sip:number@host:port`, or waits on `port` for a call.
    """
    command = [
        "sipp",
        "-sf",
        str(SCENARIOS / f"{name}.xml"),
        "-i",
        address,
        "-mi",
        address,
        "-p",
        str(port or free_port()),
    ]
    command += ["-m", "1", "-nostdin", "-trace_err", "-error_file", str(log.with_suffix(".errors"))]
    if calling is not None:
        command += ["-key", "line", calling, calling.partition("@")[2]]
    async with process(log, *command) as running:
        yield running
