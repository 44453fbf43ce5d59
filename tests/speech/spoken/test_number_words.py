"""Numbers in words: unlike for unlike, and as the four languages write them."""

from __future__ import annotations

import pytest

from careline.speech.spoken.number_words import MOST, cardinal, one_by_one, ordinal, pair, year

LANGUAGES = ("nl", "en", "fr", "it")


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_numbers_sound_alike(language: str) -> None:
    numbers = [*range(12_000), *range(12_000, MOST, 9_999_991), MOST]
    assert len({cardinal(number, language) for number in numbers}) == len(numbers)
    assert len({ordinal(number, language) for number in range(1, 1500)}) == 1499


@pytest.mark.parametrize(
    ("number", "nl", "en", "fr", "it"),
    [
        (0, "nul", "zero", "zéro", "zero"),
        (1, "één", "one", "un", "uno"),
        (21, "eenentwintig", "twenty-one", "vingt et un", "ventuno"),
        (23, "drieëntwintig", "twenty-three", "vingt-trois", "ventitré"),
        (72, "tweeënzeventig", "seventy-two", "septante-deux", "settantadue"),
        (80, "tachtig", "eighty", "quatre-vingts", "ottanta"),
        (96, "zesennegentig", "ninety-six", "nonante-six", "novantasei"),
        (108, "honderdacht", "one hundred and eight", "cent huit", "centotto"),
        (200, "tweehonderd", "two hundred", "deux cents", "duecento"),
        (
            1250,
            "twaalfhonderdvijftig",
            "one thousand two hundred and fifty",
            "mille deux cent cinquante",
            "milleduecentocinquanta",
        ),
        (2026, "tweeduizend zesentwintig", "two thousand and twenty-six", "deux mille vingt-six", "duemilaventisei"),
        (80_000, "tachtigduizend", "eighty thousand", "quatre-vingt mille", "ottantamila"),
        (2_000_000, "twee miljoen", "two million", "deux millions", "due milioni"),
    ],
)
def test_a_number_is_written_as_the_language_does(number: int, nl: str, en: str, fr: str, it: str) -> None:
    assert [cardinal(number, language) for language in LANGUAGES] == [nl, en, fr, it]


@pytest.mark.parametrize(
    ("number", "nl", "en", "fr", "it"),
    [
        (1, "eerste", "first", "premier", "primo"),
        (3, "derde", "third", "troisième", "terzo"),
        (8, "achtste", "eighth", "huitième", "ottavo"),
        (9, "negende", "ninth", "neuvième", "nono"),
        (20, "twintigste", "twentieth", "vingtième", "ventesimo"),
        (23, "drieëntwintigste", "twenty-third", "vingt-troisième", "ventitreesimo"),
        (101, "honderdeerste", "one hundred and first", "cent unième", "centounesimo"),
    ],
)
def test_an_ordinal_is_written_as_the_language_does(number: int, nl: str, en: str, fr: str, it: str) -> None:
    assert [ordinal(number, language) for language in LANGUAGES] == [nl, en, fr, it]


def test_years_are_parted_in_english_alone() -> None:
    assert year(1985, "en") == "nineteen eighty-five"
    assert year(2026, "en") == "twenty twenty-six"
    assert year(1906, "en") == "nineteen oh six"
    assert year(2006, "en") == "two thousand and six"
    assert year(1985, "fr") == "mille neuf cent quatre-vingt-cinq"


def test_zeros_in_front_are_said() -> None:
    assert one_by_one("0470", "nl") == "nul vier zeven nul"
    assert pair("05", "fr") == "zéro cinq"
    assert pair("50", "fr") == "cinquante"
