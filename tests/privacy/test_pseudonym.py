"""One person has one pseudonym, however the number is written, and nobody without the key can tell whose it is."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from careline.errors import SettingsInvalid
from careline.privacy.redaction.pseudonym import pseudonym
from tests.fakes import KEY


@pytest.mark.parametrize(
    "written",
    ["0470 12 34 56", "+32470123456", "0032 470/12.34.56", "tel:+32470123456", " 0470123456 ", "+32 (0)470 12 34 56"],
)
def test_a_number_is_the_same_however_it_is_written(written: str) -> None:
    assert pseudonym(written, KEY) == pseudonym("+32470123456", KEY)


def test_a_number_of_another_country_is_another_number() -> None:
    assert pseudonym("+31 470 123 456", KEY) != pseudonym("0470 12 34 56", KEY)


def test_a_user_id_that_holds_a_number_is_not_taken_for_that_number() -> None:
    """Else the erasure of one user would be that of another."""
    ids = ["0470123456", "a0470123456", "nurse-0470123456", "0470123456b", "nurse-7", "NURSE-7"]
    assert len({pseudonym(one, KEY) for one in ids}) == len(ids)


def test_another_key_gives_another_name_and_none_gives_none() -> None:
    assert pseudonym("nurse-7", KEY) != pseudonym("nurse-7", bytes(32))
    with pytest.raises(SettingsInvalid):
        pseudonym("nurse-7", b"")


@given(st.text(max_size=200))
def test_whatever_it_is_given_it_gives_sixteen_hexadecimal_digits(value: str) -> None:
    assert re.fullmatch("[0-9a-f]{16}", pseudonym(value, KEY))
    assert pseudonym(f" {value}\n", KEY) == pseudonym(value, KEY)
