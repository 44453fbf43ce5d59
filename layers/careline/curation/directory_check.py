"""What a person should look at in a directory that holds: gaps, entries that have ended, and old confirmations."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

from careline.directory.directory import SECTIONS, Directory, Problem, problems_of

CONFIRMED_FOR = timedelta(days=365)
"""After which nobody knows any more whether an entry is still right."""


def findings(directory: Directory, today: date) -> Iterator[Problem]:
    """Every warning, section by section: what is missing, what has ended, and what was not confirmed for a year."""
    yield from problems_of(directory)
    yield from _ended(directory, today)
    yield from _unconfirmed(directory, today)


def _ended(directory: Directory, today: date) -> Iterator[Problem]:
    for section in SECTIONS:
        for one in directory.entries(section):
            if one.valid_until and one.valid_until < today:
                told = f"ended on {one.valid_until}: nobody is told of it; remove it, or give it another last day"
                yield Problem(section, one.id, "valid_until", told, warning=True)


def _unconfirmed(directory: Directory, today: date) -> Iterator[Problem]:
    for section in SECTIONS:
        for one in directory.entries(section):
            if one.confirmed_on and today - one.confirmed_on > CONFIRMED_FOR and one.holds_on(today):
                told = f"was last confirmed on {one.confirmed_on}; see whether it is right, then confirm it"
                yield Problem(section, one.id, "confirmed_on", told, warning=True)
