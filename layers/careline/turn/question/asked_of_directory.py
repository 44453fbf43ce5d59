"""What a turn asks of the hospital's directory, and what its entries are called."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from careline.directory.asked_time import ANY_TIME, AskedTime, asked_time, behind, on_day_of
from careline.directory.capabilities.days import public_holidays
from careline.directory.capabilities.facts import Asked
from careline.directory.capabilities.heeds import ROUTE, VISITING
from careline.directory.capabilities.naming import called
from careline.directory.capabilities.purposes import purposes_in
from careline.directory.capabilities.units import units_in
from careline.directory.directory import Directory
from careline.directory.qualifiers import SHORT, qualifiers_in
from careline.text.asked_words import words_of
from careline.turn.question.understood import names_of
from careline.turn.turn import Turn
from careline.understanding.intents.read_intent import is_bare, unnamed_words
from careline.understanding.intents.slots import QUESTION, slots_of
from careline.understanding.question import Entity

LEADS_TO_DEPARTMENT = ("lay_word", "condition")
REACH = 6
"""Questions before this one through which a time is followed."""
SYMPTOM = "ambiguous_symptom_description"


def asked_of(turn: Turn) -> Asked | None:
    """What is asked of the directory; None where it is of two things at once, or of somebody unknown."""
    intent, said = turn.intent, turn.said
    if said is None:
        return None
    names, entities = names_of(turn), intent.entities
    doctors, departments = _of(entities, "doctor"), _of(entities, "department")
    if slots_of(intent.label).purpose and departments is None:
        departments = ()  # A complaint about a ward goes to who hears complaints.
    if doctors is None or departments is None or _is_between(turn):
        return None
    departments, complaint = _led_to(turn, departments)
    if not departments and not complaint and intent.label == VISITING:
        departments = names.ward_in(beside(said.text, said.recognised.time.spans), turn.language)
    departments = _valid(departments, [one.id for one in names.directory.departments])
    now = turn.tenant.local(turn.began_at)
    directory, language = names.directory, turn.language
    return Asked(
        directory, now, language, intent.name, intent.sub_intent,
        narrowed_to(doctors, departments, said.recognised.sex, directory), departments,
        campuses=_of(entities, "campus") or (), contacts=_all(entities, "contact"), tariffs=_all(entities, "tariff"),
        complaint=complaint, words=frozenset(unnamed_words(said, language)), sex=said.recognised.sex,
        spoken=said.recognised.spoken, is_head=said.recognised.is_head, time=_time(turn, now),
        holidays=public_holidays(directory.country, now.year, language), voice=turn.voice,
        units=units_in(beside(said.text, said.recognised.time.spans), language),
        purposes=purposes_in(said.text, language), is_short=len(words_of(said.text)) <= SHORT,
        qualifiers=frozenset() if _only_corrects(turn) else qualifiers_in(said.text, language, said.recognised.spans),
    )  # fmt: skip


def _only_corrects(turn: Turn) -> bool:
    """Whether a question puts another thing in the place of what was asked about: its "no" denies what was said, and
    nothing of what is asked."""
    said = turn.said
    return said is not None and turn.intent.history_turns > 0 and is_bare(said, turn.language)


def _valid(ids: tuple[str, ...], held: Sequence[str]) -> tuple[str, ...]:
    """Of several entries of one name those that hold when it is asked about; one alone where none does."""
    return ids if len(ids) < 2 else tuple(one for one in ids if one in held) or ids[:1]


def _is_between(turn: Turn) -> bool:
    """Whether the way from one campus to another is asked for: a directory has the ways to each from outside."""
    campuses = {one.ids for one in turn.intent.entities if one.kind == "campus" and one.origin == QUESTION}
    return turn.intent.label == ROUTE and len(campuses) > 1


def _led_to(turn: Turn, departments: tuple[str, ...]) -> tuple[tuple[str, ...], str]:
    """The departments that are meant, and the complaint that leads to them as it was said; none for a department that
    is named."""
    entities, slots = turn.intent.entities, slots_of(turn.intent.label)
    if departments and turn.intent.name != SYMPTOM:
        return departments, ""
    leading = next((one for kind in LEADS_TO_DEPARTMENT for one in entities if one.kind == kind), None)
    if leading is None or "department" not in (*slots.needs, *slots.takes):
        return departments, ""
    return names_of(turn).departments_for(leading), leading.text


def narrowed_to(
    doctors: tuple[str, ...], departments: Sequence[str], sex: str | None, directory: Directory
) -> tuple[str, ...]:
    """Of doctors who share a name those of the department and sex that are named; all where none is."""
    if len(doctors) < 2:
        return doctors
    held = [one for one in directory.doctors if one.id in doctors]
    if not held:
        return doctors[:1]
    of_department = [one for one in held if set(one.departments) & set(departments)] or held
    of_sex = [one for one in of_department if sex is not None and one.sex == sex] or of_department
    return tuple(one.id for one in of_sex)


def _time(turn: Turn, now: datetime) -> AskedTime:
    """Of when the question is; where it is of the week behind another, or of a part of the day alone, in the light of
    the question before."""
    found = turn.said.recognised.time if turn.said is not None else ANY_TIME
    goes_on = turn.intent.is_followup and (found.week is not None or found.is_part_of_day)
    if not found.is_after and not goes_on:
        return found
    before = [one.text for one in turn.conversation.messages if one.role == "user" and not one.refused]
    return _in_light_of(found, _time_before(before[-REACH:], turn.language, now), now)


def _time_before(texts: Sequence[str], language: str, now: datetime) -> AskedTime:
    """Of when what was asked before is, each in the light of the one before it: "the week after" goes on from week to
    week."""
    earlier = ANY_TIME
    for text in texts:
        found = asked_time(text, language, now)
        earlier = _in_light_of(found, earlier, now) if found.is_after or found.is_part_of_day else found
    return earlier


def _in_light_of(found: AskedTime, earlier: AskedTime, now: datetime) -> AskedTime:
    return on_day_of(found, earlier) if found.is_part_of_day else behind(found, earlier, now)


def beside(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """A text without parts of it, which may be given twice or lie across each other."""
    kept, at = [], 0
    for start, end in sorted(spans):
        kept.append(text[at:start])
        at = max(at, end)
    return " ".join((*kept, text[at:]))


def _of(entities: Sequence[Entity], kind: str) -> tuple[str, ...] | None:
    """The ids that may be meant by the one entity of a kind; None where there are two, or it is of nobody."""
    found = [one for one in entities if one.kind == kind]
    if not found:
        return ()
    return found[0].ids if len({one.ids for one in found}) == 1 and found[0].ids else None


def _all(entities: Sequence[Entity], kind: str) -> tuple[str, ...]:
    return tuple(each for one in entities if one.kind == kind for each in one.ids)


def entry_name(asked: Asked, section: str, entry_id: str) -> str:
    """The name of an entry, whatever it is."""
    entry = asked.directory.entry(section, entry_id)
    full = getattr(entry, "full_name", None)
    names = getattr(entry, "names", None) or getattr(entry, "subject", None) or {}
    return str(full or called(names, asked) or entry_id)
