"""Files that senders put at an address of this server, signed and for a time, in parts in the file store.

The same conversation as with S3: ask for addresses, put the parts, complete. What was begun and never completed is
swept away when the next upload begins.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from string import hexdigits

from careline.errors import BadRequest, NotFound
from careline.ports import (
    AnnouncedFile,
    Clock,
    FileStore,
    PutAddress,
    ReceivedPart,
    UploadAddresses,
    UploadedFile,
)

FOLDER, ADDRESS = "incoming", "/v1/uploads"
PURPOSE = b"upload address\0"
KEPT_SECONDS = 86_400
"""How long parts lie that nobody completes."""
ID_TIME = 11
"""Digits of an identifier that are its time: milliseconds, in hexadecimal."""


@dataclass(frozen=True, slots=True)
class SignedPart:
    """What an address stands for: a part of an upload, its size in bytes, and when it ends, in seconds of the epoch."""

    tenant: str
    upload_id: str
    number: int
    size: int
    until: float


class FolderUploads:
    """The uploads port over a file store. `key` signs the addresses."""

    def __init__(self, files: FileStore, clock: Clock, key: bytes) -> None:
        self._files, self._clock = files, clock
        self._key = hashlib.sha256(PURPOSE + key).digest()

    async def read(self, name: str, version: str | None, most: int) -> UploadedFile:
        """See `ports.Uploads.read`. There is one version of each."""
        content = b""
        for part in await self._files.names(f"{name}/"):
            content += await self._files.get(part)
            if len(content) > most:
                break
        if not content:
            raise NotFound("the uploaded file is gone")
        return UploadedFile(content[: most + 1])

    async def open(self, file: AnnouncedFile, parts: Sequence[int], seconds: int) -> UploadAddresses:
        """See `ports.Uploads.open`."""
        await self._sweep()
        until = self._clock.now().timestamp() + seconds
        puts = (
            PutAddress(number, size, f"{ADDRESS}/{self._sign(file, number, size, until)}", {})
            for number, size in enumerate(parts, 1)
        )
        return UploadAddresses(tuple(puts), file.upload_id if len(parts) > 1 else "")

    async def complete(self, file: AnnouncedFile, storage_id: str, etags: Sequence[str]) -> str | None:
        """See `ports.Uploads.complete`."""
        name = _place(file.tenant, file.upload_id)
        there = await self._files.names(f"{name}/")
        if not there:
            raise NotFound("there is no such upload any more; ask for new addresses")
        made = [_etag(await self._files.get(part)) for part in there]
        if made != [etag.strip('"') for etag in etags]:
            raise BadRequest("etags: each part's, in order, as the storage answered its PUT")
        return name

    async def receive(self, ticket: str, read: Callable[[int], Awaitable[bytes]]) -> ReceivedPart:
        """See `ports.Uploads.receive`."""
        told = self._read(ticket)
        if told is None or told.until < self._clock.now().timestamp():
            raise NotFound("there is no such address, or not any more; ask for a new one")
        content = await read(told.size)
        if len(content) != told.size:
            raise BadRequest(f"exactly {told.size} bytes belong here, as they were announced")
        await self._files.put(f"{_place(told.tenant, told.upload_id)}/{told.number:05d}", content)
        return ReceivedPart(told.tenant, told.upload_id, _etag(content))

    async def discard(self, name: str) -> None:
        """See `ports.Uploads.discard`."""
        await self._files.remove(f"{name}/")

    async def _sweep(self) -> None:
        oldest = (self._clock.now().timestamp() - KEPT_SECONDS) * 1000
        begun = {"/".join(name.split("/")[:3]) for name in await self._files.names(f"{FOLDER}/")}
        for name in begun:
            began = name.rpartition("/")[2][:ID_TIME]
            if set(began) <= set(hexdigits) and int(began, 16) < oldest:
                await self.discard(name)

    def _sign(self, file: AnnouncedFile, number: int, size: int, until: float) -> str:
        said = json.dumps([file.tenant, file.upload_id, number, size, until]).encode()
        return base64.urlsafe_b64encode(self._sealed(said) + said).decode().rstrip("=")

    def _read(self, ticket: str) -> SignedPart | None:
        try:
            raw = base64.b64decode(ticket + "=" * (-len(ticket) % 4), altchars=b"-_", validate=True)
        except (binascii.Error, ValueError):
            return None
        seal, said = raw[:32], raw[32:]
        return SignedPart(*json.loads(said)) if hmac.compare_digest(seal, self._sealed(said)) else None

    def _sealed(self, said: bytes) -> bytes:
        return hmac.new(self._key, said, hashlib.sha256).digest()


def _place(tenant: str, upload_id: str) -> str:
    return f"{FOLDER}/{tenant}/{upload_id}"


def _etag(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
