"""Says who doctors are and when they see patients."""

from __future__ import annotations

from collections.abc import Sequence

from careline.directory.capabilities.facts import DoctorProfile, DoctorSchedule, DoctorsOf, DoctorsOn
from careline.directory.capabilities.naming import called
from careline.directory.entries import Consultation, Doctor
from careline.directory.rendering.words import FactStatement, Words

TOLD = 2
"""Names that are said on the phone; of more nobody remembers the first (spec W5)."""


def schedule(facts: DoctorSchedule, words: Words) -> list[FactStatement]:
    """When a doctor sees patients, and where an appointment is made."""
    doctor = words.doctor(facts.doctor)
    said: list[str] = []
    if facts.absence is not None:
        key = "schedule_absent"
        if facts.doctor.sex == "female" and words.has(f"{key}_female"):
            key += "_female"
        since, until = words.calendar_day(facts.absence.since), words.calendar_day(facts.absence.until)
        said.append(words.say(key, doctor=doctor, **{"from": since, "to": until}))
        if facts.replaced_by is not None:
            said = words.as_one([*said, words.say("replaced", other=words.doctor(facts.replaced_by))])
    elif facts.asked and facts.on_them:
        said.append(words.say("schedule_yes", doctor=doctor, day=_days(facts, words), slots=_on(facts, words)))
    elif facts.asked:
        slots = _slots(facts.consultations, words)
        said.append(words.say("schedule_no", doctor=doctor, day=_days(facts, words), slots=slots))
    else:
        said.append(words.say("schedule", doctor=doctor, slots=_slots(facts.consultations, words)))
    if facts.appointment.phone:
        said.append(words.say("appointment_short", phone=facts.appointment.phone))
    return [FactStatement(text, facts.cites if not n else facts.cites[:1]) for n, text in enumerate(said)]


def _days(facts: DoctorSchedule, words: Words) -> str:
    return words.listed([words.day(one) for one in facts.asked], "or")


def _on(facts: DoctorSchedule, words: Words) -> str:
    if len(facts.asked) > 1:
        return _slots(facts.on_them, words)
    return "; ".join(words.consultation(one, with_day=not (one.opens and one.closes)) for one in facts.on_them)


def _slots(consultations: Sequence[Consultation], words: Words) -> str:
    """Consultations one after another; by phone without their times where there are more than two."""
    brief = words.asked.voice and len(consultations) > TOLD
    texts = [words.consultation(one, with_times=not brief) for one in consultations]
    return words.listed(texts) if brief else "; ".join(texts)


def profile(facts: DoctorProfile, words: Words) -> list[FactStatement]:
    """Who a doctor is; by phone in two sentences, of which the second offers more."""
    doctor, key = facts.doctor, "profile_head" if facts.doctor.role == "head_of_department" else "profile"
    department = called(facts.department.names, words.asked) if facts.department else ""
    said = [words.say(key, doctor=words.doctor(doctor), department=department)]
    focus = called(doctor.focus, words.asked)
    if focus and not words.asked.voice:
        said.append(words.say("profile_focus", focus=focus))
    campuses = [name for one in doctor.campuses if (name := words.campus(one))]
    if campuses and not words.asked.voice:
        said.append(words.say("profile_campuses", campuses=words.listed(campuses)))
    elif campuses:
        said[0] = f"{said[0].rstrip('.')}, {words.listed(campuses)}."
    spoken = [name for code in doctor.languages if (name := _language(code, words))]
    if spoken and not words.asked.voice:
        said.append(words.say("profile_languages", languages=words.listed(spoken)))
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
    department, day = called(facts.department.names, words.asked), words.day(facts.day)
    if not facts.present:
        return [FactStatement(words.say("present_none", department=department, day=day), facts.cites)]
    told = facts.present[:TOLD] if words.asked.voice else facts.present
    joint = words.listed([_present(doctor, held, words) for doctor, held in told])
    return [FactStatement(words.say("present", department=department, day=day, present=joint), facts.cites)]


def _present(doctor: Doctor, held: Consultation, words: Words) -> str:
    return f"{words.doctor(doctor)} ({words.consultation(held, with_day=not (held.opens and held.closes))})"
