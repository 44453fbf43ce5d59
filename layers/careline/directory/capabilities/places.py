"""Answers about places: numbers, where a department is, its hours, visiting, and a campus with its ways and doors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta

from careline.directory.capabilities.closures import closes_soon, closure_on, may_be_closed, places_of
from careline.directory.capabilities.days import asked_days, days_of_week
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
from careline.directory.capabilities.purposes import line_by_purpose
from careline.directory.capabilities.reach import HOSPITAL, contact_line, department_reach, doctor_reach, general_line
from careline.directory.entries import Campus, Contact, Department, Transport, Way
from careline.directory.sentences import wording
from careline.directory.week import LOOKED_AHEAD, Hours, WeeklyHours, hours_on
from careline.model import LANGUAGES

MAIL = "mail"
"""The qualifier of who wants an address to write to."""
DIRECT = "direct"
"""The qualifier of who wants somebody's own number."""
STEPS = frozenset(("step_free", "steps"))


def phone_of(asked: Asked) -> Facts | WhichOne | None:
    """How a department, doctor, contact or campus is reached, or a number by what it is for; by mail where an address
    is asked for, and then by nothing else."""
    found = _reached(asked)
    if MAIL not in asked.qualifiers or not isinstance(found, PhoneOf):
        return None if MAIL in asked.qualifiers and found is not None and not isinstance(found, WhichOne) else found
    by_mail = tuple(dict.fromkeys(Reach(None, one.email) for one in found.reaches if one.email))
    return replace(found, reaches=by_mail[:1]) if by_mail else None


def _reached(asked: Asked) -> Facts | WhichOne | None:
    if len(asked.doctors) > 1:
        return WhichOne("doctor", asked.doctors)
    if (doctor := asked.doctor()) is not None:
        if DIRECT in asked.qualifiers and not doctor.phone:
            return None
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
    return line_by_purpose(asked) if asked.purposes and campus is None else None


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
        reaches = tuple(Reach(one.phone, department.email, campus=one.campus) for one in by_campus)
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
        places = _at(contact.opening_hours, asked, None)
        name, cite = called(contact.names, asked), ("contacts", contact.id)
        return HoursOf(name, places, False, contact.phone, (cite,)) if places else None
    if department is None:
        return WhichOne("department", asked.departments) if len(asked.departments) > 1 else None
    return _hours(department, department.opening_hours, asked, visiting=False)


def visiting_hours(asked: Asked) -> Facts | WhichOne | None:
    """When patients may be visited: in a ward, on a campus, in the hospital."""
    department = asked.department(lambda one: one.visiting_hours)
    if department is not None and department.visiting_hours:
        return _hours(department, department.visiting_hours, asked, visiting=True)
    if len(asked.departments) > 1 and department is None:
        return WhichOne("department", asked.departments)
    if asked.departments and department is None:
        return None
    return _general_visiting(asked, department)


def _general_visiting(asked: Asked, ward: Department | None) -> Facts | None:
    """The visiting hours of a campus, else of the hospital; of a ward that has none of its own those of where it is."""
    campus = asked.campus() or _only_campus(ward, asked)
    of_ward = "" if ward is None else called(ward.names, asked)
    own: tuple[Cite, ...] = () if ward is None else (("departments", ward.id),)
    if campus is not None and campus.visiting_hours:
        places = _at(campus.visiting_hours, asked, None, campus.id)
        name, closing = campus_called(campus, asked), _closing(places, asked, campus.id, None)
        cites = (*own, ("campuses", campus.id), *closing)
        return HoursOf(name, places, True, campus.phone, cites, of_ward) if places else None
    general = asked.directory.hospital.visiting_hours
    if not general or (campus is not None and not any(one.campus in (None, campus.id) for one in general)):
        return None
    where, which = campus.id if campus is not None else None, ward.id if ward is not None else None
    places = _at(general, asked, which, where)
    cites = (*own, HOSPITAL, *_closing(places, asked, where, which))
    return HoursOf("", places, True, None, cites, of_ward) if places else None


def _only_campus(ward: Department | None, asked: Asked) -> Campus | None:
    """The campus of a ward that is on one."""
    places = places_of(asked, None, ward.id) if ward is not None else frozenset()
    found = [one for one in asked.directory.campuses if one.id in places]
    return found[0] if len(found) == 1 else None


def _hours(department: Department, weeks: Sequence[WeeklyHours], asked: Asked, *, visiting: bool) -> Facts | None:
    places = _at(weeks, asked, department.id)
    if not places:
        return None
    campus = asked.campuses[0] if len(asked.campuses) == 1 else None
    cites: tuple[Cite, ...] = (("departments", department.id), *_closing(places, asked, None, department.id))
    phone = department_reach(department, asked, campus)[0].phone
    return HoursOf(called(department.names, asked), places, visiting, phone, cites)


def _closing(
    places: Sequence[HoursAt], asked: Asked, campus: str | None, department: str | None
) -> tuple[Cite, ...]:
    """The closures of the days that are told; `campus` is that of hours which name none."""
    found = [closure_on(asked, day.day, at.campus or campus, department) for at in places for day, _ in at.on]
    found += [at.coming for at in places]
    return tuple(dict.fromkeys(("closures", one.id) for one in found if one is not None))


def _at(
    weeks: Sequence[WeeklyHours], asked: Asked, department: str | None, campus: str | None = None
) -> tuple[HoursAt, ...]:
    """The hours at each place that may be meant, with what was asked of them; none for a time of which nobody can tell
    the days, or whether it is closed. `campus` is that of hours which name none."""
    days = asked_days(asked)
    if asked.time.period is not None or (asked.time.week is not None and not _is_usual_week(days, asked)):
        return ()
    meant = asked.campuses or ((campus,) if campus else ())
    wanted = [one for one in weeks if not meant or one.campus is None or one.campus in meant]
    placed = [one if one.campus else one.model_copy(update={"campus": campus}) for one in wanted]
    if any(_is_unsure(week, day, asked, department) for week in placed for day in days):
        return ()
    told = [_hours_at(week, days, asked, department) for week in placed]
    if asked.time.week is not None and not all(one.coming for one in told):
        # That nobody wrote down a closure does not say that a week is as every other.
        return ()
    return tuple(replace(one, campus=week.campus, week=week) for one, week in zip(told, wanted, strict=True))


def _is_usual_week(days: Sequence[DayAsked], asked: Asked) -> bool:
    """Whether a whole week is asked about that has no public holiday."""
    return not days and not any(one.day in asked.holidays for one in days_of_week(asked))


def _is_unsure(week: WeeklyHours, day: DayAsked, asked: Asked, department: str | None) -> bool:
    """Whether hours that name no campus may be those of one that is closed on a day."""
    if day.is_weekly or week.is_always or closure_on(asked, day.day, week.campus, department) is not None:
        return False
    return may_be_closed(asked, day.day, week.campus, department)


def _hours_at(week: WeeklyHours, days: Sequence[DayAsked], asked: Asked, department: str | None) -> HoursAt:
    if not week.by_appointment:
        days = [each for day in days for each in _with_exception(week, day, asked, department)]
    on = tuple((day, _on(week, day, asked, department)) for day in days)
    closed = None if week.is_always else next(_closures(on, week, asked, department), None)
    if week.by_appointment:
        shut = tuple((day, held) for day, held in on if _is_closed(week, day, asked, department))
        return HoursAt(week.campus, week, shut, closed_for=closed if shut else None)
    if not asked.time.is_now:
        coming = None if on or week.is_always else closes_soon(asked, week.campus, department)
        return HoursAt(week.campus, week, on, closed_for=closed, coming=coming)
    today = on[-1][1] if on else None
    is_open = None if today is None else any(hours.holds(asked.now.time()) for hours in today)
    later = _opens_next(week, asked, department) if is_open is False else None
    return HoursAt(week.campus, week, on, is_open, later, closed)


def _with_exception(
    week: WeeklyHours, day: DayAsked, asked: Asked, department: str | None
) -> Iterator[DayAsked]:
    """A day; behind one of every week its next one, where a closure makes that another."""
    yield day
    if day.is_weekly and not week.is_always and closure_on(asked, day.day, week.campus, department) is not None:
        yield DayAsked(day.day, False)


def _closures(
    on: Sequence[tuple[DayAsked, object]], week: WeeklyHours, asked: Asked, department: str | None
) -> Iterator[str]:
    """Why it is closed on days that are told, in words."""
    for day, _ in on:
        closed = None if day.is_weekly else closure_on(asked, day.day, week.campus, department)
        if closed is not None:
            yield called(closed.names, asked)


def _opens_next(week: WeeklyHours, asked: Asked, department: str | None) -> tuple[date, Hours] | None:
    """When it opens next; None where that is not within two weeks, or on a day of which nothing is known."""
    for days in range(LOOKED_AHEAD):
        day = asked.now.date() + timedelta(days=days)
        hours = _on(week, DayAsked(day, False), asked, department)
        if hours is None:
            return None
        later = [one for one in hours if days or one.opens > asked.now.strftime("%H:%M")]
        if later:
            return day, min(later, key=lambda one: one.opens)
    return None


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
    found = [one for one in wanted if _has(one, aspect) and not (aspect == "entrance" and _is_shut(one, asked))]
    if not found or (asked.campuses and len(found) < len(asked.campuses)):
        return None
    found = [_with_what_is_meant(one, aspect, asked) for one in narrowed(found, _said_of(aspect), asked)]
    if aspect == "entrance" and asked.qualifiers & STEPS:
        found = list(_step_free(found))
    if not found:
        return None
    return CampusFacts(aspect, tuple(found), tuple(("campuses", one.id) for one in found))


def _is_shut(campus: Campus, asked: Asked) -> bool:
    """Whether a campus is closed on a day that is asked about: its doors have other hours then."""
    dated = [one.day for one in asked_days(asked) if not one.is_weekly]
    return any(closure_on(asked, day, campus.id, None) is not None for day in dated)


def _step_free(campuses: Sequence[Campus]) -> Iterator[Campus]:
    """Campuses with their doors that have no step; without those that have none such."""
    for one in campuses:
        if doors := [door for door in one.entrances if door.step_free]:
            yield one.model_copy(update={"entrances": doors})


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


def _with_what_is_meant(one: Campus, aspect: str, asked: Asked) -> Campus:
    """A campus with the stops and ways, the car parks or the doors that the question says more of."""
    match aspect:
        case "route":
            ways: list[Transport | Way] = [*one.public_transport, *one.routes]
            meant = narrowed(ways, lambda way: [_of_way(way) if isinstance(way, Way) else _of_stop(way)], asked)
            stops, routes = ([way for way in meant if isinstance(way, kind)] for kind in (Transport, Way))
            return one.model_copy(update={"public_transport": stops, "routes": routes})
        case "parking":
            parks = narrowed(one.parking, lambda park: park.names.values(), asked)
            return one.model_copy(update={"parking": parks})
        case "entrance":
            doors = narrowed(one.entrances, lambda door: door.names.values(), asked)
            return one.model_copy(update={"entrances": doors})
        case _:
            return one


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
    if asked.purposes:
        return line_by_purpose(asked)
    line, hospital = general_line(asked), asked.directory.hospital
    if not (line.phone or hospital.email):
        return None
    if MAIL in asked.qualifiers:
        name = called(hospital.names, asked)
        return PhoneOf(name, (Reach(None, hospital.email),), (HOSPITAL,)) if hospital.email else None
    reach = Reach(line.phone, hospital.email, str(hospital.website) if hospital.website else None, line.when)
    return PhoneOf(called(hospital.names, asked), (reach,), (HOSPITAL,))
