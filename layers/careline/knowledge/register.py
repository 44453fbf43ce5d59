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
from careline.knowledge import catalogue, jobs
from careline.knowledge.catalogue import DocumentHead
from careline.knowledge.ingestion_job import IngestionJob, folder
from careline.knowledge.language_codes import stated_language
from careline.model import Document, DocumentFacts, DocumentState, IndexingJob, JobState
from careline.optimistic_update import Update, optimistic_update
from careline.ports import Engines
from careline.record_table import Delete, Put

KEY = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,199}")
LONGEST_SLUG = 150
FACTS = frozenset(DocumentFacts.__dataclass_fields__)


@dataclass(frozen=True, slots=True)
class Upload:
    """A file on its way in. `facts` (fields of `DocumentFacts`) are what the sender knows better than the file."""

    tenant: str
    file_name: str
    content: bytes
    doc_key: str | None = None
    facts: Mapping[str, object] = field(default_factory=dict)

    def content_hash(self) -> str:
        """SHA-256 over the bytes and whatever the sender said about them."""
        said = json.dumps(dict(self.facts), sort_keys=True, ensure_ascii=False, default=str) if self.facts else ""
        return hashlib.sha256(self.content + said.encode()).hexdigest()


async def register(upload: Upload, engines: Engines) -> IngestionJob:
    """Open or find the job of an upload.

    Raises: DocumentRejected for a name that cannot be used, BadRequest for facts that do not exist, Conflict when the
    document keeps changing under us.
    """
    check_name(upload.file_name)
    facts = read_facts(upload)
    doc_key = upload.doc_key or default_key(upload.file_name, str(facts.source_type))
    if not KEY.fullmatch(doc_key):
        raise BadRequest("doc_key: letters, digits, dot, dash and underscore, at most 200")

    async def decide() -> Update[IngestionJob]:
        return await _register(upload, doc_key, facts, engines)

    return await optimistic_update(engines.table, decide, busy=catalogue.busy(doc_key))


async def _register(upload: Upload, doc_key: str, facts: DocumentFacts, engines: Engines) -> Update[IngestionJob]:
    head = await catalogue.head(engines.table, upload.tenant, doc_key)
    found = await _same_content(upload, head, engines)
    if found is None:
        document = _new_version(upload, head, facts, engines)
        expects, earlier = 0, await _failed_job(head, engines)
    else:
        held, job = found
        if held.document.state is DocumentState.LIVE:
            return Update(IngestionJob(upload.tenant, doc_key, held.document.version, job.job.job_id, unchanged=True))
        if job.job.state in {JobState.PENDING, JobState.RUNNING}:
            return Update(IngestionJob(upload.tenant, doc_key, held.document.version, job.job.job_id))
        document = replace(held.document, state=DocumentState.PENDING)
        expects, earlier = held.revision, job
    new = IndexingJob(
        job_id=engines.new_id(),
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
        replace(head, latest=document.version).put(),
        catalogue.put_version(document, new.job_id, expects),
        catalogue.put_job(new, 0),
    ]
    if earlier is not None and earlier.job.state is JobState.FAILED:
        changes.append(catalogue.put_job(jobs.superseded(earlier.job, new.job_id), earlier.revision))
    return Update(IngestionJob(upload.tenant, doc_key, document.version, new.job_id), changes)


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


def default_key(file_name: str, source_type: str) -> str:
    """`{source_type}-{identifier}`, the identifier being the name without its ending, in letters a path can hold."""
    path = PurePosixPath(file_name)
    stem = path.with_suffix("").as_posix() if path.suffix else path.as_posix()
    plain = unicodedata.normalize("NFKD", stem).encode("ascii", "ignore").decode()
    slug = re.sub(r"[^A-Za-z0-9._]+", "-", plain).strip("-._")
    if slug != stem.replace("/", "-").replace(" ", "-") or not 0 < len(slug) <= LONGEST_SLUG:
        slug = f"{slug[: LONGEST_SLUG - 9]}-{hashlib.sha256(stem.encode()).hexdigest()[:8]}".strip("-")
    return f"{source_type}-{slug}"


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
    for name in ("valid_from", "valid_until", "review_date"):
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
    for name in FACTS - {"authors", "year", "valid_from", "valid_until", "review_date"}:
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
