"""Watches how often what is found is of another category of facts than was asked for, from the records of turns.

A rate that stays high tells of questions that no row of the matrix covers: a row, or the row of an intent, is missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from careline.conversation import question
from careline.ports import Engines
from careline.records import keys
from careline.records.record_table import Body

WINDOW = 50
"""Turns one after another that searched."""
ALARMING = 0.6
"""The mean rate of so many turns from which on somebody should look; both from the specification (V5)."""
LOOKED_AT = 1_000
"""Turns that are read at most, of which those that searched nothing count for nothing."""
PREVIEW = 200
"""Characters of a question that are shown."""


@dataclass(frozen=True, slots=True)
class MismatchedTurn:
    """One turn that searched: its intent, the category that was found most, and the share that was not asked for.
    `preview` is the beginning of the question without personal data; None where nobody looked for any."""

    turn_id: str
    intent: str
    primary: str
    rate: float
    preview: str | None = None


@dataclass(frozen=True, slots=True)
class MismatchTrend:
    """The newest turns that searched, newest first."""

    turns: tuple[MismatchedTurn, ...]

    @property
    def rate(self) -> float:
        """The mean of their rates; 0 of none."""
        return sum(one.rate for one in self.turns) / len(self.turns) if self.turns else 0.0

    @property
    def is_alarming(self) -> bool:
        """Whether so many turns one after another are on average about something else; fewer tell nothing."""
        return len(self.turns) == WINDOW and self.rate >= ALARMING

    @property
    def behind(self) -> Sequence[MismatchedTurn]:
        """The turns that raise the rate."""
        return [one for one in self.turns if one.rate >= ALARMING]


def trend_of(records: Iterable[Body]) -> MismatchTrend:
    """The trend of turns' records, the newest first."""
    found = [mismatched for one in records if (mismatched := _mismatched(one)) is not None]
    return MismatchTrend(tuple(found[:WINDOW]))


async def mismatch_trend(tenant: str, engines: Engines) -> MismatchTrend:
    """The trend of a hospital's newest turns. Raises: TableUnavailable, RecordDamaged."""
    found: list[Body] = []
    looked_at = 0
    async for item in engines.table.query(keys.turns(tenant), descending=True):
        looked_at += 1
        if item.body.get("value"):
            found.append(question.shown(item.body, tenant, engines.key))
        if len(found) == WINDOW or looked_at == LOOKED_AT:
            break
    return trend_of(found)


def preview(record: Body) -> str | None:
    """The beginning of a question that was made readable."""
    asked: str | None = record.get("question_redacted")
    return None if asked is None else asked[:PREVIEW]


def _mismatched(record: Body) -> MismatchedTurn | None:
    """What a record says; None of a turn that searched nothing, and of an older version's."""
    value: dict[str, Any] | None = record.get("value")
    if not value or not value["evaluated"]:
        return None
    told = record["turn_id"], record.get("intent") or "", value["primary"], float(value["mismatch_rate"])
    return MismatchedTurn(*told, preview(record))
