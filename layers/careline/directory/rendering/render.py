"""Says facts of the directory as statements."""

from __future__ import annotations

from typing import assert_never

from careline.directory.capabilities.facts import (
    AppointmentWith,
    Asked,
    CampusFacts,
    DepartmentFor,
    DoctorProfile,
    DoctorSchedule,
    DoctorsOf,
    DoctorsOn,
    Facts,
    HoursOf,
    Lines,
    PhoneOf,
    PlaceOf,
    Prices,
)
from careline.directory.rendering import people, places, services
from careline.directory.rendering.words import FactStatement, Words


def rendered(facts: Facts, asked: Asked) -> list[FactStatement]:
    """The statements that say what the directory holds, in the language and for the channel of a question."""
    words = Words(asked)
    said = _said(facts, words)
    of_day = isinstance(facts, (DoctorSchedule, DoctorsOn, HoursOf)) and asked.time.disagrees
    if of_day and said and not asked.voice:
        # By phone the day is told with its own weekday, and two sentences are the most.
        return [FactStatement(words.other_weekday(asked.time.days[0]), said[0].cites), *said]
    return said


def _said(facts: Facts, words: Words) -> list[FactStatement]:
    match facts:
        case DoctorSchedule() | DoctorProfile() | DoctorsOf() | DoctorsOn():
            return _of_people(facts, words)
        case PhoneOf():
            return places.phone(facts, words)
        case PlaceOf():
            return places.place(facts, words)
        case HoursOf():
            return places.hours(facts, words)
        case CampusFacts():
            return places.campus(facts, words)
        case Prices():
            return services.prices(facts, words)
        case Lines():
            return services.lines(facts, words)
        case DepartmentFor():
            return services.department_for(facts, words)
        case AppointmentWith():
            return services.appointment(facts, words)
        case _:
            assert_never(facts)


def _of_people(facts: DoctorSchedule | DoctorProfile | DoctorsOf | DoctorsOn, words: Words) -> list[FactStatement]:
    match facts:
        case DoctorSchedule():
            return people.schedule(facts, words)
        case DoctorProfile():
            return people.profile(facts, words)
        case DoctorsOf():
            return people.doctors(facts, words)
        case DoctorsOn():
            return people.present(facts, words)
        case _:
            assert_never(facts)
