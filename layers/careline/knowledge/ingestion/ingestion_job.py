"""What travels between the stages of ingestion: who the document is and which job it is, never its content."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from careline.model import Document


@dataclass(frozen=True, slots=True)
class IngestionJob:
    """Small enough for a state machine's payload. `batches` numbers the embedding batches, set once chunks exist;
    `empty` once it is known that no passage may be found."""

    tenant: str
    doc_key: str
    version: int
    job_id: str
    batches: tuple[int, ...] = ()
    unchanged: bool = False
    empty: bool = False

    def to_json(self) -> dict[str, Any]:
        """The ingestion job as a JSON object."""
        return {**asdict(self), "batches": list(self.batches)}


def folder(document: Document) -> str:
    """Where everything made from one version lies. The hash keeps two versions apart that are registered at once."""
    return f"documents/{document.tenant}/{document.doc_key}/{document.version:06d}-{document.content_hash[:12]}"
