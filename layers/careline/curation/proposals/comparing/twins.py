"""Finds that two proposals which are confirmed at once make the same new entry, and makes one of them."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from careline.curation.proposals.comparing.doctor import is_same_doctor
from careline.curation.proposals.comparing.merge import BY_LANGUAGE, TOGETHER, merged_entry
from careline.curation.proposals.comparing.names import tokens_of
from careline.errors import BadRequest
from careline.records.record_table import Body

_TARIFF = ("campus", "unit", "valid_from", "valid_until")
_LISTED = TOGETHER | {"consultations", "opening_hours", "visiting_hours", "locations"}


def joined_twins(section: str, entry: Body, more: Body) -> Body | None:
    """Two new entries as one; None where they are two. Raises: BadRequest for one thing at two prices."""
    if section == "doctors":
        return _doctor(entry, more) if is_same_doctor(more, entry) else None
    if section == "tariffs":
        return _tariff(entry, more)
    if section in ("departments", "contacts"):
        is_same = _is_named_alike(entry, more, "names") and entry.get("campus") == more.get("campus")
        return _with(entry, more) if is_same and not _differ(entry, more) else None
    return None


def _doctor(entry: Body, more: Body) -> Body:
    """One doctor with the consultations and departments of both; the fuller name."""
    made = {**more, **entry}
    if len(more.get("first_name", "")) > len(entry.get("first_name", "")):
        made["first_name"] = more["first_name"]
    held = entry.get("consultations", [])
    departments = [one.get("department") for one in (entry, more)]
    elsewhere = {"department": departments[1]} if departments[0] != departments[1] else {}
    said = [{**elsewhere, **one} for one in more.get("consultations", [])]
    added = [one for one in said if one not in held]
    for name, listed in (
        ("consultations", [*held, *added]),
        ("campuses", [*entry.get("campuses", []), *more.get("campuses", [])]),
        ("also_in", [*entry.get("also_in", []), *more.get("also_in", []), *departments[1:]]),
    ):
        kept = [one for n, one in enumerate(listed) if one not in listed[:n] and one not in (None, departments[0])]
        if kept:
            made[name] = kept
    return made


def _tariff(entry: Body, more: Body) -> Body | None:
    is_same = _is_named_alike(entry, more, "subject") and all(entry.get(name) == more.get(name) for name in _TARIFF)
    conditions = [one.get("condition") or {} for one in (entry, more)]
    if not is_same or conditions[0] != conditions[1]:
        return None
    if Decimal(str(entry["amount"])) != Decimal(str(more["amount"])) or entry.get("currency") != more.get("currency"):
        subject = next(iter(entry["subject"].values()))
        told = f"{entry['amount']} and {more['amount']}"
        raise BadRequest(f"two of these are prices of {subject}, {told}: confirm one, or set what each is of")
    return entry


def _is_named_alike(entry: Mapping[str, Any], more: Mapping[str, Any], field: str) -> bool:
    """Whether two entries have the same name in a language."""
    one, other = entry.get(field), more.get(field)
    if not (isinstance(one, Mapping) and isinstance(other, Mapping)):
        return False
    return any(tokens_of(one[code]) == tokens_of(other[code]) for code in one.keys() & other.keys())


def _differ(entry: Body, more: Body) -> bool:
    """Whether two entries say different things of one field, so that they may be two."""
    compared = (entry.keys() & more.keys()) - {"id"} - BY_LANGUAGE - TOGETHER
    return any(entry[name] != more[name] for name in compared if name not in _LISTED) or any(
        _at(entry[name]).keys() & _at(more[name]).keys() and entry[name] != more[name] for name in compared & _LISTED
    )


def _at(listed: list[Body]) -> dict[str | None, Body]:
    """Items by their campus."""
    return {one.get("campus"): one for one in listed}


def _with(entry: Body, more: Body) -> Body:
    return merged_entry(entry, {name: said for name, said in more.items() if name not in ("id", "kind")})
