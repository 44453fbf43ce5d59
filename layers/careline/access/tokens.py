"""Tokens of one role each: shown once when they are made, and kept as a keyed digest that cannot be read back.

A token is 256 random bits; its digest under the installation's key is the key of its record, so looking it up compares
nothing that a guess could be measured against.
"""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from datetime import datetime

from careline.audit import chain as audit
from careline.errors import BadRequest, NotFound
from careline.identity import MAX_TOKEN, Identity, Role, identity
from careline.log.event_log import EventLog
from careline.model import Audience
from careline.ports import Engines
from careline.privacy.redaction.keyed_digest import digest
from careline.records import keys
from careline.records.record_table import Delete, Item, Put

log = EventLog(__name__)
PREFIX = "careline_"
"""What every token begins with, by which it is found where it should not be."""
MAX_NAME = 60
_TENANT = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:-]{0,63}")


@dataclass(frozen=True, slots=True)
class AccessToken:
    """What is kept of a token. `token_id` is the beginning of its digest; `record` the whole."""

    record: str
    name: str
    role: Role
    tenant: str
    audiences: tuple[Audience, ...]
    created_at: datetime

    @property
    def token_id(self) -> str:
        """Names the token to people."""
        return self.record[:12]

    @property
    def identity(self) -> Identity:
        """Whoever shows this token."""
        return identity(f"token:{self.token_id}", self.role, self.tenant, self.audiences)

    def to_json(self) -> dict[str, object]:
        """For people and programs."""
        return {
            "id": self.token_id, "name": self.name, "role": self.role.value, "tenant": self.tenant,
            "audiences": list(self.audiences), "created_at": self.created_at.isoformat(),
        }  # fmt: skip


def checked_tenant(name: str) -> str:
    """The name of a tenant. Raises: BadRequest for one that could not be a request's."""
    if not _TENANT.fullmatch(name):
        raise BadRequest("tenant: letters, digits and . _ : - only, at most 64")
    return name


async def issue(
    engines: Engines, role: Role, tenant: str, *, name: str = "", audiences: tuple[Audience, ...] | None = None
) -> tuple[AccessToken, str]:
    """Make a token; its text is returned here and nowhere else. Raises: BadRequest, TableUnavailable."""
    if len(name) > MAX_NAME or not name.isprintable():
        raise BadRequest(f"name: at most {MAX_NAME} visible characters")
    text = PREFIX + secrets.token_urlsafe(32)
    holder = identity("", role, tenant, audiences)
    token = AccessToken(_record(text, engines), name, role, tenant, holder.audiences, engines.clock.now())
    body = {**token.to_json(), "created_at": token.created_at.isoformat()}
    told = {"action": "issued", "token": token.token_id, "role": role.value}
    await audit.append(
        engines, tenant, "token", told, alongside=[Put(Item(*keys.token(token.record), body), expects=0)]
    )
    return token, text


async def find(engines: Engines, shown: str) -> AccessToken | None:
    """The token that was shown, unless there is no such token (any more). Raises: TableUnavailable."""
    if not shown.startswith(PREFIX) or len(shown) > MAX_TOKEN:
        return None
    return await kept(engines, _record(shown, engines))


async def kept(engines: Engines, record: str) -> AccessToken | None:
    """The token of a record, unless it was revoked. Raises: TableUnavailable."""
    item = await engines.table.get(*keys.token(record))
    return _token(item) if item is not None else None


async def listing(engines: Engines) -> list[AccessToken]:
    """Every token of the installation, oldest first."""
    found = [_token(item) async for item in engines.table.query(keys.TOKENS)]
    log.write("tokens_listed", count=len(found))
    return sorted(found, key=lambda token: token.created_at)


async def revoke(engines: Engines, token_id: str) -> AccessToken:
    """End a token and every session that began with it. Raises: NotFound, TableUnavailable."""
    for token in await listing(engines):
        if token.token_id == token_id:
            told = {"action": "revoked", "token": token_id, "role": token.role.value}
            gone = [Delete(*keys.token(token.record))]
            await audit.append(engines, token.tenant, "token", told, alongside=gone)
            return token
    raise NotFound("there is no such token; `careline token list` names them")


def _record(text: str, engines: Engines) -> str:
    return digest(text, engines.key, "token")


def _token(item: Item) -> AccessToken:
    body = item.body
    return AccessToken(
        item.sort,
        body["name"],
        Role(body["role"]),
        body["tenant"],
        tuple(body["audiences"]),
        datetime.fromisoformat(body["created_at"]),
    )
