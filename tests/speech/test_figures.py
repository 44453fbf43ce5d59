"""Telephone numbers, prices and times as a caller hears them, in four languages; doses are left alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from careline.speech.spoken_numbers import spoken_figures


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("Bel 016 33 22 11.", "Bel 016, 33, 22, 11."),
        ("Bel 02/555.12.34", "Bel 02, 555, 12, 34"),
        ("Bel +32 16 33 22 11", "Bel +32, 16, 33, 22, 11"),
        ("Bel (016) 33 22 11", "Bel 016, 33, 22, 11"),
        ("Bel 0800 12 345!", "Bel 0800, 12, 345!"),
        ("Call 020 7946 0958.", "Call 020, 7946, 0958."),
        ("Chiami 06 1234 5678", "Chiami 06, 1234, 5678"),
        ("Appelez le 0470-12-34-56", "Appelez le 0470, 12, 34, 56"),
    ],
)
@pytest.mark.parametrize("language", ["nl", "en", "fr", "it"])
def test_a_telephone_number_is_said_in_its_groups(written: str, spoken: str, language: str) -> None:
    assert spoken_figures(written, language) == spoken


@pytest.mark.parametrize(
    ("written", "nl", "en", "fr", "it"),
    [
        ("€ 2,50", "2 euro 50", "2 euros 50", "2 euros 50", "2 euro e 50"),
        ("2,50 €.", "2 euro 50.", "2 euros 50.", "2 euros 50.", "2 euro e 50."),
        ("€1", "1 euro", "1 euro", "1 euro", "1 euro"),
        ("€ 12,5", "12 euro 50", "12 euros 50", "12 euros 50", "12 euro e 50"),
        ("€ 1.250,00", "1250 euro", "1250 euros", "1250 euros", "1250 euro"),
        ("€1,234.50", "1234 euro 50", "1234 euros 50", "1234 euros 50", "1234 euro e 50"),
        ("1 250 €", "1250 euro", "1250 euros", "1250 euros", "1250 euro"),
        ("€ 0,05", "5 cent", "5 cents", "5 centimes", "5 centesimi"),
        ("€ 0,01", "1 cent", "1 cent", "1 centime", "1 centesimo"),
        ("€ 2,05", "2 euro 5", "2 euros 5", "2 euros 5", "2 euro e 5"),
    ],
)
def test_a_price_is_said_as_one_pays_it(written: str, nl: str, en: str, fr: str, it: str) -> None:
    assert [spoken_figures(written, code) for code in ("nl", "en", "fr", "it")] == [nl, en, fr, it]


@pytest.mark.parametrize(
    ("language", "written", "spoken"),
    [
        ("nl", "van 14:00 tot 20:30.", "van 14 uur tot 20 uur 30."),
        ("nl", "om 14u30, niet later", "om 14 uur 30, niet later"),
        ("nl", "van 14.00 tot 20.00 uur", "van 14 uur tot 20 uur"),
        ("nl", "tot 17u", "tot 17 uur"),
        ("nl", "om 9.15 uur.", "om 9 uur 15."),
        ("nl", "8:00-12:00", "8 uur-12 uur"),
        ("fr", "de 14h à 20h30.", "de 14 heures à 20 heures 30."),
        ("fr", "à 1h00", "à 1 heure"),
        ("fr", "de 14h00 à 20h00", "de 14 heures à 20 heures"),
        ("fr", "pendant 24 h", "pendant 24 heures"),
        ("it", "dalle 14.30 alle 20.00", "dalle 14 e 30 alle 20"),
        ("it", "alle ore 9:05.", "alle ore 9 e 5."),
        ("en", "from 14:00 to 20:30.", "from 14:00 to 20:30."),
        ("en", "at 2.30 pm", "at 2:30 pm"),
    ],
)
def test_a_time_is_said_as_people_say_it(language: str, written: str, spoken: str) -> None:
    assert spoken_figures(written, language) == spoken


@pytest.mark.parametrize("language", ["nl", "en", "fr", "it"])
@pytest.mark.parametrize(
    "text",
    [
        "1.25 mg",
        "neem 0.25 mg",
        "12.50 euro",
        "2,5 ml",
        "bloeddruk 120/80",
        "versie 2.10",
        "10.50%",
        "BMI 22.30",
        "dose of 1.20 g",
        "alle 0.25 mg",
        "op 12-05-2026",
        "op 12/05/2026",
        "2026-05-12",
        "1.000.000",
        "adrenaline 1:1000",
        "kamer 12",
        "route 140",
    ],
)
def test_doses_dates_and_other_numbers_are_left_alone(text: str, language: str) -> None:
    assert spoken_figures(text, language) == text


@given(st.text(alphabet="0123456789 .,:/-+()huå", max_size=40), st.sampled_from(["nl", "en", "fr", "it", "de"]))
def test_digits_keep_their_order_and_only_zeros_of_a_time_are_dropped(text: str, language: str) -> None:
    written, said = ([c for c in some if c.isdigit()] for some in (text, spoken_figures(text, language)))
    rest = iter(written)
    assert all(digit in rest for digit in said)
    assert [c for c in said if c != "0"] == [c for c in written if c != "0"]


@given(st.integers(0, 99_999), st.integers(0, 99), st.sampled_from(["nl", "en", "fr", "it"]))
def test_every_price_keeps_its_euros_and_cents(euros: int, cents: int, language: str) -> None:
    spoken = spoken_figures(f"Het kost € {euros},{cents:02d} per dag", language)
    numbers = [int(word) for word in spoken.split() if word.isdigit()]
    assert numbers == ([euros, cents] if euros and cents else [cents] if cents else [euros])
    assert "€" not in spoken
