"""Values are read with their kind and as ranges, in four languages, and hold what lies in them."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from careline.model import LANGUAGES
from careline.text.values import NUMBER, Value, fits, values

ALL = tuple(LANGUAGES)
YEAR = 12 * 43_830.0


def of_kind(text: str, kind: str) -> list[tuple[float, float]]:
    return [(one.low, one.high) for one in values(text, ALL) if one.kind == kind]


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("2-5 jaar", 2, 5), ("van 2 tot en met 5 jaar", 2, 5), ("2 to 5 years", 2, 5), ("de 2 à 5 ans", 2, 5),
        ("da 2 a 5 anni", 2, 5), ("vanaf 12 jaar", 12, math.inf), ("12 years and over", 12, math.inf),
        ("à partir de 12 ans", 12, math.inf), ("oltre 12 anni", 12, math.inf), ("12 jaar en ouder", 12, math.inf),
        ("jonger dan 12 jaar", -math.inf, 12), ("under 12 years", -math.inf, 12), ("moins de 12 ans", -math.inf, 12),
        ("meno di 12 anni", -math.inf, 12), ("een kind van 7 jaar", 7, 7),
    ],
)  # fmt: skip
def test_a_length_of_time_is_read_with_the_words_that_make_it_a_range(text: str, low: float, high: float) -> None:
    assert of_kind(text, "minutes") == [(low * YEAR, high * YEAR)]


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("van € 150 tot € 600", 150, 600), ("150 € - 600 €", 150, 600), ("€ 600,01 tot € 1 800", 600.01, 1800),
        ("da € 500 a € 1.500", 500, 1500), ("EUR 500 to EUR 1,500", 500, 1500), ("meer dan € 1 800", 1800, math.inf),
        ("plus de 1 800 €", 1800, math.inf), ("up to € 150", -math.inf, 150), ("onder de € 150", -math.inf, 150),
    ],
)  # fmt: skip
def test_a_range_of_amounts_is_read_wherever_the_currency_stands(text: str, low: float, high: float) -> None:
    assert of_kind(text, "euro") == [(low, high)]


@pytest.mark.parametrize(
    ("text", "kind", "worth"),
    [
        ("€ 12,50", "euro", 12.5), ("12.50 euro", "euro", 12.5), ("om 14.30 uur", "clock", 870),
        ("14:30", "clock", 870),
        ("500 mg", "mass", 500_000), ("twee weken", "minutes", 20_160), ("six months", "minutes", 6 * 43_830),
        ("3", NUMBER, 3), ("route 22", "route", 22),
    ],
)  # fmt: skip
def test_every_kind_is_read_from_the_same_text(text: str, kind: str, worth: float) -> None:
    assert (worth, worth) in of_kind(text, kind)


def test_a_telephone_number_is_one_value_and_its_digits_are_no_amounts() -> None:
    assert {one.kind for one in values("Bel 011 90 10 00.", ALL)} == {"phone"}


def test_a_row_of_zeros_is_no_telephone_number() -> None:
    assert "phone" not in {one.kind for one in values("wat is de prijs 0000000000", ALL)}


@pytest.mark.parametrize(
    ("asked", "label", "told"),
    [
        ("een kind van 7 jaar", "6-8 jaar", True), ("een kind van 9 jaar", "6-8 jaar", False),
        ("een kind van 7 jaar", "6-8", True), ("un enfant de 12 ans", "jonger dan 12 jaar", False),
        ("un enfant de 12 ans", "tot en met 12 jaar", True), ("een kind van 18 maanden", "1-2 jaar", True),
        ("a bill of 650 euros", "from 2,000 €", False), ("iemand van 65 jaar", "ouder dan 65 jaar", False),
        ("iemand van 65 jaar", "65 jaar en ouder", True), ("un adulte de 66 ans", "plus de 65 ans", True),
        ("a child", "6-8 years", None), ("2 uur", "€ 2", None),
    ],
)  # fmt: skip
def test_a_label_holds_a_value_that_is_asked_for_where_both_are_of_one_kind(
    asked: str, label: str, told: bool | None
) -> None:
    assert fits(values(asked, ALL), values(label, ALL)) is told


@given(st.text(max_size=60))
def test_whatever_a_text_holds_no_range_ends_before_it_begins(text: str) -> None:
    assert all(one.low <= one.high for one in values(text, ALL))


@given(st.floats(-1e6, 1e6), st.floats(0, 1e6))
def test_a_range_holds_its_ends_unless_it_is_open(low: float, width: float) -> None:
    closed = Value("euro", low, low + width)
    assert closed.holds(low)
    assert closed.holds(low + width)
    assert not Value("euro", low, low + width, is_open=True).holds(low + width)
    assert not Value("euro", low, math.inf, is_open=True).holds(low)
