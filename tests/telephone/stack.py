"""LiveKit or its double, and our worker, as processes of their own: told by environment variables where all is."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from livekit import api

from careline_local.telephone.phone_line import LineAtLiveKit, WantedLine
from careline_local.voice import deepgram, elevenlabs
from tests.source_roots import ROOT
from tests.telephone.processes import free_port, process, until

ARTEFACTS = ROOT / "build" / "telephone"
"""Where recordings and logs stay after the tests."""
NUMBER = "+3211901000"
CALL = "telephone"
"""The name of the calls at the emulated vendors: a worker has one address for each of them."""
START_SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class LiveKit:
    """Where LiveKit and its SIP service are. `environment` is what a worker and the double read."""

    environment: Mapping[str, str]

    @classmethod
    def of_environment(cls) -> LiveKit | None:
        """The one that environment variables name; None where they name none."""
        names = ("LIVEKIT_URL", "LIVEKIT_API_KEY", "LIVEKIT_API_SECRET", "TELEPHONE_SIP")
        told = {name: os.environ[name] for name in names if name in os.environ}
        return cls(told) if len(told) == len(names) else None

    @classmethod
    def of_our_own(cls, host: str = "127.0.0.1") -> LiveKit:
        """One for a double on free ports."""
        signalling, sip = free_port(host), free_port(host)
        return cls(
            {
                "LIVEKIT_URL": f"ws://{host}:{signalling}",
                "LIVEKIT_API_KEY": "test",
                "LIVEKIT_API_SECRET": "a secret of tests, of 32 signs or more",
                "TELEPHONE_SIP": f"{host}:{sip}",
                "TELEPHONE_ANSWER_SECONDS": "60",
            }
        )

    @property
    def line(self) -> str:
        """The address that a caller dials."""
        number = os.environ.get("TELEPHONE_NUMBER", NUMBER)
        return f"sip:{number}@{self.environment['TELEPHONE_SIP']}"


@asynccontextmanager
async def a_double(livekit: LiveKit, log: Path) -> AsyncIterator[None]:
    """The double, served at these addresses."""
    command = [sys.executable, "-m", "tests.telephone.livekit_double"]
    async with process(log, *command, environment=livekit.environment):
        if not await until(lambda: b"ready" in log.read_bytes(), START_SECONDS):
            raise TimeoutError(f"the double did not start; {log} says why")
        yield


async def set_up_line(livekit: LiveKit, agent: str) -> None:
    """Make the trunk and the dispatch rule that send calls of the number to the worker, as `careline phone` does."""
    told = livekit.environment
    async with api.LiveKitAPI(
        told["LIVEKIT_URL"].replace("ws", "http", 1), told["LIVEKIT_API_KEY"], told["LIVEKIT_API_SECRET"]
    ) as server:
        wanted = WantedLine("hospital", (NUMBER,), ("127.0.0.0/8", "192.0.2.0/24"), agent, encrypted=False)
        await (await LineAtLiveKit.read(server, wanted)).apply(server)


@asynccontextmanager
async def a_worker(
    livekit: LiveKit, vendors_port: int, orchestrator: str, home: Path, log: Path, **more: str
) -> AsyncIterator[asyncio.subprocess.Process]:
    """The worker as it is deployed, registered and ready for a call. `more` are settings of its environment."""
    base = f"http://127.0.0.1:{vendors_port}"
    voices = ",".join(f"{language}={voice}" for voice, language in elevenlabs.VOICES.items())
    settings = {
        "CARELINE_HOME": str(home),
        "CARELINE_ORCHESTRATOR_URL": orchestrator,
        "CARELINE_DEEPGRAM_URL": f"{base}/deepgram/{CALL}/v1/listen",
        "CARELINE_DEEPGRAM_API_KEY": deepgram.KEY,
        "CARELINE_ELEVENLABS_URL": f"{base}/elevenlabs/{CALL}",
        "CARELINE_ELEVENLABS_API_KEY": elevenlabs.KEY,
        "CARELINE_ELEVENLABS_VOICES": voices,
        "CARELINE_VOICE_METRICS_PORT": str(free_port()),
        **more,
    }
    environment = {**livekit.environment, **settings}
    async with process(log, sys.executable, "-m", "careline_voice.main", "start", environment=environment) as worker:
        if not await until(lambda: b"registered worker" in log.read_bytes(), START_SECONDS):
            raise TimeoutError(f"the worker did not register; {log} says why")
        yield worker
