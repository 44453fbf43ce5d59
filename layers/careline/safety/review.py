"""What a reviewer wants to know about a book beyond whether it loads: dead words, dead patterns, hidden rules.

Also seals a reviewed pack: a sealed pack starts without checking its examples again, as long as not a byte has changed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from careline.safety import patterns, plain_text, slots
from careline.safety.patterns import Book, compile_alone, failing_examples, read_book
from careline.safety.plain_text import normalise

KINDS = ("safety", "injection", "answers", "harm", "cautions")
"""Folders of a pack that hold pattern books."""
SEAL = "sealed.json"
"""Name of the file in a pack's folder that holds the digests of its books."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something a reviewer should mend in one file."""

    file: str
    what: str


def check(book: Book) -> list[Problem]:
    """Everything worth mending: failing examples, examples that only another rule matches, dead patterns and slots."""
    found = [*failing_examples(book), *_hidden(book), *_unneeded(book), *_unused(book)]
    return [Problem(book.file, what) for what in found]


def _hidden(book: Book) -> Iterator[str]:
    for rule in book.rules:
        for example in rule.must_match:
            met = book.find(normalise(example)).get(rule.group, ())
            if met and rule.rule_id not in met:
                yield f"{rule.rule_id}: the example {example!r} is matched by {met[0]} only"


def _unneeded(book: Book) -> Iterator[str]:
    for rule in (*book.rules, *book.asides):
        texts = [book.slots.mark(normalise(example)) for example in rule.must_match]
        for number, pattern in enumerate(rule.patterns, start=1):
            search = compile_alone([pattern])
            if not any(search.search(text) for text in texts):
                yield f"{rule.rule_id}: pattern {number} is matched by none of its examples"


def _unused(book: Book) -> Iterator[str]:
    return (f"{book.language}/slots/{name}: no pattern uses it" for name in book.slots.unused())


def books(folder: Path) -> list[Path]:
    """The pattern files of a pack's folder."""
    return sorted(file for name in KINDS for file in folder.glob(f"{name}/*.yaml"))


def seal(folder: Path) -> Path:
    """Proves every book below a pack's folder and writes down their digests. Raises: PackInvalid."""
    files = books(folder)
    for file in files:
        read_book(file)
    digests = {f"{file.parent.name}/{file.name}": _digest(file) for file in files}
    sealed = folder / SEAL
    sealed.write_text(json.dumps({"engine": _engine(), "books": digests}, indent=1) + "\n", encoding="utf-8")
    return sealed


def is_sealed(file: Path) -> bool:
    """Whether the book was proven as it stands, by the engine as it stands."""
    try:
        held = json.loads((file.parent.parent / SEAL).read_bytes())
        digest = _digest(file)
    except (OSError, ValueError):
        return False
    books = held.get("books") if isinstance(held, dict) and held.get("engine") == _engine() else None
    return isinstance(books, Mapping) and books.get(f"{file.parent.name}/{file.name}") == digest


def _engine() -> str:
    return _digest(*(Path(str(module.__file__)) for module in (patterns, plain_text, slots)))


def _digest(*files: Path) -> str:
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()
