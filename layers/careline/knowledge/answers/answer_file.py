"""The file that a curated answer is kept as: one record, the same that a file of records has a line of."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from careline.errors import BadRequest
from careline.knowledge.curated.answered_questions import same
from careline.knowledge.extract import facts, records
from careline.knowledge.extract.characters.surrogates import without_surrogates
from careline.knowledge.register import Upload
from careline.model import LANGUAGES, Document
from careline.ports import LanguageIdentifier
from careline.schemas.answers import AnswerRequest
from careline.schemas.wire import read_body

SOURCE_TYPE = "answer"
SURE_LANGUAGE = 0.6
"""Confidence from which on the language of an answer is told by its words, its questions among them."""
FACTS = ("language", "audience", "owner", "valid_from", "valid_until")
"""Facts of a document that an answer has."""
EMPTY: dict[str, Any] = {"questions": [], "text": "", "sources": [], "written_on": None, "not_phi": []}
"""What is said of an answer whose file is lost."""
_SAID = frozenset({"questions", "text", "sources", "not_phi", *FACTS})


def request_of(record: Mapping[object, object], defaults: Mapping[str, object]) -> AnswerRequest:
    """What a record of a file asks to be saved, with `defaults` where it says nothing.

    Raises: BadRequest naming what is wrong, TooLarge.
    """
    stated = facts.stated(record)
    said = {name: value for name in FACTS if (value := stated.get(name, defaults.get(name))) not in (None, "")}
    asked = {
        **{name: value.isoformat() if isinstance(value, date) else value for name, value in said.items()},
        "questions": list(records.questions(record)),
        "text": records.answer_text(record).strip(),
        "sources": _listed(record.get("sources")) or _listed(stated.get("url")),
        "not_phi": _listed(record.get("not_phi")),
    }
    if not asked["questions"]:
        raise BadRequest("the record has no question, so it is a page: take it in with `careline ingest`")
    return checked(asked)


def checked(asked: Mapping[str, object]) -> AnswerRequest:
    """What is asked to be saved, from plain values. Raises: BadRequest naming what is wrong, TooLarge."""
    _, has_halves = without_surrogates(dict(asked))
    if has_halves:
        raise BadRequest("it holds half of a character, such as a cut emoji; write that whole or leave it out")
    return read_body(AnswerRequest, json.dumps(asked).encode())


def with_language(asked: AnswerRequest, identify: LanguageIdentifier) -> AnswerRequest:
    """The answer with its language. Raises: BadRequest where its words do not tell it."""
    if asked.language is not None:
        return asked
    code, confidence = identify.identify("\n".join((*asked.questions, asked.text)))
    if code not in LANGUAGES or confidence < SURE_LANGUAGE:
        raise BadRequest(f"language: the words do not tell it; state one of {', '.join(LANGUAGES)}")
    return asked.model_copy(update={"language": code})


def key_of(asked: AnswerRequest) -> str:
    """The key of a new answer: that of its first question in its language for its audience, so that sending it twice
    makes one."""
    audience = "" if asked.audience == "public" else f"{asked.audience}/"
    named = f"{asked.language}/{audience}{same(asked.questions[0])}"
    return f"{SOURCE_TYPE}-{hashlib.sha256(named.encode()).hexdigest()[:12]}"


def upload_of(tenant: str, doc_key: str, asked: AnswerRequest, written_on: date, file_name: str = "") -> Upload:
    """The answer on its way in."""
    said = asked.model_dump(mode="json", include=set(_SAID), exclude_none=True, exclude_defaults=True)
    record = {"doc_key": doc_key, **said, "language": asked.language, "written_on": written_on.isoformat()}
    content = json.dumps(record, ensure_ascii=False, sort_keys=True).encode()
    about = {name: value for name in FACTS if (value := getattr(asked, name))}
    known = {"title": asked.questions[0], "source_type": SOURCE_TYPE, **about}
    return Upload(tenant, file_name or f"{doc_key}.jsonl", content, doc_key, known)


def read_answer(document: Document, content: bytes) -> dict[str, Any]:
    """What the file of an answer says: `questions`, `text`, `sources`, `written_on`, `not_phi`; the facts are the
    document's.

    Halves of characters are repaired as they were when the file was taken in. Raises: ValueError for a file that is no
    record.
    """
    try:
        record, _ = without_surrogates(json.loads(content))
    except RecursionError as error:
        raise ValueError("the record is nested without end") from error
    if not isinstance(record, dict):
        raise ValueError("the file is no record")
    return {
        "questions": list(records.questions(record)),
        "text": records.answer_text(record),
        "sources": _listed(record.get("sources")),
        "written_on": record.get("written_on") or None,
        "not_phi": _listed(record.get("not_phi")),
    }


def is_as(asked: AnswerRequest, document: Document, held: dict[str, Any]) -> bool:
    """Whether a document says what was asked to be saved already."""
    about = document.facts
    return (
        (asked.questions, asked.text, asked.sources, asked.not_phi)
        == (held["questions"], held["text"], held["sources"], held["not_phi"])
        and (asked.language, asked.audience, asked.owner or None) == (about.language, about.audience, about.owner)
        and (asked.valid_from, asked.valid_until) == (about.valid_from, about.valid_until)
    )


def _listed(value: object) -> list[str]:
    held: Iterable[object] = value if isinstance(value, list) else [value]
    return [one for one in held if isinstance(one, str) and one]
