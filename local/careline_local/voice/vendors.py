"""Both vendors on one port of this machine, and the settings that send a call there."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from aiohttp import web
from pydantic import SecretStr

from careline.settings import PhoneSettings
from careline_local.voice import deepgram, elevenlabs
from careline_local.voice.script import Script


@dataclass(slots=True)
class Vendors:
    """The emulators of one run: how each call is heard and spoken to, by its name."""

    port: int
    hearing: dict[str, deepgram.Recognition]
    speaking: dict[str, elevenlabs.Speaking]

    def expect(self, call: str, script: Script) -> tuple[deepgram.Recognition, elevenlabs.Speaking]:
        """Be ready for a call."""
        self.hearing[call], self.speaking[call] = deepgram.Recognition(script), elevenlabs.Speaking()
        return self.hearing[call], self.speaking[call]

    def settings(self, settings: PhoneSettings, call: str) -> PhoneSettings:
        """The settings with the emulators in place of the vendors."""
        base = f"http://127.0.0.1:{self.port}"
        voices = {language: voice for voice, language in elevenlabs.VOICES.items()}
        return settings.with_changes(
            deepgram={"url": f"{base}/deepgram/{call}/v1/listen", "api_key": SecretStr(deepgram.KEY)},
            elevenlabs={"url": f"{base}/elevenlabs/{call}", "api_key": SecretStr(elevenlabs.KEY), "voices": voices},
        )


@asynccontextmanager
async def emulated(*more: web.RouteDef, vendors: Vendors | None = None) -> AsyncIterator[Vendors]:
    """The emulators, and `more` beside them, on a free port of loopback, for as long as the block runs. They are those
    of `vendors`, where some are given.
    """
    vendors = vendors or Vendors(0, {}, {})
    app = web.Application()
    app.add_routes(deepgram.routes(vendors.hearing.__getitem__))
    app.add_routes(elevenlabs.routes(vendors.speaking.__getitem__))
    app.add_routes(more)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        vendors.port = runner.addresses[0][1]
        yield vendors
    finally:
        await runner.cleanup()
