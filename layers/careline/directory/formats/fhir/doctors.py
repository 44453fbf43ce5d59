"""Doctors of a bundle: who they are (Practitioner), and where and when they work (PractitionerRole)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import Any

from careline.directory.entries import Doctor
from careline.directory.formats.fhir.bundle import Bundle, Held
from careline.directory.formats.fhir.interpret import Interpretation
from careline.directory.formats.fhir.resources import (
    CARELINE_ROLE,
    HumanName,
    Period,
    Practitioner,
    PractitionerRole,
    is_gone,
)
from careline.directory.formats.fhir.times import Tell, day_of, spans
from careline.directory.formats.fhir.wording import first_of, names_of

NO_NAME = "is missing: give a family name"
NO_ROLE = "has no PractitionerRole that names a department"
VACANT = "is missing: the role is nobody's and is not read"
NOBODY = "refers to no Practitioner of the bundle"
TWICE = "is that of another Practitioner too; give each its own"
UNKNOWN = "unknown"
BEFORE = "lies before the start"
_CODE = re.compile(r"[a-z]{2,3}")
Entry = dict[str, Any]


def doctors_of(bundle: Bundle, said: Interpretation) -> list[Entry]:
    """The doctors, each with what all of their roles say."""
    roles = _roles(bundle)
    found, seen = [], set[str]()
    for held, practitioner in bundle.of(Practitioner):
        entry_id = said.entry_id(held)
        if is_gone(practitioner):
            said.gone.add(("doctors", entry_id))
            continue
        if entry_id in seen:
            bundle.tell(held, "identifier", TWICE)
        seen.add(entry_id)
        found.append(_doctor(bundle, said, held, practitioner, roles.get(id(held), [])))
    return found


def _roles(bundle: Bundle) -> dict[int, list[tuple[Held, PractitionerRole]]]:
    """The roles of each Practitioner that hold, in their order."""
    found: dict[int, list[tuple[Held, PractitionerRole]]] = {}
    for held, role in bundle.of(PractitionerRole):
        person = bundle.find(role.practitioner, "Practitioner") if role.practitioner is not None else None
        if role.practitioner is None:
            bundle.tell(held, "practitioner", VACANT, warning=True)
        elif person is None:
            bundle.tell_dangling(held, "practitioner", role.practitioner, NOBODY)
        elif not is_gone(role):
            found.setdefault(id(person), []).append((held, role))
    return found


def _doctor(
    bundle: Bundle,
    said: Interpretation,
    held: Held,
    practitioner: Practitioner,
    roles: list[tuple[Held, PractitionerRole]],
) -> Entry:
    entry = _person(bundle, held, practitioner)
    told = len(bundle.problems)
    departments: list[str] = []
    for role, resource in roles:
        departments += [one for one in _departments(said, role, resource) if one not in departments]
    for role, resource in roles:
        _add_role(entry, bundle, said, role, resource, departments[:1])
    entry |= _validity(bundle, roles)
    if departments:
        entry |= {"department": departments[0], "also_in": departments[1:]}
        return entry
    before = bundle.before.entry("doctors", held.entry_id) if bundle.is_known("doctors", held.entry_id) else None
    if isinstance(before, Doctor):
        entry |= {"department": before.department, "also_in": before.also_in}
    else:
        if len(bundle.problems) == told:
            bundle.tell(held, "", NO_ROLE)
        # So that it is told once.
        entry["department"] = UNKNOWN
    if not roles:
        said.without_role.add(held.entry_id)
    return entry


def _person(bundle: Bundle, held: Held, practitioner: Practitioner) -> Entry:
    names = sorted(practitioner.name, key=lambda one: one.use not in (None, "official", "usual"))
    name = names[0] if names else HumanName()
    last = name.family or name.text
    if last is None:
        bundle.tell(held, "name", NO_NAME)
    return {
        "id": held.entry_id,
        "title": " ".join(name.prefix) or None,
        "first_name": " ".join(name.given) or None,
        "last_name": last,
        "sex": practitioner.gender if practitioner.gender in ("female", "male") else None,
        "languages": _languages(practitioner),
        "phone": first_of(practitioner.telecom, "phone"),
        "email": first_of(practitioner.telecom, "email"),
    }


def _languages(practitioner: Practitioner) -> list[str]:
    """Codes of the languages that somebody speaks: nl of nl-BE."""
    codings = (coding for concept in practitioner.communication for coding in concept.coding)
    codes = [(one.code or "").split("-")[0].lower() for one in codings]
    return list(dict.fromkeys(code for code in codes if _CODE.fullmatch(code)))


def _departments(said: Interpretation, held: Held, role: PractitionerRole) -> Iterator[str]:
    """The departments of a role: its services, or else its organization."""
    found = [said.department(held, f"healthcareService[{at}]", one) for at, one in enumerate(role.service)]
    if not role.service and role.organization is not None:
        found.append(said.department(held, "organization", role.organization))
    yield from (one for one in found if one is not None)


def _add_role(
    entry: Entry, bundle: Bundle, said: Interpretation, held: Held, role: PractitionerRole, main: list[str]
) -> None:
    """What one role adds to a doctor."""

    def tell(path: str, message: str) -> None:
        bundle.tell(held, path, message)

    entry["phone"] = entry["phone"] or first_of(role.telecom, "phone")
    entry["email"] = entry["email"] or first_of(role.telecom, "email")
    campuses = [said.place(held, f"location[{at}]", one)[0] for at, one in enumerate(role.location)]
    named = list(dict.fromkeys(one for one in campuses if one is not None))
    known = entry.setdefault("campuses", [])
    known += [one for one in named if one not in known]
    codings = (coding for concept in role.code for coding in concept.coding)
    entry.setdefault("role", None)
    entry["role"] = entry["role"] or next((one.code for one in codings if one.system == CARELINE_ROLE), None)
    for concept in role.specialty[:1]:
        text = concept.text or next((one.display for one in concept.coding if one.display), None)
        focus = names_of(text, concept.beside_text, said.language(held))
        entry["focus"] = {**focus, **entry.get("focus", {})}
    # What is dangling was told when the departments of all roles were gathered; it is told once.
    mine = list(_departments(said, held, role))
    department = mine[0] if len(mine) == 1 and mine != main else None
    entry.setdefault("consultations", []).extend(
        {
            "weekday": day,
            "from": opens,
            "to": closes,
            "campus": named[0] if len(named) == 1 else None,
            "department": department,
        }
        for day, opens, closes in spans(role.available, "availableTime", tell)
    )
    entry.setdefault("absences", []).extend(_absences(role, tell, bundle.zone))


def _absences(role: PractitionerRole, tell: Tell, zone: str) -> Iterator[Entry]:
    for at, away in enumerate(role.not_available):
        during = away.during
        path = f"notAvailable[{at}].during"
        if during is None or during.start is None:
            tell(path, "is missing: say from which day")
            continue
        start = day_of(during.start, f"{path}.start", tell, zone)
        end = day_of(during.end, f"{path}.end", tell, zone, is_last=True)
        if start is None or (end is None and during.end is not None):
            continue
        if end is not None and end < start:
            tell(f"{path}.end", BEFORE)
            continue
        # Of a month or year alone it is all of that.
        yield {"from": start, "to": end or day_of(during.start, f"{path}.start", tell, zone, is_last=True)}


def _validity(bundle: Bundle, roles: list[tuple[Held, PractitionerRole]]) -> Entry:
    """From the first day of any role to the last; without end, where one has none."""
    firsts: list[date | None] = []
    lasts: list[date | None] = []
    for held, role in roles:

        def tell(path: str, message: str, held: Held = held) -> None:
            bundle.tell(held, path, message)

        period = role.period or Period()
        first = day_of(period.start, "period.start", tell, bundle.zone)
        last = day_of(period.end, "period.end", tell, bundle.zone, is_last=True)
        if first is not None and last is not None and last < first:
            tell("period.end", BEFORE)
            last = None
        firsts.append(first)
        lasts.append(last)
    starts, ends = [one for one in firsts if one], [one for one in lasts if one]
    return {
        "valid_from": min(starts) if starts and len(starts) == len(firsts) else None,
        "valid_until": max(ends) if ends and len(ends) == len(lasts) else None,
    }
