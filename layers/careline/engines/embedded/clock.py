"""The machine's own clock."""

from __future__ import annotations

import time
from datetime import UTC, datetime


class SystemClock:
    """The clock port over the operating system."""

    def now(self) -> datetime:
        """See `ports.Clock.now`."""
        return datetime.now(UTC)

    def elapsed(self) -> float:
        """See `ports.Clock.elapsed`."""
        return time.perf_counter()
