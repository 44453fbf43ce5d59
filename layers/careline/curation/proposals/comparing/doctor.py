"""Holds the consultations that a document names against those of the directory's doctors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from careline.curation.proposals.comparing.asked import asked
from careline.curation.proposals.comparing.names import DirectoryNames, tokens_of
from careline.curation.proposals.comparing.slug import slug
from careline.curation.proposals.proposal import Difference, Proposal, Statement
from careline.directory.entries import Doctor
from careline.records.record_table import Body


def doctor_proposal(statement: Statement, names: DirectoryNames) -> Proposal | None:
    """A new doctor, or other consultations of one who is there; None where the directory says the same."""
    held = _held(statement, names)
    missing = set(statement.missing)
    department = held[0].department if len(held) == 1 else _department(statement, names)
    consultations = _placed(statement, department, names, missing)
    if len(held) == 1:
        return _changed(statement, held[0], consultations, missing)
    if held:
        missing.add("entry")
    value = statement.value
    named = f"{value['last_name']} {value.get('first_name', '')}"
    entry: Body = {"id": slug(named, statement.statement_id)}
    entry.update({name: value[name] for name in ("title", "first_name", "last_name", "role") if name in value})
    if department is None:
        missing.add("department")
    else:
        entry["department"] = department
    if consultations:
        entry["consultations"] = consultations
        for name, field in (("campus", "campuses"), ("department", "also_in")):
            if where := list(dict.fromkeys(one[name] for one in consultations if name in one)):
                entry[field] = where
    return asked(statement, "doctors", None, entry, missing, ())


def _held(statement: Statement, names: DirectoryNames) -> list[Doctor]:
    """Doctors of the directory who have the name that a document gives."""
    said = statement.value
    return [
        one
        for one in names.directory.doctors
        if is_same_doctor(said, {"first_name": one.first_name, "last_name": one.last_name})
    ]


def is_same_doctor(said: Mapping[str, Any], held: Mapping[str, Any]) -> bool:
    """Whether two names, by `last_name` and `first_name`, may be those of one doctor."""
    last, first = tokens_of(said["last_name"]), tokens_of(said.get("first_name") or "")
    own_last, own_first = tokens_of(held["last_name"]), tokens_of(held.get("first_name") or "")
    if own_last == last and (not first or _may_be(first, own_first)):
        return True
    # Written with the last name first, or parted elsewhere.
    return bool(first) and (*first, *last) in ((*own_first, *own_last), (*own_last, *own_first))


def _may_be(said: tuple[str, ...], held: tuple[str, ...]) -> bool:
    """Whether a first name is the one that is held, or its initial."""
    if not held:
        return True
    one, other = said[0], held[0]
    return one == other or (min(len(one), len(other)) == 1 and one[0] == other[0])


def _placed(statement: Statement, department: str | None, names: DirectoryNames, missing: set[str]) -> list[Body]:
    """The consultations with the ids of their campuses, and of the departments that are not the doctor's own."""
    found: list[Body] = []
    for said in statement.value.get("consultations", []):
        one = dict(said)
        own, named = tuple(one.pop("at", ())), one.pop("campus", None)
        labels = own or statement.labels
        campus = names.campus(named) if named else _campus((*labels, *statement.context), names)
        if named and campus is None:
            missing.add("campus")
        there = _department_of(labels, statement, names)
        if own and there is None and _campus(own, names) is None:
            # It stands at something that the directory does not know: another department, or another place.
            missing.add("consultations")
        one.update({"campus": campus} if campus else {})
        one.update({"department": there} if there not in (None, department) else {})
        found.append(one)
    return found


def _campus(texts: Iterable[str], names: DirectoryNames) -> str | None:
    """The campus that the first text names which names any."""
    return next((one for text in texts if (one := names.campus(text)) is not None), None)


def _department(statement: Statement, names: DirectoryNames) -> str | None:
    return _department_of((*statement.labels, *statement.context), statement, names)


def _department_of(texts: Iterable[str], statement: Statement, names: DirectoryNames) -> str | None:
    """The one department that the first text names which names any."""
    for text in texts:
        found = [one for section, one in names.meant(text, statement.language).entries if section == "departments"]
        if found:
            return found[0] if len(found) == 1 else None
    return None


def _changed(statement: Statement, held: Doctor, said: list[Body], missing: set[str]) -> Proposal | None:
    if not said:
        return None
    before = [one.model_dump(mode="json", by_alias=True, exclude_defaults=True) for one in held.consultations]
    named = {one.get("campus") for one in said}
    of_these = [one for one in before if one.get("campus") in named or None in named or one.get("campus") is None]
    if len(said) == len(of_these) and all(any(_is_same(one, other) for other in of_these) for one in said):
        return None
    others = [one for one in before if one not in of_these]
    differs = (Difference("consultations", of_these, said),) if of_these else ()
    return asked(statement, "doctors", held.id, {"consultations": [*others, *said]}, missing, differs)


def _is_same(said: Body, held: Body) -> bool:
    """Whether the directory has a consultation as a document names it: day, campus, hours where it names them."""
    for name in ("weekday", "from", "to", "part", "campus", "department"):
        if name in said and name in held and said[name] != held[name]:
            return False
    return said.get("frequency", "weekly") == held.get("frequency", "weekly") or "from" not in said
