"""Reads ready records: one JSON object is one document, with a title or question, a text, and any facts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from careline.knowledge.extract import facts, text
from careline.knowledge.extract.admission import check_text
from careline.knowledge.extract.characters.charset import decode_lines
from careline.knowledge.extract.characters.surrogates import WARNING as HALVES_WARNING
from careline.knowledge.extract.characters.surrogates import without_surrogates
from careline.knowledge.extract.rejections import rejected
from careline.limits import LONGEST_ANSWER, MOST_QUESTIONS, Limits
from careline.tables.extracted import Block, BlockKind, Extracted, Page

QUESTIONS = ("question", "vraag", "domanda", "questions", "vragen", "domande", "variants")
"""Fields that hold what a record's text answers: one question or a list of them."""
_TITLES = ("question", "title", "vraag", "domanda", "titel", "titre", "titolo")
_TEXTS = ("text", "answer", "content", "body", "antwoord", "réponse", "risposta")


def read(content: bytes, limits: Limits) -> Extracted:
    """One record: its question or title is the heading above its text. With questions it is a person's answer to them.

    Raises: DocumentRejected `disguised`, `charset`, `long_line`, `too_large`, `corrupt` when it is not one JSON object,
    `unsupported` when the file holds several, `no_text` when it has no text.
    """
    record, warnings = _record(content, limits)
    title = _first(record, _TITLES)
    body = _first(record, _TEXTS)
    if not body:
        raise rejected("no_text")
    asked = questions(record)
    title = title or next(iter(asked), "")
    heading = (Block(BlockKind.HEADING, " ".join(title.split()), 1),) if title else ()
    stated = facts.stated(record)
    if title:
        stated.setdefault("title", " ".join(title.split()))
    if asked and len(body) <= LONGEST_ANSWER:
        said = {"questions": asked, **{name: _texts(record, (name,)) for name in ("sources", "not_phi")}}
        stated |= {name: list(held) for name, held in said.items() if held}
        stated |= {"written_on": day[:10]} if (day := _first(record, ("written_on",))) else {}
    return Extracted((Page(1, (*heading, *text.blocks(body))),), stated, tuple(warnings))


def questions(record: Mapping[object, object]) -> tuple[str, ...]:
    """The questions that a record answers, each once, at most `MOST_QUESTIONS`; none of a page with a title alone."""
    return _texts(record, QUESTIONS)[:MOST_QUESTIONS]


def answer_text(record: Mapping[object, object]) -> str:
    """The text of a record, "" where it has none."""
    return _first(record, _TEXTS)


def lines(content: bytes) -> Iterator[bytes]:
    """The records of a JSON Lines file, each to be read, accepted or refused by itself."""
    start = 3 if content.startswith(b"\xef\xbb\xbf") else 0
    while start < len(content):
        end = content.find(b"\n", start)
        end = len(content) if end < 0 else end
        if line := content[start:end].strip():
            yield line
        start = end + 1


def doc_key(content: bytes) -> str | None:
    """The `doc_key` that a record states, or None; a record that cannot be read has none."""
    try:
        record = json.loads(content)
    except (ValueError, RecursionError):
        return None
    key = record.get("doc_key") if isinstance(record, dict) else None
    return key if isinstance(key, str) and key.strip() else None


def _record(content: bytes, limits: Limits) -> tuple[dict[object, object], list[str]]:
    check_text(content, ".jsonl")
    source, warnings = decode_lines(content, limits, declared="utf-8")  # RFC 8259, section 8.1: JSON is UTF-8.
    try:
        record, had_halves = without_surrogates(json.loads(source))
    except (ValueError, RecursionError) as error:
        if _is_several(source):
            raise rejected("unsupported", what="A file with several records") from error
        raise rejected("corrupt", detail="it is not valid JSON") from error
    if not isinstance(record, dict):
        raise rejected("corrupt", detail="it is not a JSON object")
    return record, [*warnings, HALVES_WARNING] if had_halves else warnings


def _is_several(source: str) -> bool:
    found = [line for line in source.split("\n") if line.strip()]
    return len(found) > 1 and all(line.strip().startswith("{") and line.strip().endswith("}") for line in found)


def _texts(record: Mapping[object, object], names: tuple[str, ...]) -> tuple[str, ...]:
    """What these fields hold, each a text or a list of texts, on one line and each once."""
    held = (record.get(name) for name in names)
    listed = (one for value in held for one in (value if isinstance(value, list) else [value]))
    return tuple(dict.fromkeys(" ".join(one.split()) for one in listed if isinstance(one, str) and one.strip()))


def _first(record: Mapping[object, object], names: tuple[str, ...]) -> str:
    """The first of these fields that is a text with something in it."""
    return next((value for name in names if isinstance(value := record.get(name), str) and value.strip()), "")
