"""Which partitions a lost key deletes whole."""

from __future__ import annotations

import inspect

# Its kinds are noted by importing it.
import careline.records.keys  # noqa: F401
from careline.records.record_kind import KINDS


def unreadable(anything: str) -> tuple[str, ...]:
    """The partitions that a lost key deletes whole, with `anything` where a tenant or an id stands."""
    gone = (kind for kind in KINDS.values() if kind.goes_with_key)
    # A number stands in a sort key alone, and whatever it is the partition is the same.
    parts = ((kind, inspect.signature(kind.key).parameters.values()) for kind in gone)
    found = (kind.key(*(0 if part.annotation == "int" else anything for part in each))[0] for kind, each in parts)
    return tuple(dict.fromkeys(found))
