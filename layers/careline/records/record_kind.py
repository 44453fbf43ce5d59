"""What is told of every kind of record, beside the function that makes its keys."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

_KeyOf = TypeVar("_KeyOf", bound=Callable[..., tuple[str, str]])
NEVER, NOBODY, NOTHING = "never", "nobody", "no"


@dataclass(frozen=True, slots=True)
class RecordKind:
    """One kind of record. `key` makes the partition and sort key of a record; the others are words for people."""

    name: str
    key: Callable[..., tuple[str, str]]
    what: str
    encrypted: str
    """What of its body is encrypted at rest by the installation's key."""
    expires: str
    written_by: str
    erased_by: str
    """What deletes it before it expires."""
    goes_with_key: bool
    """Whether a lost key deletes it: nobody could read it, or find it, by another one."""


KINDS: dict[str, RecordKind] = {}
"""Every kind, in the order of `careline.records.keys`, which notes them."""


def record_kind(
    what: str,
    *,
    encrypted: str = NOTHING,
    expires: str = NEVER,
    written_by: str,
    erased_by: str = NOBODY,
    goes_with_key: bool = False,
) -> Callable[[_KeyOf], _KeyOf]:
    """Note the kind of record whose key a function makes."""
    erased = (erased_by, *(["a lost key"] if goes_with_key else []))
    told = ", ".join(one for one in erased if one != NOBODY) or NOBODY

    def noted(key: _KeyOf) -> _KeyOf:
        name = key.__name__
        KINDS[name] = RecordKind(name, key, what, encrypted, expires, written_by, told, goes_with_key)
        return key

    return noted
