"""An answer on its way through the ingestion, whether it was saved as one or came in a file of records."""

from __future__ import annotations

import asyncio
from functools import partial

from careline.knowledge.chunk.curated_chunk import curated_chunk
from careline.knowledge.curated import answer_records, answered_questions
from careline.knowledge.curated.personal_data import check_personal_data
from careline.model import Chunk, Document, DocumentFacts
from careline.ports import Engines
from careline.tables.extracted import Extracted
from careline.tenants import tenant_records


async def curated_answer(
    document: Document, text: Extracted, facts: DocumentFacts, engines: Engines
) -> Chunk | None:
    """The passage of an answer, noted among the answers; None of any other document.

    Raises: DocumentRejected (`personal_data`), TableUnavailable.
    """
    chunk = curated_chunk(text, engines.count_tokens)
    if chunk is None or chunk.curated is None:
        return None
    retention = await tenant_records.retention_of(engines, document.tenant)
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
    wanted = answered_questions.digests(chunk.curated.questions, facts.language, facts.audience)
    take = partial(
        answered_questions.untaken,
        engines.table,
        document.tenant,
        wanted,
        document.doc_key,
        document.content_hash,
        retention.day_of(engines.clock.now()),
    )
    await answer_records.note_ingested(document, engines, alongside=take)
    return chunk
