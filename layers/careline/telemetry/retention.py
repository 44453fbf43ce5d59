"""How long records are kept, and their end: what has expired is deleted and its bytes with it."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import asdict, replace

from careline.errors import BadRequest, TableUnavailable
from careline.ports import Engines
from careline.record_table import Item, Put
from careline.settings import Settings
from careline.telemetry import audit
from careline.tenants import directory
from careline.tenants.directory import RETENTION_DAYS, Tenant

logger = logging.getLogger(__name__)
LONGEST = 36_500
"""Days that any record may be kept."""


def days(tenant: Tenant) -> dict[str, int]:
    """Days by kind of record, as they hold for a tenant."""
    return {kind: tenant.retention_days.get(kind, usual) for kind, usual in RETENTION_DAYS.items()}


async def change(engines: Engines, settings: Settings, tenant_id: str, wanted: Mapping[str, int]) -> Tenant:
    """Keep records of these kinds for these days from now on, and say so in the audit chain.

    What is written already keeps the expiry it was written with. Raises: BadRequest, TableUnavailable.
    """
    for kind, number in wanted.items():
        if kind not in RETENTION_DAYS:
            raise BadRequest(f"retention: there is no such kind of record; known: {', '.join(RETENTION_DAYS)}")
        if not 1 <= number <= LONGEST:
            raise BadRequest(f"retention: {kind} is kept for 1 to {LONGEST} days")
    before = await directory.tenant(engines.table, tenant_id, settings)
    after = replace(before, retention_days={**before.retention_days, **wanted})
    await audit.append(
        engines,
        tenant_id,
        "retention",
        {"from": days(before), "to": days(after)},
        alongside=[Put(Item(directory.PARTITION, tenant_id, asdict(after)))],
    )
    return after


async def purge(engines: Engines) -> int:
    """Delete what has expired, where the engine does not do it by itself, and say how many records that was.

    Raises: TableUnavailable.
    """
    removed = await engines.table.purge()
    if removed:
        logger.info("expired records deleted", extra={"records": removed})
        try:
            await engines.table.scrub()
        except TableUnavailable:
            # Somebody is reading; the bytes go with the next purge that finds something.
            logger.warning("bytes of expired records are still in the file")
    return removed
