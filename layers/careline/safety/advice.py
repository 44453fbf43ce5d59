"""Stops answers that advise like a doctor would (S4), sentence by sentence and over what was said before.

It looks at answers, not at questions: a language model may slip, and a document may hold a sentence that a public line
must not repeat. A brochure's preparation for an appointment is not advice and is an aside of the classes it resembles.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

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
    """What becomes of a sentence. `medical_content` says whether answer so far and sentence owe a disclaimer."""

    action: Literal["allow", "block"]
    medical_content: bool
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AdviceScreen:
    """The answer books of one pack, by language, and the disclaimer's reading of the same books."""

    books: Mapping[str, Book]

    def judge(self, sentence: str, so_far: str, language: str) -> AdviceVerdict:
        """Judges a sentence that would be said after `so_far`, which was allowed.

        Advice given over two sentences is caught: the end of what was said is read on into the sentence as if no full
        stop stood between. A language without a book is read in every language there is.
        """
        books = [self.books[language]] if language in self.books else list(self.books.values())
        alone = normalise_answer(sentence)
        before = _ending(normalise_answer(so_far[-REMEMBERED:]))
        together = _run_on(before, alone)
        reasons: list[str] = []
        for book in books:
            reasons += _advice(book, alone)
            if before.strip():
                known = set(_advice(book, _run_on(before, Plain(" "))))
                reasons += [each for each in _advice(book, together) if each not in known and each not in reasons]
        medical = any(self._medical(book, f"{so_far}\n\n{sentence}") for book in books)
        return AdviceVerdict("block" if reasons else "allow", medical, tuple(reasons))
