"""Makes an upload of the object that an S3 event names, with what the sender said about it in its metadata."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import PurePosixPath
from urllib.parse import unquote_plus

from careline.errors import BadRequest, NotFound
from careline.knowledge.ingestion.refused_upload import Arrival, read_moment
from careline.knowledge.offered_upload import OfferedUpload, offered
from careline.knowledge.register import Upload
from careline.ports import Engines, UploadedFile, Uploads
from careline_functions.ingestion.events import FailInput, Imported, ObjectCreated

FACTS, DOC_KEY, UPLOAD_ID = "careline-facts", "careline-doc-key", "careline-upload"
"""User metadata: a JSON object of `DocumentFacts` fields, the document's key, and which announced file it is."""
FOLDERS = ("uploads", "imports")
"""Where single files are put, and where those of a bulk import are."""
NO_TENANT = "a file is put at uploads/<tenant>/<file name>, or imports/<tenant>/… for a bulk import; put it there"


@dataclass(frozen=True, slots=True)
class Place:
    """Where an object lies: the tenant it is for, None where its name says none, and the name of the file."""

    tenant: str | None
    file_name: str


def place_of(key: str) -> Place:
    """Reads `uploads/<tenant>/<file name>`; the name may have folders in it."""
    parts = PurePosixPath(key).parts
    if len(parts) < 3 or parts[0] not in FOLDERS:
        return Place(None, key)
    return Place(parts[1], "/".join(parts[2:]))


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file that was put somewhere: as S3 tells of it, or as a line of a bulk import does, which may say more."""

    key: str
    event: str
    time: str | None
    version: str | None = None
    sequencer: str | None = None
    doc_key: str | None = None
    facts: Mapping[str, object] | None = None

    @property
    def is_folder(self) -> bool:
        """Whether it is what consoles make in place of a folder: nothing, under a name that ends in a slash."""
        return self.key.endswith("/")

    @property
    def tenant(self) -> str | None:
        """Whose it is, as its name says."""
        return place_of(self.key).tenant

    def arrival(self, own_tenant: str, now: datetime) -> Arrival:
        """The upload before anything of it is read; what names no tenant is the installation's own one's."""
        place = place_of(self.key)
        tenant = place.tenant or own_tenant
        return Arrival(tenant, place.file_name, self.event, read_moment(self.time, now), self.sequencer)


def stored_file(told: ObjectCreated | Imported | FailInput) -> StoredFile | None:
    """What an event tells of; None where that is no file."""
    if isinstance(told, Imported | FailInput) and told.item is not None:
        item = told.item
        return StoredFile(item.key, f"import {item.named()}", told.time, doc_key=item.doc_key, facts=item.facts())
    if isinstance(told, Imported) or told.detail is None:
        return None
    found = told.detail.stored
    event = found.sequencer or found.version_id or told.time or ""
    return StoredFile(found.key, event, told.time, found.version_id, found.sequencer)


@dataclass(frozen=True, slots=True)
class ReadFile:
    """A file as it was read: its name, its content, what was said of it, and what was announced of it, if it was."""

    name: str
    content: bytes
    said: Mapping[str, str]
    announced: OfferedUpload | None


async def read_file(file: StoredFile, tenant: str, uploads: Uploads, engines: Engines) -> ReadFile:
    """The object at `uploads/<tenant>/<file name>`.

    One byte more than allowed is read at most; extraction refuses what is too large. Raises: BadRequest for a name of
    another shape, NotFound for an object or an announcement that is gone, FilesUnavailable.
    """
    if file.tenant is None:
        raise BadRequest(NO_TENANT)
    key, found = await _read(file.key, file.version, uploads, engines.limits.max_file_bytes)
    upload_id = found.said.get(UPLOAD_ID)
    announced = await offered(tenant, upload_id, engines) if upload_id else None
    return ReadFile(place_of(key).file_name, found.content, found.said, announced)


def upload_of(file: StoredFile, read: ReadFile, arrival: Arrival) -> Upload:
    """The upload that a file makes: of one that was announced what was said then, else what a manifest or its metadata
    says.

    Raises: BadRequest for metadata of another shape, and for another file than was announced.
    """
    if read.announced is not None:
        if read.announced.file_name != read.name:
            raise BadRequest("the file has another name than was announced; announce it again")
        return read.announced.upload(read.content, arrival)
    facts = {**_facts(read.said), **(file.facts or {})}
    doc_key = file.doc_key or read.said.get(DOC_KEY) or None
    return Upload(
        arrival.tenant, read.name, read.content, doc_key, facts, arrival=replace(arrival, file_name=read.name)
    )


async def _read(key: str, version: str | None, uploads: Uploads, most: int) -> tuple[str, UploadedFile]:
    """The object under its name as the event has it, else under that name decoded.

    EventBridge is known to send names as they are, the other notifications of S3 as a form does (`a+b%20c`).
    """
    try:
        return key, await uploads.read(key, version, most)
    except NotFound:
        decoded = unquote_plus(key)
        if decoded == key or place_of(decoded).tenant != place_of(key).tenant:
            raise
    return decoded, await uploads.read(decoded, version, most)


def _facts(metadata: Mapping[str, str]) -> dict[str, object]:
    try:
        facts = json.loads(metadata.get(FACTS) or "{}")
    except ValueError:
        facts = None
    if not isinstance(facts, dict):
        raise BadRequest(f"{FACTS}: a JSON object")
    return facts
