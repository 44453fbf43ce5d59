"""A hospital's own documents and the questions that people ask about them: what `careline bench answers --on` reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Literal

import regex
import yaml
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, model_validator

from careline.errors import BadRequest
from careline_local.intake import find

DOCUMENTS, QUESTIONS = "documents", "questions.yaml"
LONGEST_FILE = 2_000_000
LONGEST_SEARCH = 2.0
"""Seconds that a pattern may take on one answer."""
Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2_000)]
Pattern = Annotated[str, StringConstraints(min_length=1, max_length=4_000)]


class HospitalQuestion(BaseModel):
    """A question and what a right answer is.

    `facts` are patterns of the `regex` package that must all be found in the answer, `wrong` those of values that
    answer another question. `documents` are the files of which any is right to be cited first; `before` are earlier
    questions of the conversation.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)
    id: Text
    language: Literal["nl", "en", "fr", "it"]
    kind: Text
    ask: Text
    before: tuple[Text, ...] = Field(default=(), max_length=5)
    documents: tuple[Text, ...] = ()
    facts: tuple[Pattern, ...] = ()
    wrong: tuple[Pattern, ...] = ()
    expect: Literal["answer", "decline", "refuse"] = "answer"

    @model_validator(mode="after")
    def _says_what_is_right(self) -> HospitalQuestion:
        if self.expect == "answer" and not self.facts:
            raise ValueError("needs `facts`, or `expect: decline` or `refuse`")
        for name, patterns in (("facts", self.facts), ("wrong", self.wrong)):
            for pattern in patterns:
                _compiled(name, pattern)
        return self


class HospitalQuestions(BaseModel):
    """The questions of one hospital."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    hospital: Text
    main_language: Literal["nl", "en", "fr", "it"] | None = None
    questions: tuple[HospitalQuestion, ...] = Field(min_length=1, max_length=5_000)

    @model_validator(mode="after")
    def _has_one_question_of_each_id(self) -> HospitalQuestions:
        twice = [name for name, count in Counter(one.id for one in self.questions).items() if count > 1]
        if twice:
            raise ValueError(f"the id {twice[0]!r} stands there twice")
        return self


def _compiled(name: str, pattern: str) -> None:
    try:
        regex.compile(pattern, regex.IGNORECASE)
    except regex.error as error:
        raise ValueError(f"`{name}` has a pattern that is none: {error.msg} in {pattern!r}") from None


def read_questions(folder: Path) -> HospitalQuestions:
    """The questions of a folder. Raises: BadRequest, which says what is missing or wrong in the file."""
    file = folder / QUESTIONS
    if not (folder / DOCUMENTS).is_dir() or not file.is_file():
        raise BadRequest(f"{folder} needs a folder {DOCUMENTS}/ and a file {QUESTIONS}; see docs/own-questions.md")
    if file.stat().st_size > LONGEST_FILE:
        raise BadRequest(f"{file} is longer than {LONGEST_FILE:,} bytes")
    try:
        held = yaml.load(file.read_text(encoding="utf-8"), Loader=_loader())  # noqa: S506  # a safe loader either way
        questions = HospitalQuestions.model_validate(held)
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise BadRequest(f"{file} is not YAML in UTF-8: {error}") from None
    except ValidationError as error:
        raise BadRequest(f"{file}: {_said(error, held)}") from None
    for name in _missing(questions, folder / DOCUMENTS):
        raise BadRequest(f"{file}: {name}")
    return questions


def _loader() -> Any:
    """The safe loader of libyaml, ten times as fast; the other where PyYAML was built without it."""
    return getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def _said(error: ValidationError, held: Any) -> str:
    """The first thing that is wrong, with the id of the question that it is in."""
    first = error.errors()[0]
    where = [str(part) for part in first["loc"]]
    if where[:1] == ["questions"] and len(where) > 1:
        one = held["questions"][int(where[1])]
        named = one.get("id") if isinstance(one, dict) else None
        where = [f"question {named or int(where[1]) + 1}", *where[2:]]
    return ": ".join([*where, first["msg"].removeprefix("Value error, ")])


def _missing(questions: HospitalQuestions, folder: Path) -> Iterator[str]:
    """What is said of each document that a question names and that is not there.

    Records of JSON Lines files have names of their own, which are known once they have been read.
    """
    found = find([str(folder)])
    if any(one.holds_records for one in found):
        return
    names = {one.name for one in found} | {PurePosixPath(one.name).name for one in found}
    for question in questions.questions:
        for name in question.documents:
            if name not in names:
                yield f"question {question.id}: there is no document {name!r} in {folder}"
