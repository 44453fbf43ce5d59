"""The emulated vendors in a process of their own, so that their work is no work of the process that is measured."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from careline.errors import EngineUnavailable
from careline_local.loaded import first_line
from careline_local.voice import deepgram, elevenlabs, sound
from careline_local.voice.script import Script, ScriptedUtterance
from careline_local.voice.vendors import Vendors, emulated

ROUNDS = 10
"""How often a caller may go through what there is to say."""
STOP_SECONDS = 5.0


@asynccontextmanager
async def vendors_beside(texts: Sequence[str], language: str, hurry: float) -> AsyncIterator[Vendors]:
    """Emulators to which every caller says these texts, again and again, and which speak `hurry` times as quick as
    somebody would. Raises: EngineUnavailable when they do not start.
    """
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", __name__, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(json.dumps({"texts": [*texts], "language": language, "hurry": hurry}).encode() + b"\n")
        port = await first_line(process.stdout)
        if not port.strip().isdigit():
            raise EngineUnavailable("the emulated vendors did not start; they say why on standard error")
        yield Vendors(int(port), {}, {})
    finally:
        # They end with their input, and so with whoever started them.
        process.stdin.close()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), STOP_SECONDS)
        if process.returncode is None:
            process.kill()
            await process.wait()


async def serve() -> None:
    """Serve what the first line of standard input says until that ends; the port is the first line of the output."""
    told = json.loads(await asyncio.to_thread(sys.stdin.readline))
    said = [ScriptedUtterance.of(text, told["language"], sound.speak(text, told["language"])) for text in told["texts"]]
    callers = Vendors(
        0,
        defaultdict(lambda: deepgram.Recognition(Script(said * ROUNDS))),
        defaultdict(lambda: elevenlabs.Speaking(hurry=told["hurry"])),
    )
    async with emulated(vendors=callers) as vendors:
        print(vendors.port, flush=True)  # noqa: T201 - whoever started this waits for it
        await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(serve())
