"""Runs the ingestion stages for many files at once in this process, and reports what became of each."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from careline.errors import BadRequest, Conflict, DocumentRejected
from careline.knowledge import pipeline
from careline.knowledge.bulk import Refused
from careline.knowledge.register import Upload, default_key, register
from careline.model import IndexingJob, JobState
from careline.ports import Engines
from infra.local.intake import Found, count, uploads

if TYPE_CHECKING:
    from infra.local.cli.session import Session

AT_ONCE = 48
"""Documents under way at once: enough for full embedding batches of short ones."""


@dataclass
class Report:
    """What became of a run."""

    live: int = 0
    unchanged: int = 0
    chunks: int = 0
    seconds: float = 0.0
    held_back: int = 0
    held: list[dict[str, Any]] = field(default_factory=list)
    """What was held back, the first passages of each document: key, passage, page, reasons, excerpt."""
    refused: list[Refused] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """The report for programs."""
        refused = [{"where": r.where, "reason": r.reason, "message": r.message} for r in self.refused]
        return {
            "live": self.live,
            "unchanged": self.unchanged,
            "chunks": self.chunks,
            "seconds": round(self.seconds, 2),
            "held_back": self.held_back,
            "held": self.held,
            "refused": refused,
        }


async def ingest(
    found: Sequence[Found], facts: Mapping[str, object], session: Session, *, quiet: bool = False
) -> Report:
    """Ingest every file found. One that fails is in the report and touches nothing else."""
    installation = session.installation
    settings, engines = installation.settings, installation.engines
    report, began = Report(), engines.clock.elapsed()
    waiting = apart(
        upload for one in found for upload in uploads(one, settings.tenant, facts, settings.max_upload_bytes)
    )
    with _progress(session, quiet) as progress:
        bar = progress.add_task("ingesting", total=count(found))

        async def worker() -> None:
            for upload in waiting:
                await _one(upload, engines, report)
                progress.advance(bar)

        await asyncio.gather(*(worker() for _ in range(AT_ONCE)))
        progress.update(bar, description="indexing")
        await engines.index.settle()
    report.seconds = engines.clock.elapsed() - began
    report.refused.sort(key=lambda one: one.where)
    return report


def apart(taken: Iterable[Upload | Refused]) -> Iterator[Upload | Refused]:
    """The uploads with keys of their own: `report.docx` and `report.pdf` of one run are two documents.

    The first in order keeps the plain key, so that a file that is ingested alone later keeps it too.
    """
    seen: dict[str, str] = {}
    for one in taken:
        if isinstance(one, Refused) or one.doc_key is not None:
            yield one
            continue
        key = default_key(one.file_name, str(one.facts.get("source_type", "document")))
        if seen.setdefault(key, one.file_name) != one.file_name:
            own = hashlib.sha256(one.file_name.encode()).hexdigest()[:8]
            one = replace(one, doc_key=f"{key[:180]}-{own}")
        yield one


def _progress(session: Session, quiet: bool) -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=session.progress_console,
        disable=quiet,
    )


async def _one(upload: Upload | Refused, engines: Engines, report: Report) -> None:
    if isinstance(upload, Refused):
        report.refused.append(upload)
        return
    try:
        ticket = await register(upload, engines)
        if ticket.unchanged:
            report.unchanged += 1
            return
        _count(await pipeline.run(ticket, engines), report)
    except DocumentRejected as error:
        report.refused.append(Refused(upload.file_name, error.reason, error.message))
    except (BadRequest, Conflict) as error:
        report.refused.append(Refused(upload.file_name, error.code.lower(), error.message))


def _count(job: IndexingJob, report: Report) -> None:
    if job.state is JobState.FAILED:
        message = job.error_message or ""
        report.refused.append(Refused(f"{job.file_name} ({job.doc_key})", job.error_type or "failed", message))
    else:
        report.live += 1
        report.chunks += job.total_chunks or 0
        report.held_back += job.held_back
        report.held += [{"doc_key": job.doc_key, **asdict(one)} for one in job.held]
