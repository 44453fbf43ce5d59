"""Finds what a document says that the directory could hold: prices, numbers, hours, places, consultations."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from careline.curation.proposals.lines import lines_in
from careline.curation.proposals.proposal import Statement
from careline.curation.proposals.reading.cells import page_of
from careline.curation.proposals.schedules import schedules_in
from careline.curation.proposals.services import services_in
from careline.curation.proposals.tariffs import tariffs_in
from careline.model import Chunk, Document

MOST = 2_000
"""Statements of one document that are kept."""


def find(document: Document, chunks: Iterable[Chunk]) -> list[Statement]:
    """Every statement of a version, each once, in its order. `chunks` are those that callers may be told."""
    found: dict[str, Statement] = {}
    facts = document.facts
    since, until = (day.isoformat() if day else None for day in (facts.valid_from, facts.valid_until))
    for chunk in chunks:
        if chunk.hidden or chunk.curated is not None:
            continue
        page = page_of(document.doc_key, document.version, facts.title, facts.language, chunk)
        if chunk.table is None:
            read = list(lines_in(page))
        else:
            read = [
                *tariffs_in(page, chunk.table), *services_in(page, chunk.table), *schedules_in(page, chunk.table)
            ]  # fmt: skip
        for one in read:
            found.setdefault(one.statement_id, replace(one, valid_from=since, valid_until=until))
            if len(found) >= MOST:
                return list(found.values())
    return list(found.values())
