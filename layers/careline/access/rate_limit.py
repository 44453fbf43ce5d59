"""Counts how often somebody may do something: so many a minute, and after a pause as many at once (GCRA).

For each key one moment is kept, up to which its share is used. Counts live in this process: what all processes of an
installation count together is `shared_rate_limit`.
"""

from __future__ import annotations

import math
from collections import OrderedDict

from careline.errors import TooManyRequests
from careline.ports import Clock

KEPT = 10_000
"""Keys that are remembered; beyond them the ones longest unused are forgotten."""
ROUNDING = 1e-3
"""Seconds that are no wait: a moment is a sum of many intervals, and after thousands of them off by parts of this."""


class RateLimit:
    """So many a minute for each key; 0 a minute means without limit."""

    def __init__(self, per_minute: int, clock: Clock, kept: int = KEPT) -> None:
        self._interval = 60.0 / per_minute if per_minute else 0.0
        self._clock, self._kept = clock, kept
        self._used_until: OrderedDict[str, float] = OrderedDict()

    def wait(self, key: str) -> float:
        """Seconds until this key may again; 0 when it may now."""
        if not self._interval:
            return 0.0
        ahead = self._used_until.get(key, -math.inf) - self._clock.elapsed()
        seconds = ahead + self._interval - 60.0
        return seconds if seconds > ROUNDING else 0.0

    def check(self, key: str, message: str) -> None:
        """Raises: TooManyRequests with the seconds to wait."""
        if (seconds := self.wait(key)) > 0:
            raise TooManyRequests(message, retry_after=math.ceil(seconds))

    def count(self, key: str) -> None:
        """One more of this key."""
        if not self._interval:
            return
        now = self._clock.elapsed()
        self._used_until[key] = max(now, self._used_until.pop(key, now)) + self._interval
        while len(self._used_until) > self._kept:
            self._used_until.popitem(last=False)

    def take(self, key: str, message: str) -> None:
        """Count one more of this key. Raises: TooManyRequests, and does not count it, when there were too many."""
        self.check(key, message)
        self.count(key)
