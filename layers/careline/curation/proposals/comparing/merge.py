"""Puts what a document says into an entry that is there: lists by campus, weeks by day, texts by language."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from careline.directory.week import DAYS, WeeklyHours
from careline.records.record_table import Body

WEEKS = frozenset(("opening_hours", "visiting_hours"))
"""Fields that are lists of weeks, one for each campus."""
BY_CAMPUS = WEEKS | {"locations"}
"""Fields that are lists with one item for each campus."""
BY_LANGUAGE = frozenset(("names", "subject", "condition"))
"""Fields that are texts by language."""
TOGETHER = frozenset(("campuses", "also_in"))
"""Fields that are lists to which a document adds."""
BY_STOP = frozenset(("public_transport",))
"""Fields that are lists with one item for each stop of a line."""
STOP = ("kind", "line", "stop")
OF_A_NEW_ONE: Mapping[str, frozenset[str]] = {
    "departments": frozenset(("id", "kind", "names")),
    "contacts": frozenset(("id", "names")),
    "doctors": frozenset(("id", "title", "first_name", "last_name", "department")),
    "tariffs": frozenset(("id", "subject", "condition", "campus")),
}
"""By section what a new entry needs and one that is there has: what it is called, in every language, and of what it is.
A row that is confirmed into it says nothing of that."""


def week_over(held: WeeklyHours, weekly: Mapping[str, Any]) -> Body:
    """The week that is held with the days that a document names."""
    before: Body = held.model_dump(mode="json", by_alias=True)["weekly"]
    return {**before, **weekly}


def said_of_held(section: str, entry: Mapping[str, Any], corrected: Collection[str]) -> Body:
    """What a proposal says of an entry that is there: what a person gave, and of the rest what the row says of it."""
    new = OF_A_NEW_ONE.get(section, frozenset(("id",)))
    said = {name: value for name, value in entry.items() if name in corrected or name not in new}
    if said.get("unit") == "once" and "unit" not in corrected:
        # The row does not say of what its price is one.
        del said["unit"]
    return said


def without_days_held(said: Mapping[str, Any], held: Mapping[str, Any], unsure: Collection[str]) -> Body:
    """What a proposal says of an entry, without hours that no row gives for a day: those of which the days were not
    read (`unsure` are fields that were not read whole) are of every day, and a day that the entry has stays."""
    kept: Body = dict(said)
    for name in WEEKS & set(unsure) & said.keys():
        weeks: list[Body] = []
        for one in said[name]:
            weekly = one.get("weekly", {})
            there = _of_campus(held.get(name, []), one.get("campus"), held.get("campuses", [])) or {}
            if set(weekly) >= set(DAYS) and all(weekly[day] == weekly[DAYS[0]] for day in DAYS):
                weekly = {day: ranges for day, ranges in weekly.items() if day not in there.get("weekly", {})}
            weeks += [{**one, "weekly": weekly}] if weekly else []
        kept[name] = weeks
        if not weeks:
            del kept[name]
    return kept


def merged_entry(before: Mapping[str, Any], patch: Mapping[str, Any], whole: Collection[str] = ()) -> Body:
    """An entry with the fields of a patch; of lists by campus the items that it names, of weeks the days. `whole` are
    fields that a person gave, which are what the field should be."""
    after: Body = dict(before)
    for name, said in patch.items():
        if name in BY_LANGUAGE and isinstance(said, Mapping):
            after[name] = {**before.get(name, {}), **said}
        elif name in BY_CAMPUS:
            after[name] = _by_campus(before, said, name, by_day=name not in whole)
        elif name in BY_STOP:
            after[name] = _by_stop(before.get(name, []), said)
        elif said is None:
            after.pop(name, None)
        elif name in whole:
            after[name] = said
        elif name in TOGETHER:
            after[name] = list(dict.fromkeys((*before.get(name, ()), *said)))
        elif name == "consultations":
            after[name] = _consultations(before.get(name, []), said)
        else:
            after[name] = said
    return after


def _by_campus(before: Mapping[str, Any], said: list[Body], name: str, *, by_day: bool) -> list[Body]:
    """Items that are held with those that are said, which are of the same where they are of one campus."""
    found = [dict(one) for one in before.get(name, [])]
    for one in said:
        there = _of_campus(found, one.get("campus"), before.get("campuses", []))
        if there is None:
            found.append(dict(one))
        elif name in WEEKS and by_day and "weekly" in one:
            # A day that the document does not name stays as it is.
            there["weekly"] = {**there.get("weekly", {}), **one["weekly"]}
        else:
            there.update({field: value for field, value in one.items() if field != "campus"})
    return found


def _of_campus(found: list[Body], campus: str | None, campuses: list[str]) -> Body | None:
    """The item of a campus; of an entry that is at one alone, also the one that names none."""
    same = {campus, None} if campuses == [campus] else {campus}
    return next((one for one in found if one.get("campus") in same), None)


def _by_stop(held: list[Body], said: list[Body]) -> list[Body]:
    found = [dict(one) for one in held]
    for one in said:
        there = next((each for each in found if all(each.get(name) == one.get(name) for name in STOP)), None)
        if there is None:
            found.append(dict(one))
        else:
            there.update(one)
    return found


def _consultations(held: list[Body], said: list[Body]) -> list[Body]:
    """Consultations as a document names them, with those that are held at other campuses."""
    named = {one.get("campus") for one in said}
    if None in named:
        return said
    return [*(one for one in held if one.get("campus") not in (*named, None)), *said]
