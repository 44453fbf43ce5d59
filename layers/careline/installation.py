"""What every turn has at hand: engines, packs and settings, and who was let in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from careline.identity import Identity, owner_in_process
from careline.packs.packs import Pack
from careline.ports import Engines
from careline.settings import Settings


@dataclass(frozen=True, slots=True)
class Installation:
    """What every turn has at hand: the engines behind the ports, the packs and the settings.

    `settings.tenant` is the tenant that everything is read from and written to; for a request it is the asker's.
    """

    engines: Engines
    packs: Mapping[str, Pack]
    settings: Settings
    admitted: Identity | None = None
    """Who was let in by the authentication; None on the command line, which has the installation's folder."""

    @property
    def asker(self) -> Identity:
        """Who is asking."""
        return self.admitted or owner_in_process(self.settings.tenant)

    def seen_by(self, identity: Identity) -> Installation:
        """The installation as somebody else may see it: nothing of any other tenant than theirs."""
        own: dict[str, object] = {"tenant": identity.tenant}
        if identity.tenant != self.settings.tenant:
            # What the settings say of a hospital is of their own one.
            own |= {"hospital_name": None, "helpdesk_phone": None}
        return replace(self, settings=self.settings.model_copy(update=own), admitted=identity)
