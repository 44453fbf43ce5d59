"""Lists where a live document says something else than the directory.

Both are shown with the place in the document; nothing is averaged, and callers are told what the directory says. The
list is made of what is kept whenever it is asked for, so that it follows every change of either.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

from careline.curation import editions
from careline.curation.proposals import store
from careline.curation.proposals.comparing.resolve import resolve_all
from careline.curation.proposals.proposal import Kind, Source, State
from careline.ports import Records
from careline.records.record_table import Body


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A field of an entry in which a document differs; both values as JSON. `proposal_id` is what was asked about it,
    `state` what was decided of that, `by` whom and when."""

    proposal_id: str
    kind: Kind
    section: str
    entry: str
    field: str
    directory: object
    document: object
    source: Source
    state: State = "open"
    by: str = ""
    at: str = ""

    def to_json(self) -> Body:
        """For people and programs."""
        return asdict(self)


async def contradictions(tenant: str, records: Records, doc_key: str = "") -> list[Contradiction]:
    """Every contradiction, by document. Raises: TableUnavailable, RecordDamaged."""
    directory = (await editions.current(tenant, records)).directory
    said = [one async for one in store.statements(tenant, records, doc_key)]
    decided = await store.decisions(tenant, records)
    found: list[Contradiction] = []
    for one in resolve_all(said, directory):
        told = decided.get(one.proposal_id, one)
        found += [
            Contradiction(
                one.proposal_id, one.kind, one.section, one.target, each.field, each.directory, each.document,
                one.source, told.state, told.by, told.at,
            )
            for each in one.differs
            if one.target is not None
        ]  # fmt: skip
    return found
