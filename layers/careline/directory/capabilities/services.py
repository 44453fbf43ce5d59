"""Answers about prices, appointments, and whom to turn to: with a bill, a complaint, or something to be treated."""

from __future__ import annotations

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
from careline.directory.capabilities.narrowed import narrowed
from careline.directory.capabilities.reach import (
    HOSPITAL,
    appointment_line,
    department_reach,
    doctor_reach,
    lines_for,
)


def tariff(asked: Asked) -> Facts | None:
    """What something costs, with its condition and what it is for one of."""
    named = [one for one in asked.directory.tariffs if one.id in asked.tariffs]
    found = [one for one in named if not asked.campuses or one.campus is None or one.campus in asked.campuses]
    if not found:
        return None
    found = narrowed(found, lambda one: (*one.condition.values(), *one.subject.values()), asked)
    of_unit = [one for one in found if one.unit in asked.units]
    other_unit = asked.units[0] if asked.units and not of_unit else None
    told = of_unit or found
    cites: tuple[Cite, ...] = tuple(("tariffs", one.id) for one in told)
    return Prices(tuple(told), other_unit, cites)


def billing_contact(asked: Asked) -> Facts | None:
    """Whom to ask about a bill."""
    return _lines("billing", asked)


def complaint_contact(asked: Asked) -> Facts | None:
    """Whom to tell a complaint."""
    return _lines("complaints", asked)


def _lines(purpose: str, asked: Asked) -> Facts | None:
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
