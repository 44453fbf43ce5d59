"""When consultations are held is read as documents write it, in four languages, or it is said that it was not."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from careline.curation.proposals.reading.holders import holders_in
from careline.curation.proposals.reading.sessions import Sessions, sessions_in
from careline.directory.entries import Consultation


def held(text: str, language: str) -> list[dict[str, Any]]:
    """The consultations that a text lists."""
    read = sessions_in(text, language)
    assert read is not None
    return [body for one in read for body in one.consultations()]


MORNING = {"from": "09:00", "to": "12:00"}


@pytest.mark.parametrize(
    ("text", "language", "wanted"),
    [
        ("Mon and Thu 9–12", "en", [{"weekday": "monday", **MORNING}, {"weekday": "thursday", **MORNING}]),
        ("ma en wo 9-12 u", "nl", [{"weekday": "monday", **MORNING}, {"weekday": "wednesday", **MORNING}]),
        ("mardi 9h-12h (semaines impaires)", "fr", [{"weekday": "tuesday", **MORNING, "frequency": "odd_weeks"}]),
        ("giovedì 9-12, settimane pari", "it", [{"weekday": "thursday", **MORNING, "frequency": "even_weeks"}]),
        ("vrijdag van 9 tot 12 uur (oneven weken)", "nl", [{"weekday": "friday", **MORNING, "frequency": "odd_weeks"}]),
        (
            "lundi matin, jeudi après-midi",
            "fr",
            [{"weekday": "monday", "part": "morning"}, {"weekday": "thursday", "part": "afternoon"}],
        ),
        (
            "dinsdag VM + NM",
            "nl",
            [{"weekday": "tuesday", "part": "morning"}, {"weekday": "tuesday", "part": "afternoon"}],
        ),
        (
            "every first Wednesday of the month, 9:00 to 12:00",
            "en",
            [{"weekday": "wednesday", **MORNING, "frequency": "first_of_month"}],
        ),
        ("ultimo martedì del mese 9-12", "it", [{"weekday": "tuesday", **MORNING, "frequency": "last_of_month"}]),
        ("woensdag op afspraak", "nl", [{"weekday": "wednesday", "frequency": "by_appointment"}]),
    ],
)
def test_days_hours_parts_and_how_often_are_read(text: str, language: str, wanted: list[dict[str, Any]]) -> None:
    assert held(text, language) == wanted


def test_each_frequency_is_of_the_days_that_it_stands_behind() -> None:
    tuesday, friday = held("Tuesday 14:00–17:00 (odd weeks), Friday 9:00–12:00", "en")
    assert (tuesday["weekday"], tuesday["frequency"]) == ("tuesday", "odd_weeks")
    assert friday == {"weekday": "friday", **MORNING}


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("dinsdag 8.30 - 11.30 u, om de twee weken", "nl"),
        ("lundi 9h-12h et mardi", "fr"),
        ("Monday 9-12, not in July", "en"),
        ("mercoledì a settimane alterne 9-12", "it"),
        ("maandag 9-12 u op afspraak", "nl"),
        ("maandag 3 maart", "nl"),
        ("Monday 9-12, Tuesday 13-17, even weeks", "en"),
        ("Wednesday of the month, 9-12", "en"),
    ],
)
def test_what_is_not_read_whole_is_none(text: str, language: str) -> None:
    assert sessions_in(text, language) is None


def test_hours_in_the_column_of_a_morning_say_more_than_that_and_other_days_do_not_fit() -> None:
    (column,), (cell,) = sessions_in("Monday AM", "en") or (), sessions_in("9-12", "en") or ()
    both = cell.over(column)
    assert both is not None
    assert list(both.consultations()) == [{"weekday": "monday", **MORNING}]
    assert Sessions(("tuesday",)).over(column) is None


def test_an_abbreviation_of_one_language_is_none_of_another() -> None:
    assert sessions_in("lundi AM", "fr") is None
    assert held("Monday AM", "en") == [{"weekday": "monday", "part": "morning"}]


def test_doctors_are_named_behind_a_title_and_a_last_name_in_capitals_is_one_wherever_it_stands() -> None:
    (one,) = holders_in("Dr. VANDAMME Els", "nl")
    assert (one.first_name, one.last_name) == ("Els", "Vandamme")
    (head,) = holders_in("Dr. Lies Claes (diensthoofd)", "nl")
    assert (head.last_name, head.is_head) == ("Claes", True)
    assert [one.last_name for one in holders_in("Dott. Rossi / Dott.ssa Gallo", "it")] == ["Rossi", "Gallo"]
    assert holders_in("Maandag", "nl") == []


PIECES = "ma wo vrij VM NM 9-12 14-17 u (even weken) op afspraak , ; en x - eerste van de maand gesloten tot".split(" ")


@given(st.lists(st.sampled_from(PIECES), max_size=12))
def test_whatever_is_written_what_is_read_is_a_consultation_of_the_directory(pieces: list[str]) -> None:
    for one in sessions_in(" ".join(pieces), "nl") or ():
        for body in one.consultations():
            consultation = Consultation.model_validate(body)
            assert consultation.model_dump(mode="json", by_alias=True, exclude_defaults=True) == body
            assert consultation.closes is None or (consultation.opens or "") < consultation.closes
