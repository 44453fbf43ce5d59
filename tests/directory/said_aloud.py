"""A small hospital, and what is asked of each capability of its directory on the phone."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from careline.directory.asked_time import ANY_TIME, asked_time
from careline.directory.capabilities.days import public_holidays
from careline.directory.capabilities.facts import Asked, WhichOne
from careline.directory.capabilities.registry import capability_of
from careline.directory.directory import Directory
from careline.directory.rendering.render import rendered
from careline.directory.rendering.words import FactStatement
from careline.speech.spoken.speaker import Speaker

NOW = datetime(2026, 12, 2, 10, 15, tzinfo=ZoneInfo("Europe/Brussels"))
"""A Wednesday of an odd week."""
OFFICE = [{"from": "09:00", "to": "12:30"}, {"from": "13:30", "to": "17:00"}]
DAILY = {day: [{"from": "14:00", "to": "20:00"}] for day in ("monday", "tuesday", "wednesday", "thursday", "friday")}
NORTH, SOUTH = "noord", "zuid"


def _names(nl: str, en: str, fr: str, it: str) -> dict[str, str]:
    return {"nl": nl, "en": en, "fr": fr, "it": it}


HOSPITAL = Directory.model_validate(
    {
        "hospital": {
            "names": _names("Sint-Lucia", "Saint Lucy", "Sainte-Lucie", "Santa Lucia"), "country": "BE",
            "phones": {"main": "03 240 20 00", "appointments": "03 240 20 20"},
            "phone_hours": {"main": {day: [{"from": "07:00", "to": "19:30"}] for day in DAILY}},
            "visiting_hours": [{"weekly": DAILY}],
        },
        "campuses": [
            {
                "id": NORTH, "names": _names("Campus Noord", "North campus", "Campus Nord", "Sede Nord"),
                "role": "main", "phone": "03 240 20 00",
                "address": {"street": "Kerkstraat 12", "postcode": "2060", "town": "Antwerpen"},
                "entrances": [
                    {
                        "names": _names("Hoofdingang", "Main entrance", "Entrée principale", "Ingresso principale"),
                        "hours": {"from": "06:30", "to": "21:00"}, "step_free": True,
                    },
                ],
                "public_transport": [{"kind": "tram", "line": "2 / 6", "stop": "Kerkstraat", "walking_minutes": 1}],
                "parking": [{"names": _names("P1", "P1", "P1", "P1"), "capacity": 120}],
            },
            {
                "id": SOUTH, "names": _names("Campus Zuid", "South campus", "Campus Sud", "Sede Sud"),
                "address": {"street": "Zuidlaan 3", "postcode": "2610", "town": "Wilrijk"},
            },
        ],
        "departments": [
            {
                "id": "heart", "names": _names("Cardiologie", "Cardiology", "Cardiologie", "Cardiologia"),
                "phone": "03 240 21 32", "opening_hours": [{"campus": NORTH, "weekly": {"tuesday": OFFICE}}],
                "locations": [
                    {"campus": NORTH, "building": "B", "floor": 2, "route": 32},
                    {"campus": SOUTH, "floor": 1, "route": 132},
                ],
            },
            {
                "id": "bills", "names": _names("Facturatie", "Billing", "Facturation", "Fatturazione"),
                "phone": "03 240 21 17", "contact_for": ["billing"],
            },
        ],
        "doctors": [
            {
                "id": "ada", "title": "Prof. dr.", "first_name": "Ada", "last_name": "Vermeulen", "sex": "female",
                "department": "heart", "role": "head_of_department", "campuses": [NORTH], "consultations": [
                    {"weekday": "wednesday", "part": "morning", "from": "09:00", "to": "12:30", "campus": NORTH},
                    {"weekday": "friday", "part": "afternoon", "from": "13:30", "to": "17:00", "campus": SOUTH,
                     "frequency": "even_weeks"},
                ],
            },
            {
                "id": "bram", "title": "Dr.", "first_name": "Bram", "last_name": "Celis", "sex": "male",
                "department": "heart", "consultations": [
                    {"weekday": "monday", "part": "morning", "frequency": "first_of_month"},
                    {"weekday": "tuesday", "part": "evening", "frequency": "by_appointment"},
                    {"weekday": "thursday", "part": "afternoon"},
                ],
                "absences": [{"from": "2026-12-21", "to": "2026-12-31", "replaced_by": "ada"}],
            },
            {"id": "cleo", "title": "Dr.", "first_name": "Cleo", "last_name": "Baert", "department": "heart"},
            {"id": "daan", "title": "Dr.", "first_name": "Daan", "last_name": "Maes", "department": "heart"},
        ],
        "tariffs": [
            {
                "id": "park-n", "subject": _names("Parkeren", "Parking", "Parking", "Parcheggio"), "campus": NORTH,
                "amount": "1.50", "unit": "hour",
            },
            {
                "id": "park-n-day", "subject": _names("Parkeren", "Parking", "Parking", "Parcheggio"), "campus": NORTH,
                "amount": "12", "unit": "day", "condition": _names("hoogstens", "at most", "au plus", "al massimo"),
            },
            {
                "id": "park-s", "subject": _names("Parkeren", "Parking", "Parking", "Parcheggio"), "campus": SOUTH,
                "amount": "0",
            },
        ],
        "contacts": [
            {
                "id": "ombuds", "purpose": "complaints",
                "names": _names("Ombudsdienst", "Ombuds service", "Service de médiation", "Mediazione"),
                "phone": "03 240 21 16", "opening_hours": [{"weekly": {"tuesday": OFFICE}}],
            },
        ],
    }
)  # fmt: skip

HEART = {"departments": ("heart",)}
QUESTIONS: Mapping[str, Mapping[str, Any]] = {
    "schedule": {"of": "doctor_schedule_query", "doctors": ("ada",)},
    "schedule_of_many": {"of": "doctor_schedule_query", "doctors": ("bram",)},
    "schedule_today": {"of": "doctor_schedule_query", "doctors": ("ada",), "at": "today"},
    "schedule_not_on": {"of": "doctor_schedule_query", "doctors": ("ada",), "at": "on Tuesday"},
    "schedule_not_that_friday": {"of": "doctor_schedule_query", "doctors": ("ada",), "at": "on Friday 4 December"},
    "schedule_next_friday": {"of": "doctor_schedule_query", "doctors": ("ada",), "at": "next Friday"},
    "schedule_of_another_part": {"of": "doctor_schedule_query", "doctors": ("ada",), "at": "on Wednesday afternoon"},
    "schedule_at_another_hour": {"of": "doctor_schedule_query", "doctors": ("ada",), "at": "on Wednesday at 15:00"},
    "schedule_elsewhere": {
        "of": "doctor_schedule_query", "doctors": ("ada",), "campuses": (SOUTH,), "at": "on Wednesday",
    },
    "schedule_on_a_holiday": {"of": "doctor_schedule_query", "doctors": ("ada",), "at": "on 25 December"},
    "schedule_away": {"of": "doctor_schedule_query", "doctors": ("bram",), "at": "on 22 December"},
    "present": {"of": "doctor_schedule_query", **HEART, "at": "on Wednesday"},
    "profile": {"of": "doctor_lookup/profile", "doctors": ("ada",)},
    "doctors": {"of": "doctor_lookup/list", **HEART},
    "head": {"of": "doctor_lookup/list", **HEART, "is_head": True},
    "phone": {"of": "department_contact/phone", **HEART},
    "place": {"of": "department_contact/place", **HEART},
    "hours": {"of": "department_contact/hours", **HEART},
    "hours_now": {"of": "department_contact/hours", **HEART, "at": "now"},
    "hours_on_a_holiday": {"of": "department_contact/hours", **HEART, "at": "on 25 December"},
    "address": {"of": "campus_information/address"},
    "route": {"of": "campus_information/route", "campuses": (NORTH,)},
    "parking": {"of": "campus_information/parking", "campuses": (NORTH,)},
    "entrance": {"of": "campus_information/entrance", "campuses": (NORTH,)},
    "visiting": {"of": "visiting_hours"},
    "visiting_a_ward": {"of": "visiting_hours", **HEART},
    "tariff": {"of": "tariff", "tariffs": ("park-n", "park-n-day", "park-s")},
    "billing": {"of": "billing_contact"},
    "complaints": {"of": "complaint_contact"},
    "general": {"of": "general_contact"},
    "appointment": {"of": "appointment_scheduling", "doctors": ("ada",)},
    "symptom": {"of": "ambiguous_symptom_description", **HEART, "complaint": "X"},
}
"""What is asked, by a name of it; every capability at least once."""


def told(name: str, language: str, *, voice: bool) -> list[FactStatement]:
    """What the directory says to a question."""
    values = dict(QUESTIONS[name])
    intent, _, sub_intent = values.pop("of").partition("/")
    at = values.pop("at", None)
    asked = Asked(
        HOSPITAL, NOW, language, intent, sub_intent, time=asked_time(at, "en", NOW) if at else ANY_TIME,
        holidays=public_holidays(HOSPITAL.country, NOW.year, language), voice=voice, **values,
    )  # fmt: skip
    capability = capability_of(intent, sub_intent)
    assert capability is not None
    found = capability(asked)
    assert found is not None
    assert not isinstance(found, WhichOne)
    return rendered(found, asked)


def said_aloud(name: str, language: str) -> str:
    """The same as it is spoken."""
    return Speaker(language).say(" ".join(one.text for one in told(name, language, voice=True)))
