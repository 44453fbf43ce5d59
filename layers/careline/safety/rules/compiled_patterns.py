"""Keeps the patterns of rules that were used last, compiled.

A pattern takes some fifty kilobytes with the states that it has met, and there are thousands. Questions meet ever new
ones, so all of them would be kept in the end; to compile one again takes a fifth of a millisecond.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any

MOST_KEPT = 1_000
"""Patterns of all rule sets of a process: a hundred questions in four languages use fewer."""


class CompiledPatterns:
    """Patterns by what names them, the last used ones; safe to use from several threads at once."""

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, Any] = OrderedDict()
        self._lock = Lock()

    def get(self, name: Hashable, compiled: Callable[[], Any]) -> Any:
        """The pattern of a name, made by `compiled` where it is not kept; what that raises is raised."""
        with self._lock:
            if (kept := self._kept.get(name)) is not None:
                self._kept.move_to_end(name)
                return kept
        made = compiled()
        with self._lock:
            self._kept[name] = made
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return made
