"""Confirms and rejects proposals: what a person confirms becomes a change of the directory, by that person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from careline.audit import chain as audit
from careline.curation import editions
from careline.curation.editions import DirectoryRejected, Edition
from careline.curation.proposals import store
from careline.curation.proposals.comparing.merge import BY_CAMPUS, BY_LANGUAGE, merged_entry
from careline.curation.proposals.proposal import Proposal, State
from careline.directory.directory import SECTIONS, Directory, read_directory
from careline.errors import BadRequest, Conflict, NotFound
from careline.ports import Records
from careline.records.record_table import Body

ENTRY = "entry"
"""The correction that names the entry which is meant, by its id."""
MOST = 500
"""Proposals of one decision."""
_PER_WRITE = 80
_NO_FIELDS = frozenset(("condition",))
"""What may be missing of a department or contact and is none of its fields: a person says that it does not matter."""


@dataclass(frozen=True, slots=True)
class Confirmed:
    """What a confirmation made: the edition of the directory that holds now, and the proposals as they were decided."""

    edition: Edition
    proposals: tuple[Proposal, ...]


async def confirm(
    tenant: str,
    proposal_ids: Sequence[str],
    records: Records,
    *,
    by: str,
    corrections: Mapping[str, Any] | None = None,
    as_read: bool = False,
) -> Confirmed:
    """Put proposals into the directory, all or none. `corrections` are fields of the entries in place of those that
    were read; null leaves a field out, `entry` names the entry that is meant. `as_read` takes what was read where
    something is missing that the entry can do without.

    Raises: NotFound, BadRequest for what is missing, Conflict where somebody else decided, DirectoryRejected.
    """
    wanted = await _wanted(tenant, proposal_ids, records)
    corrected = dict(corrections or {})
    held = (await editions.current(tenant, records)).directory
    chosen = [_meant(_corrected(one, corrected, as_read=as_read), held) for one in wanted]
    note = f"from documents: {', '.join(sorted({one.source.doc_key for one in chosen}))}"[:500]
    made = await editions.change(tenant, records, lambda now: _with(now, chosen), by=by, note=note)
    done = tuple(store.decided(one, "confirmed", by, records) for one in chosen)
    await _write(tenant, "confirmed", done, records)
    return Confirmed(made, done)


async def reject(tenant: str, proposal_ids: Sequence[str], records: Records, *, by: str) -> tuple[Proposal, ...]:
    """Say that proposals are not right; what they say is not proposed again. Raises: NotFound, Conflict."""
    done = tuple(
        store.decided(one, "rejected", by, records) for one in await _wanted(tenant, proposal_ids, records)
    )
    await _write(tenant, "rejected", done, records)
    return done


async def _wanted(tenant: str, proposal_ids: Sequence[str], records: Records) -> list[Proposal]:
    """The open proposals of these ids. Raises: NotFound, Conflict for one that was decided, BadRequest."""
    if not 0 < len(proposal_ids) <= MOST:
        raise BadRequest(f"name 1 to {MOST} proposals at once")
    there = {one.proposal_id: one for one in await store.open_proposals(tenant, records)}
    decided = await store.decisions(tenant, records)
    for one in proposal_ids:
        if one in decided:
            raise Conflict(f"proposal {one} was {decided[one].state} before, by {decided[one].by}")
        if one not in there:
            raise NotFound(f"there is no open proposal {one}; the directory may say it already, or its document not")
    return [there[one] for one in dict.fromkeys(proposal_ids)]


def _corrected(proposal: Proposal, corrections: Mapping[str, Any], *, as_read: bool) -> Proposal:
    """A proposal as a person corrects it. Raises: BadRequest naming what is still missing."""
    lacking = [name for name in proposal.missing if name not in corrections and not (as_read and name not in _NEEDED)]
    if lacking:
        told = ", ".join(lacking)
        raise BadRequest(f"proposal {proposal.proposal_id} is incomplete: set {told}, or confirm it as it was read")
    entry: Body = dict(proposal.entry)
    language = next((code for name in ("names", "subject") for code in entry.get(name, {})), None)
    for name, value in corrections.items():
        if name == ENTRY or (name in _NO_FIELDS and proposal.section != "tariffs"):
            continue
        if name == "campus" and proposal.section in ("departments", "doctors"):
            entry = _at_campus(entry, value)
        elif value is None:
            entry.pop(name, None)
        elif name in BY_LANGUAGE and isinstance(value, str) and language is not None:
            entry[name] = {language: value}
        else:
            entry[name] = value
    return replace(proposal, target=corrections.get(ENTRY, proposal.target), entry=entry, missing=())


def _meant(proposal: Proposal, directory: Directory) -> Proposal:
    """A proposal of an entry that is there, without what only a new one needs; what was a contact may be a department.

    Raises: NotFound for an entry that is not there.
    """
    if proposal.target is None:
        return proposal
    entry = {name: value for name, value in proposal.entry.items() if name not in ("id", "kind", "names")}
    if directory.entry(proposal.section, proposal.target) is not None:
        return replace(proposal, entry=entry)
    if proposal.section == "contacts" and directory.entry("departments", proposal.target) is not None:
        return replace(proposal, section="departments", entry=_of_department(entry))
    raise NotFound(f"the directory has no {proposal.target} among its {proposal.section}")


def _of_department(entry: Body) -> Body:
    """Fields of a contact as those of a department at its campus."""
    campus = entry.get("campus")
    at: Body = {"campus": campus} if campus else {}
    moved: Body = {name: entry[name] for name in ("email",) if name in entry}
    if "phone" in entry:
        moved |= {"locations": [{**at, "phone": entry["phone"]}]} if campus else {"phone": entry["phone"]}
    if "opening_hours" in entry:
        moved["opening_hours"] = [{**at, **one} for one in entry["opening_hours"]]
    return moved


_NEEDED = frozenset(("entry", "kind", "department", "subject"))
"""What an entry cannot do without, so that a person has to say it."""


def _at_campus(entry: Body, campus: str) -> Body:
    """An entry whose places, hours and consultations are all at one campus."""
    moved = dict(entry)
    for name in (BY_CAMPUS | {"consultations"}) & set(entry):
        moved[name] = [{**one, "campus": campus} for one in entry[name]]
    if "names" in entry or "last_name" in entry:
        moved["campuses"] = [campus]
    return moved


def _with(directory: Directory, chosen: Sequence[Proposal]) -> Directory:
    """The directory with what was confirmed. Raises: DirectoryRejected, NotFound, BadRequest."""
    written = directory.to_json()
    for one in chosen:
        if one.section not in SECTIONS:
            raise BadRequest(f"{one.section} is no section of the directory")
        entries: list[Body] = written.setdefault(one.section, [])
        if one.target is None:
            entries.append(one.entry)
            continue
        at = next((n for n, each in enumerate(entries) if each["id"] == one.target), None)
        if at is None:
            raise NotFound(f"the directory has no {one.target} among its {one.section}")
        entries[at] = _without_day(merged_entry(entries[at], one.entry))
    read, problems = read_directory(written)
    if read is None:
        raise DirectoryRejected(problems)
    return read


def _without_day(entry: Body) -> Body:
    """An entry that is confirmed today, whenever it was before."""
    return {name: value for name, value in entry.items() if name != "confirmed_on"}


async def _write(tenant: str, state: State, done: Sequence[Proposal], records: Records) -> None:
    for start in range(0, len(done), _PER_WRITE):
        part = done[start : start + _PER_WRITE]
        told: Body = {"state": state, "by": part[0].by, "proposals": [one.proposal_id for one in part]}
        await audit.append(
            records, tenant, "proposals", told, alongside=[store.put_decision(tenant, one) for one in part]
        )
