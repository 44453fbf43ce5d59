"""Gives a language model what the directory holds of what a question names: who works there, how it is reached, when it
is open. It is a source like a page, which the answer cites; who quotes does not read it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime, time

from careline.directory.capabilities.days import public_holidays
from careline.directory.capabilities.facts import Asked, Cite, WhichOne
from careline.directory.capabilities.naming import called
from careline.directory.capabilities.registry import capability_of
from careline.directory.rendering.render import rendered
from careline.directory.rendering.words import FactStatement, Words
from careline.installation import Installation
from careline.log.event_log import EventLog
from careline.model import Chunk, DocumentFacts, Hit, Passage
from careline.ports import Source
from careline.turn.question.understood import names_of
from careline.turn.turn import DIRECTORY, DirectoryFacts, Turn
from careline.turn.writers import ModelWriter, writers_of
from careline.understanding.question import Entity

MOST_NAMED = 3
"""Things of a question that are told of."""
TOLD: dict[str, tuple[str, ...]] = {
    "department": (
        "doctor_lookup/list", "department_contact/phone", "department_contact/place", "department_contact/hours",
        "visiting_hours",
    ),
    "doctor": ("doctor_lookup/profile", "doctor_schedule_query", "department_contact/phone"),
    "campus": ("campus_information/address", "campus_information/route", "campus_information/entrance"),
    "contact": ("department_contact/phone", "department_contact/hours"),
    "tariff": ("tariff",),
}  # fmt: skip
"""What is told of each kind of thing, by what would be asked."""
LEADING = ("lay_word", "condition")
"""What is treated in a department."""
log = EventLog(__name__)


async def add_directory(turn: Turn, installation: Installation) -> Turn:
    """The turn; where a language model writes, with a source of what the directory holds of what the question names.
    What a person wrote for the question stays alone."""
    is_written_for = turn.evidence is not None and turn.evidence.by == "person"
    if is_written_for or not any(isinstance(one, ModelWriter) for one in writers_of(turn, installation.engines)):
        return turn
    asked = list(_asked(turn))[:MOST_NAMED]
    said = [one for each in asked for one in _said(each)]
    if not said:
        return turn
    facts = _counted(said, asked, turn)
    log.write("directory_added", entries=facts.entries, found=facts.doctors_found, applied=facts.doctors_applied)
    source = _source(said, asked[0], turn, installation)
    return replace(turn, sources=(*turn.sources, source), directory_facts=facts)


def _asked(turn: Turn) -> Iterator[Asked]:
    """What is asked of the directory, by what the question names; nothing of who may be one of several."""
    names, now = names_of(turn), turn.tenant.local(turn.began_at)
    holidays = public_holidays(names.directory.country, now.year, turn.language)
    for kind, ids in dict.fromkeys(_entry(one, names.departments_for(one)) for one in turn.intent.entities):
        if kind in TOLD and (len(ids) == 1 or (ids and kind == "tariff")):
            named = {one: ids if one == kind else () for one in TOLD}
            yield Asked(
                names.directory, now, turn.language, kind, doctors=named["doctor"], departments=named["department"],
                campuses=named["campus"], contacts=named["contact"], tariffs=named["tariff"], holidays=holidays,
            )  # fmt: skip


def _entry(entity: Entity, departments: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    return ("department", departments) if entity.kind in LEADING else (entity.kind, entity.ids)


def _said(of: Asked) -> Iterator[FactStatement]:
    """What the directory says of one thing, without what it would offer besides."""
    for label in TOLD[of.intent]:
        intent, _, sub_intent = label.partition("/")
        asked, capability = replace(of, intent=intent, sub_intent=sub_intent), capability_of(intent, sub_intent)
        found = None if capability is None else capability(asked)
        if found is not None and not isinstance(found, WhichOne):
            yield from (one for one in rendered(found, asked) if not one.text.rstrip().endswith("?"))


def _counted(said: Sequence[FactStatement], asked: Sequence[Asked], turn: Turn) -> DirectoryFacts:
    departments = {one for each in asked for one in each.departments}
    found = {one.id for one in turn.edition.directory.doctors if departments & set(one.departments)}
    cited = {cite for one in said for cite in one.cites}
    applied = {entry_id for section, entry_id in cited if section == "doctors" and entry_id in found}
    return DirectoryFacts(len(cited), len(found), len(applied))


def _source(said: Sequence[FactStatement], asked: Asked, turn: Turn, installation: Installation) -> Source:
    cites = list(dict.fromkeys(cite for one in said for cite in one.cites))
    words, day = Words(asked), _confirmed(cites, asked, turn)
    confirmed = [words.part("confirmed", day=words.short_date(day))] if day is not None else []
    title = ", ".join([words.part("source"), *confirmed])
    text = "\n".join(dict.fromkeys(one.text for one in said))
    named = tuple(dict.fromkeys(filter(None, (_named(cite, asked) for cite in cites[:MOST_NAMED]))))
    key = "/".join(part for part in (DIRECTORY, *cites[0]) if part)
    chunk = Chunk(0, text, "text", named[:1], 1, 1, len(text.split()))
    facts = DocumentFacts(title, DIRECTORY, asked.language, year=day.year if day else None)
    at = turn.edition.at or datetime.combine(date.min, time.min, turn.began_at.tzinfo)
    passage = Passage(
        key, turn.tenant.tenant_id, key.replace("/", "-"), turn.edition.number, key, DIRECTORY, chunk, facts, "", at
    )
    return Source(max((one.number for one in turn.sources), default=0) + 1, title, asked.language, Hit(passage, 1.0))


def _confirmed(cites: Sequence[Cite], asked: Asked, turn: Turn) -> date | None:
    """The day on which the oldest of the entries was confirmed, else that of the edition."""
    entries = (asked.directory.entry(section, entry_id) for section, entry_id in cites if entry_id)
    days = [one.confirmed_on for one in entries if one is not None and one.confirmed_on is not None]
    return min(days) if days else turn.tenant.day_of(turn.edition.at) if turn.edition.at else None


def _named(cite: Cite, asked: Asked) -> str:
    """What an entry is called."""
    section, entry_id = cite
    entry = asked.directory.entry(section, entry_id) if entry_id else None
    full = getattr(entry, "full_name", None)
    return full or called(getattr(entry, "names", None) or getattr(entry, "subject", None) or {}, asked)
