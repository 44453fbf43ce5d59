"""Which answer is told to a question: one record for each question of a language and audience, so that no two answers
are, however many are saved at once.

An answer takes its questions when it is saved, before its file is kept. It has them as long as the content that it took
them with is on its way, told, or the last that was saved of it; so nothing is given back when it is edited, expires or
is retired.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from careline.errors import Conflict
from careline.knowledge import catalogue
from careline.knowledge.curated import answer_records
from careline.model import Audience, DocumentState
from careline.records import keys
from careline.records.record_table import Item, Put, RecordTable

_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class AnsweredQuestion:
    """The answer that has a question: `contents` are SHA-256 of those that it took it with, `revision` is what a write
    must expect. Nobody has it where `doc_key` is ""."""

    digest: str
    doc_key: str = ""
    contents: tuple[str, ...] = ()
    revision: int = 0


def same(question: str) -> str:
    """A question however it is written: its words in lower case."""
    return " ".join(_WORD.findall(question.casefold()))


def digests(questions: Iterable[str], language: str, audience: Audience) -> list[str]:
    """What questions are kept under, each once: SHA-256 in hexadecimal."""
    named = (f"{language}/{audience}/{same(one)}" for one in questions)
    return list(dict.fromkeys(hashlib.sha256(one.encode()).hexdigest() for one in named))


async def answered(table: RecordTable, tenant: str, digest: str, today: date) -> AnsweredQuestion:
    """A question with the answer that has it today. Raises: TableUnavailable."""
    item = await table.get(*keys.answered_question(tenant, digest))
    if item is None:
        return AnsweredQuestion(digest)
    doc_key: str = item.body["doc_key"]
    stands = await _standing(table, tenant, doc_key, today)
    contents = tuple(one for one in item.body["contents"] if one in stands)
    return AnsweredQuestion(digest, doc_key if contents else "", contents, item.revision)


def put(tenant: str, question: AnsweredQuestion, doc_key: str, content: str) -> Put:
    """The write by which an answer takes a question with a content (SHA-256)."""
    before = question.contents if question.doc_key == doc_key else ()
    body = {"doc_key": doc_key, "contents": list(dict.fromkeys((*before, content)))}
    return Put(Item(*keys.answered_question(tenant, question.digest), body), expects=question.revision)


async def taken(
    table: RecordTable, tenant: str, wanted: Iterable[str], doc_key: str, content: str, today: date
) -> list[Put]:
    """The writes by which an answer takes its questions (`digests`) with a content (SHA-256).

    Raises: Conflict naming another answer that has one of them, TableUnavailable.
    """
    found = [await answered(table, tenant, one, today) for one in wanted]
    for other in found:
        if other.doc_key not in ("", doc_key):
            raise Conflict(
                f"{other.doc_key} is told to one of these questions already; edit that answer, or leave it out"
            )
    return [put(tenant, one, doc_key, content) for one in found]


async def untaken(
    table: RecordTable, tenant: str, wanted: Iterable[str], doc_key: str, content: str, today: date
) -> list[Put]:
    """The writes by which an answer that is there already takes those of its questions that no other one has; none
    where it has them with this content.

    Raises: TableUnavailable.
    """
    found = [await answered(table, tenant, one, today) for one in wanted]
    return [
        put(tenant, one, doc_key, content)
        for one in found
        if one.doc_key == "" or (one.doc_key == doc_key and content not in one.contents)
    ]


async def _standing(table: RecordTable, tenant: str, doc_key: str, today: date) -> set[str]:
    """The contents of an answer that are on their way, told, or the last that was saved, and have not expired."""
    versions = [document for document, _ in await catalogue.versions(table, tenant, doc_key)]
    standing = {
        one.content_hash
        for one in versions
        if one.state is not DocumentState.DELETED
        and (one is versions[-1] or one.state is DocumentState.LIVE)
        and catalogue.validity(one, today) != "expired"
    }
    history = await answer_records.history(table, tenant, doc_key)
    last = history.changes[-1] if history.changes else None
    if last is not None and last.did != "retired" and last.content_hash not in {one.content_hash for one in versions}:
        standing.add(last.content_hash)
    return standing
