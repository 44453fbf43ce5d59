"""Answers about doctors: who they are, and who works in a department."""

from __future__ import annotations

from careline.directory.capabilities.facts import Asked, Cite, DoctorProfile, DoctorsOf, Facts, WhichOne
from careline.directory.entries import Absence, Department, Doctor

AWAY = "away"
"""The qualifier of who asks whether somebody is away, or who stands in."""
AHEAD = 60
"""Days before its end within which an absence is told with who a doctor is."""


def doctor_profile(asked: Asked) -> Facts | WhichOne | None:
    """Who a doctor is."""
    if len(asked.doctors) > 1:
        return WhichOne("doctor", asked.doctors)
    doctor = asked.doctor()
    if doctor is None:
        return None
    away = coming_absence(doctor, asked)
    cites: tuple[Cite, ...] = (("doctors", doctor.id),)
    return DoctorProfile(doctor, department_of(doctor, asked), cites, away, stands_in(away, asked))


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


def coming_absence(doctor: Doctor, asked: Asked) -> Absence | None:
    """The absence that holds, or begins soon."""
    return next((one for one in doctor.absences if 0 <= (one.until - asked.now.date()).days <= AHEAD), None)


def stands_in(absence: Absence | None, asked: Asked) -> Doctor | None:
    """The doctor who stands in for one who is away."""
    if absence is None or absence.replaced_by is None:
        return None
    return next((one for one in asked.directory.doctors if one.id == absence.replaced_by), None)


def department_of(doctor: Doctor, asked: Asked) -> Department | None:
    """The department of a doctor."""
    return next((one for one in asked.directory.departments if one.id == doctor.department), None)
