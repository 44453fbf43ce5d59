"""Confirms and rejects proposals: what a person confirms becomes a change of the directory, by that person."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from careline.audit import chain as audit
from careline.curation import editions
from careline.curation.editions import DirectoryRejected, Edition
from careline.curation.proposals import store
from careline.curation.proposals.comparing.merge import (
    BY_CAMPUS,
    BY_LANGUAGE,
    merged_entry,
    said_of_held,
    without_days_held,
)
from careline.curation.proposals.comparing.twins import joined_twins
from careline.curation.proposals.proposal import Proposal, State
from careline.directory.directory import SECTIONS, Directory, read_directory
from careline.errors import BadRequest, Conflict, NotFound
from careline.ports import Records
from careline.records.record_table import Body, Delete, Put
from careline.schemas.proposals import MOST

ENTRY = "entry"
"""The correction that names the entry which is meant, by its id."""
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
    documents = {one.source.doc_key for one in wanted}
    spoken = {
        one.statement_id: one.language
        for document in documents
        async for one in store.statements(tenant, records, document)
    }
    chosen = [
        _meant(_corrected(one, corrected, spoken.get(one.proposal_id), as_read=as_read), one.missing, corrected, held)
        for one in wanted
    ]
    note = f"from documents: {', '.join(sorted({one.source.doc_key for one in chosen}))}"[:500]
    made = await editions.change(tenant, records, lambda now: _with(now, chosen, corrected), by=by, note=note)
    done = tuple(store.decided(one, "confirmed", by, records) for one in chosen)
    await _write(tenant, "confirmed", by, done, records)
    return Confirmed(made, done)


async def reject(tenant: str, proposal_ids: Sequence[str], records: Records, *, by: str) -> tuple[Proposal, ...]:
    """Say that proposals are not right; what they say is not proposed again. Raises: NotFound, Conflict."""
    done = tuple(
        store.decided(one, "rejected", by, records) for one in await _wanted(tenant, proposal_ids, records)
    )
    await _write(tenant, "rejected", by, done, records)
    return done


async def reopen(tenant: str, proposal_ids: Sequence[str], records: Records, *, by: str) -> tuple[Proposal, ...]:
    """Take decisions back, so that what was proposed is asked again unless the directory says it; the directory stays
    as it is. The proposals as they were decided. Raises: NotFound for one that nobody decided.
    """
    _count(proposal_ids)
    decided = await store.decisions(tenant, records)
    for one in proposal_ids:
        if one not in decided:
            raise NotFound(f"nobody decided about a proposal {one}")
    done = tuple(decided[one] for one in dict.fromkeys(proposal_ids))
    await _write(tenant, "open", by, done, records)
    return done


async def _wanted(tenant: str, proposal_ids: Sequence[str], records: Records) -> list[Proposal]:
    """The open proposals of these ids. Raises: NotFound, Conflict for one that was decided, BadRequest."""
    _count(proposal_ids)
    there = {one.proposal_id: one for one in await store.open_proposals(tenant, records)}
    decided = await store.decisions(tenant, records)
    for one in proposal_ids:
        if one in decided:
            raise Conflict(f"proposal {one} was {decided[one].state} before, by {decided[one].by}")
        if one not in there:
            raise NotFound(f"there is no open proposal {one}; the directory may say it already, or its document not")
    return [there[one] for one in dict.fromkeys(proposal_ids)]


def _count(proposal_ids: Sequence[str]) -> None:
    """Raises: BadRequest."""
    if not 0 < len(proposal_ids) <= MOST:
        raise BadRequest(f"name 1 to {MOST} proposals at once")


def _corrected(
    proposal: Proposal, corrections: Mapping[str, Any], language: str | None, *, as_read: bool
) -> Proposal:  # fmt: skip
    """A proposal as a person corrects it; a text without a language is in that of the document. Raises: BadRequest
    naming what is still missing."""
    lacking = [name for name in proposal.missing if name not in corrections and not (as_read and name not in _NEEDED)]
    if lacking:
        told = ", ".join(lacking)
        raise BadRequest(f"proposal {proposal.proposal_id} is incomplete: set {told}, or confirm it as it was read")
    entry: Body = dict(proposal.entry)
    language = next((code for name in ("names", "subject") for code in entry.get(name, {})), language)
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


def _meant(
    proposal: Proposal, unsure: Collection[str], corrections: Mapping[str, Any], directory: Directory
) -> Proposal:  # fmt: skip
    """A proposal of an entry that is there, without what only a new one needs, and without what was not read of a day
    that the entry has; what was a contact may be a department.

    Raises: NotFound for an entry that is not there, BadRequest where nothing is left to change.
    """
    if proposal.target is None:
        return proposal
    entry = said_of_held(proposal.section, proposal.entry, corrections)
    section, held = proposal.section, directory.entry(proposal.section, proposal.target)
    if held is None and section == "contacts":
        section, held = "departments", directory.entry("departments", proposal.target)
        entry = _of_department(entry)
    if held is None:
        raise NotFound(f"the directory has no {proposal.target} among its {proposal.section}")
    before = held.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    kept = without_days_held(entry, before, set(unsure) - corrections.keys())
    if entry and not kept:
        raise BadRequest(f"proposal {proposal.proposal_id} names no day: set {', '.join(entry)}")
    return replace(proposal, section=section, entry=kept)


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


def _at_campus(entry: Body, campus: str | None) -> Body:
    """An entry whose places, hours and consultations are all at one campus; at none in particular where it is null."""
    moved = dict(entry)
    if campus is not None and "phone" in entry and "names" not in entry and "last_name" not in entry:
        # The number of a department that is there is one of this campus, and not of all of it.
        moved["locations"] = [*entry.get("locations", []), {"phone": moved.pop("phone")}]
    at: Body = {"campus": campus} if campus is not None else {}
    for name in (BY_CAMPUS | {"consultations"}) & set(entry):
        moved[name] = [{**_without(one, "campus"), **at} for one in entry[name]]
    if "names" in entry or "last_name" in entry:
        moved.pop("campuses", None)
        moved |= {"campuses": [campus]} if campus is not None else {}
    return moved


def _without(body: Body, name: str) -> Body:
    return {field: said for field, said in body.items() if field != name}


def _with(directory: Directory, chosen: Sequence[Proposal], corrections: Collection[str]) -> Directory:
    """The directory with what was confirmed. Raises: DirectoryRejected, NotFound, BadRequest."""
    written = directory.to_json()
    there = {section: len(written.get(section, ())) for section in SECTIONS}
    for one in chosen:
        if one.section not in SECTIONS:
            raise BadRequest(f"{one.section} is no section of the directory")
        entries: list[Body] = written.setdefault(one.section, [])
        if one.target is None:
            _add(entries, one, there[one.section])
            continue
        at = next((n for n, each in enumerate(entries) if each["id"] == one.target), None)
        if at is None:
            raise NotFound(f"the directory has no {one.target} among its {one.section}")
        entries[at] = _without_day(merged_entry(entries[at], one.entry, corrections))
    read, problems = read_directory(written)
    if read is None:
        raise DirectoryRejected(problems)
    return read


def _add(entries: list[Body], proposal: Proposal, first: int) -> None:
    """Add a new entry, or what it adds to one that is new as well: two documents may name one doctor."""
    for at in range(first, len(entries)):
        if (joined := joined_twins(proposal.section, entries[at], proposal.entry)) is not None:
            entries[at] = joined
            return
    entry = proposal.entry
    if any(one["id"] == entry["id"] for one in entries):
        # Long names that begin alike, and the few digits behind them by chance.
        entry = {**entry, "id": f"{entry['id']}-{proposal.proposal_id[4:10]}"}
    entries.append(entry)


def _without_day(entry: Body) -> Body:
    """An entry that is confirmed today, whenever it was before."""
    return _without(entry, "confirmed_on")


async def _write(tenant: str, state: State, by: str, done: Sequence[Proposal], records: Records) -> None:
    """Keep what was decided, or forget what is open again, with the record of who did so."""
    change: Callable[[str, Proposal], Put | Delete] = store.withdrawn if state == "open" else store.put_decision
    for start in range(0, len(done), _PER_WRITE):
        part = done[start : start + _PER_WRITE]
        told: Body = {"state": state, "by": by, "proposals": [one.proposal_id for one in part]}
        await audit.append(records, tenant, "proposals", told, alongside=[change(tenant, one) for one in part])
