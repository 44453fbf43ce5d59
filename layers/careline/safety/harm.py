"""Stops what no assistant of a hospital says to anybody: incitement, contempt, sexual words, pretending to be a doctor.

The books are few and precise: a brochure on the prevention of suicide or on violence at home must pass.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from careline.safety.patterns import Book
from careline.safety.plain_text import Plain, normalise_answer

REMEMBERED = 300
"""Characters of the answer so far that a new sentence is read together with."""


@dataclass(frozen=True, slots=True)
class HarmScreen:
    """The harm books of one pack, by language; every class of such a book is harmful."""

    books: Mapping[str, Book]

    def judge(self, sentence: str, so_far: str, language: str) -> tuple[str, ...]:
        """Ids of the rules that a sentence meets, said after `so_far`, which was allowed; empty when it may be said.

        The end of what was said is read on into the sentence as if no full stop stood between. A language without a
        book is read in every language there is.
        """
        books = [self.books[language]] if language in self.books else list(self.books.values())
        alone = normalise_answer(sentence)
        before = _run_on(normalise_answer(so_far[-REMEMBERED:]))
        return tuple(dict.fromkeys(reason for book in books for reason in _reasons(book, alone, before)))


def _reasons(book: Book, alone: Plain, before: Plain) -> Iterator[str]:
    yield from _met(book, alone)
    if before.strip():
        known = set(_met(book, before))
        together = Plain(f"{before.rstrip()}{_run_on(alone)}")
        yield from (reason for reason in _met(book, together) if reason not in known)


def _met(book: Book, text: Plain) -> list[str]:
    return [reason for reasons in book.find(text).values() for reason in reasons]


def _run_on(text: Plain) -> Plain:
    """The text as one sentence."""
    return Plain(text.replace(" . ", " "))
