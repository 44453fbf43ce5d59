"""Bodies of curated answers: what a person says that questions are answered with."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, field_validator, model_validator
from typing_extensions import TypedDict

from careline.limits import LONGEST_ANSWER, MOST_QUESTIONS
from careline.model import Audience
from careline.schemas.moments import Day, Moment
from careline.schemas.wire import LanguageCode, Strict

LONGEST_QUESTION = 300
"""Characters of one wording of a question."""
AnswerState = Literal["pending", "live", "failed", "held", "discarded", "upcoming", "expired", "retired"]
"""How an answer stands: on its way, told, refused by the ingestion or lost, held back until a person has looked, not
told as a person decided then, valid later or no more, taken out."""
_Question = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_QUESTION)]
_Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_ANSWER)]
_Source = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)]
_Short = Annotated[str, StringConstraints(max_length=200)]


class AnswerRequest(Strict):
    """A person's answer: the questions that it answers, each in one wording, and the text that is told whole.

    `language` is told from the words when absent. `version` is the one that an edit was made of; any other is refused.
    `not_phi` are stretches that were taken for personal data and are nobody's; their number is audited.
    """

    questions: list[_Question] = Field(min_length=1, max_length=MOST_QUESTIONS)
    text: _Text
    language: LanguageCode | None = None
    audience: Audience = "public"
    owner: str | None = Field(default=None, max_length=200)
    valid_from: date | None = None
    valid_until: date | None = None
    sources: list[_Source] = Field(default_factory=list, max_length=10)
    not_phi: list[_Short] = Field(default_factory=list, max_length=20)
    version: int | None = Field(default=None, ge=1)

    @field_validator("questions", mode="after")
    @classmethod
    def _once_each(cls, questions: list[str]) -> list[str]:
        return list(dict.fromkeys(" ".join(one.split()) for one in questions))

    @model_validator(mode="after")
    def _ends_after_it_begins(self) -> Self:
        if self.valid_from and self.valid_until and self.valid_until < self.valid_from:
            raise ValueError("valid_until: not before valid_from")
        return self


class AnswerChangeBody(TypedDict):
    """Who did what to an answer, and when; `by` is "" where a file brought it. `version` is null of a retirement."""

    did: Literal["added", "changed", "retired", "ingested"]
    by: str
    at: Moment
    version: int | None


class AnswerBody(TypedDict):
    """A curated answer. `version` is that of its document, whose text and jobs are those of any other document."""

    doc_key: str
    version: int
    state: AnswerState
    questions: list[str]
    text: str
    language: str
    audience: Audience
    owner: str | None
    valid_from: Day | None
    valid_until: Day | None
    sources: list[str]
    not_phi: list[str]
    written_on: Day | None
    job_id: str
    error_message: str | None
    changes: list[AnswerChangeBody]


class AnswerPage(TypedDict):
    """Answers in order of their key; `next` is the `after` of the following page."""

    answers: list[AnswerBody]
    next: str | None


class AnswerSaved(TypedDict):
    """An answer that was saved; its job (`job_id`) has it told. `unchanged`: it said that already."""

    answer: AnswerBody
    unchanged: bool
