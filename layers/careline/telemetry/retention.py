"""How long records are kept, and their end: what has expired is deleted and its bytes with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from careline.errors import BadRequest, TableUnavailable
from careline.log.event_log import EventLog
from careline.ports import Engines
from careline.records.record_table import Body
from careline.settings import Settings
from careline.telemetry.tenant_change import change_tenant
from careline.tenants.tenant_records import RETENTION_DAYS, Tenant

log = EventLog(__name__)
LONGEST = 36_500
"""Days that any record may be kept."""


def days(tenant: Tenant) -> dict[str, int]:
    """Days by kind of record, as they hold for a tenant."""
    return {kind: tenant.retention_days.get(kind, usual) for kind, usual in RETENTION_DAYS.items()}


def check(wanted: Mapping[str, int]) -> None:
    """Whether days by kind of record may be decided. Raises: BadRequest."""
    for kind, number in wanted.items():
        if kind not in RETENTION_DAYS:
            raise BadRequest(f"retention: there is no such kind of record; known: {', '.join(RETENTION_DAYS)}")
        if not 1 <= number <= LONGEST:
            raise BadRequest(f"retention: {kind} is kept for 1 to {LONGEST} days")


async def change(engines: Engines, settings: Settings, tenant_id: str, wanted: Mapping[str, int]) -> Tenant:
    """Keep records of these kinds for these days from now on, and say so in the audit chain.

    What is written already keeps the expiry it was written with. Raises: BadRequest, Contended, TableUnavailable.
    """
    check(wanted)

    def decide(before: Tenant) -> tuple[Tenant, Body]:
        after = replace(before, retention_days={**before.retention_days, **wanted})
        return after, {"from": days(before), "to": days(after)}

    return await change_tenant(engines, settings, tenant_id, "retention", decide)


async def purge(engines: Engines) -> int:
    """Delete what has expired, where the engine does not do it by itself, and say how many records that was.

    Raises: TableUnavailable.
    """
    removed = await engines.table.purge()
    if removed:
        log.write("expired_deleted", count=removed)
        try:
            await engines.table.scrub()
        except TableUnavailable:
            # Somebody is reading; the bytes go with the next purge that finds something.
            log.write("expired_bytes_left")
    return removed
