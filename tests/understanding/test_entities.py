"""What a question names of a hospital: as it is written, misspelt, heard, in other words, never what is not there."""

from __future__ import annotations

from datetime import date, datetime

import pytest

from careline.directory.directory import Directory
from careline.understanding.entities.recognise import HospitalNames, Recognised

NOW = datetime(2026, 3, 4, 10)
HOSPITAL = Directory.model_validate(
    {
        "campuses": [
            {
                "id": "kastelberg", "names": {"nl": "Campus Kastelberg", "it": "Sede Kastelberg"}, "role": "main",
                "entrances": [{"names": {"nl": "Ingang tuinzijde", "en": "Garden side entrance"}}],
            },
            {"id": "duinrand", "names": {"nl": "Campus Duinrand"}, "entrances": [{"names": {"nl": "Hoofdingang"}}]},
        ],
        "departments": [
            {"id": "heart", "names": {"nl": "Cardiologie", "en": "Cardiology", "it": "Cardiologia"}},
            {"id": "kidney", "names": {"nl": "Nefrologie", "en": "Nephrology", "it": "Nefrologia"}},
            {"id": "day", "names": {"nl": "Dagkliniek", "en": "Day clinic", "fr": "Hôpital de jour"}},
            {"id": "reception", "names": {"nl": "Onthaal", "en": "Front desk"}},
            {"id": "plastic", "names": {"nl": "Plastische heelkunde", "en": "Plastic surgery"}},
            {"id": "surgery", "names": {"nl": "Heelkunde", "en": "Surgery"}, "synonyms": {"en": ["surgeon"]}},
            {"id": "pharmacy", "names": {"nl": "Apotheek", "en": "Pharmacy"}},
        ],
        "doctors": [
            {"id": "ilse", "first_name": "Ilse", "last_name": "Torfs", "sex": "female", "department": "heart"},
            {"id": "bram", "first_name": "Bram", "last_name": "Torfs", "sex": "male", "department": "kidney"},
            {"id": "luca", "first_name": "Luca", "last_name": "Van der Meulen", "sex": "male", "department": "heart"},
            {"id": "noor", "first_name": "Noor", "last_name": "Vandermeulen", "sex": "female", "department": "kidney"},
            {"id": "yasmina", "first_name": "Yasmina", "last_name": "Benhaddou", "department": "surgery"},
        ],
        "lay_words": [{"department": "kidney", "terms": {"nl": ["nierstenen"], "en": ["gout"]}}],
    }
)  # fmt: skip
NAMES = HospitalNames(HOSPITAL, date(2026, 3, 4))


def read(text: str, language: str = "nl") -> Recognised:
    return NAMES.recognised(text, language, NOW)


def of_kind(kind: str, text: str, language: str = "nl") -> list[tuple[str, ...]]:
    return [one.ids for one in read(text, language).entities if one.kind == kind]


@pytest.mark.parametrize(
    ("text", "language", "ids"),
    [
        ("zit dokter benadoe morgen op kabinet", "nl", ("yasmina",)),
        ("Yasmina Benhadou, when is she in?", "en", ("yasmina",)),
        ("je cherche benhaddou yasmina", "fr", ("yasmina",)),
        ("is dokter Ilse Torfs er", "nl", ("ilse",)),
        ("dokter ilze torfs graag", "nl", ("ilse",)),
        ("torfs bram, heeft die een nummer", "nl", ("bram",)),
        ("dottoressa torfs", "it", ("ilse",)),
        ("dokter Noor alstublieft", "nl", ("noor",)),
    ],
)
def test_a_doctor_is_found_by_either_name_in_either_order_and_as_it_is_heard(
    text: str, language: str, ids: tuple[str, ...]
) -> None:
    assert of_kind("doctor", text, language) == [ids]


def test_doctors_whose_names_sound_the_same_are_all_meant_whatever_a_man_is_called() -> None:
    assert [set(ids) for ids in of_kind("doctor", "quando c'è il dottor van der meulen", "it")] == [{"luca", "noor"}]


def test_a_department_beside_a_name_tells_which_doctor_is_meant() -> None:
    assert of_kind("doctor", "is dokter torfs van de nefrologie er") == [("bram",)]
    assert of_kind("doctor", "is dokter torfs van de apotheek er") == [("ilse", "bram")]


def test_a_first_name_with_another_last_name_is_somebody_who_is_not_there() -> None:
    assert ("ilse",) not in of_kind("doctor", "is dokter Ilse Vangrootloon er")
    assert all(ids in ((), ("yasmina",)) for ids in of_kind("doctor", "werkt dokter Ilse Benhaddou hier"))


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("welke bus stopt bij kastilburg", "nl"),
        ("quale autobus va alla sede kastolbergh", "it"),
        ("how far is the main hospital from the station", "en"),
        ("is the garden entrance open at seven", "en"),
    ],
)
def test_a_campus_is_found_by_its_consonants_its_role_and_its_entrances(text: str, language: str) -> None:
    assert of_kind("campus", text, language) == [("kastelberg",)]


def test_an_entrance_that_two_sites_may_have_names_neither() -> None:
    assert of_kind("campus", "waar is de ingang") == []
    assert of_kind("campus", "rijdt er een bus naar kastanjelaan") == []


def test_the_words_of_an_entrance_stay_for_who_looks_for_the_entrance() -> None:
    text = "is the garden entrance open at seven"
    assert not any(text[start:end].startswith("garden") for start, end in read(text, "en").spans)


@pytest.mark.parametrize(
    ("text", "language", "ids"),
    [
        ("what time does the day clinic close", "en", ["day"]),
        ("the day after my operation", "en", []),
        ("le service de jour est où", "fr", ["day"]),
        ("quel jour vient-elle", "fr", []),
        ("I knocked on the front door", "en", []),
        ("de ziekenhuisapotheek, is die open", "nl", ["pharmacy"]),
        ("who is the plastic surgeon", "en", ["plastic"]),
    ],
)
def test_what_is_left_of_a_departments_name_is_one_beside_a_word_for_a_department(
    text: str, language: str, ids: list[str]
) -> None:
    assert [each for found in of_kind("department", text, language) for each in found] == ids


def test_a_clinician_who_writes_english_in_another_language_is_understood() -> None:
    assert of_kind("condition", "man van 40 met painless jaundice, wat nu") == [("jaundice",)]
    assert of_kind("condition", "j'ai perdu le goût depuis hier", "fr") == of_kind("condition", "j'ai perdu", "fr")


def test_a_stage_written_behind_an_abbreviation_hides_nothing() -> None:
    assert of_kind("condition", "dose bij CKD4") == of_kind("condition", "dose bij CKD")


def test_a_condition_that_is_a_lay_word_of_the_directory_too_stays_one() -> None:
    found = read("gout attack", "en")
    assert [one.kind for one in found.entities] == ["lay_word"]
    assert [one.ids for one in found.beneath] == [("gout",)]


@pytest.mark.parametrize("text", ["", "?", "dokter", "dokter dokter", "de", "campus", "Torfs" * 300])
def test_texts_of_nothing_name_nothing(text: str) -> None:
    assert read(text).entities == ()
