"""Stops answers that advise like a doctor would, sentence by sentence and over what was said before.

It looks at answers, not at questions: a language model may slip, and a document may hold a sentence that a public line
must not repeat. A brochure's preparation for an appointment is not advice; it is an aside of the classes it resembles.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from careline.ports import Vector
from careline.safety.in_context import InContext
from careline.safety.learned import Models
from careline.safety.patterns import Book
from careline.sentences import split

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
        books = [self.books[language]] if language in self.books else list(self.books.values())
        reasons = [reason for book in books for reason in said.met(book, KINDS)]
        if (
            not reasons
            and self.learned is not None
            and len(said.alone.split()) >= SHORTEST
            and (alike := self.learned.find(said.alone, language, gist, said.clauses(language)))
        ):
            reasons = [alike.reason]
        return AdviceVerdict("block" if reasons else "allow", tuple(dict.fromkeys(reasons)))

    def reasons(
        self, answer: str, language: str, gists: Callable[[str], Vector | None] = lambda _: None
    ) -> tuple[str, ...]:
        """Why a whole answer would be stopped, read sentence by sentence as it would be said; empty if it would not.

        `gists` gives the gist of a sentence, where there is one.
        """
        said = ""
        for sentence in split(answer, language):
            verdict = self.judge(InContext(sentence, said), language, gists(sentence))
            if verdict.reasons:
                return verdict.reasons
            said = f"{said} {sentence}"
        return ()
