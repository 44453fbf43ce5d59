"""Holds the consultations that a document names against those of the directory's doctors."""

from __future__ import annotations

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
    consultations = _with_campuses(statement, names, missing)
    if len(held) == 1:
        return _changed(statement, held[0], consultations, missing)
    if held:
        missing.add("entry")
    value = statement.value
    named = f"{value['last_name']} {value.get('first_name', '')}"
    entry: Body = {"id": slug(named, statement.statement_id)}
    entry.update({name: value[name] for name in ("title", "first_name", "last_name", "role") if name in value})
    department = _department(statement, names)
    if department is None:
        missing.add("department")
    else:
        entry["department"] = department
    if consultations:
        entry["consultations"] = consultations
        campuses = list(dict.fromkeys(one["campus"] for one in consultations if "campus" in one))
        if campuses:
            entry["campuses"] = campuses
    return asked(statement, "doctors", None, entry, missing, ())


def _held(statement: Statement, names: DirectoryNames) -> list[Doctor]:
    """Doctors of the directory who have the name that a document gives."""
    last, first = tokens_of(statement.value["last_name"]), tokens_of(statement.value.get("first_name", ""))
    found = []
    for one in names.directory.doctors:
        whole = (*tokens_of(one.first_name or ""), *tokens_of(one.last_name))
        if tokens_of(one.last_name) == last and (not first or tokens_of(one.first_name or "")[:1] in ((), first[:1])):
            found.append(one)
        elif first and whole == (*first, *last):
            found.append(one)
    return found


def _with_campuses(statement: Statement, names: DirectoryNames, missing: set[str]) -> list[Body]:
    """The consultations with the ids of their campuses."""
    found: list[Body] = []
    texts = (*statement.labels, *statement.context)
    context = next((one for text in texts if (one := names.campus(text)) is not None), None)
    for one in statement.value.get("consultations", []):
        said = one.get("campus")
        campus = names.campus(said) if said else context
        if said and campus is None:
            missing.add("campus")
        bare = {name: value for name, value in one.items() if name != "campus"}
        found.append({**bare, **({"campus": campus} if campus else {})})
    return found


def _department(statement: Statement, names: DirectoryNames) -> str | None:
    for text in (*statement.labels, *statement.context):
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
    for name in ("weekday", "from", "to", "campus"):
        if name in said and name in held and said[name] != held[name]:
            return False
    return said.get("frequency", "weekly") == held.get("frequency", "weekly") or "from" not in said
