"""What is known about a hospital as a whole: its names, languages and the numbers that callers are given."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field

from careline.ports import Item, Put, Table
from careline.settings import Settings

PARTITION = "tenants"


@dataclass(frozen=True, slots=True)
class Tenant:
    """One hospital or organisation. Everything but the id may be missing; answers then do without it."""

    tenant_id: str
    names: dict[str, str] = field(default_factory=dict)
    default_language: str | None = None
    emergency_number: str = "112"
    helpdesk_phone: str | None = None

    def name_in(self, language: str) -> str | None:
        """The hospital's name in a language, else in its main one, else any."""
        chosen = self.names.get(language) or self.names.get(self.default_language or "")
        return chosen or next(iter(self.names.values()), None)


async def tenant(table: Table, tenant_id: str, settings: Settings) -> Tenant:
    """The tenant as it was saved; one made from the settings when it never was. Raises: TableUnavailable."""
    item = await table.get(PARTITION, tenant_id)
    if item is not None:
        return Tenant(**item.body)
    names = {"": settings.hospital_name} if settings.hospital_name else {}
    return Tenant(tenant_id, names, settings.default_language, settings.emergency_number, settings.helpdesk_phone)


async def save(table: Table, tenant: Tenant) -> None:
    """Keep a tenant; the next request sees it."""
    await table.write(Put(Item(PARTITION, tenant.tenant_id, asdict(tenant))))
