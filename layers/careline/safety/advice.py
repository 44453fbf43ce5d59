"""Stops answers that advise like a doctor would, sentence by sentence and over what was said before.

It looks at answers, not at questions: a language model may slip, and a document may hold a sentence that a public line
must not repeat. A brochure's preparation for an appointment is not advice; it is an aside of the classes it resembles.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from careline.safety.disclaimer import CLUSTERS
from careline.safety.patterns import Book
from careline.safety.plain_text import Plain, normalise_answer

KINDS = (
    "DIAGNOSIS",
    "RULED_OUT",
    "REASSURANCE",
    "DOSE",
    "MEDICINE",
    "STOP_OR_START",
    "TREATMENT_ADVICE",
    "FIRST_AID",
    "HOME_REMEDY",
)
"""Classes of an answer book that are advice when an answer meets them."""

REMEMBERED = 300
"""Characters of the answer so far that a new sentence is read together with."""


@dataclass(frozen=True, slots=True)
class AdviceVerdict:
    """What becomes of a sentence, and whether it holds medical content. `reasons` are the rules that blocked it."""

    action: Literal["allow", "block"]
    medical_content: bool
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AdviceScreen:
    """The answer books of one pack, by language."""

    books: Mapping[str, Book]

    def judge(self, sentence: str, so_far: str, language: str) -> AdviceVerdict:
        """Judges a sentence that would be said after `so_far`, which was allowed.

        Advice given over two sentences is caught: the end of what was said is read on into the sentence as if no full
        stop stood between. A language without a book is read in every language there is.
        """
        books = [self.books[language]] if language in self.books else list(self.books.values())
        alone = normalise_answer(sentence)
        before = _run_on(normalise_answer(so_far[-REMEMBERED:]))
        reasons = [reason for book in books for reason in _reasons(book, alone, before)]
        medical = any(cluster in book.find(alone) for book in books for cluster in CLUSTERS)
        return AdviceVerdict("block" if reasons else "allow", medical, tuple(dict.fromkeys(reasons)))


def _reasons(book: Book, alone: Plain, before: Plain) -> Iterator[str]:
    yield from _advice(book, alone)
    if before.strip():
        known = set(_advice(book, before))
        together = Plain(f"{before.rstrip()}{_run_on(alone)}")
        yield from (reason for reason in _advice(book, together) if reason not in known)


def _advice(book: Book, text: Plain) -> Iterator[str]:
    found = book.find(text)
    return (reason for kind in KINDS for reason in found.get(kind, ()))


def _run_on(text: Plain) -> Plain:
    """The text as one sentence."""
    return Plain(text.replace(" . ", " "))
