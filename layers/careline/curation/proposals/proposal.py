"""What a document says that the directory could hold, and what a person is asked to decide about it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field
from typing import Literal

from careline.records.record_table import Body

Kind = Literal["tariff", "contact", "hours", "visiting", "place", "address", "schedule", "transport"]
"""A price; a number or an address to write to; opening hours; visiting hours; where something is (route and floor);
where a campus is; when a doctor holds consultations; a line of public transport near a campus."""
KINDS: tuple[Kind, ...] = (
    "tariff", "contact", "hours", "visiting", "place", "address", "schedule", "transport",
)  # fmt: skip
State = Literal["open", "confirmed", "rejected"]
STATES: tuple[State, ...] = ("open", "confirmed", "rejected")


@dataclass(frozen=True, slots=True)
class Source:
    """Where a document says something. `chunk` is the ordinal of its passage, `row` and `column` places from 1 in the
    table of that passage (None for a line), `text` the row or line itself."""

    doc_key: str
    version: int
    title: str
    page: int
    chunk: int
    row: int | None
    column: int | None
    text: str


@dataclass(frozen=True, slots=True)
class Statement:
    """One row, cell or line of a document, read; the directory is not looked at.

    `labels` say what it is about, `qualifiers` what narrows that, `context` what stands above: the caption, headings,
    innermost first, and the title. `value` is what is said, by the names of its kind; `missing` what could not be read.
    `is_entity` is whether its labels are names of places and services, so that one that is not known is a new one.
    """

    kind: Kind
    language: str
    labels: tuple[str, ...]
    qualifiers: tuple[str, ...]
    context: tuple[str, ...]
    value: Body
    missing: tuple[str, ...]
    source: Source
    is_entity: bool = False
    valid_from: str | None = None
    valid_until: str | None = None
    """The days of its document's validity, as `YYYY-MM-DD`."""

    @property
    def statement_id(self) -> str:
        """Made of what it says in which document, whatever the version and the place: 16 hexadecimal digits."""
        said = [self.source.doc_key, self.kind, self.labels, self.qualifiers, self.context[:1], self.value]
        return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()[:16]

    def to_json(self) -> Body:
        """As it is kept."""
        return asdict(self)


def statement_from(body: Body) -> Statement:
    """A statement as it was kept."""
    held = dict(body)
    source = Source(**held.pop("source"))
    for name in ("labels", "qualifiers", "context", "missing"):
        held[name] = tuple(held[name])
    return Statement(source=source, **held)


@dataclass(frozen=True, slots=True)
class Difference:
    """A field in which a document and the directory differ: what each says, as JSON."""

    field: str
    directory: object
    document: object


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a person is asked to decide about.

    `entry` are fields of an entry of `section`, as the directory's JSON; of an entry that is there already (`target`)
    those alone that differ. `missing` are fields that a person has to give. `differs` is what the directory says
    otherwise now. `confidence` is the share of the fields asked for that were read, 0 to 1.
    """

    proposal_id: str
    kind: Kind
    section: str
    target: str | None
    entry: Body
    missing: tuple[str, ...]
    source: Source
    differs: tuple[Difference, ...] = ()
    state: State = "open"
    by: str = ""
    at: str = ""
    confidence: float = field(default=1.0)

    @property
    def is_complete(self) -> bool:
        """Whether it can be confirmed as it is."""
        return not self.missing

    def to_json(self) -> Body:
        """For people, programs and the records."""
        return asdict(self)


def proposal_from(body: Body) -> Proposal:
    """A proposal as it was kept."""
    held = dict(body)
    source = Source(**held.pop("source"))
    differs = tuple(Difference(**one) for one in held.pop("differs"))
    return Proposal(source=source, differs=differs, **{**held, "missing": tuple(held["missing"])})
