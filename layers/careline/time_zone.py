"""The time zone of a hospital, by its IANA name: on which day a moment falls there."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime, timedelta
from difflib import get_close_matches
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

DEFAULT = "Europe/Brussels"
"""Of an installation that sets none."""
_NO_PLACES = frozenset({"posix", "right", "Factory", "localtime", "posixrules"})
"""What a system's database holds beside zones: copies with and without leap seconds, and this machine's own."""


def checked(name: str) -> str:
    """The name of a zone. Raises: ValueError, which says what may be written and what was perhaps meant."""
    if name.partition("/")[0] not in _NO_PLACES:
        # What is wrong with another is told below, with what was perhaps meant.
        with suppress(ZoneInfoNotFoundError, ValueError, OSError):
            return zone(name).key
    known = sorted(available_timezones())
    if not known:
        raise ValueError("this machine has no database of time zones; install the package tzdata")
    by_fold = {one.casefold(): one for one in known if "/" in one}
    near = get_close_matches(name.casefold().replace(" ", "_"), by_fold, 1, 0.75)
    meant = f"; did you mean {by_fold[near[0]]}?" if near else ""
    raise ValueError(f"no time zone of this name; write one of the IANA list, such as {DEFAULT}{meant}")


@lru_cache(maxsize=64)
def zone(name: str) -> ZoneInfo:
    """The zone of a name. Raises: ZoneInfoNotFoundError, ValueError, OSError."""
    return ZoneInfo(name)


def later(at: datetime, days: int, name: str) -> datetime:
    """The same time by the clocks of a zone, so many days later, in UTC; one on which clocks change has 23 or 25 hours.

    A time that clocks skip on that day is the one an hour later; of one that they show twice it is the first.
    """
    return (at.astimezone(zone(name)) + timedelta(days=days)).replace(fold=0).astimezone(UTC)
