"""A worker that is told to stop lets the call finish that it holds, and takes no other."""

from __future__ import annotations

import asyncio
import signal

import pytest

from tests.telephone.line import CALLER, Line, a_call, quiet
from tests.telephone.phone import a_phone

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.long_call, pytest.mark.timeout(300)]
RINGING_SECONDS = 6.0
STOP_SECONDS = 30.0


async def test_a_call_goes_on_in_a_worker_that_is_stopped_and_no_new_one_is_taken(line: Line) -> None:
    async with a_call(line, "drained") as call:
        assert await quiet(call.phone)
        assert line.worker is not None
        line.worker.send_signal(signal.SIGTERM)
        async with a_phone(line.folder / "too-late" / "caller", line.address, CALLER) as late:
            await late.dial(line.livekit.line)
            assert not await late.reported("CALL_ESTABLISHED", RINGING_SECONDS)
            await late.hang_up()
        assert "welkom" in await call.ask("Wanneer is het bezoekuur op de afdeling?")
        assert line.worker.returncode is None
    assert await asyncio.wait_for(line.worker.wait(), STOP_SECONDS) == 0
