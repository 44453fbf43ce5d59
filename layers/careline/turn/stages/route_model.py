"""Chooses the language model by the pack's policy: what may leave the trust boundary, and what the question is
worth."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Literal

from careline.installation import Installation
from careline.model import Disposition
from careline.packs.routing import Circumstances
from careline.ports import Engines
from careline.tenants import spending
from careline.turn.turn import Route, Turn

SIMPLE = 14
"""Words of a question that counts as simple, when it is one question and leans on no other."""


async def route_model(turn: Turn, installation: Installation) -> Turn:
    """The turn with its model chosen; finished when the policy lets no model see it. Raises: TableUnavailable."""
    now = await circumstances(turn, installation)
    rule = turn.pack.routing.decide(now)
    seen = tuple(f"{name}={value}" for name, value in asdict(now).items())
    if rule.use == "refuse":
        refused = turn.finish(Disposition.REFUSED, "PHI_NOT_SENT", "phi_refused", rules=(f"routing/{rule.name}",))
        return replace(refused, route=Route("refuse", rule.name, seen))
    if turn.supposed_advice:
        # Only the document's own sentence may be told.
        return replace(turn, route=Route("local", "own-publications", seen))
    use = available(rule.use, installation.engines)
    instead = () if use == rule.use else (f"{rule.use} is not set up",)
    return replace(turn, route=Route(use, rule.name, (*seen, *instead), rule.redact and use != "local"))


async def circumstances(turn: Turn, installation: Installation) -> Circumstances:
    """What the policy looks at. Raises: TableUnavailable."""
    settings = installation.settings
    return Circumstances(
        phi=turn.phi.state if turn.phi is not None else "assumed",
        mode=settings.routing.mode,
        covered=settings.routing.cloud_covered,
        cloud_only_phi=settings.routing.cloud_only_phi,
        tier=turn.tenant.tiers.get(turn.request.user or "", "standard"),
        complexity=complexity(turn),
        channel=turn.request.channel,
        region="same" if settings.routing.region in {None, settings.routing.cloud_region} else "elsewhere",
        budget_left=await spending.budget_left(turn.tenant, turn.began_at, installation.engines, settings),
    )


def complexity(turn: Turn) -> Literal["simple", "complex"]:
    """A short question that stands by itself and asks one thing is simple."""
    alone = not turn.leans and turn.question.count("?") <= 1
    return "simple" if alone and len(turn.question.split()) <= SIMPLE else "complex"


def available(
    use: Literal["local", "cloud", "cloud_small"], engines: Engines
) -> Literal["local", "cloud", "cloud_small"]:
    """What is used where the wanted model is not set up: a small one gives way to the large one, that to the local."""
    if use == "cloud_small" and engines.cloud_small is not None:
        return "cloud_small"
    return "cloud" if use != "local" and engines.cloud is not None else "local"
