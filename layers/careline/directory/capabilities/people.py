"""Answers about doctors: who they are, when they see patients, who works in a department and who is there on a day."""

from __future__ import annotations

from collections.abc import Sequence

from careline.directory.capabilities.days import asked_days, is_held, part_of
from careline.directory.capabilities.facts import (
    Asked,
    Cite,
    DayAsked,
    DoctorProfile,
    DoctorSchedule,
    DoctorsOf,
    DoctorsOn,
    Facts,
    WhichOne,
)
from careline.directory.capabilities.reach import doctor_reach
from careline.directory.entries import Consultation, Department, Doctor
from careline.directory.week import DAYS


def doctor_schedule(asked: Asked) -> Facts | WhichOne | None:
    """When a doctor sees patients; of a department, who does on the days that are asked about."""
    if len(asked.doctors) > 1:
        return WhichOne("doctor", asked.doctors)
    doctor = asked.doctor()
    if doctor is not None:
        return _schedule(doctor, asked)
    department = asked.department()
    if department is None or asked.doctors:
        return None
    days = asked_days(asked)
    if len(days) == 1:
        return _present(department, days[0], asked)
    return None


def _schedule(doctor: Doctor, asked: Asked) -> Facts | None:
    held = tuple(
        one for one in _in_order(doctor.consultations) if not asked.campuses or one.campus in (None, *asked.campuses)
    )
    if not doctor.consultations:
        return None
    days = asked_days(asked)
    on_them = tuple(
        one
        for one in held
        if any(is_held(one, day) for day in days) and (asked.time.part is None or part_of(one) == asked.time.part)
    )
    absence = next(
        (
            one
            for one in doctor.absences
            if any(one.since <= day.day <= one.until for day in days)
            or (not days and one.since <= asked.now.date() <= one.until)
        ),
        None,
    )
    replaced_by = _doctor(absence.replaced_by, asked) if absence and absence.replaced_by else None
    department = _department(doctor.department, asked)
    reach, cites = doctor_reach(doctor, asked)
    own: tuple[Cite, ...] = (("doctors", doctor.id), *cites)
    consultations = held or tuple(_in_order(doctor.consultations))
    return DoctorSchedule(doctor, department, consultations, days, on_them, absence, replaced_by, reach, own)


def _in_order(consultations: Sequence[Consultation]) -> list[Consultation]:
    return sorted(consultations, key=lambda one: (DAYS.index(one.weekday), one.opens or "", one.part or ""))


def _present(department: Department, day: DayAsked, asked: Asked) -> Facts | None:
    of_department = [one for one in asked.directory.doctors if department.id in one.departments]
    if not any(one.consultations for one in of_department):
        return None
    present = tuple(
        (doctor, held)
        for doctor in of_department
        if not any(away.since <= day.day <= away.until for away in doctor.absences)
        for held in _in_order(doctor.consultations)
        if is_held(held, day)
        and held.department in (None, department.id)
        and (asked.time.part is None or part_of(held) == asked.time.part)
        and (not asked.campuses or held.campus in (None, *asked.campuses))
    )
    cites: tuple[Cite, ...] = tuple(("doctors", doctor.id) for doctor, _ in present)
    return DoctorsOn(department, day, present, cites or (("departments", department.id),))


def doctor_profile(asked: Asked) -> Facts | WhichOne | None:
    """Who a doctor is."""
    if len(asked.doctors) > 1:
        return WhichOne("doctor", asked.doctors)
    doctor = asked.doctor()
    if doctor is None:
        return None
    return DoctorProfile(doctor, _department(doctor.department, asked), (("doctors", doctor.id),))


def doctors_of_department(asked: Asked) -> Facts | WhichOne | None:
    """The doctors of a department: all, the women or men among them, those of a campus, or who leads it."""
    staffed = {one for doctor in asked.directory.doctors for one in doctor.departments}
    department = asked.department(lambda one: one.id in staffed)
    if department is None:
        return WhichOne("department", asked.departments) if len(asked.departments) > 1 else None
    everyone = [one for one in asked.directory.doctors if department.id in one.departments]
    if not everyone:
        return None
    if asked.sex is not None and any(one.sex is None for one in everyone):
        return None
    found = [
        one
        for one in everyone
        if (asked.sex is None or one.sex == asked.sex)
        and (asked.spoken is None or asked.spoken in one.languages)
        and (not asked.is_head or one.role == "head_of_department")
        and (not asked.campuses or not one.campuses or set(one.campuses) & set(asked.campuses))
    ]
    if asked.is_head and not found:
        return None
    cites: tuple[Cite, ...] = (("departments", department.id), *(("doctors", one.id) for one in found))
    return DoctorsOf(
        department, tuple(found), len(everyone), asked.sex, asked.spoken, asked.is_head, asked.campus(), cites
    )


def _doctor(doctor_id: str, asked: Asked) -> Doctor | None:
    return next((one for one in asked.directory.doctors if one.id == doctor_id), None)


def _department(department_id: str, asked: Asked) -> Department | None:
    return next((one for one in asked.directory.departments if one.id == department_id), None)


