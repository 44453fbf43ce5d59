"""When a doctor is said to see patients: never on a day, at a place or in a time against which the directory speaks."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from careline.directory.capabilities.facts import DoctorSchedule
from careline.directory.week import DAYS
from tests.directory.capabilities.askings import NOW, asking, facts, told

SCHEDULE = "doctor_schedule_query"
FREQUENCIES = ("weekly", "even_weeks", "odd_weeks", "first_of_month", "last_of_month")


def hospital(
    *consultations: dict[str, Any], closures: tuple[dict[str, Any], ...] = (), **doctor: Any
) -> dict[str, Any]:
    held = [{"from": "09:10", "to": "12:20", **one} for one in consultations]
    return {
        "campuses": [{"id": "quay", "names": {"en": "Quay"}}, {"id": "hill", "names": {"en": "Hill"}}],
        "departments": [{"id": "skin", "names": {"en": "Skin"}, "phone": "09 1", "campuses": ["quay", "hill"]}],
        "doctors": [{"id": "ann", "last_name": "Ann", "department": "skin", "consultations": held, **doctor}],
        "closures": [{"id": f"shut-{n}", "names": {"en": f"Reason {n}"}, **one} for n, one in enumerate(closures)],
    }


def said(written: dict[str, Any], at: str, **named: Any) -> str:
    return told(asking(written, SCHEDULE, at, doctors=("ann",), **named))


def shut(day: str, **more: Any) -> dict[str, Any]:
    return {"from": day, "to": day, **more}


FRIDAY = {"weekday": "friday", "campus": "quay"}


@given(
    weekday=st.sampled_from(DAYS), frequency=st.sampled_from(FREQUENCIES), ahead=st.integers(0, 120),
    closed=st.lists(st.tuples(st.integers(0, 120), st.sampled_from(("quay", "hill", ""))), max_size=3),
    away=st.tuples(st.integers(0, 120), st.integers(0, 20)), until=st.integers(0, 150),
)  # fmt: skip
def test_nobody_is_said_to_be_there_against_what_is_written(
    weekday: str, frequency: str, ahead: int, closed: list[tuple[int, str]], away: tuple[int, int], until: int
) -> None:
    today = NOW.date()
    day, ends = today + timedelta(days=ahead), today + timedelta(days=until)
    since = today + timedelta(days=away[0])
    absent = {"from": since, "to": since + timedelta(days=away[1])}
    closures = tuple(
        {"from": today + timedelta(days=at), "to": today + timedelta(days=at), "campuses": [place] if place else []}
        for at, place in closed
    )
    written = hospital(
        {"weekday": weekday, "campus": "quay", "frequency": frequency},
        closures=closures, absences=[absent], valid_until=ends,
    )  # fmt: skip
    asked = asking(written, SCHEDULE, f"on {day.day} {day:%B} {day.year}", doctors=("ann",))
    found = facts(asked)
    is_there = isinstance(found, DoctorSchedule) and found.absence is None and any(one.held for one in found.asked)
    speaks_against = (
        DAYS[day.weekday()] != weekday
        or (frequency == "even_weeks" and day.isocalendar().week % 2)
        or (frequency == "odd_weeks" and not day.isocalendar().week % 2)
        or (frequency == "first_of_month" and day.day > 7)
        or (frequency == "last_of_month" and (day + timedelta(days=7)).month == day.month)
        or any(today + timedelta(days=at) == day and place != "hill" for at, place in closed)
        or since <= day <= since + timedelta(days=away[1])
        or day in asked.holidays
        or day > ends
    )
    assert is_there == (not speaks_against)


def test_a_no_to_a_date_says_the_next_one() -> None:
    written = hospital({**FRIDAY, "frequency": "even_weeks"})
    assert said(written, "on Friday 4 December").startswith(
        "No, Ann sees no patients on Friday 4 December, but does on Friday morning from 09:10 to 12:20, in even weeks, "
        "Quay; the next time is Friday 11 December from 09:10 to 12:20, Quay."
    )


def test_the_next_time_is_on_no_holiday_and_in_no_absence_or_closure() -> None:
    written = hospital(FRIDAY, closures=(shut("2026-12-18"), shut("2026-12-11", campuses=["quay"])),
                       absences=[{"from": "2027-01-04", "to": "2027-01-10"}])  # fmt: skip
    # 25 December and 1 January are Fridays.
    assert "the next time is Friday 15 January" in said(written, "on 11 December")


def test_a_weekday_alone_is_its_next_day_where_that_is_another_than_all_others() -> None:
    assert said(hospital(FRIDAY), "on Friday").startswith("Yes, Ann sees patients on Friday:")
    closed = said(hospital(FRIDAY, closures=(shut("2026-12-04"),)), "on Friday")
    assert closed.startswith("No, Ann sees no patients on Friday 4 December (Reason 0)")


def test_of_two_days_that_is_told_on_which_and_on_which_not() -> None:
    text = said(hospital({**FRIDAY, "frequency": "even_weeks"}), "next Friday")
    assert text.startswith("Ann sees patients on Friday 11 December: ")
    assert "not on Friday 4 December." in text


def test_a_public_holiday_is_no_yes_and_no_no() -> None:
    text = said(hospital(FRIDAY), "on 25 December")
    assert text == (
        "Friday 25 December is a public holiday (Christmas Day); whether Ann sees patients then is not in our "
        "directory. Call 09 1 to be sure."
    )
    assert said(hospital({"weekday": "monday"}), "on 25 December").startswith("No, ")


def test_the_closure_of_another_campus_or_department_is_no_reason() -> None:
    written = hospital(FRIDAY, closures=(shut("2026-12-04", campuses=["hill"]), shut("2026-12-04", departments=[])))
    assert "(Reason 1)" in said(written, "on 4 December")
    assert said(hospital(FRIDAY, closures=(shut("2026-12-04", campuses=["hill"]),)), "on 4 December").startswith("Yes")


def test_where_nobody_wrote_down_at_which_campus_a_closed_one_leaves_it_open() -> None:
    closed = (shut("2026-12-04", campuses=["hill"]),)
    assert said(hospital({"weekday": "friday"}, closures=closed), "on 4 December") == ""
    assert said(hospital({"weekday": "friday"}, closures=closed, campuses=["hill"]), "on 4 December").startswith("No")


@pytest.mark.parametrize(("hours", "is_told"), [(("08:00", "13:00"), True), (("08:00", "11:00"), False)])
def test_of_a_day_of_other_hours_a_consultation_within_them_is_told(hours: tuple[str, str], is_told: bool) -> None:
    other = shut("2026-12-04", hours=[{"from": hours[0], "to": hours[1]}])
    text = said(hospital(FRIDAY, closures=(other,)), "on 4 December")
    assert text.startswith("Yes") if is_told else text == ""


@pytest.mark.parametrize(
    ("at", "begins"),
    [
        ("on Friday morning", "Yes, Ann sees patients on Friday morning: "),
        ("on Friday afternoon", "No, Ann sees no patients on Friday afternoon, "),
        ("on Friday at 10:00", "Yes, Ann sees patients on Friday at 10:00: "),
        ("on Friday at 15:00", "No, Ann sees no patients on Friday at 15:00, "),
        ("on Friday 4 December in the afternoon", "No, Ann sees no patients on Friday 4 December in the afternoon, "),
        ("in the afternoon", "Ann sees patients on Friday morning "),
    ],
)
def test_the_part_of_the_day_and_the_hour_are_in_what_is_said(at: str, begins: str) -> None:
    assert said(hospital(FRIDAY), at).startswith(begins)


def test_a_consultation_over_noon_is_in_the_morning_and_the_afternoon() -> None:
    long = hospital({**FRIDAY, "from": "09:00", "to": "17:00"})
    assert said(long, "on Friday morning").startswith("Yes")
    assert said(long, "on Friday afternoon").startswith("Yes")
    assert said(long, "on Friday evening").startswith("No")


def test_by_appointment_is_of_no_part_of_the_day() -> None:
    written = hospital({"weekday": "friday", "from": None, "to": None, "frequency": "by_appointment"})
    assert said(written, "on Friday afternoon").startswith("Ann sees patients on Friday, by appointment.")


def test_on_another_campus_then_is_told_with_the_campus() -> None:
    written = hospital(FRIDAY, {"weekday": "monday", "campus": "hill"})
    text = said(written, "on Friday", campuses=("hill",))
    assert text.startswith("No, Ann sees no patients on Friday at Hill, but does on Monday morning")
    assert "Friday morning from 09:10 to 12:20, Quay" in text


def test_who_is_valid_from_or_until_a_day_is_told_of_that_time_alone() -> None:
    ends, begins = hospital(FRIDAY, valid_until="2026-12-31"), hospital(FRIDAY, valid_from="2027-02-08")
    assert said(ends, "in February") == said(begins, "in January") == said(begins, "on 5 February") == ""
    assert said(begins, "in February") == (
        "Ann sees patients on Friday morning from 09:10 to 12:20, Quay, from Monday 8 February. "
        "Call 09 1 for an appointment."
    )
    assert said(begins, "on 12 February").startswith("Yes")
    assert said(hospital(FRIDAY), "next year") == ""


def test_of_a_department_nobody_is_named_twice_and_the_reason_is_told() -> None:
    written = hospital(FRIDAY, {**FRIDAY, "from": "13:30", "to": "15:00"}, closures=(shut("2026-12-11"),))
    asked = asking(written, SCHEDULE, "on 4 December", departments=("skin",))
    assert told(asked) == (
        "On Friday 4 December patients are seen in Skin by Ann (from 09:10 to 12:20 and from 13:30 to 15:00, Quay)."
    )
    closed = asking(written, "doctor_lookup/list", "on 11 December", departments=("skin",))
    assert told(closed) == "On Friday 11 December (Reason 0) nobody sees patients in Skin."
    holiday = asking(written, SCHEDULE, "on 25 December", departments=("skin",))
    assert "public holiday" in told(holiday)


def test_a_date_that_lies_on_another_weekday_is_said_to() -> None:
    text = said(hospital(FRIDAY), "on Friday 5 December")
    assert text.startswith("5 December is a Saturday. No, Ann sees no patients on Saturday 5 December")


def test_a_day_of_another_season_is_said_with_its_year() -> None:
    assert "8 October 2027" in said(hospital(FRIDAY), "on 8 October")
    assert asking({}, at="on 8 October").time.days == (date(2027, 10, 8),)
