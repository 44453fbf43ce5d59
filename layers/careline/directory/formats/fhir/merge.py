"""Puts what a bundle says into the directory before, of which FHIR holds a part.

What the bundle says as the directory before would say it has not changed: there the directory before stands, with all
that FHIR has no place for. Elsewhere the bundle holds, field by field.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from careline.directory.directory import HOSPITAL, Directory
from careline.directory.week import HOLIDAY

SECTIONS = ("campuses", "departments", "doctors")
BY_KEY = frozenset({"names", "synonyms", "focus", "phones"})
"""Fields of which the bundle may hold some languages or purposes, and the others stay."""
Written = dict[str, Any]


def merged(before: Directory, said_before: Directory, said: Directory, gone: set[tuple[str, str]]) -> Written:
    """The directory before with what a bundle says; `said_before` is what FHIR holds of the directory before, `gone`
    the sections and ids of entries that the bundle says hold no more."""
    held, former, new = before.to_json(), said_before.to_json(), said.to_json()
    if before.hospital.names:
        # What a hospital speaks is asked of a bundle once; the language of its resources says nothing of that later.
        for one in (former, new):
            one.get(HOSPITAL, {}).pop("default_language", None)
    found = {**held, HOSPITAL: _entry(held.get(HOSPITAL, {}), former.get(HOSPITAL, {}), new.get(HOSPITAL, {}))}
    for section in SECTIONS:
        found[section] = _section(held.get(section, []), former.get(section, []), new.get(section, []))
        found[section] = [one for one in found[section] if (section, one["id"]) not in gone]
    return found


def _section(held: list[Written], former: list[Written], new: list[Written]) -> list[Written]:
    changed = {one["id"]: one for one in new}
    before = {one["id"]: one for one in former}
    stay = [
        _entry(one, before.get(one["id"], {}), changed[one["id"]]) if one["id"] in changed else one for one in held
    ]
    known = {one["id"] for one in held}
    return [*stay, *(one for one in new if one["id"] not in known)]


def _entry(held: Mapping[str, Any], former: Mapping[str, Any], new: Mapping[str, Any]) -> Written:
    """An entry, field by field; a field of which FHIR held something and the bundle nothing is empty now."""
    found = dict(held)
    for field in {*former, *new}:
        if former.get(field) == new.get(field):
            continue
        value = _field(field, held.get(field), former.get(field), new.get(field))
        if value is None:
            found.pop(field, None)
        else:
            found[field] = value
    return found


def _field(field: str, held: Any, former: Any, new: Any) -> Any:
    if field == "entrances":
        return _entrances(held, former, new)
    if field in BY_KEY:
        return {**(held or {}), **(new or {})}
    if isinstance(new, list) and isinstance(former, list) and isinstance(held, list):
        same = {repr(was): one for was, one in zip(former, held, strict=False)} if len(former) == len(held) else {}
        return [same.get(repr(one)) or _with_holiday(one, held) for one in new]
    return new


def _with_holiday(one: Any, held: list[Any]) -> Any:
    """Hours at a campus with those of public holidays that were known, for which FHIR has no day."""
    if not isinstance(one, dict) or "weekly" not in one:
        return one
    same = [each.get("weekly", {}) for each in held if each.get("campus") == one.get("campus")]
    was: Written = same[0] if same else {}
    return {**one, "weekly": {**one["weekly"], **({HOLIDAY: was[HOLIDAY]} if HOLIDAY in was else {})}}


def _entrances(held: Any, former: Any, new: Any) -> Any:
    """The hours of a campus are those of its first entrance that has any."""
    was, now = ((one or [{}])[0].get("weekly") for one in (former, new))
    if was == now or now is None or not held:
        return held or new
    at = next((n for n, one in enumerate(held) if one.get("hours") or one.get("weekly")), 0)
    changed = {**{key: value for key, value in held[at].items() if key != "hours"}, "weekly": now}
    return [*held[:at], changed, *held[at + 1 :]]
