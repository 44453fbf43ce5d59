"""Hours are read as documents write them in four languages, or it is said that they were not."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from careline.curation.proposals.reading.weeks import as_json, days_in, merged, read_week
from careline.directory.week import DAYS, WeeklyHours

WORKING = DAYS[:5]


@pytest.mark.parametrize(
    ("text", "language", "days", "first", "count"),
    [
        ("woensdag tot vrijdag 9.15 - 11 uur", "nl", ("wednesday",), ("09:15", "11:00"), 3),
        ("weekdagen 9 – 12 u. en 13.30 – 16 u.", "nl", ("monday",), ("09:00", "12:00"), 5),
        ("Tue, Thu 1 pm to 4:30 pm", "en", ("tuesday",), ("13:00", "16:30"), 2),
        ("mercredi et vendredi 13 h – 17 h 15", "fr", ("friday",), ("13:00", "17:15"), 2),
        ("dal lunedì al sabato dalle 7.00 alle 18.00", "it", ("saturday",), ("07:00", "18:00"), 6),
        ("8:00 – 22:00, every day", "en", ("sunday",), ("08:00", "22:00"), 7),
        ("giorno e notte", "it", ("monday",), ("00:00", "24:00"), 7),
        ("lun – mer – ven 8.00 – 12.00", "it", ("wednesday",), ("08:00", "12:00"), 3),
    ],
)
def test_days_and_times_are_read_in_each_language(
    text: str, language: str, days: tuple[str, ...], first: tuple[str, str], count: int
) -> None:
    read = read_week(text, language)
    assert read.is_whole
    assert read.named
    assert len(read.weekly) == count
    assert all(read.weekly[day][0] == first for day in days)


def test_hours_without_a_day_are_those_of_their_labels() -> None:
    read = read_week("11:15 – 14:30 and 17:00 – 19:15", "en", ("saturday",))
    assert read.weekly == {"saturday": [("11:15", "14:30"), ("17:00", "19:15")]}


def test_hours_whose_days_nobody_names_are_not_taken_for_certain() -> None:
    read = read_week("14 – 20 u.", "nl")
    assert read.is_whole
    assert not read.named


@pytest.mark.parametrize(
    "text", ["–", "gesloten", "zaterdag gesloten"], ids=["a dash", "the word", "the word behind its day"]
)
def test_a_closed_day_has_no_hours(text: str) -> None:
    assert read_week(text, "nl", ("saturday",)).weekly == {"saturday": []}


def test_a_day_that_is_left_out_of_every_day_is_closed() -> None:
    read = read_week("dagelijks 10 - 17 uur, gesloten op maandag", "nl")
    assert read.is_whole
    assert read.weekly["monday"] == []
    assert read.weekly["tuesday"] == [("10:00", "17:00")]


@pytest.mark.parametrize(
    "text",
    [
        "vrij tussen 11 en 20 u., in overleg met de verpleging",
        "maandag 21.00 – 5.30",
        "maandag 9 - 12 uur (enkel op afspraak)",
        "dinsdag tot 20:00 uur",
        "maandag 9 - 12 uur, 11 - 14 uur",
        "maandag 26.00 - 27.00",
    ],
)
def test_what_is_not_read_whole_says_so(text: str) -> None:
    assert not read_week(text, "nl").is_whole


def test_the_days_of_a_label_and_the_rest_of_it() -> None:
    assert days_in("Consultations, Monday to Friday", "en") == (WORKING, "consultations")
    assert days_in("Week-end et jours fériés", "fr") == (("saturday", "sunday", "holiday"), "")
    assert days_in("Lu–Ve", "it") == (WORKING, "")
    assert days_in("Famille", "fr")[0] == ()


def test_parts_of_a_day_are_put_together_and_may_not_overlap() -> None:
    morning, afternoon = (read_week(text, "en", ("monday",)) for text in ("9-12", "13-17"))
    assert merged([afternoon, morning]).weekly == {"monday": [("09:00", "12:00"), ("13:00", "17:00")]}
    assert not merged([morning, read_week("11-13", "en", ("monday",))]).is_whole


PARTS = "ma di wo zon za - – tot en 9 14.30 20 u uur : ; , gesloten en dag".split()
ANY = st.text(max_size=120) | st.lists(st.sampled_from([*PARTS, "ma 9 - 12", "9-11 14-17"]), max_size=6).map(" ".join)
"""Texts of any signs, which seldom name hours, and of words that do."""


@given(ANY, st.sampled_from(["nl", "en", "fr", "it", "de"]))
def test_whatever_is_written_what_is_read_whole_is_a_week(text: str, language: str) -> None:
    read = read_week(text, language)
    if read.is_whole:
        week = WeeklyHours.model_validate({"weekly": as_json(read.weekly)})
        assert {day: [(one.opens, one.closes) for one in held] for day, held in week.weekly.items()} == read.weekly
        for held in read.weekly.values():
            assert all(first[1] <= second[0] for first, second in pairwise(held)), "hours of a day that overlap"


@given(st.lists(st.sampled_from(PARTS), max_size=14))
def test_words_of_hours_in_any_order_never_open_a_day_after_it_closes(parts: list[str]) -> None:
    read = read_week(" ".join(parts), "nl")
    assert all(opens < closes for held in read.weekly.values() for opens, closes in held)
