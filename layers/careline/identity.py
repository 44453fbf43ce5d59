"""Who is asking, and what that lets them do. Handlers and stages read this value and never a request's own claims."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from careline.model import Audience

PUBLIC_ONLY: tuple[Audience, ...] = ("public",)
EVERYTHING: tuple[Audience, ...] = ("public", "clinician")


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
