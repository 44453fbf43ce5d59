"""Says prices, appointments, and whom to turn to."""

from __future__ import annotations

from itertools import groupby

from careline.directory.capabilities.facts import AppointmentWith, DepartmentFor, Lines, Prices, Reach
from careline.directory.capabilities.naming import called
from careline.directory.entries import Tariff
from careline.directory.rendering.words import FactStatement, Words

ITEM = "item"
"""The unit of what is paid for one by one."""


def prices(facts: Prices, words: Words) -> list[FactStatement]:
    """What something costs, by campus."""
    before = []
    if facts.other_unit is not None:
        before.append(FactStatement(words.say("price_other_unit", asked=words.table("units")[facts.other_unit])))
    by_campus = groupby(facts.tariffs, key=lambda one: one.campus)
    told = [_at_campus(campus, list(group), words) for campus, group in by_campus]
    if not words.asked.voice:
        return [*before, *told]
    cites = tuple(cite for one in told for cite in one.cites)
    return [*before, *(FactStatement(text, cites) for text in words.as_one([one.text for one in told]))]


def _at_campus(campus: str | None, tariffs: list[Tariff], words: Words) -> FactStatement:
    told = "; ".join(_price(one, words, first=not n) for n, one in enumerate(tariffs))
    name = words.campus(campus)
    text = words.say("prices_at", campus=name, prices=told) if name else words.say("prices", prices=told)
    return FactStatement(text, tuple(("tariffs", one.id) for one in tariffs))


def _price(one: Tariff, words: Words, *, first: bool) -> str:
    subject, condition = called(one.subject, words.asked), called(one.condition, words.asked)
    # That a thing is paid for by the piece goes without saying, unless that was asked.
    unit = words.table("units")[one.unit] if one.unit != ITEM or ITEM in words.asked.units else ""
    text = words.part(
        "price",
        subject=subject if first or not condition else "",
        condition=f", {condition}" if condition and first else condition,
        amount=words.money(one.amount, one.currency),
        unit=f" {unit}" if unit and one.amount else "",
    )
    if one.valid_from is not None and one.valid_from > words.asked.now.date():
        text += words.part("valid_from", day=words.calendar_day(one.valid_from))
    return text


def lines(facts: Lines, words: Words) -> list[FactStatement]:
    """Whom to turn to with a bill or a complaint."""
    said = []
    for one in facts.lines:
        reach = reached(one.reach, words)
        key = facts.purpose if one.name else f"{facts.purpose}_line"
        said.append(FactStatement(words.say(key, name=one.name, reach=reach), (one.cite,)))
    return said[:1] if words.asked.voice else said


def reached(reach: Reach, words: Words) -> str:
    """Number, mail, and the hours of it."""
    parts = [reach.phone or ""]
    if not words.asked.voice or not reach.phone:
        parts += [reach.email or "", reach.url or ""]
    if reach.when is not None:
        parts.append(words.week(reach.when))
    return ", ".join(part for part in parts if part)


def department_for(facts: DepartmentFor, words: Words) -> list[FactStatement]:
    """The department for a complaint, with its number; nothing of the complaint itself."""
    department, reach = called(facts.department.names, words.asked), reached(facts.reach, words)
    key = "department_for" if facts.complaint else "department_for_plain"
    if words.asked.voice and facts.complaint:
        key += "_voice"
    text = words.say(key, complaint=facts.complaint, department=department, reach=reach)
    return [FactStatement(text, facts.cites)]


def appointment(facts: AppointmentWith, words: Words) -> list[FactStatement]:
    """Where an appointment is made."""
    phone = facts.reach.phone or ""
    if facts.name:
        said = [words.say("appointment", name=words.name_of(facts.name, facts.cites), phone=phone)]
    else:
        said = [words.say("appointment_general", phone=phone)]
    if facts.reach.when is not None:
        said.append(words.say("phone_hours", week=words.week(facts.reach.when)))
    return [FactStatement(text, facts.cites) for text in said]
