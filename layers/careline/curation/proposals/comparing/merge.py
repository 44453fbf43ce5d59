"""Puts what a document says into an entry that is there: lists by campus, weeks by day."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from careline.directory.week import WeeklyHours
from careline.records.record_table import Body

BY_CAMPUS = frozenset(("locations", "opening_hours", "visiting_hours"))
"""Fields that are lists with one item for each campus."""
BY_LANGUAGE = frozenset(("names", "subject", "condition"))
"""Fields that are texts by language."""


def week_over(held: WeeklyHours, weekly: Mapping[str, Any]) -> Body:
    """The week that is held with the days that a document names."""
    before: Body = held.model_dump(mode="json", by_alias=True)["weekly"]
    return {**before, **weekly}


def merged_entry(before: Mapping[str, Any], patch: Mapping[str, Any]) -> Body:
    """An entry with the fields of a patch; of lists by campus the items that it names."""
    after: Body = dict(before)
    for name, said in patch.items():
        if name in BY_CAMPUS:
            after[name] = _by_campus(before.get(name, []), said)
        elif name in BY_LANGUAGE and isinstance(said, Mapping):
            after[name] = {**before.get(name, {}), **said}
        elif said is None:
            after.pop(name, None)
        else:
            after[name] = said
    return after


def _by_campus(held: list[Body], said: list[Body]) -> list[Body]:
    found = [dict(one) for one in held]
    for one in said:
        there = next((each for each in found if each.get("campus") == one.get("campus")), None)
        if there is None:
            found.append(dict(one))
        else:
            there.update(one)
    return found
