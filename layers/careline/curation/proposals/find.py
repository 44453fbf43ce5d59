"""Finds what a document says that the directory could hold: prices, numbers, hours, places, consultations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from careline.curation.proposals.lines import lines_in
from careline.curation.proposals.proposal import Statement
from careline.curation.proposals.reading.cells import Page, page_of
from careline.curation.proposals.schedules import joined, schedules_in
from careline.curation.proposals.services import services_in
from careline.curation.proposals.tariffs import tariffs_in
from careline.curation.proposals.transport import transport_in
from careline.model import Chunk, Document

MOST = 2_000
"""Statements of one document that are kept."""


def find(document: Document, chunks: Iterable[Chunk]) -> list[Statement]:
    """Every statement of a version, each once, in its order. `chunks` are those that callers may be told."""
    facts = document.facts
    since, until = (day.isoformat() if day else None for day in (facts.valid_from, facts.valid_until))
    read = (
        one
        for chunk in chunks
        if not chunk.hidden and chunk.curated is None
        for one in _of_passage(page_of(document.doc_key, document.version, facts.title, facts.language, chunk))
    )
    found: dict[str, Statement] = {}
    for one in joined(read):
        found.setdefault(one.statement_id, replace(one, valid_from=since, valid_until=until))
    return list(found.values())[:MOST]


def _of_passage(page: Page) -> Iterator[Statement]:
    """What a passage says: a table cell by cell, a text line by line."""
    table = page.chunk.table
    if table is None:
        yield from lines_in(page)
        return
    for reader in (tariffs_in, services_in, schedules_in, transport_in):
        yield from reader(page, table)
