"""`/rtc`: a client joins a room over a web socket and says what it wants there."""

from __future__ import annotations

import logging
import time

from aiohttp import WSMsgType, web
from livekit import api
from livekit.protocol import models, rtc

from tests.telephone.livekit_double.access import claims
from tests.telephone.livekit_double.rooms import AGENT, SIP, Room, Rooms, new_id
from tests.telephone.livekit_double.webrtc_participant import WebRtcParticipant

VERSION, PROTOCOL = "1.9.0", 15
PING_SECONDS, PING_TIMEOUT_SECONDS, HEARTBEAT_SECONDS = 5, 15, 20.0
KINDS = {"agent": AGENT, "sip": SIP}
ROOMS = web.AppKey("rooms", Rooms)
logger = logging.getLogger(__name__)


def server_info() -> models.ServerInfo:
    """What the double tells clients about itself."""
    return models.ServerInfo(version=VERSION, protocol=PROTOCOL, edition=models.ServerInfo.Standard)


async def join(request: web.Request) -> web.WebSocketResponse:
    """Serve one client for as long as it stays."""
    granted = claims(request)
    rooms = request.app[ROOMS]
    room = rooms.open(granted.video.room)
    socket = web.WebSocketResponse(heartbeat=HEARTBEAT_SECONDS)
    await socket.prepare(request)
    hears = request.query.get("auto_subscribe", "1") in {"1", "true"}
    client = WebRtcParticipant(rooms, room, _participant(granted), hears, socket)
    others = [one.info for one in room.others(client)]
    await client.join()
    client.signal(join=_joined(room, client, others))
    await client.offer()
    if hears:
        await client.hear_everybody()
    try:
        async for message in socket:
            if message.type is WSMsgType.BINARY:
                await take(client, rtc.SignalRequest.FromString(message.data))
    finally:
        await client.leave()
    return socket


async def validate(request: web.Request) -> web.Response:
    """`/rtc/validate`: whether a token lets its holder in."""
    claims(request)
    return web.Response(text="success")


async def take(client: WebRtcParticipant, request: rtc.SignalRequest) -> None:
    """Do what a signal asks for; kinds that a telephone call needs not are passed over."""
    match request.WhichOneof("message"):
        case "offer":
            await client.offered(request.offer)
        case "answer":
            await client.answered(request.answer)
        case "trickle":
            await client.candidate(request.trickle)
        case "add_track":
            client.announced(request.add_track)
        case "subscription" if request.subscription.subscribe:
            await _subscribe(client, request.subscription)
        case "update_metadata":
            _update(client, request.update_metadata)
        case "ping_req":
            now = int(time.time() * 1000)
            client.signal(pong_resp=rtc.Pong(last_ping_timestamp=request.ping_req.timestamp, timestamp=now))
        case "leave":
            await client.leave()


async def _subscribe(client: WebRtcParticipant, wanted: rtc.UpdateSubscription) -> None:
    for one in client.room.others(client):
        for track in wanted.track_sids:
            if track in one.tracks:
                await client.hear(one, track)


def _update(client: WebRtcParticipant, told: rtc.UpdateParticipantMetadata) -> None:
    client.info.metadata = told.metadata or client.info.metadata
    client.info.name = told.name or client.info.name
    client.set_attributes(told.attributes)
    client.signal(request_response=rtc.RequestResponse(request_id=told.request_id))


def _participant(granted: api.Claims) -> models.ParticipantInfo:
    return models.ParticipantInfo(
        sid=new_id("PA_"),
        identity=granted.identity,
        name=granted.name,
        state=models.ParticipantInfo.ACTIVE,
        kind=KINDS.get(granted.kind, models.ParticipantInfo.STANDARD),
        metadata=granted.metadata,
        attributes=granted.attributes,
        joined_at=int(time.time()),
        permission=models.ParticipantPermission(
            can_subscribe=True, can_publish=True, can_publish_data=True, can_update_metadata=True
        ),
    )


def _joined(room: Room, client: WebRtcParticipant, others: list[models.ParticipantInfo]) -> rtc.JoinResponse:
    return rtc.JoinResponse(
        room=room.info(),
        participant=client.info,
        other_participants=others,
        server_version=VERSION,
        server_info=server_info(),
        subscriber_primary=True,
        ping_interval=PING_SECONDS,
        ping_timeout=PING_TIMEOUT_SECONDS,
        enabled_publish_codecs=[models.Codec(mime="audio/opus")],
    )
