"""Notes where audit chains stand in a place that who writes the records cannot change, by which a chain that was cut
back or written anew is found (`careline.audit.verify`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from careline.audit.chain import Link, head_of
from careline.audit.verify import ChainVerdict, verify
from careline.errors import CarelineError
from careline.log import context
from careline.log.event_log import EventLog
from careline.ports import Engines, NotedHead, NotedHeads
from careline.records import keys
from careline.records.record_table import RecordTable

log = EventLog(__name__)


@dataclass(frozen=True, slots=True)
class HeadNotary:
    """Reads heads with the installation's `key` and notes them; a head that is not what was sealed is not noted."""

    table: RecordTable
    key: bytes
    heads: NotedHeads

    async def note(self, tenant: str) -> Link | None:
        """Note where a tenant's chain stands; None before its first entry.

        Raises: RecordDamaged, TableUnavailable, FilesUnavailable, SettingsInvalid without a key.
        """
        link = await head_of(self.table, self.key, tenant)
        if link is not None:
            await self.heads.note(tenant, NotedHead(link.seq, link.hash))
            log.write("audit_head_noted", seq=link.seq)
        return link

    async def note_all(self, tenants: Sequence[str]) -> int:
        """Note the chains of every tenant that was saved, and of these; says how many there are.

        Raises: the first error of a tenant, after all others were noted; TableUnavailable.
        """
        saved = [item.sort async for item in self.table.query(keys.TENANTS)]
        noted, first = 0, None
        for tenant in dict.fromkeys((*saved, *tenants)):
            with context.bound(tenant=tenant):
                try:
                    noted += await self.note(tenant) is not None
                except CarelineError as error:
                    log.write("audit_head_not_noted", error=error.code)
                    first = first or error
        if first is not None:
            raise first
        return noted

    async def noted(self, tenant: str) -> list[Link]:
        """What was noted of a tenant's chain, oldest first. Raises: FilesUnavailable."""
        return [Link(head.seq, head.hash) for head in await self.heads.noted(tenant)]


async def verify_noted(engines: Engines, tenant: str, anchor: Link | None = None) -> ChainVerdict:
    """Read the whole chain and compare it with every head that was noted; then note where it stands, if it is intact.

    Raises: TableUnavailable, FilesUnavailable, SettingsInvalid without a key.
    """
    if engines.noted_heads is None:
        return await verify(engines, tenant, anchor)
    notary = HeadNotary(engines.table, engines.key, engines.noted_heads)
    verdict = await verify(engines, tenant, anchor, await notary.noted(tenant))
    if verdict.intact:
        await notary.note(tenant)
    return verdict
