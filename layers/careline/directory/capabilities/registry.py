"""Which capability answers which intent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeAlias

from careline.directory.capabilities import people, places, schedules, services
from careline.directory.capabilities.facts import Asked, Facts, WhichOne

Capability: TypeAlias = Callable[[Asked], Facts | WhichOne | None]
"""Facts of the directory; which of several is meant; None where it holds nothing of what is asked."""
CAPABILITIES: Mapping[str, Capability] = MappingProxyType(
    {
        "ambiguous_symptom_description": services.department_for,
        "doctor_lookup/profile": people.doctor_profile,
        "doctor_lookup/list": schedules.doctors_on_days,
        "doctor_schedule_query": schedules.doctor_schedule,
        "department_contact/phone": places.phone_of,
        "department_contact/place": places.place_of,
        "department_contact/hours": places.hours_of,
        "campus_information/address": places.campus_facts,
        "campus_information/route": places.campus_facts,
        "campus_information/parking": places.campus_facts,
        "campus_information/entrance": places.campus_facts,
        "visiting_hours": places.visiting_hours,
        "tariff": services.tariff,
        "billing_contact": services.billing_contact,
        "complaint_contact": services.complaint_contact,
        "general_contact": places.general_contact,
        "appointment_scheduling": services.appointment,
    }
)


def capability_of(intent: str, sub_intent: str = "") -> Capability | None:
    """What answers an intent; None where only documents can."""
    return CAPABILITIES.get(f"{intent}/{sub_intent}" if sub_intent else intent)
