"""A measured figure and how it is printed."""

from __future__ import annotations

import math
import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Measure:
    """One row of a bench: p50 and p95 of `samples` measurements in `unit`; `limit` is what is promised, if anything."""

    name: str
    unit: str
    p50: float
    p95: float
    samples: int
    limit: str = ""

    def to_json(self) -> dict[str, Any]:
        """The figure for programs."""
        return {name: getattr(self, name) for name in self.__slots__}


def figure(name: str, unit: str, samples: Sequence[float], limit: str = "") -> Measure:
    """Percentiles (nearest rank) of a list of measurements."""
    return Measure(name, unit, percentile(samples, 50), percentile(samples, 95), len(samples), limit)


def percentile(samples: Sequence[float], share: float) -> float:
    """The nearest-rank percentile. Raises: ValueError for no samples."""
    if not samples:
        raise ValueError("nothing was measured")
    ordered = sorted(samples)
    return ordered[max(0, -(-len(ordered) * int(share) // 100) - 1)]


def machine() -> str:
    """What the figures were measured on."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return f"{cores} cores, {_processor()}, Python {platform.python_version()}, {platform.system()}"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.machine()
    named = (line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    return next(named, platform.machine())


@dataclass(frozen=True, slots=True)
class Share:
    """How many of a kind of question came out right. `low` and `high` are the 95 % Wilson score interval."""

    name: str
    right: int
    of: int

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson, 1927, with z = 1.96; holds for small numbers and for shares near 1."""
        if not self.of:
            return 0.0, 1.0
        z, share = 1.96, self.right / self.of
        middle = share + z * z / (2 * self.of)
        spread = z * math.sqrt((share * (1 - share) + z * z / (4 * self.of)) / self.of)
        scale = 1 + z * z / self.of
        return (middle - spread) / scale, (middle + spread) / scale

    def to_json(self) -> dict[str, Any]:
        """The share for programs."""
        low, high = self.interval
        return {"name": self.name, "right": self.right, "of": self.of, "low": round(low, 3), "high": round(high, 3)}


def area_under_curve(positive: Sequence[float], negative: Sequence[float]) -> float:
    """How often a positive lies above a negative, ties counting half (Mann and Whitney, 1947). Raises: ValueError."""
    if not positive or not negative:
        raise ValueError("an area needs both positives and negatives")
    above = sum((p > n) + 0.5 * (p == n) for p in positive for n in negative)
    return above / (len(positive) * len(negative))
