"""The ids that a log line carries without being told: whose work was going on when it was written.

Tasks and threads that a piece of work starts inherit its ids, as copies: what they add is theirs alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from types import MappingProxyType
from typing import TypeVar

NAMES = ("trace", "turn", "job", "call", "tenant", "xray")
"""What may be bound. None of them is chosen by a caller; a trace id that a client sends is letters, digits, hyphens."""
_IDS: ContextVar[Mapping[str, str]] = ContextVar("careline_log_ids", default=MappingProxyType({}))


_PROCESS: dict[str, str] = {}
"""Ids of all that this process does."""


def ids() -> Mapping[str, str]:
    """The ids of the work that is going on."""
    return {**_PROCESS, **_IDS.get()}


def add_to_process(**more: str) -> None:
    """Bind ids of a process that does one piece of work and ends: a library that calls back knows of no context.

    Raises: ValueError for other names.
    """
    _PROCESS.update(_known(more))


def add(**more: str | None) -> None:
    """Bind ids from here to the end of this task; None takes one away. Raises: ValueError for other names."""
    _IDS.set({name: value for name, value in {**_IDS.get(), **_known(more)}.items() if value})


Given = TypeVar("Given", str, str | None)


def _known(given: Mapping[str, Given]) -> Mapping[str, Given]:
    unknown = set(given) - set(NAMES)
    if unknown:
        raise ValueError(f"no ids of a log line: {', '.join(sorted(unknown))}")
    return given


@contextmanager
def bound(**more: str | None) -> Iterator[None]:
    """Bind ids within a block that one task runs from beginning to end."""
    before = _IDS.get()
    add(**more)
    try:
        yield
    finally:
        _IDS.set(before)
