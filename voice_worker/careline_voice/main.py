"""The worker's process: waits for calls that LiveKit dispatches, one job each, and lets them finish when it is stopped.

Start with `python -m careline_voice.main start`; LIVEKIT_URL, LIVEKIT_API_KEY and LIVEKIT_API_SECRET say where.
"""

from __future__ import annotations

import logging
import secrets
import tempfile
from functools import partial

import aiohttp
from livekit import rtc
from livekit.agents import AgentServer, JobContext, JobProcess, cli

from careline.set_aside import set_aside
from careline.settings import Settings
from careline_voice.call import Call, Caller
from careline_voice.call_events import CallEvents
from careline_voice.call_transfer import SipDesk
from careline_voice.line_setup import LineSetup
from careline_voice.metrics import CallMetrics

SIP = rtc.ParticipantKind.PARTICIPANT_KIND_SIP
NUMBER = "sip.phoneNumber"
MOST_DIGITS = 20
FULL = 0.999
PRIVATE = "lk.pii."
"""Beginning of the log fields in which the framework puts what was said."""
PRELOADED = ["careline_voice.call", "careline_voice.metrics", "anyio.streams.memory", "anyio._backends._asyncio"]
"""Read once and shared by the processes of all calls, where the system can fork; else, and where one is missing, they
are read when they are first needed, which on some calls is while somebody speaks."""


class PrivateFields(logging.Filter):
    """Takes what a caller or the line said out of the framework's log records."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Every record stays, without those fields and without an exception's own message."""
        for name in [name for name in vars(record) if name.startswith(PRIVATE)]:
            delattr(record, name)
        return True


def keep_logs_private() -> None:
    """Put the filter before everything that writes log records in this process."""
    for handler in logging.getLogger().handlers:
        if not any(isinstance(one, PrivateFields) for one in handler.filters):
            handler.addFilter(PrivateFields())


def prepare(process: JobProcess) -> None:
    """Make a process ready before its call rings. Raises: SettingsInvalid."""
    keep_logs_private()
    process.userdata["metrics"] = CallMetrics()
    process.userdata["setup"] = LineSetup.of(Settings.load())
    set_aside()


async def answer(job: JobContext) -> None:
    """Take one call, and stay until it is over."""
    setup: LineSetup = job.proc.userdata["setup"]
    call_events = CallEvents()
    job.proc.userdata["metrics"].follow(call_events)
    await job.connect()
    participant = await job.wait_for_participant(kind=SIP)
    await setup.refresh()
    async with aiohttp.ClientSession() as http:
        call = Call(setup, caller_of(participant), SipDesk(job, participant), http, call_events)
        job.room.on("sip_dtmf_received", lambda pressed: call.press(pressed.digit))
        try:
            await call.start(room=job.room)
            await call.wait_closed()
        finally:
            await call.close()
            await setup.orchestrator.close()
    job.shutdown("the call is over")


def caller_of(participant: rtc.RemoteParticipant) -> Caller:
    """Who calls, by the SIP participant's attributes; a withheld number is nobody's."""
    digits = "".join(sign for sign in participant.attributes.get(NUMBER, "") if sign.isdecimal() and sign.isascii())
    return Caller(f"call-{secrets.token_hex(8)}", digits[:MOST_DIGITS] or None)


def load(calls: int, server: AgentServer) -> float:
    """How full the worker is, by the calls it holds: 1 where it takes no more; LiveKit asks another one then."""
    return len(server.active_jobs) / calls


def worker(settings: Settings) -> AgentServer:
    """The worker of these settings: its name, its health and metrics endpoints, and how long it lets calls finish."""
    server = AgentServer(
        setup_fnc=prepare,
        preload_modules=PRELOADED,
        host=settings.voice_host,
        port=settings.voice_health_port,
        prometheus_port=settings.voice_metrics_port,
        prometheus_multiproc_dir=tempfile.mkdtemp(prefix="careline-metrics-"),
        drain_timeout=settings.voice_drain_seconds,
        load_fnc=partial(load, settings.voice_calls),
        load_threshold=FULL,
    )
    server.on("worker_started", keep_logs_private)
    server.rtc_session(answer, agent_name=settings.voice_agent_name)
    return server


def main() -> None:
    """The command line of the worker."""
    cli.run_app(worker(Settings.load()))


if __name__ == "__main__":
    main()
