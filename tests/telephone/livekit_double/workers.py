"""`/agent`: workers register, are asked whether they take a job, and get it."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass, field

from aiohttp import WSMsgType, web
from livekit.protocol import agent

from tests.telephone.livekit_double.access import agent_token, claims
from tests.telephone.livekit_double.rooms import Room, new_id
from tests.telephone.livekit_double.settings import DoubleSettings
from tests.telephone.livekit_double.signalling import server_info

HEARTBEAT_SECONDS = 60.0
logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Worker:
    """A worker that is connected. `available` is what it last said about itself."""

    socket: web.WebSocketResponse
    name: str = ""
    available: bool = True
    jobs: dict[str, agent.Job] = field(default_factory=dict)

    async def send(self, message: agent.ServerMessage) -> None:
        """Send a message of the worker protocol."""
        await self.socket.send_bytes(message.SerializeToString())


class Workers:
    """All workers that are connected."""

    def __init__(self, settings: DoubleSettings) -> None:
        self._settings = settings
        self._workers: list[Worker] = []

    async def dispatch(self, room: Room, name: str, metadata: str) -> None:
        """Ask a worker of this name to take the room. Where none is available nobody comes, as in LiveKit."""
        worker = next((one for one in self._workers if one.name == name and one.available), None)
        if worker is None:
            logger.warning("no worker is available")
            return
        job = agent.Job(
            id=new_id("AJ_"),
            dispatch_id=new_id("AD_"),
            type=agent.JT_ROOM,
            room=room.info(),
            agent_name=name,
            metadata=metadata,
        )
        worker.jobs[job.id] = job
        await worker.send(agent.ServerMessage(availability=agent.AvailabilityRequest(job=job)))

    async def serve(self, socket: web.WebSocketResponse) -> None:
        """Talk with one worker for as long as it is connected."""
        worker = Worker(socket)
        try:
            async for message in socket:
                if message.type is WSMsgType.BINARY:
                    await self._take(worker, agent.WorkerMessage.FromString(message.data))
        finally:
            if worker in self._workers:
                self._workers.remove(worker)

    async def _take(self, worker: Worker, message: agent.WorkerMessage) -> None:
        match message.WhichOneof("message"):
            case "register":
                worker.name = message.register.agent_name
                self._workers.append(worker)
                registered = agent.RegisterWorkerResponse(worker_id=new_id("AW_"), server_info=server_info())
                await worker.send(agent.ServerMessage(register=registered))
            case "availability":
                await self._assign(worker, message.availability)
            case "update_worker":
                worker.available = message.update_worker.status == agent.WS_AVAILABLE
            case "ping":
                now = int(time.time() * 1000)
                pong = agent.WorkerPong(last_timestamp=message.ping.timestamp, timestamp=now)
                await worker.send(agent.ServerMessage(pong=pong))

    async def _assign(self, worker: Worker, answer: agent.AvailabilityResponse) -> None:
        job = worker.jobs.pop(answer.job_id, None)
        if job is None or not answer.available:
            logger.warning("a worker refused a job")
            return
        token = agent_token(
            self._settings,
            answer.participant_identity,
            answer.participant_name,
            dict(answer.participant_attributes),
            job.room.name,
        )
        await worker.send(agent.ServerMessage(assignment=agent.JobAssignment(job=job, token=token)))


WORKERS = web.AppKey("workers", Workers)


async def connect(request: web.Request) -> web.WebSocketResponse:
    """Serve one worker."""
    claims(request)
    socket = web.WebSocketResponse(heartbeat=HEARTBEAT_SECONDS)
    await socket.prepare(request)
    await request.app[WORKERS].serve(socket)
    return socket
