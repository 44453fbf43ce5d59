"""Only what tells of what is asked is quoted: a price where a price is asked for, hours where it is asked when."""

from __future__ import annotations

import pytest

from careline.engines.embedded.evidence_quotes import evidence_quotes
from careline.model import ReadWindow, Table, TableRow
from careline.ports import PromptInput
from careline.search.asked_length import is_for_another_length
from careline.search.label_ranges import Range, ranges
from careline.search.label_words import question_words
from careline.search.table_answer import find, named_part
from careline.search.table_sight import CellPlace
from tests.engines.test_evidence_quotes import a_source, quoted

INSTALMENTS = Table(
    "",
    ("Bedrag",),
    (("Hoogste aantal maanden",),),
    (
        TableRow(("van 150 € tot 600 €",), ("3",)),
        TableRow(("van 600,01 € tot 1 800 €",), ("8",)),
        TableRow(("meer dan 1 800 €",), ("14",)),
    ),
)
BARBER = "De kapper komt op dinsdag naar de kamer. Vraag het aan de verpleging."


@pytest.mark.parametrize(
    ("amount", "months"), [("420 €", "3"), ("950 euro", "8"), ("2500 €", "14"), ("2.500 €", "14"), ("1 200 euro", "8")]
)
def test_an_amount_finds_the_row_whose_range_holds_it(amount: str, months: str) -> None:
    part = named_part(f"over hoeveel maanden spreid ik {amount}", "nl", INSTALMENTS, "nl", CellPlace(("Facturen",)))
    assert [INSTALMENTS.rows[row].values[0] for row in part.rows] == [months]


@pytest.mark.parametrize("written", ["1 500", "1.500", "1,500", "1'500"])
def test_thousands_are_one_number_however_they_are_grouped(written: str) -> None:
    assert ranges(f"meer dan {written} €")[0].low == 1500
    assert question_words(f"een rekening van {written} euro", "nl")[3].number == 1500


def test_a_decimal_and_the_digits_of_a_telephone_number_are_no_thousands() -> None:
    assert ranges("van 2,5 tot 3,25 kg") == (Range(2.5, 3.25),)
    assert [word.text for word in question_words("bel 098 441 230", "nl")] == ["bel", "098", "441", "230"]


def test_a_sentence_that_says_nothing_of_cost_is_no_answer_to_what_something_costs() -> None:
    source = a_source(BARBER, ReadWindow(0, 5.0, (5.0, 4.0)))
    assert quoted("wat kost de kapper", source) == []
    assert quoted("komt de kapper naar de kamer", source) != []


@pytest.mark.parametrize(
    "text", ["De kapper kost 18 euro.", "De kapper is inbegrepen in de dagprijs.", "De kapper betaalt u zelf."]
)
def test_a_sentence_that_says_who_pays_answers_what_something_costs(text: str) -> None:
    assert quoted("wat kost de kapper", a_source(text, ReadWindow(0, 5.0, (5.0,)))) == [text]


def test_a_row_of_amounts_alone_does_not_tell_when() -> None:
    table = Table(
        "", ("",), (("Per dag",),), (TableRow(("Kind ten laste",), ("9,40 €",)), TableRow(("Gezin",), ("8 €",)))
    )
    source = a_source("", ReadWindow(0, 5.0), table=table)
    assert quoted("wanneer mag ik een kind bezoeken", source) == []
    assert quoted("wat betaal ik voor een kind per dag", source) != []


def test_hours_are_told_where_the_words_name_a_column_that_has_none() -> None:
    table = Table(
        "",
        ("Ward",),
        (("Weekdays",), ("Visitors at one time",)),
        (TableRow(("Intensive care",), ("14:00-14:30", "2")), TableRow(("Surgery",), ("15:00-20:00", "3"))),
    )
    found = find("at what time can I visit intensive care", "en", table, "en", CellPlace(("Visiting",)))
    assert found is not None
    assert found.columns == (0,)
    many = find("how many visitors at one time in intensive care", "en", table, "en", CellPlace(("Wards",)))
    assert many is not None
    assert many.columns == (1,)


PARKING = Table(
    "",
    ("",),
    (("Price",),),
    (
        TableRow(("First 20 minutes",), ("free",)),
        TableRow(("Up to 3 hours",), ("€ 4.10",)),
        TableRow(("Week card (7 days)",), ("€ 31.00",)),
    ),
)


@pytest.mark.parametrize(
    ("question", "row", "is_told"),
    [
        ("combien coûte le parking pour la première heure", 0, False),
        ("combien coûte le parking pour 2 heures", 1, True),
        ("combien coûte le parking pour 5 heures", 1, False),
        ("combien coûte le parking pour 15 minutes", 1, True),
        ("combien coûte le parking pour toute la journée", 2, False),
        ("combien coûte le parking pour une semaine", 2, True),
        ("combien coûte le parking", 2, True),
    ],
)
def test_a_price_for_another_length_of_time_is_not_told(question: str, row: int, is_told: bool) -> None:
    label = PARKING.rows[row].labels[0]
    assert is_for_another_length(question, "fr", label, "en") is not is_told


def test_a_price_that_is_asked_for_again_each_hour_is_for_any_length() -> None:
    assert not is_for_another_length("what is parking for 3 hours", "en", "each further 30 minutes", "en")


def test_what_stands_under_another_heading_of_the_page_is_not_told_of_the_one_that_is_named() -> None:
    blood = a_source(
        "Eet niets tot 9 uur voor de prik.",
        ReadWindow(0, 5.0, (5.0,)),
        number=1,
        ordinal=0,
        heading_path=("Onderzoeken", "Bloedafname"),
    )
    scan = a_source(
        "Kom 40 minuten voor de afspraak.",
        ReadWindow(0, 2.5, (2.5,)),
        number=1,
        ordinal=1,
        heading_path=("Onderzoeken", "Coloscopie"),
    )
    assert quoted("hoe vroeg moet ik er zijn voor de coloscopie", blood, scan) == ["Kom 40 minuten voor de afspraak."]
    assert quoted("hoe vroeg moet ik er zijn", blood, scan) == ["Eet niets tot 9 uur voor de prik."]


def test_a_row_that_shares_only_its_campus_with_the_question_is_not_told_for_a_thing_it_does_not_name() -> None:
    clinics = ("Radiologie", "Oogziekten", "Cardiologie", "Urologie", "Neurologie", "Huidziekten")
    places = [(name, campus) for name in clinics for campus in ("Oostpoort", "Westdijk")]
    rows = tuple(TableRow(labels, (f"011 22 33 {n}0",)) for n, labels in enumerate(places))
    table = Table("", ("Dienst", "Campus"), (("Telefoon",),), rows)
    source = a_source("", ReadWindow(0, 3.0), ReadWindow(2, 2.8), table=table)
    assert quoted("wie bel ik over een verloren jas in Oostpoort", source) == []


def test_the_number_of_somebody_else_is_not_told_where_nothing_names_who_is_asked_for() -> None:
    source = a_source("De bewaking helpt u dag en nacht op 011 22 33 99.", ReadWindow(0, 5.0, (5.0,)))
    assert quoted("wat is het telefoonnummer van de taxi's", source) == []
    assert quoted("wat is het telefoonnummer van de bewaking", source) != []


def test_no_column_of_prices_is_told_for_a_thing_that_the_table_does_not_name() -> None:
    rows = TableRow(("Yoga",), ("9 €", "ma")), TableRow(("Zwemmen",), ("12 €", "do"))
    source = a_source("", ReadWindow(0, 5.0), ReadWindow(1, 4.9), table=Table("", ("",), (("Prijs",), ("Dag",)), rows))
    assert any("Zwemmen" in told for told in quoted("wat zijn de prijzen", source))
    assert not any("Zwemmen" in told for told in quoted("wat is de prijs van de geboortefoto's", source))


CONSULTATIONS = Table(
    "",
    ("Specialité", "Médecin"),
    (("Jours",), ("Téléphone",)),
    (
        TableRow(("Cardiologie", "Dr Aubry"), ("mardi", "02 555 76 10")),
        TableRow(("Rhumatologie", "Dre Obrist"), ("jeudi", "02 555 76 65")),
    ),
)
COMPLAINTS = Table(
    "", ("Contact",), (("Telephone",),), (TableRow(("Feedback office Grand-Pré",), ("02 555 79 50",)),) * 2
)


def told(question: str) -> list[str]:
    facts = {"language": "fr", "title": "Consultations au Grand-Pré"}
    sources = (
        a_source("", ReadWindow(0, 5.0), number=1, table=COMPLAINTS, facts={"language": "en"}),
        a_source("", number=2, table=CONSULTATIONS, facts=facts),
    )
    quotes = evidence_quotes(PromptInput(question, question, None, "en", "", sources), 3, 700)
    return [one.text(False) for quote in quotes for one in quote.quotables]


def test_the_cell_that_a_question_names_is_told_where_nothing_that_was_read_is_of_it() -> None:
    (said,) = told("Which number do I ring for the rheumatologist at Grand-Pré?")
    assert "02 555 76 65" in said


def test_a_name_that_no_row_has_gets_no_number_of_another_one() -> None:
    assert told("Which number do I ring for the dermatologist at Grand-Pré?") == []


@pytest.mark.parametrize(
    "label", ["€ 500 tot € 1 500", "€ 500 – € 1.500", "da € 500 a € 1.500", "CHF 500 to CHF 1’500", "500 € – 1 500 €"]
)
def test_a_range_is_read_wherever_the_currency_stands(label: str) -> None:
    assert ranges(label) == (Range(500, 1500),)


def test_who_comes_without_an_appointment_is_told_no_hours_by_appointment() -> None:
    rows = (TableRow(("Prelievi su appuntamento",), ("7:00",)), TableRow(("Accesso senza appuntamento",), ("9:20",)))
    table = Table("", ("",), (("Ore",),), rows)
    found = find("a che ora faccio il prelievo senza appuntamento", "it", table, "it", CellPlace(("Prelievi",)))
    assert found is not None
    assert found.rows == (1,)


def test_a_follow_up_is_told_the_row_that_its_own_words_name() -> None:
    rows = (TableRow(("Invoices",), ("02 555 79 10",)), TableRow(("Instalments, all sites",), ("02 555 48 15",)))
    table = Table("", ("Office",), (("Telephone",),), rows)
    source = a_source("", ReadWindow(0, 5.0), table=table, facts={"language": "en", "title": "Your invoice"})
    asked = "who do I call to arrange instalments, second reminder invoice?"
    prompt_input = PromptInput("and who do I call to arrange instalments?", asked, None, "en", "", (source,))
    told = [one.text(False) for quote in evidence_quotes(prompt_input, 3, 700) for one in quote.quotables]
    assert told
    assert all("02 555 48 15" in one for one in told)


@pytest.mark.parametrize(
    ("question", "language", "label", "is_other"),
    [
        ("quanto costa il parcheggio per una settimana", "it", "Massimo per 24 ore", True),
        ("combien coûte la chambre par jour", "fr", "Chambre seule, par 7 jours", True),
        ("wat kost een kaart voor een week", "nl", "Kaart 7 dagen", False),
        ("wat kost een kaart voor een week", "nl", "Kaart 30 dagen", True),
        ("what does parking cost for a day", "en", "Maximum per 24 hours", False),
        ("what is parking for 3 hours", "en", "per hour", False),
    ],
)
def test_a_price_for_several_days_is_for_so_many(question: str, language: str, label: str, is_other: bool) -> None:
    assert is_for_another_length(question, language, label, language) is is_other
