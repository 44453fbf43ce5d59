"""Who is asking, and what that lets them do. Handlers and stages read this value and never a request's own claims."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from careline.model import Audience

PUBLIC_ONLY: tuple[Audience, ...] = ("public",)
EVERYTHING: tuple[Audience, ...] = ("public", "clinician")
MAX_TOKEN = 200
"""Characters of a token; nothing longer is looked up."""


class Role(StrEnum):
    """What somebody is to a hospital; each role may do all that the ones before it may."""

    CALLER = "caller"
    USER = "user"
    MANAGER = "manager"
    ADMIN = "admin"
    OWNER = "owner"

    def covers(self, least: Role) -> bool:
        """Whether this role may do what `least` may."""
        return _ORDER.index(self) >= _ORDER.index(least)


_ORDER = tuple(Role)


@dataclass(frozen=True, slots=True)
class Identity:
    """Who is asking. `subject` is stable for one holder of a credential; it is no name of a person."""

    subject: str
    role: Role
    tenant: str
    audiences: tuple[Audience, ...]

    def may_see(self, audience: Audience) -> bool:
        """Whether documents and packs for this audience are theirs to use."""
        return audience in self.audiences

    @property
    def sees_every_conversation(self) -> bool:
        """Whether conversations that others began are shown to them; a manager looks into complaints."""
        return self.role.covers(Role.MANAGER)


def identity(subject: str, role: Role, tenant: str, audiences: tuple[Audience, ...] | None = None) -> Identity:
    """An identity with the audiences of its role; those that are given can only narrow them, and for staff alone."""
    usual = PUBLIC_ONLY if role is Role.CALLER else EVERYTHING
    narrowed = tuple(one for one in usual if audiences is None or one in audiences) if role is Role.USER else usual
    return Identity(subject, role, tenant, narrowed or PUBLIC_ONLY)


def owner_in_process(tenant: str) -> Identity:
    """Whoever runs the command line has the installation's folder and its key; nothing is kept from them."""
    return identity("process", Role.OWNER, tenant)


_ROLE = re.compile(r"arn:(aws[a-z-]*):iam::(\d{12}):role/(?:[!-~]{1,510}/)?([\w+.@-]{1,64})", re.ASCII)
_SESSION = re.compile(r"arn:(aws[a-z-]*):sts::(\d{12}):assumed-role/([\w+=,.@-]{1,64})/[\w+=,.@-]{2,64}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Signer:
    """An IAM role that signs requests. Its path does not tell it from another: an account has a name once, whatever the
    path and however its letters are written (IAM reference, names and ARNs)."""

    partition: str
    account: str
    name: str

    @classmethod
    def of_role(cls, arn: str) -> Self | None:
        """Of `arn:aws:iam::111111111111:role/path/name`; None for anything else."""
        return cls._read(_ROLE.fullmatch(arn))

    @classmethod
    def of_session(cls, arn: str) -> Self | None:
        """Of `arn:aws:sts::111111111111:assumed-role/name/session`, which a gateway names; None for anything else."""
        return cls._read(_SESSION.fullmatch(arn))

    @classmethod
    def _read(cls, found: re.Match[str] | None) -> Self | None:
        return None if found is None else cls(found[1], found[2], found[3].lower())
