"""Which cells of a table a question asks for: told with their labels, or not at all."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from careline.knowledge import tables
from careline.model import Table, TableRow
from careline.search.label_ranges import ranges
from careline.search.table_answer import find
from careline.search.table_sentence import is_row_sentence, row_sentence
from careline.search.table_sight import CellPlace


def a_table(*rows: list[str], headers: int = 1) -> Table:
    return tables.read(tables.cells_of(rows, headers))


PARKING = a_table(
    ["", "Campus Kade", "Campus Bos"],
    ["Eerste uur", "€ 1,30¹", "€ 1,70"],
    ["Elk volgend uur", "€ 2,10", "€ 2,60"],
    ["Dag", "€ 9", "–"],
    ["Verloren ticket", "€ 22", "€ 27"],
    ["¹ de eerste 15 minuten zijn gratis", "", ""],
)
DOSES = a_table(
    ["Leeftijd", "Gewicht (kg)", "Hoogste dosis per dag (mg)"],
    ["2-5 jaar", "12-18", "720"],
    ["6-8 jaar", "19-25", "1000"],
    ["vanaf 12 jaar", "40 en meer", "3000"],
)
ROOMS = a_table(
    ["Kamertype", "Supplement per dag", "Voorschot"],
    ["Eenpersoonskamer", "€ 57", "€ 160"],
    ["Tweepersoonskamer", "€ 0", "€ 80"],
    ["Familiekamer", "€ 91", "€ 160"],
)
HOURS = a_table(
    ["Afdeling", "ma – vr", "Weekend"],
    ["Heelkunde", "15.00 – 20.00", "14.00 – 20.00"],
    ["Materniteit", "16.00 – 19.00", "–"],
)
PHONES = a_table(
    ["Dienst", "Intern", "Van buiten"], ["Sociale dienst", "4350", "018 52 43 50"], ["Mortuarium", "4002", "–"]
)


def told(question: str, table: Table, *titles: str, language: str = "nl") -> list[str]:
    found = find(question, language, table, "nl", CellPlace(titles))
    if found is None or found.is_empty:
        return []
    return [row_sentence(table, table.rows[row], found.columns) for row in found.rows]


@pytest.mark.parametrize(
    ("question", "table", "title", "language", "said"),
    [
        ("wat kost het eerste uur op campus bos", PARKING, "Parkeren", "nl", "Eerste uur – Campus Bos: € 1,70."),
        (
            "combien coûte la première heure au campus Bos ?",
            PARKING,
            "Parkeren",
            "fr",
            "Eerste uur – Campus Bos: € 1,70.",
        ),
        ("price of a lost ticket at campus kade", PARKING, "Parkeren", "en", "Verloren ticket – Campus Kade: € 22."),
        (
            "hoogste dosis voor een kind van 7 jaar",
            DOSES,
            "Paracetamol",
            "nl",
            "6-8 jaar – Hoogste dosis per dag (mg): 1000.",
        ),
        ("hoogste dosis bij 40 jaar", DOSES, "Paracetamol", "nl", "vanaf 12 jaar – Hoogste dosis per dag (mg): 3000."),
        ("supplement eenpersoonskamer", ROOMS, "Kamers", "nl", "Eenpersoonskamer – Supplement per dag: € 57."),
        ("supplément pour une chambre à un lit", ROOMS, "Kamers", "fr", "Eenpersoonskamer – Supplement per dag: € 57."),
        ("bezoekuren heelkunde woensdag", HOURS, "Bezoek", "nl", "Heelkunde – ma – vr: 15.00 – 20.00."),
        ("bezoekuren heelkunde zondag", HOURS, "Bezoek", "nl", "Heelkunde – Weekend: 14.00 – 20.00."),
        ("intern nummer van de sociale dienst", PHONES, "Telefoon", "nl", "Sociale dienst – Intern: 4350."),
        ("nummer sociale dienst", PHONES, "Telefoon", "nl", "Sociale dienst – Intern: 4350; Van buiten: 018 52 43 50."),
    ],
)
def test_the_cell_that_is_asked_for_is_told_with_the_labels_of_its_row_and_column(
    question: str, table: Table, title: str, language: str, said: str
) -> None:
    assert told(question, table, title, language=language) == [said]


@pytest.mark.parametrize(
    ("question", "table", "title"),
    [
        ("wat kost het eerste uur op campus noord", PARKING, "Parkeren"),
        ("wat kost een dag parkeren op campus bos", PARKING, "Parkeren"),
        ("wat kost een abonnement", PARKING, "Parkeren"),
        ("hoogste dosis ibuprofen voor een kind van 7 jaar", DOSES, "Paracetamol"),
        ("hoogste dosis voor een kind van 10 jaar", DOSES, "Paracetamol"),
        ("supplement suite", ROOMS, "Kamers"),
        ("supplement vierpersoonskamer", ROOMS, "Kamers"),
        ("bezoekuren cardiologie zondag", HOURS, "Bezoek"),
        ("bezoekuren materniteit zaterdag", HOURS, "Bezoek"),
        ("nummer van buiten van het mortuarium", PHONES, "Telefoon"),
    ],
)
def test_what_a_table_does_not_hold_is_not_answered_with_another_cell(question: str, table: Table, title: str) -> None:
    assert told(question, table, title) == []


def test_a_question_that_names_no_row_is_told_all_rows_of_a_small_table() -> None:
    assert [said.split(" – ")[0] for said in told("wat kost parkeren", PARKING, "Parkeren")] == [
        "Eerste uur", "Elk volgend uur", "Dag", "Verloren ticket",
    ]  # fmt: skip


def test_words_that_name_nothing_choose_no_row_that_says_more_than_they_do() -> None:
    table = a_table(["", "Tarief"], ["Eerste twee uur", "€ 4"], ["Weekend", "€ 3"], ["Maximum per 24 uur", "€ 12"])
    assert len(told("hoeveel kost parkeren per uur", table, "Parkeren")) == 3
    whole = a_table(["", "Tarief"], ["Per uur", "€ 4"], ["Weekend", "€ 3"], ["Maximum per 24 uur", "€ 12"])
    assert told("hoeveel kost parkeren per uur", whole, "Parkeren") == ["Per uur – Tarief: € 4."]


def test_a_note_comes_along_and_its_sign_is_no_digit() -> None:
    (said,) = told("eerste uur campus kade", PARKING, "Parkeren")
    assert said == "Eerste uur – Campus Kade: € 1,30 (de eerste 15 minuten zijn gratis)."


def test_the_name_of_another_tables_row_is_not_left_out_of_account() -> None:
    place = CellPlace(("Kamers",), elsewhere=(("Zuidwijk", "nl"),))
    assert find("supplement eenpersoonskamer zuidwijk", "nl", ROOMS, "nl", place) is None


def test_figures_under_a_header_that_slipped_or_was_lost_are_not_told() -> None:
    slipped = Table("", ("Arts",), (("Dr. Aerts Dr. Baele",), ()), a_table(["x", "1", "2"], headers=0).rows)
    lost = a_table(["Urologie", "4", "10"], ["Neurologie", "12", "13"], headers=0)
    assert told("urologie", lost, "Wachttijden") == []
    assert find("x", "nl", slipped, "nl", CellPlace(("Artsen",))) is None


def test_a_part_of_a_table_is_not_taken_for_the_whole() -> None:
    part = a_table(["Behandeling", "Prijs"], ["Laser been, per zone", "€ 120"], ["Laser arm", "€ 90"])
    whole = Table(part.caption, part.stub, part.columns, part.rows, total=40)
    assert told("prijs laser been", part, "Prijzen") == ["Laser been, per zone – Prijs: € 120."]
    assert told("prijs laser been", whole, "Prijzen") == []
    assert told("prijs laser arm", whole, "Prijzen") == ["Laser arm – Prijs: € 90."]


@pytest.mark.parametrize(
    ("label", "inside", "outside"),
    [
        ("2-5 jaar", (2, 3.5, 5), (1.9, 6)), ("vanaf 16", (16, 90), (15,)), ("< 12 kg", (3, 11.9), (12,)),
        ("≥ 80", (80, 99), (79,)), ("12+", (12, 40), (11,)), ("de 2 à 5 ans", (2, 5), (6,)), ("3", (3,), (2, 4)),
        ("oltre 65", (66,), (64,)), ("jonger dan 2", (1,), (2,)),
    ],
)  # fmt: skip
def test_a_range_holds_what_lies_in_it(label: str, inside: tuple[float, ...], outside: tuple[float, ...]) -> None:
    (only,) = ranges(label)
    assert all(only.holds(number) for number in inside)
    assert not any(only.holds(number) for number in outside)


words = st.text("abcdefgh", min_size=3, max_size=9)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(words, min_size=2, max_size=5, unique=True),
    st.lists(words, min_size=1, max_size=4, unique=True),
    st.data(),
)
def test_whatever_a_table_says_each_row_is_recognised_as_it_is_told_and_with_another_figure_is_not(
    rows: list[str], columns: list[str], data: st.DataObject
) -> None:
    values = [[f"€ {10 * n + m},50" for m in range(len(columns))] for n in range(len(rows))]
    table = a_table(["", *columns], *([label, *cells] for label, cells in zip(rows, values, strict=True)))
    n = data.draw(st.integers(0, len(rows) - 1))
    said = row_sentence(table, table.rows[n], range(len(columns)))
    assert is_row_sentence(table, said)
    assert not is_row_sentence(table, said.replace(",50", ",51"))


@pytest.mark.parametrize(
    ("question", "table", "title"),
    [
        ("nummer van buiten van het mortuarium", PHONES, "Telefoon"),
        ("bezoekuren materniteit zaterdag", HOURS, "Bezoek"),
    ],
)
def test_a_cell_that_is_named_by_row_and_column_and_has_no_value_is_found_empty(
    question: str, table: Table, title: str
) -> None:
    found = find(question, "nl", table, "nl", CellPlace((title,)))
    assert found is not None
    assert found.is_empty


@pytest.mark.parametrize(
    ("question", "language", "column"),
    [
        ("wachttijd cardiologie, niet dringend", "nl", "Dringend"),
        ("waiting time cardiology, not urgent", "en", "Urgent"),
        ("délai d'attente en cardiologie, pas urgent", "fr", "Urgent"),
        ("délai d'attente en cardiologie, pas d'urgence", "fr", "Urgence"),
        ("délai d'attente en cardiologie, je n'ai pas de lettre", "fr", "Avec lettre"),
        ("wachttijd cardiologie, ik heb geen brief", "nl", "Brief"),
        ("tempo d'attesa cardiologia, non urgente", "it", "Urgente"),
    ],
)
def test_a_column_that_is_denied_is_not_told(question: str, language: str, column: str) -> None:
    waits = Table(
        {"nl": "Wachttijd", "en": "Waiting time", "fr": "Délai d'attente", "it": "Tempo d'attesa"}[language],
        ("",),
        ((column,), ("Standard",)),
        (TableRow(("Cardiologie",), ("4", "40")), TableRow(("Urologie",), ("6", "61"))),
    )
    found = find(question, language, waits, language, CellPlace(()))
    assert found is not None
    assert (found.rows, found.columns) == ((0,), (1,))


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("wat kost elk uur na het eerste", "nl"),
        ("what does it cost after the first hour", "en"),
        ("combien par heure après la première", "fr"),
        ("quanto costa ogni giorno dopo il primo", "it"),
    ],
)
def test_who_asks_what_comes_after_the_first_is_not_told_the_first(question: str, language: str) -> None:
    first, next_one = {
        "nl": ("Eerste uur", "Elk volgend uur"),
        "en": ("First hour", "Each further hour"),
        "fr": ("Première heure", "Chaque heure suivante"),
        "it": ("Primo giorno", "Ogni giorno successivo"),
    }[language]
    prices = Table("", ("",), (("€",),), (TableRow((first,), ("2,00",)), TableRow((next_one,), ("1,00",))))
    found = find(question, language, prices, language, CellPlace(()))
    assert found is not None
    assert found.rows == (1,)


def test_columns_of_which_the_question_leaves_something_unsaid_are_all_told() -> None:
    phones = Table(
        "",
        ("Dienst",),
        (("Kade", "Rechtstreekse lijn"), ("Kade", "Toestel"), ("Bos", "Rechtstreekse lijn"), ("Bos", "Toestel")),
        (
            TableRow(("Kinesitherapie",), ("01 234 56 78 90", "7890", "01 345 67 89 01", "8901")),
            TableRow(("Labo",), ("01 234 56 78 91", "7891", "01 345 67 89 02", "8902")),
        ),
    )
    assert told("nummer kinesitherapie bos", phones, "Telefoon") == [
        "Kinesitherapie – Bos, Rechtstreekse lijn: 01 345 67 89 01; Bos, Toestel: 8901."
    ]


def test_a_column_named_by_a_unit_alone_is_not_taken_for_one_that_was_said_whole() -> None:
    rows = [["Local", "Hiver", "Hiver", "Été", "Été"], ["", "°C", "vol./h", "°C", "vol./h"]]
    rooms = a_table(*rows, ["Magasin", "18", "6", "23", "8"], ["Chambre", "21", "3", "24", "4"], headers=2)
    named = replace(rooms, caption="Température et renouvellement d’air")
    found = find("renouvellement d'air du magasin en été", "fr", named, "fr", CellPlace(("Salles",)))
    assert found is not None
    assert (found.rows, found.columns) == ((0,), (2, 3))


def test_a_dash_with_the_sign_of_a_note_is_no_value() -> None:
    table = a_table(["", "Week", "Weekend"], ["24 uur", "8,90 €¹", "—²"], ["1 uur", "1 €", "2 €"])
    found = find("wat kost 24 uur in het weekend", "nl", table, "nl", CellPlace(()))
    assert found is not None
    assert found.is_empty


EATING = a_table(
    ["Zaak", "Open"],
    ["Restaurant De Boei", "11:45 - 13:50"],
    ["Cafetaria", "07:20 - 18:40"],
)
CLINICS = a_table(
    ["Raadpleging", "Arts", "Dag", "Telefoon"],
    ["Oren", "dr. Lotte Maes", "maandag", "018 52 61 10"],
    ["Ogen", "dr. Karel Wouts", "donderdag", "018 52 61 20"],
)


@pytest.mark.parametrize(
    ("question", "row"),
    [("hoe laat sluit de cafetaria", "Cafetaria"), ("is het restaurant open", "Restaurant De Boei")],
)
def test_a_label_that_has_a_word_itself_is_meant_before_one_that_means_the_same(question: str, row: str) -> None:
    said = told(question, EATING, "Eten en drinken")
    assert len(said) == 1
    assert said[0].startswith(row)


def test_a_word_that_no_label_has_itself_finds_those_that_mean_the_same() -> None:
    assert len(told("wanneer is de cafétaria open", EATING, "Eten en drinken")) == 1
    assert told("when is the canteen open", EATING, "Eten en drinken", language="en")


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("welk nummer moet ik bellen voor dokter Wouts", "018 52 61 20"),
        ("wanneer is dokter Maes er", "maandag"),
        ("welke dokter doet de ogen", "dr. Karel Wouts"),
    ],
)
def test_a_title_before_a_name_asks_for_no_column_of_doctors(question: str, value: str) -> None:
    (said,) = told(question, CLINICS, "Raadplegingen")
    assert value in said


@pytest.mark.parametrize(
    "question", ["geef mij het nummer van de arts voor oren", "ik zoek het telefoonnummer van de dokter van de oren"]
)
def test_the_number_of_somebody_is_told_beside_the_name_that_a_column_is_asked_for_by(question: str) -> None:
    (said,) = told(question, CLINICS, "Raadplegingen")
    assert "018 52 61 10" in said
    assert "Lotte Maes" in said


def test_a_column_of_numbers_that_is_named_is_told_alone() -> None:
    (said,) = told("het interne nummer van de sociale dienst", PHONES, "Telefoon")
    assert "4350" in said
    assert "018 52 43 50" not in said


INTERPRETERS = a_table(
    ["Taal", "Tolk", "Dagen", "Vooraf"],
    ["Arabisch", "Nadia Hadi", "woensdag en vrijdag", "3 dagen"],
    ["Pools", "Agnes Nowa", "dinsdag", "8 dagen"],
)


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("op welke dagen is de tolk arabisch er", "woensdag en vrijdag"),
        ("binnen hoeveel tijd kan de tolk pools komen", "8 dagen"),
    ],
)
def test_days_and_lengths_of_time_are_told_though_a_column_is_called_as_the_table_is(question: str, value: str) -> None:
    found = find(question, "nl", INTERPRETERS, "nl", CellPlace(("Diensten",), ("Tolken",)))
    assert found is not None
    assert value in [INTERPRETERS.rows[row].values[column] for row in found.rows for column in found.columns]
