"""Runs the ingestion stages for many files at once in this process, and reports what became of each."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from careline.errors import BadRequest, Conflict, DocumentRejected
from careline.identity import EVERYTHING
from careline.knowledge import catalogue, pipeline
from careline.knowledge.document_key import Namesake, SameName, default_key
from careline.knowledge.extract.bulk_records import Refused
from careline.knowledge.ingestion.ingestion_job import IngestionJob
from careline.knowledge.register import Upload, register
from careline.model import Audience, Document, HeldPassage, IndexingJob, JobState, LeftOutCount
from careline.ports import Engines
from careline_local.intake import FoundFile, count, uploads

if TYPE_CHECKING:
    from careline_local.cli.session import CommandSession

AT_ONCE = 48
"""Documents under way at once: enough for full embedding batches of short ones."""


@dataclass(frozen=True, slots=True)
class FileOutcome:
    """What became of one file or record. `where` names it, `doc_key` the document it is."""

    where: str
    state: Literal["live", "unchanged", "refused"]
    doc_key: str | None = None
    audience: Audience | None = None
    """Who may be answered from it; None of what was refused."""
    chunks: int = 0
    warnings: tuple[str, ...] = ()
    held_back: int = 0
    held: tuple[HeldPassage, ...] = ()
    """What was held back, the first passages."""
    left_out: tuple[LeftOutCount, ...] = ()
    replaces: int | None = None
    """The version whose place it takes."""
    refused: Refused | None = None

    def to_json(self) -> dict[str, Any]:
        """The outcome for programs."""
        said: dict[str, Any] = {"where": self.where, "state": self.state, "doc_key": self.doc_key}
        if self.refused is not None:
            return {**said, "reason": self.refused.reason, "message": self.refused.message}
        held = [asdict(one) for one in self.held]
        return {
            **said, "audience": self.audience, "chunks": self.chunks, "warnings": list(self.warnings),
            "held_back": self.held_back, "held": held, "left_out": [asdict(one) for one in self.left_out],
            "replaces": self.replaces,
        }  # fmt: skip


@dataclass
class Report:
    """What became of a run. `tell` hears of each file as soon as it is done."""

    tell: Callable[[FileOutcome], None] = lambda outcome: None

    live: int = 0
    unchanged: int = 0
    chunks: int = 0
    seconds: float = 0.0
    audiences: Counter[Audience] = field(default_factory=Counter)
    """Documents that were taken in or were there already, by who may be answered from them."""
    held_back: int = 0
    held: list[dict[str, Any]] = field(default_factory=list)
    """What was held back, the first passages of each document: key, passage, page, reasons, excerpt."""
    left_out: Counter[str] = field(default_factory=Counter)
    """Documents of which something is left out, by reason."""
    replaced: list[FileOutcome] = field(default_factory=list)
    """Those that took the place of an earlier version."""
    refused: list[Refused] = field(default_factory=list)
    warned: list[FileOutcome] = field(default_factory=list)

    @property
    def seen(self) -> int:
        """Documents that there were, whatever became of them."""
        return self.live + self.unchanged + len(self.refused)

    def add(self, outcome: FileOutcome) -> None:
        """Count what became of one file, and tell it."""
        if outcome.refused is not None:
            self.refused.append(outcome.refused)
        elif outcome.state == "live":
            self.live += 1
            self.chunks += outcome.chunks
            self.held_back += outcome.held_back
            self.replaced += [outcome] if outcome.replaces else []
            self.left_out.update(one.reason for one in outcome.left_out)
            self.held += [{"doc_key": outcome.doc_key, **asdict(one)} for one in outcome.held]
        else:
            self.unchanged += 1
        if outcome.audience is not None:
            self.audiences[outcome.audience] += 1
        if outcome.warnings:
            self.warned.append(outcome)
        self.tell(outcome)

    def to_json(self) -> dict[str, Any]:
        """The report for programs."""
        refused = [{"where": r.where, "reason": r.reason, "message": r.message} for r in self.refused]
        return {
            "live": self.live,
            "unchanged": self.unchanged,
            "audiences": {name: self.audiences[name] for name in EVERYTHING},
            "chunks": self.chunks,
            "seconds": round(self.seconds, 2),
            "held_back": self.held_back,
            "held": self.held,
            "left_out": dict(self.left_out),
            "replaced": len(self.replaced),
            "refused": refused,
        }


async def ingest(
    found: Sequence[FoundFile],
    facts: Mapping[str, object],
    session: CommandSession,
    *,
    quiet: bool = False,
    engines: Engines | None = None,
    tell: Callable[[FileOutcome], None] = lambda outcome: None,
    same_name: SameName = SameName.REPLACE,
) -> Report:
    """Ingest every file found. One that fails is in the report and touches nothing else; `tell` hears of each.

    `engines` in place of the installation's own work on the same home.
    """
    settings, engines = session.installation.settings, engines or session.installation.engines
    report, began = Report(tell), engines.clock.elapsed()
    waiting = apart(
        upload for one in found for upload in uploads(one, settings.tenant, facts, settings.limits.max_upload_bytes)
    )
    with progress_bar(session, quiet) as progress:
        bar = progress.add_task("ingesting", total=count(found))

        async def worker() -> None:
            for upload in waiting:
                report.add(await _one(upload, engines, same_name))
                progress.advance(bar)

        await asyncio.gather(*(worker() for _ in range(AT_ONCE)))
        progress.update(bar, description="indexing")
        await engines.index.settle()
    report.seconds = engines.clock.elapsed() - began
    report.refused.sort(key=lambda one: one.where)
    return report


def apart(taken: Iterable[Upload | Refused]) -> Iterator[Upload | Refused]:
    """The uploads as documents of their own: `report.docx` and `report.pdf` of one run are two.

    The first in order gets the plain key, the others keys of their own, unless the library has them the other way
    round: what a file was the first time it stays, whatever is put beside it later.
    """
    seen: dict[str, str] = {}
    for one in taken:
        if isinstance(one, Refused) or one.doc_key is not None:
            yield one
            continue
        key = default_key(one.file_name, str(one.facts.get("source_type", "document")))
        is_first = seen.setdefault(key, one.file_name) == one.file_name
        yield replace(one, namesake=Namesake.APART if is_first else Namesake.SECOND)


def progress_bar(session: CommandSession, quiet: bool) -> Progress:
    """A bar on standard error that counts what is done; nothing is drawn when `quiet`."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=session.progress_console,
        disable=quiet,
    )


async def _one(upload: Upload | Refused, engines: Engines, same_name: SameName) -> FileOutcome:
    if isinstance(upload, Refused):
        return _refusal(upload.where, None, upload)
    try:
        ingestion_job = await register(replace(upload, same_name=same_name), engines)
        if ingestion_job.unchanged:
            audience = (await _kept(ingestion_job, engines)).facts.audience
            return FileOutcome(upload.file_name, "unchanged", ingestion_job.doc_key, audience)
        before = (await catalogue.head(engines.table, upload.tenant, ingestion_job.doc_key)).live
        ended = await _ended(await pipeline.run(ingestion_job, engines), engines)
        warnings = (*ended.warnings, *_beside(upload, ingestion_job))
        return ended if ended.refused else replace(ended, warnings=warnings, replaces=before)
    except DocumentRejected as error:
        return _refusal(upload.file_name, upload.doc_key, Refused(upload.file_name, error.reason, error.message))
    except (BadRequest, Conflict) as error:
        refused = Refused(upload.file_name, error.code.lower(), error.message)
        return _refusal(upload.file_name, upload.doc_key, refused)


async def _ended(job: IndexingJob, engines: Engines) -> FileOutcome:
    if job.state is JobState.FAILED:
        where = f"{job.file_name} ({job.doc_key})"
        return _refusal(job.file_name, job.doc_key, Refused(where, job.error_type or "failed", job.error_message or ""))
    kept = await _kept(job, engines)
    chunks, audience = job.total_chunks or 0, kept.facts.audience
    return FileOutcome(
        job.file_name, "live", job.doc_key, audience, chunks, kept.warnings, job.held_back, job.held, job.left_out
    )


def _beside(upload: Upload, job: IngestionJob) -> tuple[str, ...]:
    """What is said of a new file whose name gives the key of another file's document."""
    plain = default_key(upload.file_name, str(upload.facts.get("source_type", "document")))
    if upload.doc_key is not None or job.doc_key == plain or job.version > 1:
        return ()
    return (f"another file is the document {plain}; this one is {job.doc_key}, and both are answered from",)


async def _kept(job: IndexingJob | IngestionJob, engines: Engines) -> Document:
    return (await catalogue.version(engines.table, job.tenant, job.doc_key, job.version)).document


def _refusal(where: str, doc_key: str | None, refused: Refused) -> FileOutcome:
    return FileOutcome(where, "refused", doc_key, refused=refused)
