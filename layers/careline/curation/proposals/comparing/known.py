"""Holds what a document says of a department or contact against what the directory says of it."""

from __future__ import annotations

from careline.curation.proposals.comparing.asked import asked
from careline.curation.proposals.comparing.merge import week_over
from careline.curation.proposals.comparing.owners import dialled
from careline.curation.proposals.proposal import Difference, Proposal, Statement
from careline.directory.entries import Contact, Department, Location
from careline.directory.week import WeeklyHours
from careline.records.record_table import Body


def of_department(
    statement: Statement, target: Department, campus: str | None, missing: set[str]
) -> Proposal | None:
    """What a document says otherwise of a department; None where the directory says it all."""
    value = statement.value
    known = list(dict.fromkeys([*target.campuses, *(one.campus for one in target.locations)]))
    if campus is None and len(known) == 1:
        campus = known[0]
    location = next((one for one in target.locations if one.campus == campus), None)
    entry: Body = {}
    differs: list[Difference] = []
    at: Body = _location(value, target, location, campus, differs)
    if at.get("phone") and target.phone and len(known) == 1 and (location is None or location.phone is None):
        # With one campus its number is the one that the directory has for the whole of it.
        entry["phone"] = at.pop("phone")
    if at and campus is not None:
        entry["locations"] = [{"campus": campus, **at}]
    elif at:
        missing.add("campus")
        entry.update({"phone": at["phone"]} if "phone" in at else {"locations": [at]})
    _email(value, target.email, entry, differs)
    if "phone_hours" in value:
        missing.add("opening_hours")
    is_open = len(known) > 1 and campus is None
    for name, held in (("opening_hours", target.opening_hours), ("visiting_hours", target.visiting_hours)):
        if name not in value:
            continue
        if _hours(name, value[name], held, campus, entry, differs, is_open, len(known) == 1) and is_open:
            missing.add("campus")
    if not entry:
        return None
    return asked(statement, "departments", target.id, entry, missing, differs)


def _location(
    value: Body, target: Department, location: Location | None, campus: str | None, differs: list[Difference]
) -> Body:
    """What a document says of a department at one campus, where the directory does not."""
    at: Body = {}
    if "phone" in value:
        numbers = [target.phone, *target.phones.values(), *(one.phone for one in target.locations)]
        if dialled(value["phone"]) not in {dialled(number) for number in numbers if number}:
            at["phone"] = value["phone"]
            held = location.phone if location is not None and location.phone else target.phone
            if held:
                differs.append(Difference("phone", held, value["phone"]))
    for name in ("route", "floor"):
        if name in value and (location is None or str(getattr(location, name)) != str(value[name])):
            if location is None and name == "floor" and "route" not in value:
                continue
            at[name] = value[name]
            if location is not None and getattr(location, name) is not None:
                differs.append(Difference(f"locations.{campus}.{name}", getattr(location, name), value[name]))
    return at


def _email(value: Body, held: str | None, entry: Body, differs: list[Difference]) -> None:
    if "email" not in value or value["email"].casefold() == (held or "").casefold():
        return
    entry["email"] = value["email"]
    if held:
        differs.append(Difference("email", held, value["email"]))


def _hours(
    name: str, weekly: Body, held: list[WeeklyHours], campus: str | None, entry: Body, differs: list[Difference],
    several: bool, is_only: bool,
) -> bool:  # fmt: skip
    """Add hours that differ from those that are held at a campus, and say in what; whether they do. Hours that are
    held for all campuses are those of the only one there is (`is_only`)."""
    fits = [one for one in held if one.campus == campus or one.campus is None or campus is None]
    stated = {day: [(one["from"], one["to"]) for one in ranges] for day, ranges in weekly.items()}
    for one in fits:
        of_day: dict[str, list[tuple[str, str]]] = {
            day: [(each.opens, each.closes) for each in ranges] for day, ranges in one.weekly.items()
        }
        compared = {day: of_day.get(day, []) for day in stated if day != "holiday" or day in of_day}
        if all(compared[day] == stated[day] for day in compared):
            return False
    own = next((one for one in fits if one.campus == campus), fits[0] if len(fits) == 1 and not several else None)
    if own is not None and own.campus is None and is_only:
        campus = None
    body: Body = {"weekly": weekly if own is None else week_over(own, weekly)}
    entry[name] = [{"campus": campus, **body} if campus is not None else body]
    if own is not None:
        before = own.model_dump(mode="json", by_alias=True)["weekly"]
        days = [day for day in stated if day != "holiday" or day in before]
        told_before = {day: before.get(day, []) for day in days if before.get(day, []) != weekly[day]}
        differs.append(Difference(name, told_before, {day: weekly[day] for day in told_before}))
    return True


def of_contact(statement: Statement, target: Contact, missing: set[str]) -> Proposal | None:
    """What a document says otherwise of a contact; None where the directory says it all."""
    value, entry = statement.value, dict[str, object]()
    differs: list[Difference] = []
    if "phone" in value and dialled(value["phone"]) != dialled(target.phone or ""):
        entry["phone"] = value["phone"]
        if target.phone:
            differs.append(Difference("phone", target.phone, value["phone"]))
    _email(value, target.email, entry, differs)
    weekly = next((value[name] for name in ("phone_hours", "opening_hours") if name in value), None)
    if weekly is not None:
        _hours("opening_hours", weekly, target.opening_hours, None, entry, differs, several=False, is_only=True)
    return asked(statement, "contacts", target.id, entry, missing, differs) if entry else None
