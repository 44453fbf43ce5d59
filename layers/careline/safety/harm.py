"""Stops what no assistant of a hospital says to anybody: incitement, contempt, sexual words, pretending to be a doctor.

The books are few and precise: a brochure on the prevention of suicide or on violence at home must pass.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from careline.safety.in_context import InContext
from careline.safety.patterns import Book


@dataclass(frozen=True, slots=True)
class HarmScreen:
    """The harm books of one pack, by language; every class of such a book is harmful."""

    books: Mapping[str, Book]

    def judge(self, said: InContext, language: str) -> tuple[str, ...]:
        """Ids of the rules that a sentence meets; empty when it may be said.

        A language without a book is read in every language there is.
        """
        books = [self.books[language]] if language in self.books else list(self.books.values())
        return tuple(dict.fromkeys(reason for book in books for reason in said.met(book)))
