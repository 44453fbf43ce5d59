"""Prices are read with their currency and unit, and are not guessed."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from careline.curation.proposals.reading.amounts import (
    amount_in,
    currency_in,
    decimal_of,
    is_duration,
    says_price_alone,
    unit_alone,
    unit_in,
    unit_of_row,
    without_currency,
    without_unit,
)


@pytest.mark.parametrize(
    ("text", "language", "amount", "currency", "unit"),
    [
        ("€ 3,20 per dag", "nl", "3.20", "EUR", "day"),
        ("CHF 1'250.00", "it", "1250.00", "CHF", None),
        ("12,00 €", "fr", "12.00", "EUR", None),
        ("€1.20 per hour started", "en", "1.20", "EUR", "hour"),
        ("0,30 al km", "it", "0.30", None, "km"),
        ("1.000,01", "nl", "1000.01", None, None),
        ("gratuit", "fr", "0", None, None),
    ],
)
def test_an_amount_is_read_with_what_it_is_of(
    text: str, language: str, amount: str, currency: str | None, unit: str | None
) -> None:
    read = amount_in(text, language)
    assert read is not None
    assert (read.amount, read.currency, read.unit) == (Decimal(amount), currency, unit)


@pytest.mark.parametrize(
    "text", ["€ 2 coin", "up to 1 hour €2.20, then €1.60", "with a coin of € 1", "250,01 – 1.000", "6 hours", "covered"]
)
def test_what_is_no_one_price_is_none(text: str) -> None:
    assert amount_in(text, "en") is None


def test_a_remark_beside_an_amount_is_kept_as_it_is_spelled() -> None:
    read = amount_in("€ 450,00, niet terugbetaald", "nl")
    assert read is not None
    assert read.beside == "niet terugbetaald"


def test_the_label_of_a_row_names_a_unit_where_it_stands_apart() -> None:
    assert unit_of_row("Televisie, per dag", "nl") == "day"
    assert unit_of_row("Vitamine D (plus d’une fois par an)", "fr") is None
    assert unit_in("Price (CHF/kWh)") == "kwh"
    assert (unit_alone("notte"), unit_alone("per maaltijd"), unit_alone("1 dag"), unit_alone("per set")) == (
        "night", "meal", None, None,
    )  # fmt: skip


def test_labels_that_say_how_long_name_nothing_that_is_paid_for() -> None:
    assert is_duration("Ogni ora successiva", "it")
    assert is_duration("Tot 2 uur", "nl")
    assert not is_duration("Verloren ticket", "nl")
    assert says_price_alone("Prijs (EUR)", "nl")
    assert not says_price_alone("Prijs energie", "nl")
    assert (currency_in("Adult (CHF)"), without_currency("Adult (CHF)")) == ("CHF", "Adult")


@given(st.integers(0, 9_999_999), st.integers(0, 99), st.sampled_from([",", "."]))
def test_an_amount_is_the_same_whatever_its_decimal_mark(whole: int, cents: int, mark: str) -> None:
    assert decimal_of(f"{whole}{mark}{cents:02d}") == Decimal(f"{whole}.{cents:02d}")


@given(st.text(max_size=60))
def test_whatever_is_written_no_amount_is_negative(text: str) -> None:
    read = amount_in(text, "en")
    assert read is None or read.amount >= 0


@pytest.mark.parametrize(
    ("label", "language", "left"),
    [
        ("Televisie, per dag", "nl", "Televisie"),
        ("Group of 6 or more (per day)", "en", "Group of 6 or more"),
        ("Suite (par jour) avec balcon", "fr", "Suite avec balcon"),
        ("Suite, par jour (petit-déjeuner compris)", "fr", "Suite (petit-déjeuner compris)"),
        ("Camera (vista lago), al giorno", "it", "Camera (vista lago)"),
        ("Letto, per notte", "it", "Letto, per notte"),
    ],
)
def test_a_label_is_told_without_the_unit_that_stands_apart_in_it(label: str, language: str, left: str) -> None:
    assert without_unit(label, language, "day") == left
