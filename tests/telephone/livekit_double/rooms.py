"""Rooms and who is in them. Audio that somebody publishes is heard by everybody else in the room."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Mapping
from typing import Any

from aiortc import MediaStreamTrack
from aiortc.contrib.media import MediaRelay
from livekit.protocol import models, rtc

from tests.telephone.livekit_double.tasks import Tasks

AGENT, SIP = models.ParticipantInfo.AGENT, models.ParticipantInfo.SIP
DEPARTURE_SECONDS = 1.0
"""How long a room in which only agents are left stays open; 20 s in LiveKit."""
logger = logging.getLogger(__name__)


def new_id(prefix: str) -> str:
    """An identifier as LiveKit's look: a prefix that says of what, and twelve signs."""
    return prefix + secrets.token_hex(6)


class Room:
    """A room and its participants by identity."""

    def __init__(self, name: str, metadata: str) -> None:
        self.name, self.sid, self.metadata = name, new_id("RM_"), metadata
        self.participants: dict[str, Participant] = {}
        self.created = int(time.time())

    def info(self) -> models.Room:
        """The room as the protocol says it."""
        return models.Room(
            sid=self.sid,
            name=self.name,
            metadata=self.metadata,
            num_participants=len(self.participants),
            creation_time=self.created,
        )

    def others(self, than: Participant | None) -> list[Participant]:
        """Everybody else."""
        return [one for one in self.participants.values() if one is not than]

    def announce(self, about: Participant) -> None:
        """Tell everybody else what has become of a participant."""
        for one in self.others(about):
            one.signal(update=_update(about.info))

    def deliver(self, packet: models.DataPacket, sender: Participant | None = None) -> None:
        """Hand a data packet to whom it is for."""
        for one in self.others(sender):
            if not packet.destination_identities or one.info.identity in packet.destination_identities:
                one.deliver(packet)

    def abandoned(self) -> bool:
        """Whether nobody is left but agents."""
        return all(one.info.kind == AGENT for one in self.participants.values())


class Participant:
    """Somebody in a room. How the room reaches them is told by the classes below this one."""

    def __init__(self, rooms: Rooms, room: Room, info: models.ParticipantInfo, hears: bool = True) -> None:
        self.rooms, self.room, self.info, self.hears = rooms, room, info, hears
        self.tracks: dict[str, MediaStreamTrack] = {}
        self.relay = MediaRelay()
        self.heard: set[str] = set()
        self.present = False
        self.tasks = Tasks()

    def signal(self, **message: Any) -> None:
        """Send a signal of the protocol (`SignalResponse`'s field and its value)."""

    def deliver(self, packet: models.DataPacket) -> None:
        """Receive a data packet."""

    async def hear(self, publisher: Participant, track: str) -> None:
        """Hear a track of another participant from now on."""

    def heard_by_somebody(self, track: str) -> None:
        """Somebody else hears a track of this participant from now on; a client says nothing before it knows."""

    async def gone(self) -> None:
        """Let go of everything: the participant is no longer in the room."""

    async def join(self) -> None:
        """Enter the room; somebody of the same identity has to leave it."""
        former = self.room.participants.get(self.info.identity)
        if former is not None:
            await former.leave(models.DUPLICATE_IDENTITY)
        self.present = True
        self.room.participants[self.info.identity] = self
        self.room.announce(self)

    async def publish(self, track: MediaStreamTrack, info: models.TrackInfo) -> None:
        """Be heard by everybody who is in the room."""
        self.tracks[info.sid] = track
        self.info.tracks.append(info)
        self.info.is_publisher = True
        self.room.announce(self)
        for one in self.room.others(self):
            if one.hears:
                await one.hear(self, info.sid)

    async def hear_everybody(self) -> None:
        """Hear what is published already."""
        for one in self.room.others(self):
            for track in list(one.tracks):
                await self.hear(one, track)

    def set_attributes(self, attributes: Mapping[str, str]) -> None:
        """Change attributes and tell the others."""
        self.info.attributes.update(attributes)
        self.room.announce(self)

    async def leave(self, reason: models.DisconnectReason.ValueType = models.CLIENT_INITIATED) -> None:
        """Leave the room; nothing happens the second time."""
        if not self.present:
            return
        self.present = False
        if self.room.participants.get(self.info.identity) is self:
            del self.room.participants[self.info.identity]
        self.info.state = models.ParticipantInfo.DISCONNECTED
        self.info.disconnect_reason = reason
        self.room.announce(self)
        logger.info("left", extra={"identity": self.info.identity, "reason": int(reason)})
        await self.gone()
        self.rooms.somebody_left(self.room)


class Rooms:
    """All rooms by name."""

    def __init__(self) -> None:
        self.by_name: dict[str, Room] = {}
        self._tasks = Tasks()

    def open(self, name: str, metadata: str = "") -> Room:
        """The room of this name, made if there is none."""
        if name not in self.by_name:
            self.by_name[name] = Room(name, metadata)
        return self.by_name[name]

    def participant(self, room: str, identity: str) -> Participant | None:
        """Somebody in a room; None where there is no such room or person."""
        found = self.by_name.get(room)
        return found.participants.get(identity) if found else None

    async def close(self, room: Room) -> None:
        """Everybody has to leave."""
        self.by_name.pop(room.name, None)
        for one in list(room.participants.values()):
            await one.leave(models.ROOM_DELETED)

    def somebody_left(self, room: Room) -> None:
        """A room in which nobody but agents is left is closed a moment later."""
        if self.by_name.get(room.name) is room and room.abandoned():
            self._tasks.start(self._close_later(room))

    async def _close_later(self, room: Room) -> None:
        await asyncio.sleep(DEPARTURE_SECONDS)
        if self.by_name.get(room.name) is room and room.abandoned():
            await self.close(room)


def _update(info: models.ParticipantInfo) -> rtc.ParticipantUpdate:
    return rtc.ParticipantUpdate(participants=[info])
