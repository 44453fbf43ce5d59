"""Hours and prices of the time that is asked about: the closure of the very place, the price that holds then."""

from __future__ import annotations

from typing import Any

import pytest

from careline.directory.capabilities.facts import HoursOf
from tests.directory.capabilities.askings import asking, facts, told

OFFICE = [{"from": "08:10", "to": "16:50"}]
DAILY = dict.fromkeys(("monday", "tuesday", "wednesday", "thursday", "friday"), OFFICE)


def hospital(**more: Any) -> dict[str, Any]:
    return {
        "hospital": {"visiting_hours": [{"weekly": DAILY}], **more.pop("hospital", {})},
        "campuses": [
            {"id": "quay", "names": {"en": "Quay"}},
            {
                "id": "hill", "names": {"en": "Hill"}, "visiting_hours": [{"weekly": {"monday": OFFICE}}],
                "entrances": [{"names": {"en": "Gate"}, "hours": {"from": "07:00", "to": "19:00"}}],
            },
        ],
        "departments": [
            {"id": "cafe", "names": {"en": "Cafe"}, "campuses": ["quay"], "opening_hours": [{"weekly": DAILY}]},
            {"id": "ward", "names": {"en": "Ward"}, "campuses": ["hill"]},
            {"id": "everywhere", "names": {"en": "Everywhere"}, "campuses": ["quay", "hill"]},
        ],
        **more,
    }  # fmt: skip


def closure(name: str, **more: Any) -> dict[str, Any]:
    return {"id": name.lower(), "names": {"en": name}, "from": "2026-12-11", "to": "2026-12-11", **more}


def cafe(*closures: dict[str, Any], at: str = "on Friday 11 December") -> str:
    return told(asking(hospital(closures=list(closures)), "department_contact/hours", at, departments=("cafe",)))


def test_one_day_is_told_once_with_the_reason_of_its_own_closure() -> None:
    party = closure("Party", departments=["cafe"], hours=[{"from": "08:30", "to": "13:00"}])
    assert cafe(closure("Hill works", id="hill-works", campuses=["hill"]), closure("Move"), party) == (
        "Cafe is open on Friday 11 December from 08:30 to 13:00. Reason: Party."
    )


def test_the_closure_of_another_campus_is_none_of_what_names_no_campus() -> None:
    shut = closure("Shut", campuses=["hill"])
    assert cafe(shut) == "Cafe is open on Friday 11 December from 08:10 to 16:50."
    assert cafe(closure("Shut", campuses=["quay"])) == "Cafe is closed on Friday 11 December. Reason: Shut."


def test_hours_of_nobody_knows_which_campus_are_not_told_while_one_is_closed() -> None:
    written = hospital(closures=[closure("Shut", campuses=["hill"])])
    assert told(asking(written, "visiting_hours", "on 11 December")) == ""
    assert "08:10" in told(asking(written, "visiting_hours", "on 10 December"))
    assert "08:10" in told(asking(written, "visiting_hours", "on 11 December", campuses=("quay",)))


def test_that_nobody_is_visited_on_a_closed_campus_is_said_of_that_campus() -> None:
    asked = asking(hospital(closures=[closure("Shut", campuses=["quay"])]), "visiting_hours", "on 11 December",
                   campuses=("quay",))  # fmt: skip
    assert told(asked) == "There is no visiting on Friday 11 December at Quay. Reason: Shut."
    found = facts(asked)
    assert isinstance(found, HoursOf)
    assert ("closures", "shut") in found.cites


def test_a_month_has_no_hours() -> None:
    assert cafe(at="in January") == ""


def test_a_ward_without_hours_of_its_own_has_the_general_ones_which_is_said() -> None:
    lead = "our directory has the general visiting hours only. The visiting hours"
    everywhere = told(asking(hospital(), "visiting_hours", departments=("everywhere",)))
    assert everywhere.startswith(f"For Everywhere {lead} are Monday to Friday from 08:10 to 16:50")
    ward = told(asking(hospital(), "visiting_hours", departments=("ward",)))
    assert ward.startswith(f"For Ward {lead} of Hill are Monday from 08:10 to 16:50")
    assert told(asking(hospital(), "visiting_hours", departments=("nobody",))) == ""


def test_the_doors_of_a_closed_campus_are_not_told() -> None:
    written = hospital(closures=[closure("Shut", campuses=["hill"])])
    named = {"campuses": ("hill",)}
    assert told(asking(written, "campus_information/entrance", "on 11 December", **named)) == ""
    assert "07:00" in told(asking(written, "campus_information/entrance", "on 12 December", **named))


def price(at: str, *versions: dict[str, Any]) -> str:
    tariffs = [{"id": f"room-{n}", "subject": {"en": "Room"}, "unit": "day", **one} for n, one in enumerate(versions)]
    named = tuple(one["id"] for one in tariffs)
    return told(asking(hospital(tariffs=tariffs), "tariff", at, tariffs=named))


@pytest.mark.parametrize(
    ("at", "said"),
    [
        ("", "Room: €61.00 per day."),
        ("today", "Room: €61.00 per day."),
        ("in December", "Room: €61.00 per day."),
        ("next year", "Room: €66.00 per day, valid from Friday 1 January."),
        ("in January", "Room: €66.00 per day, valid from Friday 1 January."),
        ("on 1 January", "Room: €66.00 per day, valid from Friday 1 January."),
        ("on 31 December", "Room: €61.00 per day."),
    ],
)
def test_the_price_of_the_time_is_told(at: str, said: str) -> None:
    ends, begins = {"amount": "61", "valid_until": "2026-12-31"}, {"amount": "66", "valid_from": "2027-01-01"}
    assert price(at, ends, begins) == said


def test_a_price_to_come_is_none_of_today() -> None:
    assert price("", {"amount": "66", "valid_from": "2027-01-01"}) == ""


def test_of_a_price_without_an_end_nobody_knows_what_it_is_next_year() -> None:
    assert price("next year", {"amount": "61"}) == ""
    assert price("next year", {"amount": "61", "valid_until": "2027-12-31"}) == "Room: €61.00 per day."
    assert price("next year", {"amount": "61", "valid_until": "2027-06-30"}) == ""


def test_by_the_piece_goes_without_saying() -> None:
    written = hospital(tariffs=[{"id": "fine", "subject": {"en": "Fine"}, "unit": "item", "amount": "19"}])
    assert told(asking(written, "tariff", tariffs=("fine",))) == "Fine: €19.00."
    assert told(asking(written, "tariff", tariffs=("fine",), units=("item",))) == "Fine: €19.00 per item."


@pytest.mark.parametrize(("held", "said"), [([], "Works at"), ([{"weekday": "monday"}], "Sees patients at")])
def test_who_has_no_consultations_sees_no_patients(held: list[dict[str, str]], said: str) -> None:
    doctor = {"id": "bo", "last_name": "Bo", "department": "ward", "campuses": ["quay"], "consultations": held}
    text = told(asking(hospital(doctors=[doctor]), "doctor_lookup/profile", doctors=("bo",)))
    assert f"{said} Quay." in text
    assert ("consultation hours?" in text) == bool(held)
