"""Says who doctors are and when they see patients."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from careline.directory.capabilities.facts import DayHeld, DoctorProfile, DoctorSchedule, DoctorsOf, DoctorsOn
from careline.directory.capabilities.naming import called
from careline.directory.entries import Absence, Consultation, Doctor
from careline.directory.rendering.words import FactStatement, Words

TOLD = 2
"""Names that are said on the phone; of more nobody remembers the first (spec W5)."""
SPOKEN = 4
"""Days of a doctor that are said on the phone with their times."""


def schedule(facts: DoctorSchedule, words: Words) -> list[FactStatement]:
    """When a doctor sees patients, and where an appointment is made."""
    unknown = next((one for one in facts.asked if not one.is_known), None)
    if facts.absence is not None:
        said = _away(facts.doctor, facts.absence, facts.replaced_by, words)
    elif unknown is not None:
        said = [_unknown(unknown.day.day, words.doctor(facts.doctor), "schedule_unknown", "doctor", words)]
    else:
        said = [_on_days(facts, words) if facts.asked else _whole(facts, words)]
        if facts.coming is not None:
            said = words.with_closing(said, facts.coming)
    if facts.appointment.phone:
        key = "appointment_short" if unknown is None or facts.absence is not None else "ask_them"
        said.append(words.say(key, phone=facts.appointment.phone))
    resting = 1 if facts.coming is None else 2
    return [FactStatement(text, facts.cites if n < resting else facts.cites[:1]) for n, text in enumerate(said)]


def _unknown(day: date, name: str, key: str, slot: str, words: Words) -> str:
    """That a day is a public holiday of which nothing is known."""
    called_so = words.asked.holidays.get(day)
    holiday = f" ({called_so})" if called_so else ""
    return words.say(key, day=words.calendar_day(day), holiday=holiday, **{slot: name})


def _whole(facts: DoctorSchedule, words: Words) -> str:
    """All consultations, with the days from or until which a doctor has them where a month is asked about."""
    slots, one = _slots(facts.consultations, words), facts.doctor
    if (period := words.asked.time.period) is not None:
        if one.valid_from is not None and one.valid_from > period[0]:
            slots += words.part("from_day", day=words.calendar_day(one.valid_from))
        if one.valid_until is not None and one.valid_until < period[1]:
            slots += words.part("until_day", day=words.calendar_day(one.valid_until))
    return words.say("schedule", doctor=words.doctor(one), slots=slots)


def _on_days(facts: DoctorSchedule, words: Words) -> str:
    """Whether a doctor sees patients on the days that are asked about, and when instead."""
    doctor = words.doctor(facts.doctor)
    held, not_held = [one for one in facts.asked if one.held], [one for one in facts.asked if not one.held]
    if not held:
        # On the phone the next day alone: of both nobody remembers the first.
        key = "schedule_no_follows" if words.asked.voice and facts.follows is not None else "schedule_no"
        return words.say(
            key, doctor=doctor, day=_days(not_held, words, "or"), at=_at_campus(words),
            slots=_slots(facts.consultations, words), follows=_follows(facts, words),
        )  # fmt: skip
    on_them = list(dict.fromkeys(each for one in held for each in one.held))
    slots = _slots(on_them, words) if len(held) > 1 else _of_day(on_them, words)
    if not_held:
        days = _days(held, words, "and")
        return words.say("schedule_some", doctor=doctor, day=days, slots=slots, not_day=_days(not_held, words, "or"))
    return words.say("schedule_yes", doctor=doctor, day=_days(held, words, "and"), slots=slots)


def _at_campus(words: Words) -> str:
    campus = words.asked.campus()
    name = words.campus(campus.id) if campus is not None else ""
    return words.part("at_campus", campus=name) if name else ""


def _follows(facts: DoctorSchedule, words: Words) -> str:
    """The next day on which a doctor sees patients, with its times."""
    if facts.follows is None:
        return ""
    day, one = facts.follows
    times = _of_day([one.model_copy(update={"frequency": "weekly"})], words) if one.opens and one.closes else ""
    return words.part("follows", slot=f"{words.calendar_day(day)} {times}".strip())


def _away(one: Doctor, absence: Absence, replaced_by: Doctor | None, words: Words) -> list[str]:
    """From when to when a doctor is away, and who stands in."""
    key = "schedule_absent"
    if one.sex == "female" and words.has(f"{key}_female"):
        key += "_female"
    since, until = words.calendar_day(absence.since), words.calendar_day(absence.until)
    said = [words.say(key, doctor=words.doctor(one), **{"from": since, "to": until})]
    if replaced_by is None:
        return said
    return words.as_one([*said, words.say("replaced", other=words.doctor(replaced_by))])


def _days(days: Sequence[DayHeld], words: Words, joint: str) -> str:
    """Days as they are asked about, each with what closes it."""
    told = [words.asked_day(one.day) + (f" ({one.closed_for})" if one.closed_for else "") for one in days]
    return words.listed(told, joint)


def _of_day(held: Sequence[Consultation], words: Words) -> str:
    """Consultations of one day that is named; by their parts of it where they have no times."""
    timed = all(one.opens and one.closes for one in held)
    return "; ".join(words.consultations(held, with_day=not timed))


def _slots(consultations: Sequence[Consultation], words: Words) -> str:
    """Consultations one after another; by phone without their times where nobody would remember so many."""
    texts = words.consultations(consultations)
    if words.asked.voice and len(texts) > SPOKEN:
        return words.listed(words.consultations(consultations, with_times=False))
    return "; ".join(texts)


def profile(facts: DoctorProfile, words: Words) -> list[FactStatement]:
    """Who a doctor is; by phone in two sentences, of which the second offers more."""
    doctor, named = facts.doctor, "profile_head" if facts.doctor.role == "head_of_department" else "profile"
    department = called(facts.department.names, words.asked) if facts.department else ""
    said = [words.say(named, doctor=words.doctor(doctor), department=department)]
    focus = called(doctor.focus, words.asked)
    if focus and not words.asked.voice:
        said.append(words.say("profile_focus", focus=focus))
    campuses = [name for one in doctor.campuses if (name := words.campus(one))]
    if campuses and not words.asked.voice:
        key = "profile_campuses" if doctor.consultations else "profile_works_at"
        said.append(words.say(key, campuses=words.listed(campuses)))
    elif campuses:
        said[0] = f"{said[0].rstrip('.')}, {words.listed(campuses)}."
    spoken = [name for code in doctor.languages if (name := _language(code, words))]
    if spoken and not words.asked.voice:
        said.append(words.say("profile_languages", languages=words.listed(spoken)))
    if facts.absence is not None:
        # By phone in place of the offer: nobody makes an appointment with who is away.
        said += _away(doctor, facts.absence, facts.replaced_by, words)
    if doctor.consultations and (facts.absence is None or not words.asked.voice):
        said.append(words.say("offer_profile"))
    return [FactStatement(text, facts.cites) for text in said]


def _language(code: str, words: Words) -> str:
    return str(words.table("languages").get(code, code))


def doctors(facts: DoctorsOf, words: Words) -> list[FactStatement]:
    """Who works in a department: all of them in chat, two by phone."""
    department = called(facts.department.names, words.asked)
    if facts.campus is not None:
        department = ", ".join(part for part in (department, words.campus(facts.campus.id)) if part)
    if not facts.doctors:
        return [FactStatement(words.say("doctors_none", department=department), facts.cites)]
    names = [words.doctor(one) for one in facts.doctors]
    key = _doctors_key(facts)
    if words.asked.voice and len(names) > TOLD + 1 and key == "doctors":
        told = words.listed(names[:TOLD])
        more = str(len(names) - TOLD)
        said = words.say("doctors_voice", department=department, doctors=told, more=more)
    else:
        values = {"language": _language(facts.spoken, words)} if facts.spoken else {}
        said = words.say(key, department=department, doctors=words.listed(names), **values)
    offer = words.say("offer_profile" if len(names) == 1 else "offer_doctors")
    return [FactStatement(said, facts.cites), FactStatement(offer, facts.cites[:1])]


def _doctors_key(facts: DoctorsOf) -> str:
    if facts.is_head:
        return "doctors_head" if len(facts.doctors) == 1 else "doctors_heads"
    if facts.spoken:
        return "doctors_spoken"
    if facts.sex:
        return f"doctors_{facts.sex}"
    return "doctors_one" if len(facts.doctors) == 1 else "doctors"


def present(facts: DoctorsOn, words: Words) -> list[FactStatement]:
    """Who of a department sees patients on a day."""
    department = called(facts.department.names, words.asked)
    if not facts.is_known:
        said = [_unknown(facts.day.day, department, "unknown_on", "name", words)]
        said += [words.say("ask_them", phone=facts.phone)] if facts.phone else []
        return [FactStatement(text, facts.cites) for text in said]
    day = _days([DayHeld(facts.day, closed_for=facts.closed_for)], words, "or")
    if not facts.present:
        none_there = words.say("present_none", department=f"{department}{_at_campus(words)}", day=day)
        return [FactStatement(none_there, facts.cites)]
    told = facts.present[:TOLD] if words.asked.voice else facts.present
    joint = words.listed([f"{words.doctor(doctor)} ({_of_day(held, words)})" for doctor, held in told])
    return [FactStatement(words.say("present", department=department, day=day, present=joint), facts.cites)]
