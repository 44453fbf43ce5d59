"""Takes a file in: decides which document it is, whether it is new, and opens the job that will index it.

`doc_key` is the idempotency key and SHA-256 the change detector: the same content again is a no-op, other
content makes the next version, and work that was interrupted is taken up where it stopped.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import PurePosixPath
from typing import Any

from careline.errors import BadRequest, DocumentRejected
from careline.knowledge import catalogue
from careline.knowledge.catalogue import DocumentHead
from careline.knowledge.document_key import Namesake, Origin, SameName, default_key, key_of_origin, settled_key
from careline.knowledge.ingestion import jobs
from careline.knowledge.ingestion.ingestion_job import IngestionJob, folder
from careline.knowledge.ingestion.refused_upload import Arrival, superseded_job
from careline.knowledge.upload_order import Newest, is_before, with_newest
from careline.model import Document, DocumentFacts, DocumentState, IndexingJob, JobState
from careline.ports import Engines
from careline.records.optimistic_update import Update, optimistic_update
from careline.records.record_table import Delete, Put
from careline.text.languages import stated_language

KEY = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,199}")
FACTS = frozenset(DocumentFacts.__dataclass_fields__)
DAYS = ("valid_from", "valid_until", "review_date", "last_updated")


@dataclass(frozen=True, slots=True)
class Upload:
    """A file on its way in. `facts` (fields of `DocumentFacts`) are what the sender knows better than the file."""

    tenant: str
    file_name: str
    content: bytes
    doc_key: str | None = None
    facts: Mapping[str, object] = field(default_factory=dict)
    namesake: Namesake = Namesake.REFUSED
    folder: str = ""
    """A digest of the folder that it comes from; "" where nobody knows."""
    same_name: SameName = SameName.REPLACE
    arrival: Arrival | None = None
    """The event that told of it; None where it came in a request of its own."""

    def content_hash(self) -> str:
        """SHA-256 over the bytes and whatever the sender said about them."""
        said = json.dumps(dict(self.facts), sort_keys=True, ensure_ascii=False, default=str) if self.facts else ""
        return hashlib.sha256(self.content + said.encode()).hexdigest()


async def register(upload: Upload, engines: Engines) -> IngestionJob:
    """Open or find the job of an upload; of one that is older than what is there, write down that it is.

    Raises: DocumentRejected for a name that cannot be used, BadRequest for facts that do not exist, KeyTaken for a name
    that gives another file's key, Contended when the document keeps changing under us.
    """
    check_name(upload.file_name)
    facts = read_facts(upload)
    if upload.doc_key is not None and not KEY.fullmatch(upload.doc_key):
        raise BadRequest("doc_key: letters, digits, dot, dash and underscore, at most 200")
    plain = default_key(upload.file_name, str(facts.source_type))

    async def decide() -> Update[IngestionJob]:
        doc_key = upload.doc_key or await _settled(upload, plain, engines)
        return await _register(upload, doc_key, facts, engines)

    return await optimistic_update(engines.table, decide, busy=catalogue.busy(upload.doc_key or plain))


async def _settled(upload: Upload, plain: str, engines: Engines) -> str:
    doc_key = await settled_key(engines.table, upload.tenant, upload.file_name, plain, upload.namesake)
    origin = Origin(upload.file_name, upload.content_hash(), upload.folder, upload.same_name)
    return await key_of_origin(engines.table, upload.tenant, origin, doc_key)


async def _register(upload: Upload, doc_key: str, facts: DocumentFacts, engines: Engines) -> Update[IngestionJob]:
    head = await catalogue.head(engines.table, upload.tenant, doc_key)
    if (late := await _late(upload, head, engines)) is not None:
        return late
    found = await _same_content(upload, head, engines)
    if found is None:
        document = _new_version(upload, head, facts, engines)
        expects, earlier = 0, await _failed_job(head, engines)
    else:
        held, job = found
        if held.document.state is DocumentState.LIVE or job.job.state in {JobState.PENDING, JobState.RUNNING}:
            return await _there_already(upload, head, held.document, job.job, engines)
        document = replace(held.document, state=DocumentState.PENDING)
        expects, earlier = held.revision, job
    new = IndexingJob(
        job_id=await _job_id(upload, engines),
        tenant=upload.tenant,
        doc_key=doc_key,
        version=document.version,
        document_id=document.document_id,
        file_name=upload.file_name,
        state=JobState.PENDING,
        created_at=engines.clock.now(),
    )
    await engines.files.put(f"{folder(document)}/original", upload.content)
    changes: list[Put | Delete] = [
        replace(head, latest=document.version, newest=_newest(upload, head, document.version)).put(),
        catalogue.put_version(document, new.job_id, expects),
        catalogue.put_job(new, 0),
    ]
    if earlier is not None and earlier.job.state is JobState.FAILED:
        changes.append(catalogue.put_job(jobs.superseded(earlier.job, new.job_id), earlier.revision))
    return Update(IngestionJob(upload.tenant, doc_key, document.version, new.job_id), changes)


async def _late(upload: Upload, head: DocumentHead, engines: Engines) -> Update[IngestionJob] | None:
    """What becomes of an upload that arrives after its time; None of one that is new, or whose order nobody knows."""
    arrival, newest = upload.arrival, head.newest.get(upload.file_name)
    if arrival is None or arrival.sequencer is None or newest is None:
        return None
    by = await catalogue.job_of(engines.table, head.tenant, head.doc_key, newest.version)
    if is_before(arrival.sequencer, newest.sequencer):
        job = superseded_job(arrival, head.doc_key, by, engines)
        told = IngestionJob(head.tenant, head.doc_key, newest.version, job.job_id, unchanged=True)
        known = await catalogue.job_or_none(engines.table, head.tenant, job.job_id)
        return Update(told, () if known else (catalogue.put_job(job, 0),))
    held = await catalogue.version(engines.table, head.tenant, head.doc_key, newest.version)
    over = {DocumentState.SUPERSEDED, DocumentState.DELETED}
    if arrival.sequencer == newest.sequencer and held.document.state in over:
        # Told once more of what was replaced or deleted since: that stands.
        return Update(IngestionJob(head.tenant, head.doc_key, newest.version, by, unchanged=True))
    return None


async def _there_already(
    upload: Upload, head: DocumentHead, document: Document, job: IndexingJob, engines: Engines
) -> Update[IngestionJob]:
    """The same content is live, or on its way there; a job that was promised says so, and the order is kept."""
    is_live = document.state is DocumentState.LIVE
    changes: list[Put | Delete] = []
    newest = _newest(upload, head, document.version)
    if newest != head.newest:
        changes.append(replace(head, newest=newest).put())
    promised = upload.arrival.job_id if upload.arrival else None
    if promised and not await catalogue.job_or_none(engines.table, head.tenant, promised):
        now, state = engines.clock.now(), JobState.COMPLETED if is_live else JobState.SUPERSEDED
        told = replace(job, job_id=promised, state=state, created_at=now, started_at=now, completed_at=now, stage=None)
        changes.append(catalogue.put_job(told if is_live else replace(told, superseded_by=job.job_id), 0))
    return Update(IngestionJob(head.tenant, head.doc_key, document.version, job.job_id, unchanged=is_live), changes)


def _newest(upload: Upload, head: DocumentHead, version: int) -> Mapping[str, Newest]:
    if upload.arrival is None or upload.arrival.sequencer is None:
        return head.newest
    return with_newest(head.newest, upload.file_name, Newest(upload.arrival.sequencer, version))


async def _job_id(upload: Upload, engines: Engines) -> str:
    """The job that was promised, unless it has failed before and this is another try."""
    promised = upload.arrival.job_id if upload.arrival else None
    if promised and not await catalogue.job_or_none(engines.table, upload.tenant, promised):
        return promised
    return engines.new_id()


async def _same_content(
    upload: Upload, head: DocumentHead, engines: Engines
) -> tuple[catalogue.Held, catalogue.HeldJob] | None:
    """The version that holds this very content with its job: the latest, or the live one when the latest failed."""
    wanted = upload.content_hash()
    for number in dict.fromkeys((head.latest, head.live)):
        if not number:
            continue
        held = await catalogue.version(engines.table, head.tenant, head.doc_key, number)
        state = held.document.state
        if held.document.content_hash == wanted and state not in {DocumentState.DELETED, DocumentState.SUPERSEDED}:
            job_id = await catalogue.job_of(engines.table, head.tenant, head.doc_key, number)
            return held, await catalogue.job(engines.table, head.tenant, job_id)
        if state is not DocumentState.FAILED:
            return None
    return None


async def _failed_job(head: DocumentHead, engines: Engines) -> catalogue.HeldJob | None:
    if not head.latest:
        return None
    job_id = await catalogue.job_of(engines.table, head.tenant, head.doc_key, head.latest)
    return await catalogue.job(engines.table, head.tenant, job_id)


def _new_version(upload: Upload, head: DocumentHead, facts: DocumentFacts, engines: Engines) -> Document:
    version, content_hash = head.latest + 1, upload.content_hash()
    identity = f"{upload.tenant}/{head.doc_key}/{version}/{content_hash}"
    return Document(
        tenant=upload.tenant,
        doc_key=head.doc_key,
        version=version,
        document_id=hashlib.sha256(identity.encode()).hexdigest()[:16],
        content_hash=content_hash,
        file_name=upload.file_name,
        size_bytes=len(upload.content),
        facts=facts,
        state=DocumentState.PENDING,
        created_at=engines.clock.now(),
        origin=upload.folder,
    )


def check_name(file_name: str) -> None:
    """Raises: DocumentRejected (`unsafe_name`) for a name that points elsewhere or cannot be shown."""
    parts = re.split(r"[/\\]", file_name)
    strange = any(unicodedata.category(c) in {"Cc", "Cf", "Cs"} for c in file_name)
    if not file_name.strip() or ".." in parts or "" in parts or strange or re.match(r"[A-Za-z]:", file_name):
        raise DocumentRejected(
            "unsafe_name", "the file's name points outside of its folder or cannot be shown; rename it"
        )
    if len(file_name.encode()) > 500:
        raise DocumentRejected("unsafe_name", "the file's name is longer than 500 bytes; rename it")


def read_facts(upload: Upload) -> DocumentFacts:
    """The facts a sender states, the file's name as title when there is none. Raises: BadRequest naming the fact."""
    said: dict[str, Any] = {name: value for name, value in upload.facts.items() if value is not None}
    unknown = set(said) - FACTS
    if unknown:
        raise BadRequest(f"{sorted(unknown)[0]} is not a fact of a document; known: {', '.join(sorted(FACTS))}")
    said["language"] = stated_language(said.get("language", ""))
    title = PurePosixPath(upload.file_name).stem.replace("_", " ").replace("-", " ").strip() or upload.file_name
    return facts_from({"title": title, "source_type": "document", "language": "", **said})


def facts_from(values: Mapping[str, object]) -> DocumentFacts:
    """Facts from plain values. Raises: BadRequest naming the fact that is wrong."""
    made = dict(values)
    for name in DAYS:
        made[name] = _day(name, made.get(name))
    made["authors"] = _authors(made.get("authors") or ())
    if made.get("year") not in (None, ""):
        if not re.fullmatch(r"\d{4}", str(made["year"])):
            raise BadRequest("year: four digits")
        made["year"] = int(str(made["year"]))
    if made.get("audience", "public") not in {"public", "clinician"}:
        raise BadRequest("audience: public or clinician")
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_]{0,39}", str(made["source_type"])):
        raise BadRequest("source_type: a letter or digit, then letters, digits and underscores, at most 40")
    for name in FACTS - {"authors", "year", *DAYS}:
        if made.get(name) is not None:
            made[name] = str(made[name])[:500]
    return DocumentFacts(**made)  # type: ignore[arg-type]


def _authors(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, list | tuple):
        raise BadRequest("authors: a name or a list of names")
    return tuple(str(one) for one in value)


def _day(name: str, value: object) -> date | None:
    if value in (None, ""):
        return None
    try:
        return date.fromisoformat(str(value)[:10])
    except ValueError:
        raise BadRequest(f"{name}: a day as YYYY-MM-DD") from None
