"""Answers about prices, appointments, and whom to turn to: with a bill, a complaint, or something to be treated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from careline.directory.capabilities.facts import (
    AppointmentWith,
    Asked,
    Cite,
    DepartmentFor,
    Facts,
    Lines,
    Prices,
    WhichOne,
)
from careline.directory.capabilities.naming import called
from careline.directory.capabilities.narrowed import by_words, narrowed
from careline.directory.capabilities.purposes import COMPLAINTS, line_by_purpose
from careline.directory.capabilities.reach import (
    HOSPITAL,
    appointment_line,
    department_reach,
    doctor_reach,
    lines_for,
)
from careline.directory.capabilities.units import units_in
from careline.directory.entries import Tariff
from careline.directory.qualifiers import FOR, qualifiers_in
from careline.text.label_words import own_words

BILLING = "billing"


def tariff(asked: Asked) -> Facts | None:
    """What something costs, with its condition and what it is for one of."""
    held = [one for one in asked.directory.tariffs if _is_of_then(one, asked)]
    named = [one for one in held if one.id in asked.tariffs] or by_words(held, _said_of, asked)
    found = [one for one in named if _is_there(one, asked)]
    found = [one for one in found if _is_for_whom(one, asked)] or found
    if not found:
        return None
    found = narrowed(found, lambda one: (*one.condition.values(), *one.subject.values()), asked)
    of_unit = [one for one in found if _is_for(one, asked)] or _alike(found, asked)
    other_unit = asked.units[0] if asked.units and not of_unit else None
    told = of_unit or found
    cites: tuple[Cite, ...] = tuple(("tariffs", one.id) for one in told)
    return Prices(tuple(told), other_unit, cites)


def _is_of_then(one: Tariff, asked: Asked) -> bool:
    """Whether a price holds on a day that is asked about; in a month or a year to come, whether that was said of it:
    one that nobody gave an end may be another by then."""
    if asked.time.period is None:
        return not asked.time.days or any(one.holds_on(day) for day in asked.time.days)
    first, last = asked.time.period
    if first <= asked.now.date():
        return True
    begins, ends = one.valid_from or asked.now.date(), one.valid_until
    return asked.now.date() < begins or (ends is not None and ends >= last)


def _is_there(one: Tariff, asked: Asked) -> bool:
    return not asked.campuses or one.campus is None or one.campus in asked.campuses


def _is_for_whom(one: Tariff, asked: Asked) -> bool:
    """Whether a condition is of those who are named in the question: of children for a child."""
    said = {table for code, text in one.condition.items() for table in qualifiers_in(text, code, ())}
    return bool(said & {each for each in asked.qualifiers if each.startswith(FOR)})


def _said_of(one: Tariff) -> Iterator[str]:
    """What is paid for, and when, in every way the directory says it."""
    yield from (*one.subject.values(), *one.condition.values())
    for listed in one.synonyms.values():
        yield from listed


def _is_for(one: Tariff, asked: Asked) -> bool:
    """Whether a price is for one of what it is asked for one of, which its condition may say too."""
    said = {unit for code, text in one.condition.items() for unit in units_in(text, code)}
    return bool(asked.units) and (one.unit in asked.units or bool(said & set(asked.units)))


def _alike(found: Sequence[Tariff], asked: Asked) -> list[Tariff]:
    """Prices of the unit that is asked for, of what is called what is named and more: parking has a weekly card."""
    called_so = {name for one in found for name in _called(one) if name}
    others = [one for one in asked.directory.tariffs if one.unit in asked.units and _is_there(one, asked)]
    return [one for one in others if any(name <= other for name in called_so for other in _called(one))]


def _called(one: Tariff) -> Iterator[frozenset[str]]:
    """The stems of each name of what is paid for."""
    named = [*one.subject.items(), *((code, text) for code, listed in one.synonyms.items() for text in listed)]
    for code, text in named:
        yield frozenset(word.stem for word in own_words(text, code) if not word.is_talk)


def billing_contact(asked: Asked) -> Facts | None:
    """Whom to ask about a bill."""
    return _lines(BILLING, asked)


def complaint_contact(asked: Asked) -> Facts | None:
    """Whom to tell a complaint."""
    return _lines(COMPLAINTS, asked)


def _lines(purpose: str, asked: Asked) -> Facts | None:
    if asked.purposes and purpose not in asked.purposes:
        # Who has lost an umbrella has no complaint, though both are told to somebody.
        return line_by_purpose(asked)
    lines = lines_for(purpose, asked)
    return Lines(purpose, lines, tuple(one.cite for one in lines)) if lines else None


def department_for(asked: Asked) -> Facts | WhichOne | None:
    """The department that treats a complaint, with its number."""
    department = asked.department()
    if department is None:
        return WhichOne("department", asked.departments) if len(asked.departments) > 1 else None
    campus = asked.campuses[0] if len(asked.campuses) == 1 else None
    reach, cites = department_reach(department, asked, campus)
    return DepartmentFor(asked.complaint, department, reach, cites)


def appointment(asked: Asked) -> Facts | WhichOne | None:
    """Where an appointment is made."""
    if len(asked.doctors) > 1:
        return WhichOne("doctor", asked.doctors)
    if (doctor := asked.doctor()) is not None:
        reach, cites = doctor_reach(doctor, asked)
        return AppointmentWith(doctor.full_name, reach, (("doctors", doctor.id), *cites)) if reach.phone else None
    if (department := asked.department()) is not None:
        campus = asked.campuses[0] if len(asked.campuses) == 1 else None
        reach, cites = department_reach(department, asked, campus)
        return AppointmentWith(called(department.names, asked), reach, cites) if reach.phone else None
    line = appointment_line(asked)
    if asked.doctors or asked.departments or not line.phone:
        return None
    return AppointmentWith("", line, (HOSPITAL,))
