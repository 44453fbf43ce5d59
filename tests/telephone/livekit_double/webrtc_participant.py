"""A participant with a web socket and two peer connections, one for each direction, as LiveKit's clients expect."""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
from typing import Any

from aiohttp import web
from aiortc import MediaStreamTrack, RTCConfiguration, RTCDataChannel, RTCPeerConnection, RTCSessionDescription
from aiortc.codecs import get_capabilities
from aiortc.sdp import SessionDescription, candidate_from_sdp
from livekit.protocol import models, rtc

from tests.telephone.livekit_double.rooms import Participant, Room, Rooms, new_id

G711, VOICE_RATE = "audio/PCMU", 16_000
RELIABLE, LOSSY = "_reliable", "_lossy"
LAST_WORDS_SECONDS = 0.05
logger = logging.getLogger(__name__)


def _connection() -> RTCPeerConnection:
    # No STUN server: both ends are on this machine.
    return RTCPeerConnection(RTCConfiguration(iceServers=[]))


def narrow(sdp: str) -> str:
    """An answer that asks for no more of Opus than voices need (RFC 7587, 6.1), which is less work for the client."""
    description = SessionDescription.parse(sdp)
    for media in description.media:
        for codec in media.rtp.codecs:
            if codec.mimeType == "audio/opus":
                codec.parameters = {"maxplaybackrate": VOICE_RATE, "useinbandfec": 0}
    return str(description)


class WebRtcParticipant(Participant):
    """Reached over WebRTC: `incoming` brings what the client publishes, `outgoing` takes to it what others do."""

    def __init__(
        self, rooms: Rooms, room: Room, info: models.ParticipantInfo, hears: bool, socket: web.WebSocketResponse
    ) -> None:
        super().__init__(rooms, room, info, hears)
        self._socket = socket
        self._signals: asyncio.Queue[bytes] = asyncio.Queue()
        self.incoming: RTCPeerConnection | None = None
        self.outgoing = _connection()
        self._channels: dict[str, RTCDataChannel] = {}
        self._waiting: list[bytes] = []
        self._announced: list[tuple[str, models.TrackInfo]] = []
        self._offering = self._outdated = False
        self._offered = False
        self._open_channels()
        self.writer = self.tasks.start(self._write())

    def signal(self, **message: Any) -> None:
        """See `Participant`."""
        self._signals.put_nowait(rtc.SignalResponse(**message).SerializeToString())

    def deliver(self, packet: models.DataPacket) -> None:
        """See `Participant`; what comes before the channel is open is sent when it is."""
        channel, data = self._channels[RELIABLE], packet.SerializeToString()
        if channel.readyState == "open":
            channel.send(data)
        elif channel.readyState == "connecting":
            self._waiting.append(data)

    async def hear(self, publisher: Participant, track: str) -> None:
        """See `Participant`. A client knows a track by its stream's name: the publisher's and its own."""
        if track in self.heard:
            return
        self.heard.add(track)
        sender = self.outgoing.addTrack(publisher.relay.subscribe(publisher.tracks[track]))
        sender._stream_id, sender._track_id = f"{publisher.info.sid}|{track}", track
        # A track of a telephone is not decoded and coded again on its way.
        sending = next(one for one in self.outgoing.getTransceivers() if one.sender is sender)
        sending.setCodecPreferences([one for one in get_capabilities("audio").codecs if one.mimeType == G711])
        await self.offer()
        publisher.heard_by_somebody(track)

    def heard_by_somebody(self, track: str) -> None:
        """See `Participant`."""
        self.signal(track_subscribed=rtc.TrackSubscribed(track_sid=track))

    async def gone(self) -> None:
        """See `Participant`."""
        reason = self.info.disconnect_reason
        self.signal(leave=rtc.LeaveRequest(reason=reason, action=rtc.LeaveRequest.DISCONNECT))
        await asyncio.sleep(LAST_WORDS_SECONDS)
        for connection in (self.incoming, self.outgoing):
            if connection is not None:
                self.tasks.start(connection.close())
        self.writer.cancel()
        await self._socket.close()

    async def offer(self) -> None:
        """Offer the client what there is to hear now.

        An answer that comes while the first connection is still being made never starts a sender that it brings, and
        that track stays silent. So what changes meanwhile is offered when the connection is there.
        """
        if self._offering or (self._offered and not self._connected()):
            self._outdated = True
            return
        self._offering = self._offered = True
        self._outdated = False
        await self.outgoing.setLocalDescription(await self.outgoing.createOffer())
        sdp = self.outgoing.localDescription.sdp
        self.signal(offer=rtc.SessionDescription(type="offer", sdp=sdp, id=1 + secrets.randbelow(1 << 30)))

    async def answered(self, answer: rtc.SessionDescription) -> None:
        """The client's answer to an offer."""
        await self.outgoing.setRemoteDescription(RTCSessionDescription(answer.sdp, "answer"))
        self._offering = False
        if self._outdated:
            await self.offer()

    async def offered(self, offer: rtc.SessionDescription) -> None:
        """The client offers what it publishes."""
        if self.incoming is None:
            self.incoming = self._receiving()
        await self.incoming.setRemoteDescription(RTCSessionDescription(offer.sdp, "offer"))
        await self.incoming.setLocalDescription(await self.incoming.createAnswer())
        sdp = self.incoming.localDescription.sdp
        self.signal(answer=rtc.SessionDescription(type="answer", sdp=narrow(sdp), id=offer.id))

    async def candidate(self, trickle: rtc.TrickleRequest) -> None:
        """An address where the client can be reached."""
        told = json.loads(trickle.candidateInit or "{}")
        connection = self.incoming if trickle.target == rtc.PUBLISHER else self.outgoing
        if not told.get("candidate") or connection is None or connection.remoteDescription is None:
            return
        candidate = candidate_from_sdp(told["candidate"].partition(":")[2])
        candidate.sdpMid, candidate.sdpMLineIndex = told.get("sdpMid"), told.get("sdpMLineIndex")
        await connection.addIceCandidate(candidate)

    def announced(self, request: rtc.AddTrackRequest) -> None:
        """The client is going to publish a track, under a name of its own."""
        info = models.TrackInfo(
            sid=new_id("TR_"),
            type=request.type,
            name=request.name,
            source=request.source,
            muted=request.muted,
            mime_type="audio/opus",
            stream=request.stream,
        )
        self._announced.append((request.cid, info))
        self.signal(track_published=rtc.TrackPublishedResponse(cid=request.cid, track=info))

    def _connected(self) -> bool:
        return bool(self.outgoing.sctp.transport.state == "connected")

    def _open_channels(self) -> None:
        for name, lost in ((RELIABLE, None), (LOSSY, 0)):
            self._channels[name] = self.outgoing.createDataChannel(name, ordered=True, maxRetransmits=lost)
        self._channels[RELIABLE].on("open", self._send_waiting)
        self.outgoing.sctp.transport.on("statechange", self._offer_again)

    def _send_waiting(self) -> None:
        for data in self._waiting:
            self._channels[RELIABLE].send(data)
        self._waiting.clear()

    async def _offer_again(self) -> None:
        if self._connected() and self._outdated:
            await self.offer()

    def _receiving(self) -> RTCPeerConnection:
        connection = _connection()
        connection.on("track", self._published)
        connection.on("datachannel", lambda channel: channel.on("message", self._sent))
        return connection

    def _published(self, track: MediaStreamTrack) -> None:
        if not self._announced:
            return
        named = next((one for one in self._announced if one[0] == track.id), self._announced[0])
        self._announced.remove(named)
        self.tasks.start(self.publish(track, named[1]))

    def _sent(self, data: bytes) -> None:
        packet = models.DataPacket.FromString(data)
        packet.participant_identity, packet.participant_sid = self.info.identity, self.info.sid
        self.room.deliver(packet, self)

    async def _write(self) -> None:
        while True:
            data = await self._signals.get()
            if self._socket.closed:
                return
            await self._socket.send_bytes(data)
