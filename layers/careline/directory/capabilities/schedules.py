"""Answers about when doctors see patients: one doctor, on days or in a month; of a department, who does on a day."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from careline.directory.capabilities.closures import closes_soon, closure_on, may_be_closed
from careline.directory.capabilities.days import asked_days, days_of_week, is_at, is_held, is_in_part
from careline.directory.capabilities.facts import (
    Asked,
    Cite,
    DayAsked,
    DayHeld,
    DoctorSchedule,
    DoctorsOn,
    Facts,
    WhichOne,
)
from careline.directory.capabilities.naming import called
from careline.directory.capabilities.people import AWAY, coming_absence, department_of, doctors_of_department, stands_in
from careline.directory.capabilities.reach import department_reach, doctor_reach
from careline.directory.entries import Absence, Closure, Consultation, Department, Doctor
from careline.directory.week import DAYS

FOLLOWS = 60
"""Days after those that are asked about among which the next consultation is looked for."""
A_MONTH = 31


def doctor_schedule(asked: Asked) -> Facts | WhichOne | None:
    """When a doctor sees patients; of a department, who does on the days that are asked about."""
    if len(asked.doctors) > 1:
        return WhichOne("doctor", asked.doctors)
    doctor = asked.doctor()
    if doctor is not None:
        return _schedule(doctor, asked) if doctor.consultations else None
    department = asked.department()
    if department is None or asked.doctors:
        return None
    days = asked_days(asked)
    if len(days) == 1 and asked.time.period is None:
        return _present(department, days[0], asked)
    return None


def doctors_on_days(asked: Asked) -> Facts | WhichOne | None:
    """The doctors of a department; of a day that is asked about, who of them sees patients then."""
    days = asked_days(asked)
    if not days or asked.time.period is not None or asked.is_head:
        return doctors_of_department(asked)
    department = asked.department()
    return _present(department, days[0], asked) if department is not None and len(days) == 1 else None


def _schedule(doctor: Doctor, asked: Asked) -> Facts | None:
    days = _days(doctor, asked)
    absence = _absence(doctor, days, asked)
    if absence is None and (AWAY in asked.qualifiers or (not days and asked.time.week is not None)):
        # That nobody wrote down an absence does not say that somebody is there.
        return None
    if absence is None and not _is_known_then(doctor, days, asked):
        return None
    told = [_on(doctor, day, asked) for day in days]
    if None in told:
        if absence is None and not all(each.is_weekly for each in days):
            return None
        # Whether by appointment is in the morning nobody wrote down: the whole says what is known.
        told = []
    held = [one for one in told if one is not None]
    if absence is None and any(not one.is_known for one in held):
        if any(one.held for one in held):
            return None
        held = [one for one in held if not one.is_known]
    reach, own = doctor_reach(doctor, asked)
    closed: tuple[Cite, ...] = tuple(("closures", one.id) for day in days for one in _closing(doctor, day, asked))
    cites: tuple[Cite, ...] = (("doctors", doctor.id), *own, *closed)
    is_no = bool(held) and not any(one.held or one.day.is_weekly for one in held)
    follows = _follows(doctor, days, asked) if is_no else None
    department, replaced_by = department_of(doctor, asked), stands_in(absence, asked)
    slots = tuple(_told(doctor, held, asked))
    coming = None if held or absence is not None else _coming(doctor, slots, asked)
    cites += (("closures", coming.id),) if coming is not None else ()
    return DoctorSchedule(doctor, department, slots, tuple(held), absence, replaced_by, reach, cites, follows, coming)


def _coming(doctor: Doctor, slots: Sequence[Consultation], asked: Asked) -> Closure | None:
    """What closes a place of consultations for days on end now or soon, the first."""
    if asked.time.period is not None:
        return None
    of = ((one.campus, one.department or doctor.department) for one in slots)
    found = [closes_soon(asked, campus, department, tuple(doctor.campuses)) for campus, department in dict.fromkeys(of)]
    return min((one for one in found if one is not None), key=lambda one: one.since, default=None)


def _is_known_then(doctor: Doctor, days: Sequence[DayAsked], asked: Asked) -> bool:
    """Whether a doctor is valid on a day that is asked about; of a whole year, whether that was said of it."""
    if asked.time.period is None:
        return not days or any(doctor.holds_on(one.day) for one in days)
    first, last = asked.time.period
    return (last - first).days < A_MONTH or (doctor.valid_from or date.min) > asked.now.date()


def _told(doctor: Doctor, held: Sequence[DayHeld], asked: Asked) -> Iterator[Consultation]:
    """The consultations that are told as a whole: those of the campus that is asked for, and where none is held there
    on the days that are asked about, those elsewhere too."""
    of_campus = [one for one in doctor.consultations if _is_there(one, doctor, asked)]
    all_of_them = not of_campus or (held and not any(one.held for one in held))
    yield from in_order(doctor.consultations if all_of_them else of_campus)


def _days(doctor: Doctor, asked: Asked) -> list[DayAsked]:
    """The days that are asked about; of a whole week those on which the doctor sees patients, of a month none. A
    weekday whose next day is another than all others is that day."""
    if asked.time.period is not None or (asked.time.is_part_of_day and asked.time.at is None):
        # "In the evening" is of any day: the whole tells.
        return []
    if asked.time.week is None:
        return [_as_it_is(doctor, day, asked) for day in asked_days(asked)]
    week = [_on(doctor, day, asked) for day in days_of_week(asked)]
    return [one.day for one in week if one is not None and one.held and _away(doctor, one.day) is None]


def _as_it_is(doctor: Doctor, day: DayAsked, asked: Asked) -> DayAsked:
    """A day; the weekday of every week as its next one, where a consultation of it is not held then."""
    if not day.is_weekly:
        return day
    usual = [one for one in doctor.consultations if is_held(one, day) and _is_there(one, doctor, asked)]
    next_one = DayAsked(day.day, False)
    changed = any(_is_held(one, doctor, next_one, asked) is not True for one in usual)
    return next_one if changed else day


def _on(doctor: Doctor, day: DayAsked, asked: Asked) -> DayHeld | None:
    """What is held on a day; None where nobody can tell whether it is."""
    of_day = [one for one in in_order(doctor.consultations) if is_held(one, day) and _is_there(one, doctor, asked)]
    wanted = [(one, _is_wanted(one, asked)) for one in of_day]
    held = [(one, _is_held(one, doctor, day, asked)) for one, is_wanted in wanted if is_wanted is not False]
    sure = tuple(one for one, is_so in held if is_so)
    if sure and not any(is_wanted is None for one, is_wanted in wanted if one in sure):
        return DayHeld(day, sure)
    if sure:
        return None
    if any(is_so is None for _, is_so in held):
        return DayHeld(day, is_known=False) if day.day in asked.holidays else None
    return DayHeld(day, closed_for=next((called(one.names, asked) for one in _closing(doctor, day, asked)), ""))


def _closing(doctor: Doctor, day: DayAsked, asked: Asked) -> Iterator[Closure]:
    """What closes the places of a doctor's consultations on a day."""
    for one in doctor.consultations if not day.is_weekly else ():
        if is_held(one, day) and _is_there(one, doctor, asked):
            closed = _closure(one, doctor, day.day, asked)
            if closed is not None and not closed.hours:
                yield closed


def _is_wanted(one: Consultation, asked: Asked) -> bool | None:
    """Whether a consultation lies in the part of the day and at the time that are asked about."""
    of_part = True if asked.time.part is None else is_in_part(one, asked.time.part)
    at = asked.now.time() if asked.time.is_now else asked.time.at
    of_time = True if at is None else is_at(one, at)
    return False if False in (of_part, of_time) else None if None in (of_part, of_time) else True


def _is_held(one: Consultation, doctor: Doctor, day: DayAsked, asked: Asked) -> bool | None:
    """Whether a consultation is held on a day; None where nobody wrote that down: on a public holiday, on a day with
    other hours, where a campus is closed which it may be at."""
    if not is_held(one, day) or day.is_weekly:
        return is_held(one, day)
    closed = _closure(one, doctor, day.day, asked)
    if closed is not None:
        if not closed.hours:
            return False
        within = [hours for hours in closed.hours if one.opens and one.closes]
        return any(hours.opens <= (one.opens or "") and (one.closes or "") <= hours.closes for hours in within) or None
    department = one.department or doctor.department
    unsure = may_be_closed(asked, day.day, one.campus, department, tuple(doctor.campuses))
    return None if unsure or day.day in asked.holidays or not doctor.holds_on(day.day) else True


def _closure(one: Consultation, doctor: Doctor, day: date, asked: Asked) -> Closure | None:
    return closure_on(asked, day, one.campus, one.department or doctor.department, tuple(doctor.campuses))


def _is_there(one: Consultation, doctor: Doctor, asked: Asked) -> bool:
    """Whether a consultation is held on the campus that is asked for, or may be."""
    places = {one.campus} if one.campus else set(doctor.campuses)
    return not asked.campuses or not places or bool(places & set(asked.campuses))


def _follows(doctor: Doctor, days: Sequence[DayAsked], asked: Asked) -> tuple[date, Consultation] | None:
    """The first day after those that are asked about on which a doctor surely sees patients, and the consultation."""
    after = max(one.day for one in days)
    for number in range(1, FOLLOWS):
        day = DayAsked(after + timedelta(days=number), False)
        if _away(doctor, day) is None:
            for one in in_order(doctor.consultations):
                if _is_there(one, doctor, asked) and _is_held(one, doctor, day, asked):
                    return day.day, one
    return None


def _absence(doctor: Doctor, days: Sequence[DayAsked], asked: Asked) -> Absence | None:
    """The absence that lies on a day that is asked about; where none is, the one of today."""
    if asked.time.period is not None:
        first, last = asked.time.period
        return next((one for one in doctor.absences if one.since <= last and first <= one.until), None)
    if asked.time.week is not None and not days:
        days = days_of_week(asked)
    wanted = days or [DayAsked(asked.now.date(), False)]
    found = next((away for day in wanted if (away := _away(doctor, day)) is not None), None)
    return coming_absence(doctor, asked) if found is None and not days and AWAY in asked.qualifiers else found


def _away(doctor: Doctor, day: DayAsked) -> Absence | None:
    return next((one for one in doctor.absences if one.since <= day.day <= one.until), None)


def in_order(consultations: Sequence[Consultation]) -> list[Consultation]:
    """Consultations by their days and times."""
    return sorted(consultations, key=lambda one: (DAYS.index(one.weekday), one.opens or "", one.part or ""))


def _present(department: Department, day: DayAsked, asked: Asked) -> Facts | None:
    """Who of a department sees patients on a day."""
    everyone = [_in(department, one) for one in asked.directory.doctors if department.id in one.departments]
    of_department = [one for one in everyone if _is_meant(one, asked)]
    if not any(one.consultations for one in of_department) or (asked.sex and any(one.sex is None for one in everyone)):
        return None
    if day.is_weekly and (day.day in asked.holidays or any(_closing_of(one, day.day, asked) for one in of_department)):
        day = DayAsked(day.day, False)
    found = [(one, _on(one, day, asked)) for one in of_department if _away(one, day) is None]
    present = tuple((one, told.held) for one, told in found if told is not None and told.held)
    if not present and any(told is None for _, told in found):
        return None
    closed = next((told.closed_for for _, told in found if told is not None and told.closed_for), "")
    is_known = bool(present) or all(told.is_known for _, told in found if told is not None)
    cites: tuple[Cite, ...] = tuple(("doctors", one.id) for one, _ in present)
    cites = cites or (("departments", department.id),)
    phone = department_reach(department, asked)[0].phone
    return DoctorsOn(department, day, present, cites, "" if present else closed, is_known, phone)


def _is_meant(doctor: Doctor, asked: Asked) -> bool:
    """Whether a doctor is what doctors are asked to be."""
    return asked.sex in (None, doctor.sex) and (asked.spoken is None or asked.spoken in doctor.languages)


def _in(department: Department, doctor: Doctor) -> Doctor:
    """A doctor with the consultations that are held in a department."""
    held = [one for one in doctor.consultations if one.department in (None, department.id)]
    return doctor.model_copy(update={"consultations": held})


def _closing_of(doctor: Doctor, day: date, asked: Asked) -> bool:
    return any(_closing(doctor, DayAsked(day, False), asked))
