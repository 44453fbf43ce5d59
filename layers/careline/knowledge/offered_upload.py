"""Files that are too large for a request: their sender announces one, is given addresses, and puts it there.

What was announced is kept until the file is there: its name and size, what its sender said of it, and the job that it
will have. So the client path is the same whatever the storage is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from pydantic import TypeAdapter

from careline.errors import BadRequest, NotFound, SettingsInvalid, TooLarge
from careline.knowledge import catalogue, library
from careline.knowledge.document_key import check_free, default_key
from careline.knowledge.ingestion.refused_upload import Arrival
from careline.knowledge.register import KEY, Upload, check_name, read_facts
from careline.model import IndexingJob
from careline.ports import AnnouncedFile, Engines, UploadAddresses, Uploads
from careline.records import keys as record_keys
from careline.records.record_table import Item, Put

WHOLE_BYTES = 16 * 1024 * 1024
"""Bytes that are put in one piece: what a line of 10 Mbit/s carries in a quarter of a minute."""
PART_BYTES = 8 * 1024 * 1024
"""Bytes of a part of anything larger: a line that breaks costs one part. S3 takes none below 5 MiB but the last."""
MOST_PARTS = 100
"""Addresses in one answer; parts of very large files are larger instead."""
ADDRESS_SECONDS = 3600
KEPT_DAYS = 7
"""As long as the bucket keeps an upload."""


@dataclass(frozen=True, slots=True)
class OfferedUpload:
    """An upload that was announced. `upload_id` is the id of the job that it will have."""

    upload_id: str
    tenant: str
    file_name: str
    size: int
    media_type: str
    offered_at: datetime
    doc_key: str | None = None
    facts: Mapping[str, object] = field(default_factory=dict)
    storage_id: str = ""
    parts: int = 1

    def file(self) -> AnnouncedFile:
        """The file as the storage is told of it."""
        return AnnouncedFile(self.tenant, self.upload_id, self.file_name, self.size, self.media_type)

    def upload(self, content: bytes, arrival: Arrival | None = None) -> Upload:
        """The upload that its content makes of it. Raises: BadRequest for another size than was announced."""
        if len(content) != self.size:
            raise BadRequest("the file has another size than was announced; announce it again")
        came = arrival or Arrival(self.tenant, self.file_name, self.upload_id, self.offered_at)
        arrived = Arrival(self.tenant, self.file_name, came.event, came.at, came.sequencer, self.upload_id)
        return Upload(self.tenant, self.file_name, content, self.doc_key, self.facts, arrival=arrived)


_OFFER: TypeAdapter[OfferedUpload] = TypeAdapter(OfferedUpload)


async def offer(
    tenant: str,
    file_name: str,
    size: int,
    media_type: str,
    doc_key: str | None,
    facts: Mapping[str, object],
    engines: Engines,
) -> tuple[OfferedUpload, UploadAddresses]:
    """Addresses for a file, and what was announced, kept.

    Whatever can be refused before its bytes are sent is. Raises: TooLarge, DocumentRejected, BadRequest, KeyTaken,
    FilesUnavailable.
    """
    if size > engines.limits.max_file_bytes:
        raise TooLarge(f"size: at most {engines.limits.max_file_bytes} bytes; split the file")
    check_name(file_name)
    said = read_facts(Upload(tenant, file_name, b"", doc_key, facts))
    if doc_key is None:
        await check_free(engines.table, tenant, file_name, default_key(file_name, str(said.source_type)))
    elif not KEY.fullmatch(doc_key):
        raise BadRequest("doc_key: letters, digits, dot, dash and underscore, at most 200")
    upload_id, parts, now = engines.new_id(), parts_of(size), engines.clock.now()
    file = AnnouncedFile(tenant, upload_id, file_name, size, media_type)
    addresses = await _uploads(engines).open(file, parts, ADDRESS_SECONDS)
    offered = OfferedUpload(
        upload_id, tenant, file_name, size, media_type, now, doc_key, dict(facts), addresses.storage_id, len(parts)
    )
    await engines.table.write(_put(offered))
    return offered, addresses


def parts_of(size: int) -> list[int]:
    """Sizes of the parts in which a file is put, in order."""
    if size <= WHOLE_BYTES:
        return [size]
    each = max(PART_BYTES, -(-size // MOST_PARTS))
    return [min(each, size - start) for start in range(0, size, each)]


async def offered(tenant: str, upload_id: str, engines: Engines) -> OfferedUpload:
    """What was announced. Raises: NotFound."""
    item = await engines.table.get(*record_keys.offered_upload(tenant, upload_id))
    if item is None:
        raise NotFound("there is no such upload, or not any more; announce the file again")
    return _OFFER.validate_python(item.body)


async def promise(arrival: Arrival, offered: OfferedUpload, engines: Engines) -> Arrival:
    """The arrival of an announced file with the job that was promised. It is noted, so that `promised` finds it also
    where the file itself cannot be looked at any more."""
    key = record_keys.promised_job(arrival.tenant, arrival.named_job())
    await engines.table.write(Put(Item(*key, {"job_id": offered.upload_id}, expires_at=_until(offered))))
    return replace(arrival, job_id=offered.upload_id)


async def promised(arrival: Arrival, engines: Engines) -> Arrival:
    """The arrival with the job that was promised, as far as that was noted."""
    noted = await engines.table.get(*record_keys.promised_job(arrival.tenant, arrival.named_job()))
    return arrival if noted is None else replace(arrival, job_id=noted.body["job_id"])


async def complete(tenant: str, upload_id: str, etags: Sequence[str], engines: Engines) -> IndexingJob | None:
    """Put the parts of a file together: its job, or None where an event will open it. May be repeated.

    Raises: NotFound, BadRequest, and what `register` raises.
    """
    announced = await offered(tenant, upload_id, engines)
    if (held := await catalogue.job_or_none(engines.table, tenant, upload_id)) is not None:
        return held.job
    if len(etags) != announced.parts:
        raise BadRequest(f"etags: {announced.parts} parts were announced")
    uploads = _uploads(engines)
    name = await uploads.complete(announced.file(), announced.storage_id, etags)
    if name is None:
        return None
    file = await uploads.read(name, None, engines.limits.max_file_bytes)
    await library.ingest(announced.upload(file.content), engines)
    await uploads.discard(name)
    return (await catalogue.job(engines.table, tenant, upload_id)).job


def _uploads(engines: Engines) -> Uploads:
    if engines.uploads is None:
        raise SettingsInvalid("this process takes no files in")
    return engines.uploads


def _put(offered: OfferedUpload) -> Put:
    body: dict[str, Any] = _OFFER.dump_python(offered, mode="json")
    key = record_keys.offered_upload(offered.tenant, offered.upload_id)
    return Put(Item(*key, body, expires_at=_until(offered)), expects=0)


def _until(offered: OfferedUpload) -> datetime:
    return offered.offered_at + timedelta(days=KEPT_DAYS)
