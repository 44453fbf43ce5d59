"""Which capabilities heed what a question says besides: one that knows nothing of "not", "another" or "for pensioners"
answers nothing where that is said, as its answer would be that to another question."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from careline.directory.capabilities.facts import Asked
from careline.directory.capabilities.purposes import COMPLAINTS, LOST
from careline.directory.capabilities.purposes import NAME as PURPOSES
from careline.directory.phrase_tables import found_in
from careline.directory.qualifiers import DENIED, KNOWING, NAME, is_for_somebody
from careline.text.asked_words import words_of

SYMPTOM, TARIFF, VISITING = "ambiguous_symptom_description", "tariff", "visiting_hours"
PROFILE, STAFF, SCHEDULE = "doctor_lookup/profile", "doctor_lookup/list", "doctor_schedule_query"
PHONE, PLACE, HOURS = "department_contact/phone", "department_contact/place", "department_contact/hours"
ADDRESS, ROUTE = "campus_information/address", "campus_information/route"
PARKING, ENTRANCE = "campus_information/parking", "campus_information/entrance"
BILLING, COMPLAINT, GENERAL = "billing_contact", "complaint_contact", "general_contact"
APPOINTMENT = "appointment_scheduling"
_DOCTORS = frozenset((PROFILE, STAFF, SCHEDULE))
_TIMED = frozenset((SCHEDULE, HOURS, VISITING, ENTRANCE))
_TO_CALL = frozenset((BILLING, COMPLAINT, SYMPTOM))
_EVERY = frozenset((*_DOCTORS, *_TIMED, *_TO_CALL, TARIFF, PHONE, PLACE, ADDRESS, ROUTE, PARKING, GENERAL, APPOINTMENT))
_FOR_SOME = frozenset((TARIFF, VISITING, PARKING, ENTRANCE))
_OF_A_PURPOSE = frozenset((BILLING, COMPLAINT, PHONE, GENERAL, APPOINTMENT, SYMPTOM))
"""Labels that tell whom to turn to, with whatever it is."""
_UNHEEDED: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        DENIED: frozenset((*_DOCTORS, *_TIMED, TARIFF, PARKING, APPOINTMENT)),
        "other": _EVERY,
        # Of prices all are told, each with what it is for: whoever hears them sees which is less.
        "compared": _EVERY - {TARIFF},
        "judged": _DOCTORS,
        "past": frozenset((*_DOCTORS, *_TIMED, TARIFF)),
        "allowed": frozenset((*_DOCTORS, ENTRANCE, PARKING, HOURS, PLACE, ADDRESS, ROUTE, TARIFF)),
        "done": _EVERY - _TO_CALL,
        "needed": _EVERY - {SYMPTOM},
        "reason": _EVERY,
        "counted": _EVERY - {PARKING, TARIFF},
        "often": _EVERY,
        "first_or_last": frozenset((ROUTE,)),
        "private": _DOCTORS,
        "unheld": _EVERY - {COMPLAINT},
        "mail": _EVERY - {PHONE, GENERAL, BILLING, COMPLAINT},
        **dict.fromkeys(("of_car_park", "paid", "opened"), frozenset((PARKING,))),
        "available": frozenset((TARIFF, PARKING)),
        "on_call": frozenset((*_DOCTORS, HOURS, PLACE, PHONE, ADDRESS)),
        "far": frozenset((PLACE, ADDRESS)),
        "of_disabled": frozenset((TARIFF, VISITING)),
        "of_staff": _FOR_SOME | {HOURS},
        **dict.fromkeys(("of_children", "of_seniors", "of_students", "of_donors", "of_unemployed"), _FOR_SOME),
        "of_insured": frozenset((TARIFF, PARKING)),
        **dict.fromkeys(("beyond", "given_back"), frozenset((TARIFF,))),
    }
)
"""By qualifier the labels that know nothing of it."""
_OF_A_PRICE = frozenset(("compared", "counted", KNOWING, "paid", "priced"))
"""What is said of any price."""


def names_what_is_paid(qualifier: str) -> bool:
    """Whether the words of a qualifier name what a price is of, where one is asked: they are said of a place or of
    somebody else, as the wheelchair is of an entrance, and not of the price."""
    return qualifier not in _OF_A_PRICE and TARIFF not in _UNHEEDED.get(qualifier, ())


def unheeded(asked: Asked, told: str) -> frozenset[str]:
    """What a question says besides that the answer `told` heeds in no way. What that says itself is heeded."""
    label = asked.label
    left = {one for one in asked.qualifiers if label in _UNHEEDED.get(one, ())}
    if label not in _OF_A_PURPOSE:
        left |= asked.purposes & {COMPLAINTS, LOST}
    if label in (PARKING, ROUTE) and asked.is_short and not asked.time.is_any:
        # Neither a car park nor a line is known by its days.
        left.add("opened")
    if label == ROUTE and asked.is_short and DENIED in asked.qualifiers:
        # "Which bus does not stop there?"; who tells a story may have no car.
        left.add(DENIED)
    if label == ENTRANCE and "steps" in asked.qualifiers:
        left -= {DENIED}
    words = words_of(told)
    said = {table for name in (NAME, PURPOSES) for table, _, _ in found_in(words, name, asked.language)}
    if label == TARIFF and any(map(is_for_somebody, said)):
        # What a companion pays for a meal is not what a patient does.
        left |= set(filter(is_for_somebody, asked.qualifiers))
    return frozenset(left - said)
