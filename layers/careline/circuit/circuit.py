"""A circuit breaker by itself: what is known of one component, and what becomes of it. Frozen, without a clock or a
table (M. Nygard, "Release It!", 2nd edition, 2018, chapter 5; the figures are those of the resilience design).
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Literal, Self

FAILURES = 5
"""In a row, after which a component is not asked any more."""
PAUSE = timedelta(seconds=60)
"""Before it is asked again, to see whether it works."""
SUCCESSES = 2
"""Of such probes in a row, after which it is asked as before."""
LEASE = timedelta(seconds=30)
"""How long a probe is waited for that nobody holds any more: its process is gone. One that goes on is held again and
again, however long it takes."""

State = Literal["closed", "open", "half_open"]
"""`closed`: asked as always. `open`: not asked. `half_open`: asked by one caller at a time."""
Verdict = Literal["worked", "failed", "unknown"]
"""What a call tells of a component; `unknown` where it was given up, or was wrong in itself."""


@dataclass(frozen=True, slots=True)
class Circuit:
    """What is known of one component. `failures` are those in a row while it is closed, `successes` those of probes in
    a row; `probe` is the call that is made to see whether it works, until `probe_until`."""

    failures: int = 0
    opened_at: datetime | None = None
    is_probed: bool = False
    successes: int = 0
    probe: str = ""
    probe_until: datetime | None = None

    @property
    def state(self) -> State:
        """Which of the three states it is in."""
        if self.opened_at is None:
            return "closed"
        return "half_open" if self.is_probed else "open"

    def waits(self, now: datetime) -> timedelta:
        """How long nobody may ask; nothing where the next caller may, who is a probe unless the circuit is closed."""
        if self.opened_at is None:
            return timedelta(0)
        until = self.probe_until if self.probe and self.probe_until else self.opened_at + PAUSE
        return max(until - now, timedelta(0)) if self.probe or not self.is_probed else timedelta(0)

    def probed(self, probe: str, now: datetime) -> Self:
        """With a call on its way that is waited for. Only where nobody has to wait."""
        return replace(self, is_probed=True, probe=probe, probe_until=now + LEASE)

    def held(self, probe: str, now: datetime) -> Self:
        """With a probe that goes on, waited for anew; as it is where another one took its place."""
        return replace(self, probe_until=now + LEASE) if probe and probe == self.probe else self

    def after(self, verdict: Verdict, probe: str, now: datetime) -> Self:
        """What is known when a call has ended. `probe` is empty for one that began while the circuit was closed.

        A call that ends in another state than it began in says nothing: it belongs to a time that is over.
        """
        if self.opened_at is None:
            return self if probe else self._counted(verdict, now)
        if not probe or probe != self.probe:
            return self
        ended = replace(self, probe="", probe_until=None)
        if verdict == "failed":
            return type(self)(opened_at=now)
        if verdict == "worked":
            return type(self)() if self.successes + 1 >= SUCCESSES else replace(ended, successes=self.successes + 1)
        return ended

    def _counted(self, verdict: Verdict, now: datetime) -> Self:
        if verdict == "worked":
            return type(self)()
        if verdict == "unknown":
            return self
        failures = self.failures + 1
        return type(self)(opened_at=now) if failures >= FAILURES else replace(self, failures=failures)

    def to_json(self) -> dict[str, Any]:
        """As it is kept."""
        kept: dict[str, Any] = {name: value for name, value in asdict(self).items() if value is not None}
        return {name: one.isoformat() if isinstance(one, datetime) else one for name, one in kept.items()}

    @classmethod
    def from_json(cls, kept: dict[str, Any]) -> Self:
        """Raises: ValueError, TypeError for what was not made by `to_json`."""
        moments: dict[str, Any] = {
            name: datetime.fromisoformat(kept[name]) for name in ("opened_at", "probe_until") if name in kept
        }
        return cls(**(kept | moments))
