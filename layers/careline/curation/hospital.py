"""A hospital as its directory describes it; its record says only what differs, the settings what neither knows."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from careline.curation.editions import EMPTY, Edition, Known, current
from careline.curation.staff import with_staff
from careline.directory.directory import Directory
from careline.ports import Records
from careline.settings import Settings
from careline.tenants import tenant_records
from careline.tenants.tenant_records import Tenant

Fact = TypeVar("Fact")


def described(tenant: Tenant, directory: Directory, settings: Settings) -> Tenant:
    """The tenant with its staff, names, languages, numbers and time zone of a directory where its record has none of
    its own.

    A value that the settings have too is none of its own: a record that is saved for the first time takes them over.
    """
    usual, about = tenant_records.of_settings(tenant.tenant_id, settings), directory.hospital
    own_names = {language: name for language, name in tenant.names.items() if usual.names.get(language) != name}
    names = {**{str(language): name for language, name in about.names.items()}, **own_names}
    return with_staff(
        replace(
            tenant,
            names=names or tenant.names,
            default_language=_chosen(tenant.default_language, usual.default_language, about.default_language),
            languages=tenant.languages or [str(one) for one in about.languages],
            emergency_number=_chosen(tenant.emergency_number, usual.emergency_number, about.emergency_number),
            helpdesk_phone=_chosen(tenant.helpdesk_phone, usual.helpdesk_phone, directory.person_phone),
            time_zone=tenant.time_zone or about.time_zone or settings.hospital.time_zone,
        ),
        directory,
    )


def _chosen(own: Fact, of_settings: Fact, of_directory: Fact | None) -> Fact:
    """What the record says itself, else what the directory says."""
    if own and own != of_settings:
        return own
    return of_directory or own


def as_last_read(tenant: Tenant, settings: Settings, seen: dict[str, Known]) -> Tenant:
    """The tenant with the directory as it was last read, where that may not be readable now."""
    known = seen.get(tenant.tenant_id)
    return described(tenant, known.edition.directory if known else EMPTY.directory, settings)


async def hospital(
    records: Records, tenant_id: str, settings: Settings, seen: dict[str, Known] | None = None
) -> tuple[Tenant, Edition]:
    """A hospital and its directory as they are now. Raises: TableUnavailable, RecordDamaged."""
    kept, _ = await tenant_records.held(records.table, tenant_id, settings)
    edition = await current(tenant_id, records, seen)
    return described(kept, edition.directory, settings), edition
