"""What every turn has at hand: engines, packs and settings, and who was let in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from careline.curation.editions import Known
from careline.identity import Identity, owner_in_process
from careline.packs.packs import Pack
from careline.ports import Engines, KnowledgeSource
from careline.search.relevance import RelevanceFit, shipped_fit
from careline.search.retrieval import Retrieval
from careline.search.sources import KnowledgeBase
from careline.settings import Settings
from careline.tenants.tenant_records import Tenant

MODELS, DOCUMENTS = "models", "documents"
"""Parts that a process may serve without for a while: a question waits for the models, and is answered without the
documents that are still to come."""


@dataclass(frozen=True, slots=True)
class Part:
    """How far one part has been loaded: `done` of `total`, or a state alone where nothing is counted. `failed` says
    what is missing and where to look."""

    done: int = 0
    total: int = 0
    is_ready: bool = False
    failed: str = ""

    def __str__(self) -> str:
        if self.failed:
            return f"failed: {self.failed}"
        if self.is_ready:
            return "ok"
        return f"loading {self.done} of {self.total}" if self.total else "loading"


class Readiness:
    """What a process that serves already has loaded; empty where everything was loaded before it served."""

    def __init__(self) -> None:
        self._parts: dict[str, Part] = {}

    def note(self, name: str, part: Part) -> None:
        """How far a part is now."""
        self._parts[name] = part

    def loads(self, name: str) -> bool:
        """Whether a part is still being loaded."""
        part = self._parts.get(name)
        return part is not None and not part.is_ready and not part.failed

    def to_json(self) -> dict[str, object]:
        """`status` (`ok`, `loading`, or `degraded` where a part failed) and each part's state in words."""
        status = "ok"
        if any(part.failed for part in self._parts.values()):
            status = "degraded"
        if any(self.loads(name) for name in self._parts):
            status = "loading"
        parts = {name: str(part) for name, part in self._parts.items()}
        return {"status": status, "parts": parts} if parts else {"status": status}


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
    readiness: Readiness = field(default_factory=Readiness)
    """What the process still loads while it serves."""
    relevance: RelevanceFit = field(default_factory=shipped_fit)
    """What was measured with the embedding model."""
    tenants_seen: dict[str, Tenant] = field(default_factory=dict)
    """Hospitals as they were last read, by id: for the number of an emergency while nothing can be read."""
    directories_seen: dict[str, Known] = field(default_factory=dict)
    """Editions of directories as they were last read, by tenant."""

    @property
    def asker(self) -> Identity:
        """Who is asking."""
        return self.admitted or owner_in_process(self.settings.tenant)

    @property
    def retrieval(self) -> Retrieval:
        """Searches the documents of the tenant for the asker."""
        engines, settings = self.engines, self.settings
        return Retrieval(engines.embedder, engines.index, settings.tenant, self.asker, settings.limits.source_seconds)

    @property
    def sources(self) -> Mapping[str, KnowledgeSource]:
        """What can be searched for an answer, by name; the hospital's documents always."""
        return {one.name: one for one in (KnowledgeBase(self.retrieval), *self.engines.sources)}

    def seen_by(self, identity: Identity) -> Installation:
        """The installation as somebody else may see it: nothing of any other tenant than theirs."""
        return replace(self.of_tenant(identity.tenant), admitted=identity)

    def of_tenant(self, tenant: str) -> Installation:
        """The installation as it works for a tenant."""
        own: dict[str, object] = {"tenant": tenant}
        if tenant != self.settings.tenant:
            # What the settings say of a hospital is of their own one; another's stands in its record (tenant_records).
            names = ("hospital_name", "default_language", "helpdesk_phone", "transfer_to")
            own["hospital"] = dict.fromkeys(names)
        return replace(self, settings=self.settings.with_changes(**own))


def usual_pack(tenant: Tenant, installation: Installation) -> str:
    """The name of the pack that answers where none is named."""
    return tenant.pack or installation.settings.pack
