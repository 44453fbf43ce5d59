"""Says numbers, places, hours, and what there is of a campus."""

from __future__ import annotations

from careline.directory.capabilities.facts import CampusFacts, HoursAt, HoursOf, PhoneOf, PlaceOf, Reach
from careline.directory.capabilities.naming import called, campus_called
from careline.directory.entries import Campus, Location, Parking, Transport
from careline.directory.rendering.words import FactStatement, Words
from careline.directory.week import DAYS, Hours, Week, WeeklyHours


def phone(facts: PhoneOf, words: Words) -> list[FactStatement]:
    """How something is reached."""
    name = words.name_of(facts.name, facts.cites)
    said = [_reached(name, reach, words) for reach in facts.reaches]
    first = facts.reaches[0]
    if first.when is not None:
        said.append(words.say("phone_hours", week=words.week(first.when)))
    if not words.asked.voice and first.is_general and first.email and len(facts.reaches) == 1:
        said.append(words.say("also_mail", email=first.email))
    if not words.asked.voice and first.url:
        said.append(words.say("also_url", url=first.url))
    return [FactStatement(text, facts.cites) for text in said]


def _reached(name: str, reach: Reach, words: Words) -> str:
    if reach.is_general and reach.phone:
        own = called(words.asked.directory.hospital.names, words.asked)
        return words.say("phone_hospital" if name == own else "phone_general", name=name, phone=reach.phone)
    if reach.phone is None:
        return words.say("phone_email_only", name=name, email=reach.email or reach.url or "")
    campus = words.campus(reach.campus)
    if campus:
        return words.say("phone_campus", name=name, campus=campus, phone=reach.phone)
    if reach.email and not words.asked.voice:
        return words.say("phone_email", name=name, phone=reach.phone, email=reach.email)
    return words.say("phone", name=name, phone=reach.phone)


def place(facts: PlaceOf, words: Words) -> list[FactStatement]:
    """Where a department is."""
    said = []
    for one in facts.locations:
        campus, where = words.campus(one.campus), _where(one, words)
        if not where:
            where = campus or campus_of(one.campus, words)
        key = "place" if campus and where != campus else "place_only"
        said.append(words.say(key, name=facts.name, campus=campus, where=where))
    return [FactStatement(text, facts.cites) for text in words.as_one(said)]


def campus_of(campus_id: str, words: Words) -> str:
    """The name of a campus, also of the only one."""
    directory = words.asked.directory
    return next((campus_called(one, words.asked) for one in directory.campuses if one.id == campus_id), campus_id)


def _where(one: Location, words: Words) -> str:
    parts = {"building": one.building, "floor": one.floor, "route": one.route, "room": one.room}
    return ", ".join(words.part(key, **{key: str(value)}) for key, value in parts.items() if value is not None)


def hours(facts: HoursOf, words: Words) -> list[FactStatement]:
    """When something is open or may be visited."""
    reasons = {at.closed_for for at in facts.places}
    coming = {at.coming.id: at.coming for at in facts.places if at.coming}
    told = [_at(facts, at, words) for at in facts.places]
    is_everywhere = len(coming) == 1 and all(at.coming for at in facts.places)
    if not is_everywhere:
        told = [_but_soon(texts, at, words) for texts, at in zip(told, facts.places, strict=True)]
    if len(reasons) > 1:
        told = [_because(texts, at, words) for texts, at in zip(told, facts.places, strict=True)]
    said = words.as_one([text for texts in told for text in texts]) if len(told) > 1 else told[0]
    if facts.phone and any(one.week.by_appointment and not one.on for one in facts.places):
        said.append(words.say("appointment_short", phone=facts.phone))
    if len(reasons) == 1 and (reason := facts.places[0].closed_for):
        said.append(words.say("closed_for", reason=reason))
    if is_everywhere:
        said = words.with_closing(said, next(iter(coming.values())))
    if facts.ward:
        said = _of_ward(facts.ward, said, words)
    return [FactStatement(text, facts.cites) for text in dict.fromkeys(said)]


def _of_ward(ward: str, said: list[str], words: Words) -> list[str]:
    """General hours, as those of a ward that has none of its own; by phone in one sentence."""
    lead, first = words.say("only_general", ward=ward), said[0]
    if not words.asked.voice:
        return [lead, *said]
    return [f"{lead.removesuffix('.')}; {first[:1].lower()}{first[1:]}", *said[1:]]


def _because(texts: list[str], at: HoursAt, words: Words) -> list[str]:
    """What is said of one place among others, with why it is closed."""
    if not at.closed_for:
        return texts
    reason = words.say("closed_for", reason=at.closed_for).rstrip(".")
    return [*texts[:-1], f"{texts[-1].rstrip('.')} ({reason})."]


def _but_soon(texts: list[str], at: HoursAt, words: Words) -> list[str]:
    """What is said of one place among others, with when it is closed for days."""
    if at.coming is None:
        return texts
    closed = words.closed_between(at.coming).rstrip(".")
    return [*texts[:-1], f"{texts[-1].rstrip('.')} ({closed[:1].lower()}{closed[1:]})."]


def _at(facts: HoursOf, at: HoursAt, words: Words) -> list[str]:
    if at.open_now is not None:
        return _now(facts, at, words)
    if not at.on:
        return [_whole_week(facts, at.week, words)]
    said = []
    for day, held in at.on:
        values = _values(facts, at, words) | {"day": words.day(day)}
        if held is None:
            name = words.asked.holidays.get(day.day)
            holiday = f" ({name})" if name else ""
            said.append(words.say("unknown_on", **(values | {"day": words.calendar_day(day.day)}), holiday=holiday))
            said += [words.say("ask_them", phone=facts.phone)] if facts.phone else []
        else:
            said.append(_on(facts, at, values, held, words))
    return said


def _values(facts: HoursOf, at: HoursAt, words: Words) -> dict[str, str]:
    campus = words.asked.campus()
    of_campus = words.campus(campus.id) if campus is not None else ""
    return {"name": facts.name or of_campus or words.part("the_hospital"), "campus": words.campus(at.campus)}


def _on(facts: HoursOf, at: HoursAt, values: dict[str, str], held: tuple[Hours, ...], words: Words) -> str:
    suffix = "_at" if values["campus"] else ""
    if facts.visiting:
        if not held:
            return words.say("visit_none_on", **values)
        key = "visit_general_on" if not facts.name else f"visit_on{suffix}"
        return words.say(key, **values, hours=words.hours(held))
    if not held:
        return words.say(f"closed_on{suffix}", **values)
    return words.say(f"open_on{suffix}", **values, hours=words.hours(held))


def _now(facts: HoursOf, at: HoursAt, words: Words) -> list[str]:
    values = _values(facts, at, words)
    suffix = "_at" if values["campus"] else ""
    if at.week.is_always:
        return [_whole_week(facts, at.week, words)]
    if at.open_now:
        today = at.on[-1][1] or ()
        current = next(one for one in today if one.holds(words.asked.now.time()))
        until = words.part("until", to=current.closes)
        return [words.say("visit_now" if facts.visiting else f"open_now{suffix}", **values, until=until)]
    said = [words.say("visit_not_now" if facts.visiting else f"closed_now{suffix}", **values)]
    if at.next_opening is not None:
        day, opening = at.next_opening
        is_today = day == words.asked.now.date()
        named = words.part("today") if is_today else words.part("on_day", day=words.calendar_day(day))
        said.append(words.say("opens_next", day=named, hours=words.hours([opening])))
    return said


def _whole_week(facts: HoursOf, week: WeeklyHours, words: Words) -> str:
    campus = words.campus(week.campus)
    suffix = "_at" if campus else ""
    values = {"name": facts.name or words.part("the_hospital"), "campus": campus}
    if week.by_appointment:
        return _on_appointment(facts, values, words)
    if facts.visiting:
        if week.is_always:
            return words.say("visit_always", **values)
        key = "visit_general" if not facts.name else f"visit{suffix}"
        return words.say(key, **values, week=words.week(week))
    if week.is_always:
        return words.say(f"open_always{suffix}", **values)
    return words.say(f"open{suffix}", **values, week=words.week(week))


def _on_appointment(facts: HoursOf, values: dict[str, str], words: Words) -> str:
    if facts.visiting:
        return words.say("visit_on_appointment", **values)
    return words.say("on_appointment_at" if values["campus"] else "on_appointment", **values)


def campus(facts: CampusFacts, words: Words) -> list[FactStatement]:
    """The address, ways, car parks or doors of each campus."""
    say = {"address": _address, "route": _route, "parking": _parking, "entrance": _entrances}[facts.aspect]
    told = [(text, ("campuses", one.id)) for one in facts.campuses for text in say(one, words) if text]
    if not words.asked.voice:
        return [FactStatement(text, (cite,)) for text, cite in told]
    cites = tuple(dict.fromkeys(cite for _, cite in told))
    return [FactStatement(text, cites) for text in words.as_one([text for text, _ in told])]


def _address(one: Campus, words: Words) -> list[str]:
    if one.address is None:
        return []
    where = one.address
    name = campus_called(one, words.asked)
    return [words.say("address", campus=name, street=where.street, postcode=where.postcode, town=where.town)]


def _route(one: Campus, words: Words) -> list[str]:
    name = campus_called(one, words.asked)
    said = [words.say("way_to", campus=name, stops="; ".join(_stop(stop, words) for stop in one.public_transport))]
    texts = [called(way.text, words.asked) for way in one.routes]
    return [*(said if one.public_transport else []), *texts]


def _stop(stop: Transport, words: Words) -> str:
    minutes = stop.walking_minutes
    key = "walk_one" if minutes == 1 else "walk"
    walk = "" if minutes is None else words.part(key, minutes=str(minutes))
    line = stop.line.replace(" / ", f" {words.part('or')} ") if words.asked.voice else stop.line
    return words.part("stop", kind=words.table("transport")[stop.kind], line=line, stop=stop.stop, walk=walk)


def _parking(one: Campus, words: Words) -> list[str]:
    places = "; ".join(_car_park(park, words) for park in one.parking)
    return [words.say("parking", campus=campus_called(one, words.asked), places=places)]


def _car_park(park: Parking, words: Words) -> str:
    figures = {"spaces": park.capacity, "accessible": park.accessible_spaces, "charging": park.charging_points}
    about = [words.part(key, count=str(count)) for key, count in figures.items() if count]
    if park.max_height_m is not None:
        about.append(words.part("height", height=f"{park.max_height_m:.2f}".replace(".", words.part("decimal"))))
    detail = f" ({', '.join(about)})" if about and not words.asked.voice else ""
    return words.part("parking_place", name=called(park.names, words.asked), about=detail)


def _entrances(one: Campus, words: Words) -> list[str]:
    said = []
    for door in one.entrances:
        if door.hours is None and not door.weekly:
            continue
        daily = [door.hours] if door.hours else []
        weekly: Week = {**dict.fromkeys(DAYS, daily), **door.weekly}
        times = words.week(WeeklyHours(weekly=weekly)) if door.weekly else words.hours(daily)
        step_free = words.part("step_free") if door.step_free else ""
        name = called(door.names, words.asked)
        values = {"entrance": name, "campus": campus_called(one, words.asked), "hours": times}
        said.append(words.say("entrance", **values, step_free=step_free))
    return said


