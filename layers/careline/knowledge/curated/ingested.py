"""An answer on its way through the ingestion, whether it was saved as one or came in a file of records."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from careline.curation.staff import with_current_staff
from careline.knowledge.chunk.curated_chunk import curated_chunk
from careline.knowledge.curated import answer_records, answered_questions
from careline.knowledge.curated.personal_data import check_personal_data
from careline.model import Chunk, CuratedText, Document, DocumentFacts
from careline.ports import Engines
from careline.records.optimistic_update import Update, optimistic_update
from careline.records.record_table import Put
from careline.tables.extracted import Extracted
from careline.tenants import tenant_records

BUSY = "this answer is being changed by others; try again"

async def curated_answer(
    document: Document, text: Extracted, facts: DocumentFacts, engines: Engines
) -> Chunk | None:
    """The passage of an answer, noted among the answers; None of any other document.

    Raises: DocumentRejected (`personal_data`), TableUnavailable.
    """
    chunk = curated_chunk(text, engines.count_tokens)
    if chunk is None or chunk.curated is None:
        return None
    retention = await with_current_staff(await tenant_records.retention_of(engines, document.tenant), engines)
    held = text.stated.get("not_phi")
    check = partial(
        check_personal_data,
        chunk.curated.questions,
        chunk.text,
        facts.language,
        engines.detector,
        staff=retention.staff,
        not_phi=[one for one in held if isinstance(one, str)] if isinstance(held, list) else [],
    )
    await asyncio.to_thread(check)
    take = await _taking(document, chunk.curated, facts, engines)
    await answer_records.note_ingested(document, engines, alongside=take)
    await _take(take, engines)
    return chunk


async def take_missing_questions(document: Document, chunks: Sequence[Chunk], engines: Engines) -> None:
    """Note of a live answer that it has its questions, where nothing says so: one that was saved before that was noted.

    Raises: TableUnavailable.
    """
    for chunk in chunks:
        if chunk.curated is not None:
            await _take(await _taking(document, chunk.curated, document.facts, engines), engines)


async def _taking(
    document: Document, curated: CuratedText, facts: DocumentFacts, engines: Engines
) -> Callable[[], Awaitable[list[Put]]]:
    """What says which writes are left by which an answer takes those of its questions that no other has."""
    retention = await tenant_records.retention_of(engines, document.tenant)
    return partial(
        answered_questions.untaken,
        engines.table,
        document.tenant,
        answered_questions.digests(curated.questions, facts.language, facts.audience),
        document.doc_key,
        document.content_hash,
        retention.day_of(engines.clock.now()),
    )


async def _take(taking: Callable[[], Awaitable[list[Put]]], engines: Engines) -> None:
    async def decide() -> Update[None]:
        return Update(None, await taking())

    await optimistic_update(engines.table, decide, busy=BUSY)
