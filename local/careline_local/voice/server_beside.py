"""The orchestrator in a process of its own, so that its work never delays a frame of audio."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from careline.errors import EngineUnavailable
from careline_local.loaded import first_line, wait_until_loaded

STOP_SECONDS = 15.0


@asynccontextmanager
async def serving(home: Path, environment: dict[str, str] | None = None) -> AsyncIterator[str]:
    """The address of `careline up` on this home, once all is loaded, for as long as the block runs.

    Raises: EngineUnavailable when it does not start; it says why on standard error.
    """
    # It belongs to the call alone: other commands of the home go on asking the server that they asked before.
    up = ("up", "--port", "0", "--no-announce", "--json")
    command = [sys.executable, "-m", "careline_local.cli.main", "--home", str(home), *up]
    process = await asyncio.create_subprocess_exec(
        *command, stdout=asyncio.subprocess.PIPE, env={**os.environ, **(environment or {})}
    )
    try:
        assert process.stdout is not None
        address = _address(await first_line(process.stdout))
        await asyncio.to_thread(wait_until_loaded, address.removeprefix("http://"))
        yield address
    finally:
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.terminate()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), STOP_SECONDS)
        if process.returncode is None:
            process.kill()
            await process.wait()


def _address(line: bytes) -> str:
    try:
        return str(json.loads(line)["address"])
    except (ValueError, KeyError):
        raise EngineUnavailable("the server beside the call did not start; `careline up` says why") from None
