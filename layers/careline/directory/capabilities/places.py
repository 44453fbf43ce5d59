"""Answers about places: numbers, where a department is, its hours, visiting, and a campus with its ways and doors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from careline.directory.capabilities.days import asked_days, closure_on
from careline.directory.capabilities.facts import (
    Asked,
    CampusFacts,
    Cite,
    DayAsked,
    Facts,
    HoursAt,
    HoursOf,
    PhoneOf,
    PlaceOf,
    Reach,
    WhichOne,
)
from careline.directory.capabilities.naming import called, campus_called
from careline.directory.capabilities.narrowed import narrowed
from careline.directory.capabilities.reach import HOSPITAL, contact_line, department_reach, doctor_reach, general_line
from careline.directory.entries import Campus, Contact, Department, Transport, Way
from careline.directory.sentences import wording
from careline.directory.week import Hours, WeeklyHours, hours_on, opens_next
from careline.model import LANGUAGES


def phone_of(asked: Asked) -> Facts | WhichOne | None:
    """How a department, doctor, contact or campus is reached."""
    if len(asked.doctors) > 1:
        return WhichOne("doctor", asked.doctors)
    if (doctor := asked.doctor()) is not None:
        reach, cites = doctor_reach(doctor, asked)
        return PhoneOf(doctor.full_name, (reach,), (("doctors", doctor.id), *cites))
    if asked.doctors:
        return None
    if (contact := _contact(asked)) is not None and not asked.departments:
        line = contact_line(contact, asked)
        return PhoneOf(line.name, (line.reach,), (line.cite,))
    if (department := asked.department()) is not None:
        return _department_phone(department, asked)
    if len(asked.departments) > 1:
        return WhichOne("department", asked.departments)
    campus = asked.campus()
    if campus is not None and campus.phone:
        return PhoneOf(campus_called(campus, asked), (Reach(campus.phone, campus.email),), (("campuses", campus.id),))
    return None


def _department_phone(department: Department, asked: Asked) -> Facts | None:
    cite: Cite = ("departments", department.id)
    if asked.campuses:
        known = {one.campus for one in department.locations} | set(department.campuses)
        if known and not known & set(asked.campuses):
            return None
        reach, cites = department_reach(department, asked, asked.campuses[0])
        return PhoneOf(called(department.names, asked), (reach,), cites)
    by_campus = [one for one in department.locations if one.phone]
    if len({one.phone for one in by_campus}) > 1 and not asked.voice:
        reaches = tuple(Reach(one.phone, campus=one.campus) for one in by_campus)
        return PhoneOf(called(department.names, asked), reaches, (cite,))
    reach, cites = department_reach(department, asked)
    if not reach.phone and not reach.email:
        return None
    return PhoneOf(called(department.names, asked), (reach,), cites)


def place_of(asked: Asked) -> Facts | WhichOne | None:
    """Where a department is."""
    department = asked.department(lambda one: one.locations)
    if department is None:
        return WhichOne("department", asked.departments) if len(asked.departments) > 1 else None
    there = [one for one in department.locations if not asked.campuses or one.campus in asked.campuses]
    if not there:
        return None
    cites: tuple[Cite, ...] = (("departments", department.id),)
    return PlaceOf(called(department.names, asked), tuple(there), cites)


def hours_of(asked: Asked) -> Facts | WhichOne | None:
    """When a department, a contact or a line is open."""
    contact, department = _contact(asked), asked.department(lambda one: one.opening_hours)
    if contact is not None and department is None:
        if not contact.opening_hours:
            return None
        places = _at(contact.opening_hours, asked, None)
        return HoursOf(called(contact.names, asked), places, False, None, contact.phone, (("contacts", contact.id),))
    if department is None:
        return WhichOne("department", asked.departments) if len(asked.departments) > 1 else None
    return _hours(department, department.opening_hours, asked, visiting=False)


def visiting_hours(asked: Asked) -> Facts | WhichOne | None:
    """When patients may be visited: in a ward, on a campus, in the hospital."""
    department = asked.department(lambda one: one.visiting_hours)
    if department is not None:
        return _hours(department, department.visiting_hours, asked, visiting=True)
    if asked.departments:
        return WhichOne("department", asked.departments)
    campus = asked.campus()
    if campus is not None and campus.visiting_hours:
        places = _at(campus.visiting_hours, asked, None)
        return HoursOf(campus_called(campus, asked), places, True, None, campus.phone, (("campuses", campus.id),))
    general = asked.directory.hospital.visiting_hours
    if not general or (campus is not None and not any(one.campus in (None, campus.id) for one in general)):
        return None
    return HoursOf("", _at(general, asked, None), True, None, None, (HOSPITAL,))


def _hours(department: Department, weeks: Sequence[WeeklyHours], asked: Asked, *, visiting: bool) -> Facts | None:
    places = _at(weeks, asked, department.id)
    if not places:
        return None
    days = asked_days(asked)
    campus = asked.campuses[0] if len(asked.campuses) == 1 else None
    closed = next((one for day in days if (one := closure_on(asked, day.day, campus, department.id))), None)
    phone = department_reach(department, asked, campus)[0].phone
    cites: tuple[Cite, ...] = (("departments", department.id), *((("closures", closed.id),) if closed else ()))
    reason = called(closed.names, asked) if closed else None
    return HoursOf(called(department.names, asked), places, visiting, reason, phone, cites)


def _at(weeks: Sequence[WeeklyHours], asked: Asked, department: str | None) -> tuple[HoursAt, ...]:
    """The hours at each place that may be meant, with what was asked of them."""
    wanted = [one for one in weeks if not asked.campuses or one.campus is None or one.campus in asked.campuses]
    days = asked_days(asked)
    return tuple(_hours_at(week, days, asked, department) for week in wanted)


def _hours_at(week: WeeklyHours, days: Sequence[DayAsked], asked: Asked, department: str | None) -> HoursAt:
    on = tuple((day, _on(week, day, asked, department)) for day in days)
    if week.by_appointment:
        shut = tuple((day, held) for day, held in on if _is_closed(week, day, asked, department))
        return HoursAt(week.campus, week, shut)
    if not asked.time.is_now:
        return HoursAt(week.campus, week, on)
    today = on[-1][1] if on else None
    is_open = None if today is None else any(hours.holds(asked.now.time()) for hours in today)
    later = opens_next(week, asked.now, asked.holidays) if is_open is False else None
    return HoursAt(week.campus, week, on, is_open, later)


def _is_closed(week: WeeklyHours, day: DayAsked, asked: Asked, department: str | None) -> bool:
    return not day.is_weekly and closure_on(asked, day.day, week.campus, department) is not None


def _on(week: WeeklyHours, day: DayAsked, asked: Asked, department: str | None) -> tuple[Hours, ...] | None:
    """The hours of a day; a weekday of every week is none of the public holidays."""
    closed = None if week.is_always else closure_on(asked, day.day, week.campus, department)
    if closed is not None and not day.is_weekly:
        return tuple(closed.hours)
    found = hours_on(week, day.day, {} if day.is_weekly else asked.holidays)
    return None if found is None else tuple(found)


def _contact(asked: Asked) -> Contact | None:
    found = [one for one in asked.directory.contacts if one.id in asked.contacts]
    return found[0] if len(found) == 1 else None


def campus_facts(asked: Asked) -> Facts | None:
    """The address, ways, car parks or doors of a campus; of all where none is named."""
    aspect = asked.sub_intent or "address"
    wanted = [one for one in asked.directory.campuses if not asked.campuses or one.id in asked.campuses]
    if not asked.campuses and asked.department() is not None:
        wanted = [one for one in wanted if one.id in _campuses_of(asked)] or wanted
    found = [one for one in wanted if _has(one, aspect)]
    if not found or (asked.campuses and len(found) < len(asked.campuses)):
        return None
    found = [_with_what_is_meant(one, asked) for one in narrowed(found, _said_of(aspect), asked)]
    return CampusFacts(aspect, tuple(found), tuple(("campuses", one.id) for one in found))


def _said_of(aspect: str) -> Callable[[Campus], Iterable[str]]:
    """What a campus has of an aspect, in words."""

    def texts(one: Campus) -> Iterable[str]:
        match aspect:
            case "route":
                return [*map(_of_stop, one.public_transport), *map(_of_way, one.routes)]
            case "parking":
                return [name for park in one.parking for name in park.names.values()]
            case "entrance":
                return [name for door in one.entrances for name in door.names.values()]
            case _:
                return ()

    return texts


def _of_stop(stop: Transport) -> str:
    """A stop with the kind of its line as all languages call it."""
    return " ".join((*_kind(stop.kind), stop.line, stop.stop))


def _of_way(way: Way) -> str:
    return " ".join((*_kind(way.by), *way.text.values()))


def _kind(kind: str) -> list[str]:
    """What all languages call a means of transport."""
    return [str(wording(code)["transport"][kind]) for code in LANGUAGES]


def _with_what_is_meant(one: Campus, asked: Asked) -> Campus:
    """A campus with the stops, ways, car parks and doors that the question says more of."""
    ways: list[Transport | Way] = [*one.public_transport, *one.routes]
    meant = narrowed(ways, lambda way: [_of_way(way) if isinstance(way, Way) else _of_stop(way)], asked)
    return one.model_copy(
        update={
            "public_transport": [way for way in meant if isinstance(way, Transport)],
            "routes": [way for way in meant if isinstance(way, Way)],
            "parking": narrowed(one.parking, lambda park: park.names.values(), asked),
            "entrances": narrowed(one.entrances, lambda door: door.names.values(), asked),
        }
    )


def _campuses_of(asked: Asked) -> set[str]:
    department = asked.department()
    return set() if department is None else {*department.campuses, *(one.campus for one in department.locations)}


def _has(campus: Campus, aspect: str) -> bool:
    match aspect:
        case "address":
            return campus.address is not None
        case "route":
            return bool(campus.public_transport or campus.routes)
        case "parking":
            return bool(campus.parking)
        case "entrance":
            return any(one.hours or one.weekly for one in campus.entrances)
        case _:
            return False


def general_contact(asked: Asked) -> Facts | None:
    """The hospital's own number, mail and site; of a campus that is named, its number."""
    if asked.contacts or asked.departments or asked.doctors or asked.campuses:
        found = phone_of(asked)
        return found if isinstance(found, PhoneOf) else None
    line, hospital = general_line(asked), asked.directory.hospital
    if not (line.phone or hospital.email):
        return None
    reach = Reach(line.phone, hospital.email, str(hospital.website) if hospital.website else None, line.when)
    return PhoneOf(called(hospital.names, asked), (reach,), (HOSPITAL,))
