"""Who works at a hospital: the names in its record, and those of the doctors in its directory."""

from __future__ import annotations

from dataclasses import replace

from careline.curation.editions import Known, current
from careline.directory.directory import Directory
from careline.ports import Records
from careline.tenants.tenant_records import Tenant


def staff_of(directory: Directory) -> list[str]:
    """Names of the doctors of a directory, without titles, and the other ways in which these are written."""
    return list(directory.staff)


def with_staff(tenant: Tenant, directory: Directory) -> Tenant:
    """The tenant, whose staff are also the doctors of a directory."""
    if not tenant.staff:
        return replace(tenant, staff=staff_of(directory))
    return replace(tenant, staff=list(dict.fromkeys([*tenant.staff, *directory.staff])))


async def with_current_staff(tenant: Tenant, records: Records, seen: dict[str, Known] | None = None) -> Tenant:
    """The same with the directory that holds now. Raises: TableUnavailable, RecordDamaged."""
    return with_staff(tenant, (await current(tenant.tenant_id, records, seen)).directory)
