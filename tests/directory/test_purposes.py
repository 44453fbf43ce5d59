"""What a number is asked for, and what only sounds like it: nobody asks for a mother at the lost property desk."""

from __future__ import annotations

import pytest

from careline.directory.capabilities.purposes import LOST, purposes_in


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Mijn zoon heeft in de wachtzaal zijn rugzak verloren", "nl"),
        ("My sister has misplaced her scarf", "en"),
        ("Mon frère a égaré ses clés dans la salle d'attente", "fr"),
        ("Mia nonna ha smarrito gli occhiali", "it"),
    ],
)
def test_who_lost_something_may_be_anybody(text: str, language: str) -> None:
    assert LOST in purposes_in(text, language)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Ik heb mijn vader verloren", "nl"),
        ("We lost our daughter last winter", "en"),
        ("J'ai perdu mon mari", "fr"),
        ("Abbiamo perso la nonna", "it"),
        ("I have lost my sense of smell", "en"),
        ("J'ai perdu l'appétit", "fr"),
    ],
)
def test_whom_and_what_an_illness_takes_is_no_lost_property(text: str, language: str) -> None:
    assert purposes_in(text, language) == frozenset()
