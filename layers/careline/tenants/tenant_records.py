"""What is known about a hospital as a whole: its names, languages and the numbers that callers are given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import date, datetime
from types import MappingProxyType

from careline import time_zone
from careline.ports import Records
from careline.records import keys
from careline.records.record_table import Body, Item, Put, RecordTable
from careline.settings import Settings

RETENTION_DAYS: Mapping[str, int] = MappingProxyType(
    {"conversations": 90, "turns": 400, "audit": 3650, "billing": 3650}
)
"""Days that records are kept where a tenant says nothing else: what callers said for as long as a follow-up or a
complaint may need it, how turns went for a year and a comparison with the one before, audit and invoices for the ten
years after which most claims can no longer be brought."""


@dataclass(frozen=True, slots=True)
class Tenant:
    """One hospital or organisation. Everything but the id may be missing; answers then do without it."""

    tenant_id: str
    names: dict[str, str] = field(default_factory=dict)
    default_language: str | None = None
    emergency_number: str = "112"
    helpdesk_phone: str | None = None
    retention_days: dict[str, int] = field(default_factory=dict)
    """Days by kind of record, where they differ from `RETENTION_DAYS`."""
    staff: list[str] = field(default_factory=list)
    """Names of people who work here; they are no personal data of a patient."""
    tiers: dict[str, str] = field(default_factory=dict)
    """Tier by user, for those who are not `standard`; the routing policy looks at it."""
    monthly_budget: float | None = None
    """Euro that language models may cost in a month, where it differs from the setting."""
    transfer_to: str | None = None
    """Where callers are put through to, as `sip:` or `tel:` address."""
    languages: list[str] = field(default_factory=list)
    """Languages that answers are given in, of those of the pack; all of the pack's when empty."""
    pack: str | None = None
    """Pack that answers where a question names none; the setting's when absent."""
    affinity: dict[str, float] = field(default_factory=dict)
    """Multipliers of the value framework by "row/category", where they differ from `affinity.csv`."""
    time_zone: str | None = None
    """IANA name of the zone whose days count here; the setting's when absent."""

    def local(self, at: datetime) -> datetime:
        """A moment by the hospital's clocks."""
        return at.astimezone(time_zone.zone(self.time_zone or time_zone.DEFAULT))

    def day_of(self, at: datetime) -> date:
        """The day on which a moment falls at the hospital."""
        return self.local(at).date()

    def kept_until(self, kind: str, since: datetime) -> datetime:
        """When a record of this kind expires: so many of the hospital's days later, in UTC; on a whole second, which
        every engine keeps exactly."""
        days = self.retention_days.get(kind, RETENTION_DAYS[kind])
        return time_zone.later(since, days, self.time_zone or time_zone.DEFAULT).replace(microsecond=0)

    def name_in(self, language: str) -> str | None:
        """The hospital's name in a language, else in its main one, else any."""
        chosen = self.names.get(language) or self.names.get(self.default_language or "")
        return chosen or next(iter(self.names.values()), None)


async def tenant(table: RecordTable, tenant_id: str, settings: Settings) -> Tenant:
    """The tenant as it was saved; one made from the settings when it never was. Raises: TableUnavailable."""
    return _timed((await held(table, tenant_id, settings))[0], settings.hospital.time_zone)


async def held(table: RecordTable, tenant_id: str, settings: Settings) -> tuple[Tenant, int]:
    """The same, and the revision of its record: 0 when it never was saved. Raises: TableUnavailable."""
    item = await table.get(*keys.tenant(tenant_id))
    if item is not None:
        return _read(item.body), item.revision
    return of_settings(tenant_id, settings), 0


def of_settings(tenant_id: str, settings: Settings) -> Tenant:
    """The tenant as the settings describe it: what answers where it was never saved, or cannot be read."""
    hospital = settings.hospital
    return Tenant(
        tenant_id,
        {"": hospital.hospital_name} if hospital.hospital_name else {},
        hospital.default_language,
        hospital.emergency_number,
        hospital.helpdesk_phone,
        transfer_to=hospital.transfer_to,
    )


def _timed(found: Tenant, usual: str) -> Tenant:
    """With the zone that holds: its own, else the installation's, which its record does not repeat."""
    return replace(found, time_zone=found.time_zone or usual)


async def retention_of(records: Records, tenant_id: str) -> Tenant:
    """The tenant as far as its retention goes, where the settings are not at hand. Raises: TableUnavailable."""
    item = await records.table.get(*keys.tenant(tenant_id))
    return _timed(_read(item.body) if item is not None else Tenant(tenant_id), records.time_zone)


async def day_at(records: Records, tenant_id: str, of_directory: str | None) -> date:
    """Which day it is at a hospital, where the settings are not at hand: by the zone of its record, else that of its
    directory, else the installation's. Raises: TableUnavailable."""
    item = await records.table.get(*keys.tenant(tenant_id))
    own = _read(item.body).time_zone if item is not None else None
    return Tenant(tenant_id, time_zone=own or of_directory or records.time_zone).day_of(records.clock.now())


async def listing(table: RecordTable) -> list[Tenant]:
    """Every tenant that was saved, in order of its id. Raises: TableUnavailable."""
    return [_read(item.body) async for item in table.query(keys.TENANTS)]


async def save(table: RecordTable, tenant: Tenant) -> None:
    """Keep a tenant; the next request sees it."""
    await table.write(put(tenant))


def put(tenant: Tenant, expects: int | None = None) -> Put:
    """The change that keeps a tenant; where its record is of another revision, it is refused."""
    return Put(Item(*keys.tenant(tenant.tenant_id), asdict(tenant)), expects)


_FIELDS = frozenset(one.name for one in fields(Tenant))


def _read(body: Body) -> Tenant:
    """A newer program's tenant has fields that this one does not know: while both run, or after going back."""
    return Tenant(**{name: value for name, value in body.items() if name in _FIELDS})
