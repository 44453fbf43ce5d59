"""`python -m tests.telephone.livekit_double`: serves until it is told to stop. See `settings` for its environment."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
from pathlib import Path

from aiohttp import web

from tests.telephone.livekit_double import server_api, signalling, workers
from tests.telephone.livekit_double.access import SETTINGS
from tests.telephone.livekit_double.rooms import Rooms
from tests.telephone.livekit_double.settings import DoubleSettings
from tests.telephone.livekit_double.sip_endpoint import SipEndpoint
from tests.telephone.livekit_double.workers import Workers

PRIORITY = -10
READY = "ready"
"""Line on standard output once calls and workers are taken."""


async def serve(settings: DoubleSettings) -> None:
    """Serve signalling, workers, the API and SIP. Raises: OSError where an address is taken."""
    rooms, registered = Rooms(), Workers(settings)
    endpoint = SipEndpoint(settings, rooms, registered)
    app = web.Application()
    app[SETTINGS], app[signalling.ROOMS] = settings, rooms
    app[workers.WORKERS], app[server_api.SIP] = registered, endpoint
    app.add_routes(
        [
            web.get("/rtc", signalling.join),
            web.get("/rtc/validate", signalling.validate),
            web.get("/agent", workers.connect),
            web.post("/twirp/{service}/{method}", server_api.serve),
        ]
    )
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.5)
    await runner.setup()
    await web.TCPSite(runner, settings.host, settings.port).start()
    loop, told = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, told.set)
    transport, _ = await loop.create_datagram_endpoint(lambda: endpoint, local_addr=endpoint.local)
    print(READY, flush=True)  # noqa: T201 - whoever started this waits for it
    await told.wait()
    transport.close()
    await runner.cleanup()


def hurry() -> None:
    """Go before other work where that is allowed: what this stands for would run on a machine of its own."""
    with contextlib.suppress(OSError):
        os.nice(PRIORITY)
        # Linux may weigh sessions before processes, and this is a session of its own.
        Path("/proc/self/autogroup").write_text(str(PRIORITY), "ascii")


if __name__ == "__main__":
    hurry()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s %(message)s")
    asyncio.run(serve(DoubleSettings.load()))
