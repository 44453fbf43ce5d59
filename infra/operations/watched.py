"""The names under which CloudWatch knows what a stage consists of, for alarms and dashboards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from infra.operations.objectives import FAST, OBJECTIVES, SLOW, Objective

NEAR_TIMEOUT = 0.8
"""Share of its time at which a function is told of."""
OF_A_MONTH = 10
"""A day may cost a tenth of what the month may: three times its even share."""
CHANNELS = ("chat", "voice")


@dataclass(frozen=True, slots=True)
class Watched:
    """One stage. Names may be references that CloudFormation fills in; `functions` have their timeouts in seconds,
    queues what people call them."""

    stage: str
    account: str
    region: str
    functions: Mapping[str, int]
    web: tuple[str, ...]
    """Functions with a streaming URL."""
    api: str
    web_acl: str
    state_machines: Mapping[str, str]
    rules: Mapping[str, str]
    queues: Mapping[str, str]
    dead_letters: Mapping[str, str]
    table: str
    collection: str
    collection_id: str
    search_units: int
    indexing_units: int
    model_euro_a_month: float
    parts: frozenset[str] = field(default_factory=frozenset)
    """What not every stage has: `canary`, `firewall`, `voice`."""

    @property
    def objectives(self) -> tuple[Objective, ...]:
        """Those of what the stage has."""
        return tuple(one for one in OBJECTIVES if not one.needs_voice or "voice" in self.parts)

    def short(self, function: str) -> str:
        """A function's name without that of its stage."""
        return function.removeprefix(f"careline-{self.stage}-")

    def objective_name(self, objective: Objective) -> str:
        """Its name in the account, where the other stage may be too."""
        return f"careline-{self.stage}-{objective.name}"

    def values(self) -> dict[str, object]:
        """What holds for the whole stage, by the name that a pattern has for it."""
        return {
            "stage": self.stage, "account": self.account, "region": self.region, "api": self.api,
            "web_acl": self.web_acl, "table": self.table, "collection": self.collection,
            "collection_id": self.collection_id, "search_units": self.search_units,
            "indexing_units": self.indexing_units, "model_euro_a_day": self.model_euro_a_month / OF_A_MONTH,
        }  # fmt: skip

    def each(self, kind: str | None) -> Iterator[tuple[str, Mapping[str, object]]]:
        """Everything of a kind: what people call it, and what it adds to `values`."""
        match kind:
            case None:
                yield "", {}
            case "function":
                for name, seconds in self.functions.items():
                    yield self.short(name), {"function": name, "slow_ms": round(seconds * 1000 * NEAR_TIMEOUT)}
            case "web":
                yield from ((self.short(name), {"function": name}) for name in self.web)
            case "queue":
                yield from ((name, {"queue": queue}) for name, queue in self.queues.items())
            case "dead_letters":
                yield from ((name, {"queue": queue}) for name, queue in self.dead_letters.items())
            case "state_machine" | "rule":
                named = self.state_machines if kind == "state_machine" else self.rules
                yield from ((name, {str(kind): value}) for name, value in named.items())
            case "channel":
                yield from ((name, {"channel": name}) for name in CHANNELS)
            case "objective":
                yield from ((one.name, self._of(one)) for one in self.objectives)
            case _:
                raise ValueError(f"alarms.yaml: there is no kind {kind!r} to have an alarm for each of")

    def _of(self, objective: Objective) -> dict[str, object]:
        return {
            "objective": dict(objective.dimensions), "counted": objective.counted, "bad": objective.bad,
            "allowed": round(100 - objective.attained, 2),
            "fast_burn": objective.burn(FAST), "slow_burn": objective.burn(SLOW),
        }  # fmt: skip
