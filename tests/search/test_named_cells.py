"""Which cells a question chooses by codes, lengths of time, ends, parts of the day and compounds."""

from __future__ import annotations

import pytest

from careline.model import Table, TableRow
from careline.search.distinctions import is_of_another_case
from careline.search.label_ranges import Range, ranges
from careline.search.label_words import question_words
from careline.search.table_answer import FoundCells, find, named_part
from careline.search.table_sight import CellPlace

STAYS = Table(
    "Tarieven",
    ("",),
    (("Dok", "P2 dek"), ("Dok", "P3 plein")),
    tuple(
        TableRow((label,), values)
        for label, values in (
            ("Tot 30 minuten", ("1,15", "0,85")),
            ("Tot 1 uur", ("2,35", "1,95")),
            ("Tot 2 uur", ("4,25", "3,45")),
            ("Avondkaart (18:30–23:30)", ("5,05", "")),
        )
    ),
)
FASTING = Table(
    "",
    ("",),
    (("Grote mensen", "Niet meer eten"), ("Grote mensen", "Niet meer drinken"), ("Kinderen", "Niet meer eten")),
    (TableRow(("Scan van de lever",), ("9 u", "3 u", "6 u")), TableRow(("Botfoto",), ("7 u", "2 u", "5 u"))),
)


def cells(question: str, table: Table, *titles: str, language: str = "nl", written_in: str = "") -> FoundCells | None:
    return find(question, language, table, written_in or language, CellPlace(titles))


def test_a_letter_with_a_number_is_one_name_and_no_number() -> None:
    assert [(word.text, word.number) for word in question_words("p2 12 b3", "nl")] == [
        ("p2", None), ("12", 12.0), ("b3", None)
    ]  # fmt: skip
    found = cells("wat kost de avondkaart in P3", STAYS, "Parkeren")
    assert found is not None
    assert found.is_empty, "P2 has a price for it, and P3 has none"


@pytest.mark.parametrize(
    ("question", "language", "row"),
    [
        ("wat kost twee uur in P2", "nl", 2),
        ("wat kost een uur in P2", "nl", 1),
        ("I'm there for one hour in P2, what does it cost", "en", 1),
        ("combien coûte une heure au P2", "fr", 1),
        ("quanto costano 20 minuti nel P2", "it", 0),
    ],
)
def test_of_rows_up_to_a_length_of_time_the_nearest_one_is_meant(question: str, language: str, row: int) -> None:
    found = cells(question, STAYS, "Parkeren", language=language, written_in="nl")
    assert found is not None
    assert (found.rows, found.columns) == ((row,), (0,))


def test_a_time_of_day_is_no_number_of_something() -> None:
    assert ranges("Avondkaart (18:30–23:30)") == ()
    assert ranges("van 2 tot 5 jaar") == (Range(2.0, 5.0),)


@pytest.mark.parametrize("question", ["hoe lang mag een kind niet eten voor een botfoto", "botfoto: kind, eten"])
def test_no_more_names_an_end_and_denies_nothing(question: str) -> None:
    found = cells(question, FASTING, "Nuchter blijven")
    assert found is not None
    assert (found.rows, found.columns) == ((1,), (2,))


def test_a_part_of_the_day_chooses_among_columns_that_are_named_alike() -> None:
    columns = (("Le matin", "Boissons claires"), ("L’après-midi", "Boissons claires"))
    table = Table("", ("",), columns, (TableRow(("Fibroscopie",), ("5 h", "")), TableRow(("Sonde",), ("4 h", "2 h"))))
    asked = "fibroscopie l'après-midi, combien d'heures avant sans boissons claires"
    found = cells(asked, table, "Rester à jeun", language="fr")
    assert found is not None
    assert found.is_empty
    assert named_part(asked, "fr", table, "fr", CellPlace(("Rester à jeun",))).columns == (1,)


def test_a_column_is_not_chosen_by_words_that_stand_around_the_table() -> None:
    table = Table(
        "Visiting hours",
        ("",),
        (("Tuesday",), ("Sunday",), ("Visitors at a time",)),
        (TableRow(("Revalidation",), ("", "14:00", "4")), TableRow(("Surgery",), ("15:00", "13:00", "2"))),
    )
    found = cells("when can I visit my aunt in revalidation on Tuesday", table, "Visiting hours", language="en")
    assert found is not None
    assert (found.columns, found.is_empty) == ((0,), True)


def test_a_compound_whose_second_part_names_nothing_is_its_first() -> None:
    table = Table(
        "",
        ("",),
        (("Dok, nieuwe patiënt",), ("Dok, controle",)),
        (TableRow(("Voetkliniek",), ("21 weken", "8 weken")), TableRow(("Huidkliniek",), ("9 weken", "4 weken"))),
    )
    found = cells("hoe lang wacht ik op een controleafspraak in de voetkliniek op Dok", table, "Wachttijden")
    assert found is not None
    assert (found.rows, found.columns) == ((0,), (1,))


def test_a_thing_that_no_row_is_called_is_unnamed_in_every_row() -> None:
    bar = Table("Listino", ("",), (("Al banco",), ("Al tavolo",)), (
        TableRow(("Tisana",), ("€ 1,95", "€ 2,65")), TableRow(("Focaccia",), ("€ 3,05", "€ 4,15")),
    ))  # fmt: skip
    beer = named_part("quanto costa una birra al tavolo", "it", bar, "it", CellPlace(("Listino del bar",)))
    assert beer.is_unnamed(0)
    assert beer.is_unnamed(1)
    tea = named_part("quanto costa una tisana al tavolo", "it", bar, "it", CellPlace(("Listino del bar",)))
    assert not tea.is_unnamed(0)


BUSES = Table(
    "",
    ("Rit",),
    (("Kade",), ("Bos",)),
    (TableRow(("71",), ("09:05", "09:31")), TableRow(("72",), ("9:20", "9:48")), TableRow(("73",), ("10:20", "–"))),
)


def test_a_time_in_a_question_names_the_row_in_which_it_stands() -> None:
    part = named_part("ik neem de bus van 9:20 aan Kade, wanneer ben ik in Bos", "nl", BUSES, "nl", CellPlace(("Bus",)))
    assert part.rows == (1,)
    assert part.meant(0) == (1,), "whatever row was read"
    found = cells("wanneer is de bus van 09:20 in Bos", BUSES, "Bus")
    assert found is not None
    assert (found.rows, found.columns) == ((1,), (1,))


def test_a_row_that_is_named_whole_is_meant_before_one_that_was_read_by_another_word() -> None:
    ages = Table(
        "",
        ("",),
        (("Mumps",), ("Rabies",)),
        (TableRow(("Age at first jab",), ("11 months", "3 years")), TableRow(("Booster",), ("", "6 years"))),
    )
    part = named_part("at what age is the booster for mumps given", "en", ages, "en", CellPlace(("Vaccines",)))
    assert part.meant(0) == (1,)


def test_words_that_name_nothing_choose_no_row_by_its_values() -> None:
    table = Table(
        "",
        ("",),
        (("Patiënten, Bos",), ("Bezoekers, Bos",)),
        (TableRow(("Week",), ("9,15", "18,45")), TableRow(("Kaart kwijt",), ("16,05, ook voor patiënten", "21,05"))),
    )
    found = cells("wat betaal ik als patiënt in Bos", table, "Parkeren")
    assert found is None or len(found.rows) > 1


@pytest.mark.parametrize(
    ("question", "texts"),
    [
        ("ik ben mijn jas kwijtgeraakt, nummer van de gevonden voorwerpen", ("Gevonden voorwerpen", "01 234 56 78")),
        ("een werkstuk over ouderenzorg: bedden op geriatrie", ("Geriatrie", "41")),
    ],
)
def test_a_case_that_a_row_bears_by_another_word_is_no_other_case(question: str, texts: tuple[str, str]) -> None:
    assert not is_of_another_case(question, "nl", texts, ("Telefoonlijst",), "nl", numbers=False)


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("nl", "en als ik mijn kaartje kwijtraak?"),
        ("nl", "wat als ik mijn kaartje ben kwijtgespeeld"),
        ("en", "and if I mislay my parking ticket?"),
        ("fr", "et si je perds mon ticket ?"),
        ("it", "e se perdo il biglietto?"),
    ],
)
def test_whoever_may_lose_a_ticket_is_told_of_a_lost_one(language: str, question: str) -> None:
    texts = ("Een verloren ticket kost 17 euro.",)
    assert not is_of_another_case(question, language, texts, ("Parkeren",), "nl", numbers=False, in_prose=True)
