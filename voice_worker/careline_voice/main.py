"""The worker's process: waits for calls that LiveKit dispatches, one job each, and lets them finish when it is stopped.

Start with `python -m careline_voice.main start`; LIVEKIT_URL, LIVEKIT_API_KEY and LIVEKIT_API_SECRET say where.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import tempfile
from functools import partial

import aiohttp
from livekit import rtc
from livekit.agents import AgentServer, JobContext, JobProcess, cli
from livekit.agents.cli.log import JsonFormatter

from careline.log import context
from careline.log.formatters import JsonLines, Stamp
from careline.runtime.set_aside import set_aside
from careline.settings import PhoneSettings
from careline_voice import call_log
from careline_voice.call import Call, Caller
from careline_voice.call_events import CallEvents
from careline_voice.call_transfer import SipDesk
from careline_voice.fargate.ecs_task import EcsTask
from careline_voice.fargate.figures import CallFigures, FigureLog
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


class PrivateFields(Stamp):
    """Takes what a caller or the line said out of log records, and puts the ids of the call on them.

    A call has a process of its own, which sends its records to the worker's: there nobody knows whose they are.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Every record stays, without those fields and without an exception's own message."""
        for name in [name for name in vars(record) if name.startswith(PRIVATE)]:
            delattr(record, name)
        return super().filter(record)


def keep_logs_private() -> None:
    """Put the filter before everything that writes log records in this process, in the lines of all of Careline where
    they are not for a terminal."""
    for handler in logging.getLogger().handlers:
        if not any(isinstance(one, PrivateFields) for one in handler.filters):
            handler.addFilter(PrivateFields())
        if isinstance(handler.formatter, JsonFormatter):
            handler.setFormatter(JsonLines("voice-worker"))


def prepare(process: JobProcess) -> None:
    """Make a process ready before its call rings. Raises: SettingsInvalid."""
    keep_logs_private()
    process.userdata["metrics"] = CallMetrics()
    process.userdata["setup"] = LineSetup.of(PhoneSettings.load())
    set_aside()


async def answer(job: JobContext) -> None:
    """Take one call, and stay until it is over."""
    setup: LineSetup = job.proc.userdata["setup"]
    call_events = CallEvents()
    job.proc.userdata["metrics"].follow(call_events)
    call_log.follow(call_events)
    if figures := FigureLog.of(setup.settings):
        CallFigures(figures).follow(call_events)
    await job.connect()
    participant = await job.wait_for_participant(kind=SIP)
    caller = caller_of(participant)
    context.add_to_process(call=caller.conversation_id, tenant=setup.settings.tenant)
    await setup.refresh()
    async with aiohttp.ClientSession() as http:
        call = Call(setup, caller, SipDesk(job, participant), http, call_events)
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


def load(calls: int, task: EcsTask, server: AgentServer) -> float:
    """How full the worker is, by the calls it holds: 1 where it takes no more; LiveKit asks another one then."""
    return 1.0 if task.outdated else len(server.active_jobs) / calls


class Worker(AgentServer):
    """The framework's server, whose own log is ours from its first line on, with the task that it runs in."""

    task: EcsTask

    async def run(self, *, devmode: bool = False, unregistered: bool = False) -> None:
        """See `AgentServer.run`."""
        keep_logs_private()
        beside: list[asyncio.Task[None]] = []
        # Before that there are no calls to be asked for.
        self.once("worker_started", lambda: beside.append(asyncio.create_task(self.task.run())))
        try:
            await super().run(devmode=devmode, unregistered=unregistered)
        finally:
            for each in beside:
                each.cancel()
            await asyncio.gather(*beside, return_exceptions=True)


def worker(phone: PhoneSettings) -> AgentServer:
    """The worker of these settings: its name, its health and metrics endpoints, and how long it lets calls finish."""
    settings = phone.voice
    task = EcsTask(phone, lambda: len(server.active_jobs))
    server = Worker(
        setup_fnc=prepare,
        preload_modules=PRELOADED,
        host=settings.host,
        port=settings.health_port,
        prometheus_port=settings.metrics_port,
        prometheus_multiproc_dir=tempfile.mkdtemp(prefix="careline-metrics-"),
        drain_timeout=settings.drain_seconds,
        load_fnc=partial(load, settings.calls, task),
        load_threshold=FULL,
    )
    server.task = task
    server.rtc_session(answer, agent_name=settings.agent_name, on_request=task.accept)
    return server


def main() -> None:
    """The command line of the worker."""
    cli.run_app(worker(PhoneSettings.load()))


if __name__ == "__main__":
    main()
