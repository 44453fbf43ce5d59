"""How people, departments and the hospital are reached: by their own number, else that of what they are part of."""

from __future__ import annotations

from careline.directory.capabilities.facts import Asked, Cite, Line, Reach
from careline.directory.capabilities.naming import called
from careline.directory.entries import Contact, Department, Doctor, Location
from careline.directory.week import WeeklyHours

HOSPITAL: Cite = ("hospital", "")


def hospital_line(purpose: str, asked: Asked) -> Reach | None:
    """A number of the hospital by its purpose, with the hours in which it is answered."""
    hospital = asked.directory.hospital
    phone = next((number for name, number in hospital.phones.items() if name == purpose), None)
    if phone is None:
        return None
    week = next((hours for name, hours in hospital.phone_hours.items() if name == purpose), None)
    return Reach(phone, when=WeeklyHours(weekly=week) if week else None)


def general_line(asked: Asked) -> Reach:
    """The hospital's main number; nothing where the directory holds none."""
    line = hospital_line("main", asked)
    main = asked.directory.main_campus
    if line is None and main is not None and main.phone:
        line = Reach(main.phone)
    return Reach(is_general=True) if line is None else Reach(line.phone, when=line.when, is_general=True)


def department_reach(department: Department, asked: Asked, campus: str | None = None) -> tuple[Reach, tuple[Cite, ...]]:
    """How a department is reached, on a campus where one is named; else the hospital."""
    cite: Cite = ("departments", department.id)
    there = next((one for one in department.locations if campus is not None and one.campus == campus), None)
    phone = (there.phone if there else None) or department.phone or _only_phone(department.locations)
    if phone or department.email:
        return Reach(phone, department.email, campus=campus), (cite,)
    return general_line(asked), (cite, HOSPITAL)


def _only_phone(locations: list[Location]) -> str | None:
    found = {one.phone for one in locations if one.phone}
    return found.pop() if len(found) == 1 else None


def doctor_reach(doctor: Doctor, asked: Asked) -> tuple[Reach, tuple[Cite, ...]]:
    """Where an appointment with a doctor is made: their own number, that of their department, that for appointments."""
    if doctor.phone:
        return Reach(doctor.phone, doctor.email), ()
    department = next((one for one in asked.directory.departments if one.id == doctor.department), None)
    if department is not None:
        campus = asked.campuses[0] if len(asked.campuses) == 1 else None
        reach, cites = department_reach(department, asked, campus)
        if reach.phone and not reach.is_general:
            return reach, cites
    return appointment_line(asked), (HOSPITAL,)


def appointment_line(asked: Asked) -> Reach:
    """The number for appointments, else the main one."""
    return hospital_line("appointments", asked) or general_line(asked)


def lines_for(purpose: str, asked: Asked) -> tuple[Line, ...]:
    """Whom to turn to with a purpose: contacts, departments that are there for it, a number of the hospital."""
    contacts = [one for one in asked.directory.contacts if one.purpose == purpose]
    found = [contact_line(one, asked) for one in contacts]
    for department in asked.directory.departments:
        if purpose in department.contact_for or department.id == purpose:
            campus = asked.campuses[0] if len(asked.campuses) == 1 else None
            reach, cites = department_reach(department, asked, campus)
            if not reach.is_general:
                found.append(Line(called(department.names, asked), reach, cites[0]))
    if not found and (line := hospital_line(purpose, asked)) is not None:
        found.append(Line("", line, HOSPITAL))
    return tuple(found)


def contact_line(one: Contact, asked: Asked) -> Line:
    """A contact as a line."""
    week = one.opening_hours[0] if one.opening_hours else None
    return Line(called(one.names, asked), Reach(one.phone, one.email, one.url, week), ("contacts", one.id))
