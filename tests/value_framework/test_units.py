"""By which unit a price is asked for, and whether what was found has it by that one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from careline.model import LANGUAGES
from careline.value_framework.units import asked_unit, notices, price_units, unit_mismatch


def mismatch(question: str, *texts: str) -> tuple[str, str] | None:
    found = unit_mismatch(asked_unit(question), texts)
    return None if found is None else (found.asked.name("en"), found.told_in("en"))


@pytest.mark.parametrize(
    ("question", "text", "expected"),
    [
        ("wat kost een kwartier laden per minuut", "Laden kost € 0,41 per kWh.", ("minute", "kWh")),
        ("what is the price per session", "Power costs €0.41 per kWh.", ("session", "kWh")),
        ("quel est le prix à l'heure", "La prise coûte 0,41 € le kWh, soit 0,41 €/kWh.", ("hour", "kWh")),
        ("quanto costa all'ora", "La corrente costa 0,41 € al kWh.", ("hour", "kWh")),
        ("hoeveel is het per kWh", "Parkeren kost € 1,90 per uur.", ("kWh", "hour")),
        ("what is it per item", "A locker costs €1.90 per day.", ("item", "day")),
        ("what does it cost per minute", "Cars: €1.90 per hour or €9 per day.", ("minute", "hour, day")),
    ],
)
def test_prices_by_another_unit_than_was_asked_for_are_told_apart(
    question: str, text: str, expected: tuple[str, str]
) -> None:
    assert mismatch(question, text) == expected


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("wat kost laden per kWh", "Laden kost € 0,41 per kWh."),
        ("what does it cost per hour", "€1.90 per hour, €9 per day at most"),
        ("what does parking cost", "Power costs €0.41 per kWh."),
        ("what does it cost per minute", "Turn left behind the lift."),
        ("what does it cost per minute", "Drink two glasses per hour."),
        ("what is it per hour or per day", "Power costs €0.41 per kWh."),
    ],
)
def test_where_the_units_agree_or_one_side_names_none_there_is_nothing_to_say(question: str, text: str) -> None:
    assert mismatch(question, text) is None


def test_one_passage_with_the_unit_that_was_asked_for_is_enough() -> None:
    texts = ("Power costs €0.41 per kWh.", "Cars: €1.90 per hour.")
    assert mismatch("what does it cost per hour", *texts) is None
    assert mismatch("what does it cost per minute", *texts) == ("minute", "kWh, hour")


def test_a_notice_names_both_units_in_the_language_of_the_caller() -> None:
    found = unit_mismatch(asked_unit("prix par minute"), ("0,41 € par kWh",))
    assert found is not None
    said = "Prix par {unit}, pas par {asked_unit}.".format(unit=found.told_in("fr"), asked_unit=found.asked.name("fr"))
    assert said == "Prix par kWh, pas par minute."
    assert said in notices("Prix par {unit}, pas par {asked_unit}.", "fr")


@given(st.text(max_size=300))
def test_any_text_can_be_read_for_units(text: str) -> None:
    asked, told = asked_unit(text), price_units(text)
    assert len(set(told)) == len(told)
    assert all(one.name(language) for one in (*told, *filter(None, [asked])) for language in LANGUAGES)
