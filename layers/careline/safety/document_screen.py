"""Says whether a passage of a document may be told to callers, or is poison somebody put there.

Documents are data: what a page says is quoted to callers with the hospital's name behind it, so a page that discourages
calls for help, asks for secrets or instructs the assistant is held back until a person has looked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from careline.safety.contacts import Known
from careline.safety.disguise import DATA, read_disguises
from careline.safety.document_findings import findings
from careline.safety.document_signals import Sentence, read
from careline.safety.injection import valid
from careline.safety.patterns import Book, read_book
from careline.safety.review import Seals
from careline.sentences import split

BOOKS = DATA / "documents"
_LONGEST_EXCERPT = 240
_LONGEST_DISGUISED = 600
"""Characters of a sentence that is read once more without its disguises."""
_EVERYDAY = frozenset({"parted-words", "other-script"})
"""Tricks that hyphens and foreign words look like."""


@dataclass(frozen=True, slots=True)
class Finding:
    """`reason` is a kind of `document_findings.KINDS` or `hidden_text`; `excerpt` the words that show it."""

    reason: str
    excerpt: str


@dataclass(frozen=True, slots=True)
class DocumentScreen:
    """The books of signals by language. Every book is read, whatever the document's language."""

    books: Mapping[str, Book]

    def judge(
        self, text: str, language: str, known: Known | None = None, headings: Sequence[str] = ()
    ) -> tuple[Finding, ...]:
        """What is wrong with a passage below its headings; empty when it may be told. Time is linear in the text."""
        lines = [valid(each) for part in (*headings, text) for each in split(part, language)]
        found: dict[str, str] = {}
        for reading in self._readings(lines):
            for book in self.books.values():
                sentences = self._sentences(reading, book)
                for kind, at in findings(sentences, known or Known(), undisguised=reading is not lines):
                    found.setdefault(kind, lines[at][:_LONGEST_EXCERPT])
        return tuple(Finding(kind, excerpt) for kind, excerpt in found.items())

    def _readings(self, lines: list[str]) -> list[list[str]]:
        """The sentences as they stand, and once more without disguises where there are any."""
        undone = [_undisguised(line) for line in lines]
        return [lines] if undone == lines else [lines, undone]

    def _sentences(self, lines: Sequence[str], book: Book) -> list[Sentence]:
        told = False
        read_so_far: list[Sentence] = []
        for line in lines:
            about = "ABOUT" in (first := read(line, book, quotes_told=False)).whole or "REPORTS" in first.whole
            read_so_far.append(read(line, book, quotes_told=True) if about or told else first)
            told = about
        return read_so_far


def _undisguised(line: str) -> str:
    """The line as its reader takes it, where letters are hidden behind others; else as it came."""
    if len(line) > _LONGEST_DISGUISED:
        return line
    for reading in read_disguises().readings(line):
        if reading.trick not in _EVERYDAY:
            return reading.text
    return line


@cache
def read_document_screen() -> DocumentScreen:
    """The screen with the shipped books. Raises: PackInvalid."""
    seals = Seals()
    return DocumentScreen({file.stem: read_book(file, seals.of(file)) for file in sorted(BOOKS.glob("*.yaml"))})
