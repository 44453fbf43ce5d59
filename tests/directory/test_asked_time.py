"""Of which day a question is: one phrase is one day, and weeks, months and years resolve to days of the calendar."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from careline.directory.asked_time import AskedTime, asked_time, on_day_of
from careline.directory.rendering.words import Words
from careline.model import LANGUAGES
from tests.directory.capabilities.askings import asking

NOW = datetime(2026, 11, 30, 15, 0)
"""A Monday, the last of its month."""
COMING = st.integers(min_value=2, max_value=170).map(lambda number: NOW.date() + timedelta(days=number))


def days(text: str, language: str) -> tuple[date, ...]:
    return asked_time(text, language, NOW).days


@pytest.mark.parametrize(
    ("text", "language", "day"),
    [
        ("komt ze vrijdag 11 december", "nl", date(2026, 12, 11)),
        ("vendredi, le 11 décembre", "fr", date(2026, 12, 11)),
        ("Friday the 11th of December", "en", date(2026, 12, 11)),
        ("on 11 December, a Friday", "en", date(2026, 12, 11)),
        ("venerdì 11 dicembre", "it", date(2026, 12, 11)),
        ("vrijdag over een week", "nl", date(2026, 12, 11)),
        ("vrijdag over twee weken", "nl", date(2026, 12, 18)),
        ("volgende week vrijdag", "nl", date(2026, 12, 11)),
        ("a week on Friday", "en", date(2026, 12, 11)),
        ("Friday week", "en", date(2026, 12, 11)),
        ("vendredi en quinze", "fr", date(2026, 12, 18)),
        ("venerdì tra una settimana", "it", date(2026, 12, 11)),
        ("de tweede woensdag van januari", "nl", date(2027, 1, 13)),
        ("the last Thursday in December", "en", date(2026, 12, 31)),
        ("le premier lundi du mois", "fr", date(2026, 12, 7)),
        ("l'ultimo martedì di gennaio", "it", date(2027, 1, 26)),
    ],
)
def test_a_phrase_of_a_day_is_one_day(text: str, language: str, day: date) -> None:
    read = asked_time(text, language, NOW)
    assert (read.days, read.weekdays, read.is_unknown, read.disagrees) == ((day,), (), False, False)


@pytest.mark.parametrize("language", LANGUAGES)
@given(day=COMING)
def test_a_day_with_its_weekday_is_that_day_however_it_is_said(language: str, day: date) -> None:
    said = Words(asking({}, language=language, now=NOW)).calendar_day(day)
    read = asked_time(said, language, NOW)
    assert (read.days, read.weekdays, read.disagrees) == ((day,), (), False)


@pytest.mark.parametrize(
    ("text", "language"),
    [("vrijdag 12 december", "nl"), ("Friday 12 December", "en"), ("vendredi 12 décembre", "fr"),
     ("venerdì 12 dicembre", "it")],
)  # fmt: skip
def test_a_date_on_another_weekday_counts_and_is_told_to_be_one(text: str, language: str) -> None:
    read = asked_time(text, language, NOW)
    assert (read.days, read.disagrees) == ((date(2026, 12, 12),), True)


def test_two_days_stay_two() -> None:
    assert asked_time("vrijdag of 12 december", "nl", NOW).weekdays == ("friday",)
    assert days("vrijdag 4 of 11 december", "nl") == (date(2026, 12, 4), date(2026, 12, 11))


@pytest.mark.parametrize(
    ("text", "language", "first", "last"),
    [
        ("en in januari", "nl", date(2027, 1, 1), date(2027, 1, 31)),
        ("au mois de février", "fr", date(2027, 2, 1), date(2027, 2, 28)),
        ("in December", "en", date(2026, 12, 1), date(2026, 12, 31)),
        ("a novembre", "it", date(2026, 11, 30), date(2026, 11, 30)),
        ("volgend jaar", "nl", date(2027, 1, 1), date(2027, 12, 31)),
        ("nel 2027", "it", date(2027, 1, 1), date(2027, 12, 31)),
        ("next month", "en", date(2026, 12, 1), date(2026, 12, 31)),
    ],
)
def test_a_month_and_a_year_are_times_from_today_on(text: str, language: str, first: date, last: date) -> None:
    read = asked_time(text, language, NOW)
    assert read.period == read.span(NOW.date()) == (first, last)
    assert read.is_told


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("since September", "en"), ("van 4 tot 11 december", "nl"), ("du 4 au 11 décembre", "fr"),
        ("on Fridays in January", "en"), ("op 2 november 2026", "nl"), ("in 2031", "en"),
    ],
)  # fmt: skip
def test_a_stretch_and_what_is_gone_are_no_day(text: str, language: str) -> None:
    assert not asked_time(text, language, NOW).is_told


def test_what_leads_in_a_time_is_part_of_it() -> None:
    text = "et à partir du 1er janvier"
    assert [text[start:end] for start, end in asked_time(text, "fr", NOW).spans] == ["à partir du 1er janvier"]


def test_a_part_of_the_day_is_of_the_day_that_was_asked_about_before() -> None:
    part, before = asked_time("'s morgens", "nl", NOW), asked_time("op donderdag", "nl", NOW)
    assert part.is_part_of_day
    assert (on_day_of(part, before).part, on_day_of(part, before).weekdays) == ("morning", ("thursday",))
    assert not before.is_part_of_day
    assert on_day_of(part, AskedTime(is_unknown=True)).is_unknown
