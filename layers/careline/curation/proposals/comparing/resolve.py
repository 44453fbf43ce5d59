"""Holds what a document says against the directory: what of it is new, what differs, what a person has to add."""

from __future__ import annotations

from collections.abc import Iterable

from careline.curation.proposals.comparing.asked import asked
from careline.curation.proposals.comparing.doctor import doctor_proposal
from careline.curation.proposals.comparing.known import of_contact, of_department
from careline.curation.proposals.comparing.names import DirectoryNames, Meant, tokens_of
from careline.curation.proposals.comparing.owners import Owner
from careline.curation.proposals.comparing.tariff import tariff_proposal
from careline.curation.proposals.comparing.unknown import new_entry
from careline.curation.proposals.proposal import Difference, Proposal, Statement
from careline.curation.proposals.reading.words import concepts, told
from careline.directory.directory import Directory
from careline.directory.entries import Campus, Contact, Department, Transport
from careline.records.record_table import Body
from careline.text.figure_words import plain
from careline.text.label_words import vocabulary


def resolve(statement: Statement, names: DirectoryNames) -> Proposal | None:
    """What a person is asked about a statement; None where the directory says so already, or nothing can be asked."""
    if statement.kind == "tariff":
        return tariff_proposal(statement, names)
    if statement.kind == "schedule":
        return doctor_proposal(statement, names)
    if statement.kind == "address":
        return _address(statement, names)
    if statement.kind == "transport":
        return _transport(statement, names)
    return _service(statement, names)


def resolve_all(statements: Iterable[Statement], directory: Directory) -> list[Proposal]:
    """Every statement that asks something, in order."""
    names = DirectoryNames(directory)
    return [found for one in statements if (found := resolve(one, names)) is not None]


def _service(statement: Statement, names: DirectoryNames) -> Proposal | None:
    meant = _meant(statement, names)
    campus = _campus(statement, meant, names)
    missing = set(statement.missing)
    if any(_of_label(text, statement.language, names).left for text in statement.qualifiers):
        missing.add("condition")
    if len(meant.campuses) > 1:
        campus = None
        missing.add("campus")
    if campus is None and _names_unknown_campus(statement):
        missing.add("campus")
    owners = _owners(statement, campus, names)
    entries = meant.entries or (_in_context(statement, names) if not meant.left else ())
    if owners and not meant.entries and not any(one.place in entries for one in owners):
        return _of_owner(statement, owners, names, meant, missing)
    if meant.left and entries:
        missing.add("condition")
    if len(entries) > 1:
        missing.add("entry")
    target = names.directory.entry(*entries[0]) if len(entries) == 1 else None
    if isinstance(target, Department):
        return of_department(statement, target, campus, missing)
    if isinstance(target, Contact):
        return of_contact(statement, target, missing)
    return new_entry(statement, meant, campus, missing, names)


def _names_unknown_campus(statement: Statement) -> bool:
    """Whether the nearest heading that speaks of a campus names one, which the directory does not know then."""
    spoken = (text for text in statement.context if concepts(text, statement.language) & {"campus"})
    nearest = next(spoken, "")
    return any(word.text not in vocabulary().before_names for word in told(nearest, statement.language))


def _owners(statement: Statement, campus: str | None, names: DirectoryNames) -> tuple[Owner, ...]:
    """Whom the directory has at the number, address or route that a document names."""
    value, owners = statement.value, names.owners
    if "phone" in value and (found := owners.reached_by(value["phone"])):
        return found
    if "email" in value and (found := owners.written_to(value["email"])):
        return found
    return owners.at_route(campus, value["route"]) if "route" in value else ()


def _of_owner(
    statement: Statement, owners: tuple[Owner, ...], names: DirectoryNames, meant: Meant, missing: set[str]
) -> Proposal | None:
    """What a document says beside a number that the directory has, of something that it does not name so: its hours
    may be those of that something, which a person has to say."""
    owner = owners[0]
    campus = owner.campus
    target = names.directory.entry(*owner.place) if owner.section == "departments" and len(owners) == 1 else None
    if not isinstance(target, Department):
        return None
    if meant.campuses and campus not in (None, *meant.campuses):
        campus = meant.campuses[0]
    return of_department(statement, target, campus, {*missing, "entry"})


def _meant(statement: Statement, names: DirectoryNames) -> Meant:
    each = [_of_label(label, statement.language, names) for label in (*statement.labels, *statement.qualifiers)]
    return Meant(
        tuple(dict.fromkeys(one for meant in each for one in meant.campuses)),
        tuple(dict.fromkeys(one for meant in each for one in meant.entries)),
        tuple(word for meant in each for word in meant.left),
    )


def _of_label(label: str, language: str, names: DirectoryNames) -> Meant:
    """What a label means; one of common words alone ("brothers and sisters") names something too, if nothing known."""
    meant = names.meant(label, language)
    if meant.campuses or meant.entries or meant.left or names.is_generic(label, language):
        return meant
    return Meant(left=tokens_of(label))


def _campus(statement: Statement, meant: Meant, names: DirectoryNames) -> str | None:
    if meant.campuses:
        return meant.campuses[0]
    return next((found for text in statement.context if (found := names.campus(text)) is not None), None)


def _in_context(statement: Statement, names: DirectoryNames) -> tuple[tuple[str, str], ...]:
    """The entry that the nearest heading names which names any."""
    for text in statement.context:
        found = names.title(text, statement.language)
        if found:
            return found if len(found) == 1 else ()
    return ()


def _named_campus(statement: Statement, names: DirectoryNames) -> Campus | None:
    """The campus that the labels or the headings of a statement name, the nearest first."""
    texts = (*statement.labels, *statement.context)
    campus = next((found for text in texts if (found := names.campus(text)) is not None), None)
    if campus is None and len(names.directory.campuses) == 1:
        return names.directory.campuses[0]
    target = names.directory.entry("campuses", campus) if campus else None
    return target if isinstance(target, Campus) else None


def _transport(statement: Statement, names: DirectoryNames) -> Proposal | None:
    """A stop of a line near a campus, where the directory has none of it or another way from it."""
    target = _named_campus(statement, names)
    if target is None or (_names_unknown_campus(statement) and names.campus(" ".join(statement.context)) is None):
        return None
    (said,) = statement.value["public_transport"]
    for one in target.public_transport:
        if (one.kind, plain(one.line), plain(one.stop)) != (said["kind"], plain(said["line"]), plain(said["stop"])):
            continue
        minutes = said.get("walking_minutes")
        if minutes in (None, one.walking_minutes):
            return None
        said = {**said, "line": one.line, "stop": one.stop}
        differs = [Difference("public_transport", [_stop_json(one)], [said])] if one.walking_minutes is not None else []
        return asked(statement, "campuses", target.id, {"public_transport": [said]}, statement.missing, differs)
    return asked(statement, "campuses", target.id, {"public_transport": [said]}, statement.missing, [])


def _stop_json(one: Transport) -> Body:
    return one.model_dump(mode="json", exclude_none=True)


def _address(statement: Statement, names: DirectoryNames) -> Proposal | None:
    texts = (*statement.labels, *statement.context)
    campus = next((found for text in texts if (found := names.campus(text)) is not None), None)
    target = names.directory.entry("campuses", campus) if campus else None
    if not isinstance(target, Campus):
        return None
    said: Body = statement.value["address"]
    held = target.address
    if held is not None and all(tokens_of(getattr(held, name)) == tokens_of(said[name]) for name in said):
        return None
    before = held.model_dump(mode="json", exclude_none=True) if held is not None else None
    differs = [Difference("address", before, said)] if before else []
    address = {**(before or {}), **said}
    return asked(statement, "campuses", target.id, {"address": address}, set(statement.missing), differs)
