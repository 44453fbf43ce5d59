"""Telephone numbers are known however they are written in the countries that Careline speaks the languages of."""

from __future__ import annotations

import pytest

from careline.speech.spoken.numbers import spoken_numbers
from careline.text.figures import figures, readable
from careline.text.phone_numbers import PHONE

WRITTEN = [
    "0497 - 81 24 59",
    "0497-812459",
    "011/90.10.00",
    "011 / 90 10 00",
    "(011) 90 10 00",
    "+32 (0)11 90 10 00",
    "+32-11-901000",
    "+32 (11) 90 10 00",
    "+44 20 7946 0958",
    "020 7946 0958",
    "06 – 12 34 56 78",
    "091 555 41 50",
    "+41 91 555 41 50",
    "0800 12 345",
    "0900-1234",
    "800 123 456",
    "333 123 4567",
    "01.23.45.67.89",
    "27 94 26 05",
    "26 11-4000",
]
OTHERS = [
    "01/09/2026 09.00",
    "08.30-12.00 13.00-17.00",
    "07:30-12:30 13:30",
    "2024-2025",
    "€ 1.234.567",
    "01-09-2026",
    "from 10 to 12",
]


@pytest.mark.parametrize("written", WRITTEN)
def test_a_number_is_found_whole_and_is_one_figure(written: str) -> None:
    found = PHONE.search(f"Bel {written} voor een afspraak.")
    assert found is not None
    assert found[0] == written
    assert [one.sort for one in figures(readable(f"Bel {written} voor een afspraak."), ("nl",))] == ["phone"]


@pytest.mark.parametrize("written", OTHERS)
def test_dates_hours_and_amounts_are_no_numbers_to_call(written: str) -> None:
    assert PHONE.search(written) is None
    assert "phone" not in [one.sort for one in figures(readable(written), ("nl",))]


def test_a_figure_of_the_next_sentence_is_no_part_of_a_number() -> None:
    found = PHONE.search("Telefono 011 90 13 84. 2 apparecchi, 07:30-20:00.")
    assert found is not None
    assert found[0] == "011 90 13 84"


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("0497 - 81 24 59", "nul vier negen zeven, eenentachtig, vierentwintig, negenenvijftig"),
        ("26 11-4000", "zesentwintig, elf, vier nul nul nul"),
        ("02 1234.5678", "nul twee, één twee drie vier, vijf zes zeven acht"),
    ],
)
def test_a_number_is_said_in_its_groups(written: str, said: str) -> None:
    assert spoken_numbers(f"Bel {written}.", "nl") == f"Bel {said}."
