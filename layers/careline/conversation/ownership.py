"""Whose a conversation is: it belongs to whoever began it, and is not there for others below a manager."""

from __future__ import annotations

from careline.conversation import names
from careline.errors import NotAllowed, NotFound
from careline.identity import Role
from careline.installation import Installation
from careline.privacy.redaction.keyed_digest import digest
from careline.records import keys
from careline.records.record_table import Item


def owner_of(installation: Installation) -> str:
    """What a conversation keeps of whoever began it: a keyed digest, as a login's name may be a person's."""
    return digest(installation.asker.subject, installation.engines.key, "holder")


def listed_for(holder: str, installation: Installation) -> list[str]:
    """The name under which a conversation stands in the list of whoever began it. A login of callers may be that of a
    whole web page, where one is not to see what another said, so that those have no list."""
    asker = installation.asker
    return [holder] if asker.role.covers(Role.USER) and holder == owner_of(installation) else []


def check_tenant(named: str | None, installation: Installation) -> None:
    """A request may name the tenant it believes to speak for; its login decides. Raises: NotAllowed for another."""
    if named is not None and named != installation.settings.tenant:
        raise NotAllowed("tenant: this login is for another one; leave the field out")


async def check_owner(conversation_id: str, installation: Installation) -> Item | None:
    """The record of the conversation that a client names; None when there is none yet.

    Raises: NotFound for somebody else's.
    """
    engines, tenant = installation.engines, installation.settings.tenant
    item = await engines.table.get(*keys.conversation(tenant, names.ours(conversation_id, tenant, engines.key)))
    if item is not None:
        check_holder(item, installation)
    return item


def check_holder(item: Item, installation: Installation) -> None:
    """Whether the record of a conversation is there for whoever asks. Raises: NotFound for somebody else's."""
    if not installation.asker.sees_every_conversation and item.body.get("holder") != owner_of(installation):
        raise NotFound("there is no such conversation")
