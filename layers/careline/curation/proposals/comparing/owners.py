"""Tells whom a directory has at a telephone number, an address to write to, or a route on the signs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from careline.directory.directory import HOSPITAL, Directory

_OTHER_THAN_DIGITS = re.compile(r"[^0-9]")
_COMPARED = 8
"""Digits of a number that are the same with and without its country: "+32 13 59 22 31" and "013 59 22 31"."""


@dataclass(frozen=True, slots=True)
class Owner:
    """An entry by section and id, and the campus where that is said."""

    section: str
    entry: str
    campus: str | None = None

    @property
    def place(self) -> tuple[str, str]:
        """Section and id."""
        return self.section, self.entry


def dialled(number: str) -> str:
    """The last digits of a number."""
    return _OTHER_THAN_DIGITS.sub("", number.replace("(0)", ""))[-_COMPARED:]


@dataclass(frozen=True)
class Owners:
    """Whom one directory has where."""

    directory: Directory

    def reached_by(self, number: str) -> tuple[Owner, ...]:
        """Who is reached by a number."""
        return self._numbers.get(dialled(number), ())

    def written_to(self, email: str) -> tuple[Owner, ...]:
        """Who is written to at an address."""
        return self._addresses.get(email.casefold(), ())

    def at_route(self, campus: str | None, route: object) -> tuple[Owner, ...]:
        """The one department at a route of a campus."""
        found = [
            Owner("departments", one.id, campus)
            for one in self.directory.departments
            if any(place.campus == campus and str(place.route) == str(route) for place in one.locations)
        ]
        return tuple(found) if len(found) == 1 else ()

    @cached_property
    def _numbers(self) -> Mapping[str, tuple[Owner, ...]]:
        found: dict[str, list[Owner]] = {}
        for number, owner in self._each_number():
            held = found.setdefault(dialled(number), [])
            if not any(one.place == owner.place and (owner.campus is None or one == owner) for one in held):
                held.append(owner)
        return {number: tuple(held) for number, held in found.items()}

    def _each_number(self) -> Iterator[tuple[str, Owner]]:
        directory = self.directory
        yield from ((number, Owner(HOSPITAL, HOSPITAL)) for number in directory.hospital.phones.values())
        for campus in directory.campuses:
            if campus.phone:
                yield campus.phone, Owner("campuses", campus.id, campus.id)
        for one in directory.departments:
            at = [(place.phone, Owner("departments", one.id, place.campus)) for place in one.locations]
            main = [(number, Owner("departments", one.id)) for number in (one.phone, *one.phones.values())]
            yield from ((number, owner) for number, owner in (*at, *main) if number)
        for contact in directory.contacts:
            if contact.phone:
                yield contact.phone, Owner("contacts", contact.id, contact.campus)

    @cached_property
    def _addresses(self) -> Mapping[str, tuple[Owner, ...]]:
        found: dict[str, tuple[Owner, ...]] = {}
        directory = self.directory
        held = [(directory.hospital.email, Owner(HOSPITAL, HOSPITAL))]
        held += [(one.email, Owner("departments", one.id)) for one in directory.departments]
        held += [(one.email, Owner("contacts", one.id, one.campus)) for one in directory.contacts]
        for email, owner in held:
            if email:
                found[email.casefold()] = (*found.get(email.casefold(), ()), owner)
        return found
