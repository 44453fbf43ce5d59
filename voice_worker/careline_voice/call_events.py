"""What happened in a call and when: for the worker's metrics, the waterfall and the tests. Never what was said."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

Figure = str | int | float | bool


@dataclass(frozen=True, slots=True)
class Moment:
    """One thing that happened; `at` is in seconds of the monotonic clock."""

    at: float
    name: str
    figures: dict[str, Figure]


@dataclass(slots=True)
class CallEvents:
    """The moments of one call, in order; `listeners` hear of each as it comes."""

    clock: Callable[[], float] = time.monotonic
    moments: list[Moment] = field(default_factory=list)
    listeners: list[Callable[[Moment], None]] = field(default_factory=list)

    def note(self, name: str, **figures: Figure) -> None:
        """Something happens now. `figures` hold numbers and codes, never a caller's or the line's words."""
        moment = Moment(self.clock(), name, figures)
        self.moments.append(moment)
        for listener in self.listeners:
            listener(moment)

    def names(self) -> list[str]:
        """What happened, in order."""
        return [moment.name for moment in self.moments]
