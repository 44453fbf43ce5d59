"""Curated answers as the people see them who write them: saved, listed, shown and retired.

An answer is a document whose file holds one record, so it is taken in, screened, held back, dated, found, cited and
deleted as every other document is. Who changed it is kept beside it and in the audit chain.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import datetime
from functools import partial

from careline.audit import chain as audit
from careline.curation.staff import with_current_staff
from careline.errors import Conflict, NotFound
from careline.knowledge import library
from careline.knowledge.answers import answer_file
from careline.knowledge.answers.answer_body import SavedAnswer, body_of, saved_answer
from careline.knowledge.curated import answer_records, answered_questions
from careline.knowledge.curated.answer_records import AnswerHistory, Did
from careline.knowledge.curated.personal_data import check_personal_data
from careline.knowledge.delete import delete
from careline.knowledge.register import Upload
from careline.log.event_log import EventLog
from careline.model import DocumentState
from careline.ports import Engines
from careline.records.record_table import Put
from careline.schemas.answers import AnswerBody, AnswerPage, AnswerRequest, AnswerSaved
from careline.tenants import tenant_records

AT_ONCE = 10
"""Answers that are read at the same time."""
log = EventLog(__name__)


async def add(tenant: str, asked: AnswerRequest, by: str, engines: Engines) -> AnswerSaved:
    """Save a new answer and start the job that takes it in; what is there word for word is left as it is.

    Raises: BadRequest, DocumentRejected (`personal_data`), Conflict where another answer is told to one of its
    questions already, and what `library.ingest` raises.
    """
    asked = answer_file.with_language(asked, engines.identify)
    return await _save(tenant, await _new_key(tenant, asked, engines), asked, by, engines, is_new=True)


async def edit(tenant: str, doc_key: str, asked: AnswerRequest, by: str, engines: Engines) -> AnswerSaved:
    """Save an answer in place of what it said before; a retired one is told again. Raises: NotFound, and as `add`."""
    await _history(tenant, doc_key, engines)
    asked = answer_file.with_language(asked, engines.identify)
    return await _save(tenant, doc_key, asked, by, engines, is_new=False)


async def put(tenant: str, doc_key: str, asked: AnswerRequest, by: str, engines: Engines) -> AnswerSaved:
    """Save the answer of a file's record under the record's key, whether it is new or not. Raises: as `add`."""
    return await _save(tenant, doc_key, answer_file.with_language(asked, engines.identify), by, engines, is_new=False)


async def retire(tenant: str, doc_key: str, by: str, engines: Engines) -> None:
    """Take an answer out at once; what it said stays for audit. Raises: NotFound, Conflict for a retired one."""
    held = await _history(tenant, doc_key, engines)
    saved = await saved_answer(tenant, doc_key, engines)
    is_retired = held.is_retired if saved is None else saved.document.state is DocumentState.DELETED
    if is_retired:
        raise Conflict("this answer is retired already")
    content_hash = held.changes[-1].content_hash if saved is None else saved.document.content_hash
    change = answer_records.change_of("retired", by, content_hash, engines.clock.now())
    body = {"doc_key": doc_key, "did": "retired", "by": by, "content_hash": content_hash}
    await audit.append(engines, tenant, "answer", body, alongside=[held.put(tenant, change)])
    if saved is not None:
        await delete(tenant, doc_key, engines)


async def show(tenant: str, doc_key: str, engines: Engines) -> AnswerBody:
    """One answer with its changes. Raises: NotFound."""
    return await body_of(tenant, await _history(tenant, doc_key, engines), engines)


async def listing(
    tenant: str, engines: Engines, *, after: str = "", limit: int = 100, everything: bool = False
) -> AnswerPage:
    """At most `limit` answers in order of their key; retired ones are left out of them unless `everything`. `next` is
    the `after` of the following page."""
    held: list[AnswerHistory] = []
    more: str | None = None
    async for one in answer_records.histories(engines.table, tenant, after):
        if len(held) == limit:
            more = held[-1].doc_key
            break
        held.append(one)
    found = await _bodies(tenant, held, engines)
    log.write("answers_listed", count=len(found))
    return {"answers": [one for one in found if everything or one["state"] != "retired"], "next": more}


async def _bodies(tenant: str, held: Sequence[AnswerHistory], engines: Engines) -> list[AnswerBody]:
    few = asyncio.Semaphore(AT_ONCE)

    async def one(history: AnswerHistory) -> AnswerBody:
        async with few:
            return await body_of(tenant, history, engines)

    return list(await asyncio.gather(*map(one, held)))


async def _save(
    tenant: str, doc_key: str, asked: AnswerRequest, by: str, engines: Engines, *, is_new: bool
) -> AnswerSaved:
    await _check(tenant, asked, engines)
    held = await answer_records.history(engines.table, tenant, doc_key)
    saved = await saved_answer(tenant, doc_key, engines) if held.changes else None
    if saved is not None:
        told = saved.document.state is not DocumentState.DELETED
        if told and _says(saved, asked) and saved.document.state is not DocumentState.FAILED:
            return {"answer": await body_of(tenant, held, engines), "unchanged": True}
        if is_new and told and not _says(saved, asked):
            raise _answered(doc_key)
        if asked.version not in (None, saved.document.version):
            raise Conflict(f"somebody saved version {saved.document.version} meanwhile; look at it and edit that one")
    today = await library.today(tenant, engines)
    upload = answer_file.upload_of(tenant, doc_key, asked, today, saved.document.file_name if saved else "")
    if is_new and saved is None and await _is_anothers(tenant, held, asked, engines):
        raise Conflict(
            f"{doc_key} was saved for this question with another text and is not there yet, or its upload failed; "
            "edit that answer"
        )
    wanted = answered_questions.digests(asked.questions, str(asked.language), asked.audience)
    taken = await answered_questions.taken(engines.table, tenant, wanted, doc_key, upload.content_hash(), today)
    await _note(tenant, held, asked, upload, by, taken, engines)
    await library.ingest(upload, engines)
    return {"answer": await show(tenant, doc_key, engines), "unchanged": False}


async def _is_anothers(tenant: str, held: AnswerHistory, asked: AnswerRequest, engines: Engines) -> bool:
    """Whether the last that was saved of an answer, of which no file is kept, said something else. The day on which it
    was written, which its content names too, is that of its saving."""
    if not held.changes or held.is_retired:
        return False
    saved_at = datetime.fromisoformat(held.changes[-1].at)
    written_on = (await tenant_records.retention_of(engines, tenant)).day_of(saved_at)
    return held.ends_with != answer_file.upload_of(tenant, held.doc_key, asked, written_on).content_hash()


async def _note(
    tenant: str,
    held: AnswerHistory,
    asked: AnswerRequest,
    upload: Upload,
    by: str,
    taken: Sequence[Put],
    engines: Engines,
) -> None:
    """Write down that an answer is saved and which questions it takes, before its file is kept."""
    did: Did = "changed" if held.changes else "added"
    change = answer_records.change_of(did, by, upload.content_hash(), engines.clock.now())
    body = {
        "doc_key": held.doc_key, "did": did, "by": by, "content_hash": change.content_hash,
        "not_phi": len(asked.not_phi),
    }  # fmt: skip
    await audit.append(engines, tenant, "answer", body, alongside=[held.put(tenant, change), *taken])


async def _check(tenant: str, asked: AnswerRequest, engines: Engines) -> None:
    """Raises: DocumentRejected (`personal_data`)."""
    held = await with_current_staff(await tenant_records.retention_of(engines, tenant), engines)
    check = partial(
        check_personal_data, asked.questions, asked.text, str(asked.language), engines.detector,
        staff=held.staff, not_phi=asked.not_phi,
    )  # fmt: skip
    await asyncio.to_thread(check)


async def _new_key(tenant: str, asked: AnswerRequest, engines: Engines) -> str:
    """The key of the answer that has the first question, else its own: the next one where an answer has that which says
    something else now."""
    (first, *_) = answered_questions.digests(asked.questions, str(asked.language), asked.audience)
    today = await library.today(tenant, engines)
    if holder := (await answered_questions.answered(engines.table, tenant, first, today)).doc_key:
        return holder
    plain, number = answer_file.key_of(asked), 1
    while await _is_another(tenant, key := plain if number == 1 else f"{plain}-{number}", asked, engines):
        number += 1
    return key


async def _is_another(tenant: str, doc_key: str, asked: AnswerRequest, engines: Engines) -> bool:
    """Whether a key is that of an answer that says something else and is not retired."""
    saved = await saved_answer(tenant, doc_key, engines)
    return saved is not None and saved.document.state is not DocumentState.DELETED and not _says(saved, asked)


def _says(saved: SavedAnswer, asked: AnswerRequest) -> bool:
    return saved.content is not None and answer_file.is_as(asked, saved.document, saved.content)


def _answered(doc_key: str) -> Conflict:
    return Conflict(f"{doc_key} answers this question already; edit that answer")


async def _history(tenant: str, doc_key: str, engines: Engines) -> AnswerHistory:
    held = await answer_records.history(engines.table, tenant, doc_key)
    if not held.changes:
        raise NotFound("there is no such answer; `careline answer list` shows those there are")
    return held
