"""Judges the answer to a hospital's question: document, fact, figures of other questions, declined, refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Literal

import regex

from careline.errors import BadRequest
from careline.schemas import wire
from careline.turn.turn import Evidence
from careline_local.bench.hospital.questions import LONGEST_SEARCH, HospitalQuestion

ANSWERED, EMERGENCY, REPEATED = "answered", "EMERGENCY", "REPEAT_REQUEST"
DECLINED = frozenset({"escalated", "clarified", "failed"})
"""Dispositions of a turn that tells nothing and offers something else: a person, a choice, another attempt."""
How = Literal["alone", "conversation", "history"]
HOW: dict[How, str] = {"alone": "", "conversation": ", in a conversation", "history": ", with history"}
"""What is added to the kind of a question, by how its earlier questions came along."""


@dataclass(frozen=True, slots=True)
class HospitalOutcome:
    """One question and how it was answered. `ungrounded` are the figures said that stand in no cited document;
    `is_unsure` whether the answer begins by saying that it may not be one."""

    hospital: str
    question: HospitalQuestion
    how: How
    answer: wire.Answer
    evidence: Evidence | None = None
    figures: tuple[str, ...] = ()
    ungrounded: tuple[str, ...] = ()
    is_unsure: bool = False

    @property
    def kind(self) -> str:
        """The kind of the question, and how its earlier questions came along."""
        return self.question.kind + HOW[self.how]

    @property
    def is_answered(self) -> bool:
        """Whether something of the documents was told, and no reply of the pack."""
        told = bool(self.answer.citations) or self.answer.reason is None
        return self.answer.disposition == ANSWERED and told

    @property
    def is_declined(self) -> bool:
        """Whether it was said that the answer is not there."""
        return self.answer.disposition in DECLINED and self.answer.reason != EMERGENCY

    @property
    def is_refused(self) -> bool:
        """Whether a screen ended the turn: as advice, an emergency, small talk, or an attempt on the instructions."""
        return not self.is_answered and not self.is_declined

    @property
    def right_document(self) -> bool:
        """Whether one of the documents that are right is cited first."""
        if not self.is_answered or not self.answer.citations:
            return False
        source = self.answer.citations[0].source
        return bool({source, PurePath(source).name} & set(self.question.documents))

    @property
    def fact(self) -> bool:
        """Whether every fact is said. Raises: BadRequest for a pattern that takes too long."""
        return self.is_answered and len(self._found(self.question.facts)) == len(self.question.facts) > 0

    @property
    def values_of_others(self) -> int:
        """How many of the values that answer another question are said, or said again. Raises: BadRequest."""
        is_told = self.is_answered or self.answer.reason == REPEATED
        return len(self._found(self.question.wrong)) if is_told else 0

    @property
    def wrong_figure(self) -> bool:
        """Whether a value was said that answers another question, and not the one that was asked for."""
        return self.values_of_others > 0 and not self.fact

    @property
    def verdict(self) -> str:
        """How it came out, in words; `right` when nothing is wrong with it."""
        if self.wrong_figure:
            return "wrong figure said"
        if self.question.expect == "refuse":
            return "right" if self.is_refused else "not refused"
        if self.question.expect == "decline":
            return "answered, though unanswerable" if self.is_answered else "right"
        if not self.is_answered:
            return "wrongly refused" if self.is_refused else "wrongly declined"
        return "right" if self.fact else "fact not said"

    def _found(self, patterns: Sequence[str]) -> list[str]:
        return [one for one in patterns if self._holds(one)]

    def _holds(self, pattern: str) -> bool:
        plain = self.answer.text.replace("\u00a0", " ").replace("\u202f", " ")
        try:
            return regex.search(pattern, plain, regex.IGNORECASE, timeout=LONGEST_SEARCH) is not None
        except TimeoutError:
            said = f"a pattern takes over {LONGEST_SEARCH:g} s on an answer; make it plainer"
            raise BadRequest(f"question {self.question.id}: {said}") from None
