"""A hospital's own documents and the questions that people ask about them: what `careline bench answers --on` reads."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, model_validator

from careline.errors import BadRequest

DOCUMENTS, QUESTIONS = "documents", "questions.yaml"
LONGEST_FILE = 2_000_000
Text = Annotated[str, StringConstraints(min_length=1, max_length=2_000)]
Pattern = Annotated[str, StringConstraints(min_length=1, max_length=4_000)]


class HospitalQuestion(BaseModel):
    """A question and what a right answer is.

    `facts` are patterns of the `regex` package that must all be found in the answer, `wrong` those of values that answer another question.
    `documents` are the files of which any is right to be cited first; `before` earlier questions of the conversation.
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
        return self


class HospitalQuestions(BaseModel):
    """The questions of one hospital."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    hospital: Text
    main_language: Literal["nl", "en", "fr", "it"] | None = None
    questions: tuple[HospitalQuestion, ...] = Field(min_length=1, max_length=5_000)


def read_questions(folder: Path) -> HospitalQuestions:
    """The questions of a folder. Raises: BadRequest, which says what is missing or wrong in the file."""
    if not (folder / DOCUMENTS).is_dir() or not (folder / QUESTIONS).is_file():
        raise BadRequest(f"{folder} needs a folder {DOCUMENTS}/ and a file {QUESTIONS}; see docs/measurements.md")
    file = folder / QUESTIONS
    if file.stat().st_size > LONGEST_FILE:
        raise BadRequest(f"{file} is longer than {LONGEST_FILE:,} bytes")
    try:
        return HospitalQuestions.model_validate(yaml.safe_load(file.read_text(encoding="utf-8")))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise BadRequest(f"{file} is not YAML in UTF-8: {error}") from None
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise BadRequest(f"{file}: {where}: {first['msg']}") from None
