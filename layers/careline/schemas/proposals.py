"""Bodies of what documents propose for the directory, and of where they contradict it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints
from typing_extensions import TypedDict

from careline.schemas.wire import Strict

ProposalKind = Literal["tariff", "contact", "hours", "visiting", "place", "address", "schedule", "transport"]
ProposalState = Literal["open", "confirmed", "rejected"]
MOST = 500
"""Proposals of one decision."""


class SourceBody(TypedDict):
    """Where a document says it: `row` and `column` from 1 in the table of the passage `chunk`, null for a line."""

    doc_key: str
    version: int
    title: str
    page: int
    chunk: int
    row: int | None
    column: int | None
    text: str


class DifferenceBody(TypedDict):
    """A field that the directory says otherwise: both values."""

    field: str
    directory: Any
    document: Any


class ProposalBody(TypedDict):
    """What a person is asked to decide about.

    `entry` are fields of an entry of `section`; of one that is there (`target`) those alone that differ. `missing` are
    fields that a person has to give. `confidence` is the share of its fields that were read. `by` and `at` say who
    decided and when, "" while it is open.
    """

    proposal_id: str
    kind: ProposalKind
    section: str
    target: str | None
    entry: dict[str, Any]
    missing: list[str]
    source: SourceBody
    differs: list[DifferenceBody]
    state: ProposalState
    by: str
    at: str
    confidence: float


class Proposals(TypedDict):
    """Proposals, by document; `more` is how many were left out."""

    proposals: list[ProposalBody]
    more: int


class ProposalDecision(Strict):
    """`corrections` are fields of the entry in place of those that were read, null to leave one out; and `entry`, the
    id of the entry that is meant. `as_read` confirms what is incomplete, where the entry can do without the rest.
    `reopen` takes a decision back, so that it is asked again; the directory stays as it is."""

    decision: Literal["confirm", "reject", "reopen"]
    corrections: dict[str, Any] = Field(default_factory=dict, max_length=40)
    as_read: bool = False


class ProposalDecided(TypedDict):
    """The proposal as it was decided, and the edition of the directory that holds; null where none was made of it."""

    proposal: ProposalBody
    edition: int | None


class ProposalDecisions(Strict):
    """One decision about several proposals, as they were read; all of them or none."""

    decision: Literal["confirm", "reject"]
    proposal_ids: list[Annotated[str, StringConstraints(pattern="^[0-9a-f]{16}$")]] = Field(
        min_length=1, max_length=MOST
    )


class ProposalsDecided(TypedDict):
    """The proposals as they were decided, and the edition of the directory that holds; null where none was made."""

    proposals: list[ProposalBody]
    edition: int | None


class ContradictionBody(TypedDict):
    """A field of an entry that a live document says otherwise. Callers are told what the directory says. `state` is
    that of the proposal: `rejected` where a person left the directory as it is, `by` and `at` who and when."""

    proposal_id: str
    kind: ProposalKind
    section: str
    entry: str
    field: str
    directory: Any
    document: Any
    source: SourceBody
    state: ProposalState
    by: str
    at: str


class Contradictions(TypedDict):
    """Contradictions, by document."""

    contradictions: list[ContradictionBody]
