"""Finds the one job, turn, document, passage or token that somebody means by its id or by the beginning of it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import islice

from careline.errors import BadRequest, NotFound

LEAST = 4
"""Characters of a beginning that stands for an id."""
SHOWN = 5
"""Ids that a message names."""
LOOKED_AT = 2000
"""Ids that are compared with one that does not exist."""
Beginning = Callable[[str], AsyncIterator[str]]
"""Ids in order that begin with a text; every one for the empty text."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What an id is of, for messages: its name, and the command that lists those there are."""

    name: str
    listed_by: str


JOB = Kind("job", "careline jobs")
TURN = Kind("turn", "careline turns")
DOCUMENT = Kind("document", "careline documents")
ANSWER = Kind("answer", "careline answer list --all")
PASSAGE = Kind("passage", "careline quarantine list")
PART = Kind("part", "careline quarantine show PASSAGE")
TOKEN = Kind("token", "careline token list")


async def meant(given: str, kind: Kind, ids: Beginning) -> str:
    """The id that is given whole, or that alone begins with what is given.

    Raises: BadRequest where several begin with it, NotFound where none does, with those that are nearly the same.
    """
    found = await _first(ids(given), SHOWN + 1) if _is_plausible(given) else []
    if given in found:
        return given
    if len(found) == 1 and len(given) >= LEAST:
        return found[0]
    if found and len(given) >= LEAST:
        more = ", …" if len(found) > SHOWN else ""
        raise BadRequest(f"several {kind.name}s begin with this: {', '.join(found[:SHOWN])}{more}; give more of the id")
    if found:
        raise BadRequest(f"{kind.name}: give at least the first {LEAST} characters of the id")
    raise await missing(given, kind, ids)


async def whole(given: str, kind: Kind, ids: Beginning) -> str:
    """The id, which must be given whole, as what is done with it cannot be undone. Raises: NotFound."""
    if _is_plausible(given) and given in await _first(ids(given), 1):
        return given
    raise await missing(given, kind, ids)


async def missing(given: str, kind: Kind, ids: Beginning) -> NotFound:
    """The error that there is none of this id; it names those that are nearly the same."""
    near: list[str] = []
    if _is_plausible(given):
        near = await _first(ids(given), SHOWN) if len(given) >= LEAST else []
        near = near or get_close_matches(given, await _first(ids(""), LOOKED_AT), SHOWN)
    meant_perhaps = f"; did you mean {' or '.join(near)}?" if near else f"; `{kind.listed_by}` lists those there are"
    return NotFound(f"there is no such {kind.name}{meant_perhaps}")


def among(known: Iterable[str]) -> Beginning:
    """Ids that are at hand already."""
    held = sorted(known)

    async def beginning(prefix: str) -> AsyncIterator[str]:
        for one in held:
            if one.startswith(prefix):
                yield one

    return beginning


def nearest(given: str, known: Iterable[str]) -> str:
    """` (did you mean x?)` for a name that is nearly one of those known, else nothing."""
    near = get_close_matches(given.lower(), islice(known, LOOKED_AT), 1)
    return f" (did you mean {near[0]}?)" if near else ""


def _is_plausible(given: str) -> bool:
    return bool(given) and len(given) <= 256 and given.isprintable()


async def _first(ids: AsyncIterator[str], most: int) -> list[str]:
    found: list[str] = []
    async for one in ids:
        found.append(one)
        if len(found) == most:
            break
    return found
