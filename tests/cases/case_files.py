"""Reads cases: what is asked of which documents, and what an answer must say and must not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, model_validator

from careline.model import LANGUAGES

FOLDER = Path(__file__).parent
Outcome = Literal[
    "answered", "asked", "declined", "doubted", "emergency", "farewell", "greeting", "handoff", "other", "refused",
    "repeated",
]  # fmt: skip
Promised = Outcome | Literal["unsure", "any"]
UNSURE = frozenset({"asked", "declined", "doubted"})
"""How a turn ends whose caller is not left to believe that this is the answer: `doubted` is one that says so."""


def _known(language: str) -> str:
    if language not in LANGUAGES:
        raise ValueError(f"no language of ours: {language}")
    return language


Language = Annotated[str, AfterValidator(_known)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class CaseDocument(_Strict):
    """A document as somebody would drop it: a file name, by whose ending it is read, and its text."""

    name: str
    text: str


class Case(_Strict):
    """One question. `before` are the questions asked earlier in the conversation, `patient` is its case; patterns are
    regular expressions, case apart, of what is shown or, on the phone, spoken. `cites` is the file that is cited first.
    A known gap is a promise that is not kept yet: until it is, nothing that must not be said may be, and nothing else
    be told for it."""

    id: str
    ask: str
    language: Language | None = None
    before: tuple[str, ...] = ()
    patient: dict[str, Any] = {}
    channel: Literal["chat", "voice"] = "chat"
    outcome: Promised = "answered"
    says: tuple[str, ...] = ()
    not_says: tuple[str, ...] = ()
    cites: str | None = None
    known_gap: bool = False

    @model_validator(mode="after")
    def _can_fail(self) -> Case:
        if self.outcome == "answered" and not (self.says or self.cites):
            raise ValueError(f"{self.id}: an answer must say or cite something")
        if self.outcome == "any" and not self.not_says:
            raise ValueError(f"{self.id}: where any end will do something must not be said")
        if self.known_gap and self.outcome != "answered":
            raise ValueError(f"{self.id}: only an answer may be missing, never a refusal or that nothing is known")
        return self


class CaseFile(_Strict):
    """Cases of one capability, asked of the same documents with one pack."""

    capability: str
    promise: str
    pack: str = "hospital_line"
    directory: dict[str, Any] = {}
    """The hospital's directory, as a file has it; none when empty."""
    now: AwareDatetime | None = None
    """The moment at which the questions are asked; that of the test when absent."""
    documents: tuple[CaseDocument, ...] = Field(min_length=1)
    cases: tuple[Case, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _is_sound(self) -> CaseFile:
        ids = [case.id for case in self.cases]
        if len(set(ids)) < len(ids):
            raise ValueError("two cases have one id")
        names = {document.name for document in self.documents}
        if unknown := {case.cites for case in self.cases if case.cites} - names:
            raise ValueError(f"cites what is no document here: {sorted(unknown)}")
        return self


def case_files() -> Iterator[tuple[str, CaseFile]]:
    """Every file of cases by its capability, which is its name. Raises: ValidationError, ValueError."""
    for path in sorted(FOLDER.glob("*.yaml")):
        file = CaseFile.model_validate(yaml.safe_load(path.read_text("utf-8")))
        if file.capability != path.stem:
            raise ValueError(f"{path.name} holds cases of {file.capability}")
        yield file.capability, file
