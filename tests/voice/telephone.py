"""Calls in tests: a recorded caller, the worker's own session, emulated vendors, and our real server over fakes."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import pytest
import uvicorn

pytest.importorskip("livekit.agents", reason="requirements/voice.txt is not installed: `make voice`")

from careline.installation import Installation
from careline.runtime.warm_up import warm
from careline.tenants import tenant_records
from careline.tenants.tenant_records import Tenant
from careline_local import server
from careline_local.cli.up import listen
from careline_local.voice import deepgram, elevenlabs, sound
from careline_local.voice.script import Script, ScriptedUtterance
from careline_local.voice.simulate import Simulation, calling
from careline_local.voice.vendors import Vendors, emulated
from careline_voice.call import Caller
from careline_voice.line_setup import LineSetup
from tests.turn.turns import TENANT, a_hospital

HURRY = 30.0
"""How many times as quick as people the line speaks in tests."""
needs_espeak = pytest.mark.skipif(
    shutil.which("espeak-ng") is None, reason="espeak-ng is not installed: apt-get install espeak-ng"
)
speak = lru_cache(maxsize=200)(sound.speak)


@dataclass(slots=True)
class Telephone:
    """What a test can turn: how the call is heard and spoken to, and the server behind the line."""

    simulation: Simulation
    hearing: deepgram.Recognition
    speaking: elevenlabs.Speaking
    installation: Installation
    server: uvicorn.Server
    language: str = "nl"
    texts: list[str] = field(default_factory=list)

    def said(self) -> str:
        """Everything that was spoken to the caller so far."""
        return " ".join(text for _, text in self.speaking.said)

    def names(self) -> list[str]:
        """What happened so far."""
        return self.simulation.call.call_events.names()

    async def happened(self, name: str, seconds: float = 45.0) -> bool:
        """Wait for something to happen; False when it does not."""
        return await self.simulation.until(lambda: name in self.names(), seconds)

    async def ask(self, text: str) -> Any:
        """Say something in the call's language once the line is quiet, and wait for what is answered."""
        audio = self.expect(text)
        return await self.simulation.ask(audio)

    def expect(self, text: str, language: str | None = None) -> sound.Samples:
        """The caller is going to say this; the audio of it."""
        audio = speak(text, language or self.language)
        self.hearing.script.utterances.append(ScriptedUtterance.of(text, language or self.language, audio))
        return audio

    async def stop_server(self) -> None:
        """The orchestrator dies: connections break and nobody listens any more."""
        self.server.force_exit = self.server.should_exit = True
        for connection in list(self.server.server_state.connections):
            connection.transport.abort()
        for listening in self.server.servers:
            listening.close()


@asynccontextmanager
async def served(installation: Installation) -> AsyncIterator[tuple[str, uvicorn.Server]]:
    """The real server on a free port of loopback."""
    listener = listen("127.0.0.1", 0)
    config = uvicorn.Config(
        server.application(installation), log_level="critical", lifespan="on", timeout_graceful_shutdown=2
    )
    running = uvicorn.Server(config)
    task = asyncio.create_task(running.serve(sockets=[listener]))
    while not running.started:  # noqa: ASYNC110 - uvicorn has no event for it
        await asyncio.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}", running
    finally:
        running.should_exit = True
        await asyncio.wait({task})
        listener.close()


@asynccontextmanager
async def a_telephone(
    *answers: Sequence[str], hearing: dict[str, Any] | None = None, speaking: dict[str, Any] | None = None,
    accepts: bool = True, person: str | None = "sip:desk@example.invalid", language: str = "nl",
    helpdesk: str | None = None, **chosen: Any,
) -> AsyncIterator[Telephone]:  # fmt: skip
    """A call that has been taken: the line speaks its opening. `answers` are what the language model writes."""
    installation = await a_hospital(*answers, **chosen)
    await tenant_records.save(
        installation.engines.table, Tenant(TENANT, {"nl": "Testziekenhuis"}, helpdesk_phone=helpdesk)
    )
    await warm(installation)
    async with emulated() as vendors, served(installation) as (address, running):
        heard, spoken = vendors.expect("call", Script([]))
        spoken.hurry = HURRY
        for name, value in (hearing or {}).items():
            setattr(heard, name, value)
        for name, value in (speaking or {}).items():
            setattr(spoken, name, value)
        setup = await _setup(installation, address, vendors, person, language)
        try:
            async with calling(setup, Caller("talk", "32470111222"), accepts) as simulation:
                yield Telephone(simulation, heard, spoken, installation, running, language)
        finally:
            await setup.orchestrator.close()


async def _setup(
    installation: Installation, address: str, vendors: Vendors, person: str | None, language: str
) -> LineSetup:
    settings = installation.settings.with_changes(orchestrator={"url": address}, hospital={"transfer_to": person})
    setup = LineSetup.of(vendors.settings(settings, "call"))
    await setup.refresh()
    assert setup.line is not None
    setup.line = setup.line.model_copy(update={"default_language": language})
    return replace(setup)
