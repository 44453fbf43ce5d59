"""Makes a new entry of what a document says of something that the directory does not know."""

from __future__ import annotations

from careline.curation.proposals.comparing.asked import asked
from careline.curation.proposals.comparing.names import DirectoryNames, Meant, tokens_of
from careline.curation.proposals.comparing.slug import slug
from careline.curation.proposals.proposal import Proposal, Statement
from careline.curation.proposals.reading.words import concepts, told, words
from careline.curation.proposals.topics import names_nothing
from careline.records.record_table import Body
from careline.text.label_words import label_words

_SAYS_ENOUGH = 3
"""Words that tell what a number is for without the title of its document: "head nurse" does not."""
_MOST_NAME = 200
_PLACES = frozenset(("building", "floor", "route"))
"""Concepts of words that say where, and not what."""


def new_entry(
    statement: Statement, meant: Meant, campus: str | None, missing: set[str], names: DirectoryNames
) -> Proposal | None:
    """An entry that is not there yet: a contact for a number, a department for hours of its own."""
    name = _name(statement, meant, names)
    if statement.kind == "contact":
        return _contact(statement, name, campus, missing)
    if statement.kind == "place" and not (statement.is_entity and meant.left):
        return None
    if not statement.is_entity or not meant.left:
        missing.add("kind")
    return _department(statement, name, campus, missing)


def _contact(statement: Statement, name: str, campus: str | None, missing: set[str]) -> Proposal:
    value = statement.value
    entry: Body = {"id": slug(name, statement.statement_id), "names": {statement.language: name}}
    entry.update({field: value[field] for field in ("phone", "email") if field in value})
    if campus is not None:
        entry["campus"] = campus
    weekly = next((value[field] for field in ("phone_hours", "opening_hours") if field in value), None)
    if weekly is not None:
        entry["opening_hours"] = [{"weekly": weekly}]
    lacking = {"opening_hours" if field == "phone_hours" else field for field in missing}
    return asked(statement, "contacts", None, entry, lacking, [])


def _department(statement: Statement, name: str, campus: str | None, missing: set[str]) -> Proposal:
    value = statement.value
    entry: Body = {
        "id": slug(name, statement.statement_id), "kind": _kind(statement), "names": {statement.language: name}
    }  # fmt: skip
    at = {field: value[field] for field in ("route", "floor", "phone") if field in value}
    entry.update({field: value[field] for field in ("email",) if field in value})
    if campus is not None:
        entry["campuses"] = [campus]
        if at:
            entry["locations"] = [{"campus": campus, **at}]
    elif "phone" in at:
        entry["phone"] = at["phone"]
    elif at:
        missing.add("campus")
    for field in ("opening_hours", "visiting_hours"):
        if field in value:
            entry[field] = [{"campus": campus, "weekly": value[field]} if campus else {"weekly": value[field]}]
    return asked(statement, "departments", None, entry, missing, [])


def _name(statement: Statement, meant: Meant, names: DirectoryNames) -> str:
    """What a new entry is called: its labels without campuses alone; where that says little, with the title."""
    language = statement.language
    own = [label for label in statement.labels if not _is_only(label, meant) and not names.is_generic(label, language)]
    kept = [bare for label in own if (bare := names.without_campuses(label, language))]
    is_place = any(concepts(label, language) & _PLACES for label in kept)
    title = _above(statement, names, is_place=is_place)
    name = " – ".join(kept)
    said = [word for label in kept for word in told(label, language) if word.number is None]
    says_little = len(said) < _SAYS_ENOUGH or kept != own
    if statement.kind == "contact" and says_little and title and title not in name:
        name = f"{name} – {title}" if name else title
    return (name or title or "".join(statement.context[-1:]))[:_MOST_NAME]


def _above(statement: Statement, names: DirectoryNames, *, is_place: bool) -> str:
    """What stands above and says whose a number is: the title; below a heading only where it names a department or the
    row a place alone, as a title of many things says nothing of it."""
    title, language = "".join(statement.context[-1:]), statement.language
    is_of_one = bool(names.title(title, language) or concepts(title, language) & words().services)
    is_wanted = is_place or len(statement.context) < 2
    return title if is_of_one or (is_wanted and not names_nothing(title, language)) else ""


def _is_only(label: str, meant: Meant) -> bool:
    """Whether a label adds nothing to what campuses say: none of its words is left."""
    return bool(meant.campuses) and not set(tokens_of(label)) & set(meant.left)


def _kind(statement: Statement) -> str:
    said = [word for label in statement.labels for word in label_words(label, statement.language)]
    if any(word.text in words().shops for word in said):
        return "shop"
    return "ward" if statement.kind == "visiting" else "service"
