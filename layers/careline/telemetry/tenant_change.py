"""Changes a tenant's record with its entry in the audit chain, on the record as it was read: of two who change it at
once neither undoes what the other did."""

from __future__ import annotations

from collections.abc import Callable

from careline.audit import chain as audit
from careline.errors import Conflict, Contended
from careline.ports import Engines
from careline.records.optimistic_update import RETRY_AFTER_SECONDS, TRIES, pause_at_random
from careline.records.record_table import Body
from careline.settings import Settings
from careline.tenants import tenant_records
from careline.tenants.tenant_records import Tenant

BUSY = "others keep changing this hospital; nothing was changed, try again"
Decide = Callable[[Tenant], tuple[Tenant, Body]]
"""What becomes of a tenant, and what the audit chain is told of it. Asked again when somebody else was first."""


async def change_tenant(engines: Engines, settings: Settings, tenant_id: str, kind: str, decide: Decide) -> Tenant:
    """The tenant as it is after the change.

    Raises: Contended when others were first each time, TableUnavailable, and what `decide` raises.
    """
    for attempt in range(1, TRIES + 1):
        before, revision = await tenant_records.held(engines.table, tenant_id, settings)
        after, told = decide(before)
        try:
            await audit.append(engines, tenant_id, kind, told, alongside=[tenant_records.put(after, revision)])
        except Contended:
            raise
        except Conflict:
            if attempt < TRIES:
                await pause_at_random(attempt)
            continue
        return after
    raise Contended(BUSY, retry_after=RETRY_AFTER_SECONDS)
