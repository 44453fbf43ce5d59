"""Stops answers that advise like a doctor would, sentence by sentence and over what was said before.

It looks at answers, not at questions: a language model may slip, and a document may hold a sentence that a public line
must not repeat. A brochure's preparation for an appointment is not advice; it is an aside of the classes it resembles.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from careline.ports import Vector
from careline.safety.in_context import InContext
from careline.safety.learned import FirstLook, Models, places
from careline.safety.patterns import Book

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

ADVICE = frozenset({"ADVICE"})
"""The class of advice, as the models name it."""
SHORTEST = 3
"""Words from which the models are asked: a name in a list says nothing by itself."""


@dataclass(frozen=True, slots=True)
class AdviceVerdict:
    """What becomes of a sentence. `reasons` blocked it."""

    action: Literal["allow", "block"]
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AdviceScreen:
    """The answer books of one pack, by language, and the model behind them, which may only add to what they find."""

    books: Mapping[str, Book]
    learned: Models | None = None

    def judge(self, said: InContext, language: str, gist: Vector | None = None) -> AdviceVerdict:
        """Judges a sentence; `gist` is the sentence's. A language without a book is read in every one there is."""
        return self.first_look(said, language).verdict(gist)

    def first_look(self, said: InContext, language: str) -> FirstLook[AdviceVerdict]:
        """What `judge` knows before it looks at the gist."""
        books = [self.books[language]] if language in self.books else list(self.books.values())
        reasons = tuple(dict.fromkeys(reason for book in books for reason in said.met(book, KINDS)))
        if reasons or self.learned is None or len(said.alone.split()) < SHORTEST:
            return FirstLook(in_doubt=False, judge=lambda _: AdviceVerdict("block" if reasons else "allow", reasons))
        words = self.learned.read(places(said.alone), said.clauses(language))

        def judge(gist: Vector | None) -> AdviceVerdict:
            found = words.find(language, gist)
            return AdviceVerdict("block", (found.reason,)) if found is not None else AdviceVerdict("allow")

        return FirstLook(words.may_be(ADVICE) and words.may_not_be(ADVICE), judge)
