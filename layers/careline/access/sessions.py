"""A browser's login: a random id in a cookie, kept here as a keyed digest, for a few hours and no longer."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import timedelta

from careline.identity import Identity, Role
from careline.ports import Engines
from careline.privacy.redaction.keyed_digest import digest
from careline.records import keys
from careline.records.record_table import Delete, Item, Put

MAX_ID = 100
"""Characters; nothing longer is looked up."""


@dataclass(frozen=True, slots=True)
class Session:
    """A login. `credential` names what it began with, so that it ends when that is taken back."""

    identity: Identity
    credential: str
    csrf: str
    """What our own page must send along with every change, and what no other page can know."""


async def begin(engines: Engines, identity: Identity, credential: str, hours: int) -> tuple[str, Session]:
    """A new login and its id for the cookie. Raises: TableUnavailable."""
    session_id = secrets.token_urlsafe(32)
    body = {
        "subject": identity.subject,
        "role": identity.role.value,
        "tenant": identity.tenant,
        "audiences": list(identity.audiences),
        "credential": credential,
    }
    until = (engines.clock.now() + timedelta(hours=hours)).replace(microsecond=0)
    await engines.table.write(Put(Item(*_key(session_id, engines), body, expires_at=until), expects=0))
    return session_id, Session(identity, credential, _csrf(session_id, engines))


async def find(engines: Engines, session_id: str) -> Session | None:
    """The login of a cookie, unless it has ended. Raises: TableUnavailable."""
    if not session_id or len(session_id) > MAX_ID:
        return None
    item = await engines.table.get(*_key(session_id, engines))
    if item is None:
        return None
    body = item.body
    known = Identity(body["subject"], Role(body["role"]), body["tenant"], tuple(body["audiences"]))
    return Session(known, body["credential"], _csrf(session_id, engines))


async def end(engines: Engines, session_id: str) -> None:
    """Log out. Raises: TableUnavailable."""
    if session_id and len(session_id) <= MAX_ID:
        await engines.table.write(Delete(*_key(session_id, engines)))


def _key(session_id: str, engines: Engines) -> keys.Key:
    return keys.session(digest(session_id, engines.key, "session"))


def _csrf(session_id: str, engines: Engines) -> str:
    """Bound to the session and not stored: whoever has the cookie's id and our key can make it, and nobody else."""
    return digest(session_id, engines.key, "csrf")
