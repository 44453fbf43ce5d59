"""Makes the proposal of what was compared."""

from __future__ import annotations

from collections.abc import Iterable

from careline.curation.proposals.proposal import Difference, Proposal, Statement
from careline.records.record_table import Body


def asked(
    statement: Statement, section: str, target: str | None, entry: Body, missing: Iterable[str],
    differs: Iterable[Difference],
) -> Proposal:  # fmt: skip
    """What a person is asked about an entry: one that is there (`target`), or a new one."""
    lacking = tuple(sorted(missing))
    # What was not read whole contradicts nothing.
    differs = () if lacking else tuple(differs)
    given = len([name for name in entry if name != "id" and name not in lacking])
    return Proposal(
        statement.statement_id, statement.kind, section, target, entry, lacking, statement.source, differs,
        confidence=round(given / (given + len(lacking)), 2) if given else 0.0,
    )  # fmt: skip
