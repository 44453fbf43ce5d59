"""What the hospital publishes of itself is nobody's personal data, and everything else stays what it is."""

from __future__ import annotations

import pytest

from careline.directory.directory import Directory
from careline.privacy.detect import Detector

DIRECTORY = Directory.model_validate(
    {
        "hospital": {"phones": {"main": "011 90 10 00"}, "email": "info@lucia.example", "country": "BE"},
        "campuses": [
            {
                "id": "noord", "names": {"nl": "Campus Noord", "it": "Sede Nord"}, "phone": "+32 3 240 20 00",
                "address": {"street": "Waterpoortlaan 120", "postcode": "3695", "town": "Elzenvoorde"},
            },
        ],
        "departments": [
            {
                "id": "day", "names": {"nl": "Dagziekenhuis", "it": "Day surgery"}, "phone": "011 90 13 32",
                "locations": [{"campus": "noord", "phone": "011 90 14 32"}], "phones": {"billing": "011 90 15 15"},
            },
            {"id": "bills", "names": {"en": "Billing"}, "synonyms": {"en": ["bill"]}},
        ],
        "contacts": [{"id": "o", "names": {"nl": "Ombudsdienst"}, "email": "klacht@lucia.example"}],
    }
)  # fmt: skip


def left(text: str, language: str = "nl") -> list[str]:
    """What is still taken for personal data."""
    found = Detector().find(text, language)
    assert found
    return [text[span.start : span.end] for span in DIRECTORY.published.without(found, text)]


@pytest.mark.parametrize(
    "number",
    [
        "011 90 10 00", "011/90.10.00", "+32 11 90 10 00", "0032 11 90 10 00", "011 90 13 32", "011 90 14 32",
        "011 90 15 15", "03 240 20 00", "+32 3 240 20 00", "03/240.20.00",
    ],
)  # fmt: skip
def test_a_number_of_the_hospital_is_nobodys_however_it_is_written(number: str) -> None:
    assert left(f"Klopt het dat {number} jullie nummer is?") == []


@pytest.mark.parametrize("number", ["0475 12 34 56", "011 90 10 01", "+31 11 90 10 00", "+32 475 12 34 56"])
def test_a_callers_own_number_is_still_personal_data(number: str) -> None:
    assert left(f"Bel mij terug op {number} alstublieft.") == [number]


def test_the_hospitals_own_mail_and_address_are_nobodys() -> None:
    assert left("Mag ik mailen naar info@lucia.example of klacht@lucia.example?") == []
    assert left("Liggen jullie op Waterpoortlaan 120, 3695 Elzenvoorde?") == []
    assert left("Is Waterpoortlaan 120 de ingang?") == []


def test_another_house_of_the_same_street_or_town_is_somebodys() -> None:
    assert left("Ik woon op Waterpoortlaan 12, 3695 Elzenvoorde.")
    assert left("Ik woon in de Kerkstraat 5, 3695 Elzenvoorde.")
    assert left("Ik woon in de Oude Waterpoortlaan 120, 3695 Elzenvoorde.")
    assert left("Mijn mail is jan@lucia.example.") == ["jan@lucia.example"]


def test_a_department_that_is_called_like_somebody_is_none() -> None:
    assert left("Qual è il numero di Day surgery?", "it") == []
    assert left("When does bill open?", "en") == []


def test_a_person_who_is_called_like_a_department_is_still_a_person() -> None:
    assert left("My name is Bill Carpenter.", "en") == ["Bill Carpenter"]
    assert left("Mio padre si chiama Day Rossi.", "it")


def test_without_a_directory_nothing_is_published() -> None:
    text = "Bel mij op 011 90 10 00."
    found = Detector().find(text, "nl")
    assert Directory().published.without(found, text) == found
