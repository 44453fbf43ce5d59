"""Cells of a table are said as a person would say them, and exactly what is said is recognised."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from careline.model import LANGUAGES, Table, TableRow
from careline.tables import read as tables
from careline.tables.row_wording import row_wording
from careline.tables.said_row import about_of, is_said_row, said_row


def a_table(*rows: list[str]) -> Table:
    return tables.read(tables.cells_of(rows, 1))


@pytest.mark.parametrize(
    ("language", "row_label", "column", "value", "said"),
    [
        ("nl", "Eerste uur", "Bezoekers", "1,50 €", "Bezoekers: het eerste uur kost 1,50 €."),
        ("en", "Visitors", "First hour", "€1.50", "Visitors: the first hour costs €1.50."),
        ("fr", "Visiteurs", "Première heure", "1,50 €", "Visiteurs: la première heure coûte 1,50 €."),
        ("it", "Visitatori", "Prima ora", "1,50 €", "Visitatori: la prima ora costa 1,50 €."),
        ("nl", "Eenpersoonskamer", "Supplement per dag", "€ 72", "Eenpersoonskamer: het supplement per dag is € 72."),
        ("en", "Fast charger", "Price per kWh", "€0.69", "Fast charger: the price per kWh is €0.69."),
        ("fr", "Lit du partenaire", "Prix par nuit", "18 €", "Lit du partenaire: le prix par nuit est de 18 €."),
        ("it", "Camera singola", "Prezzo", "72 € al giorno", "Camera singola: il prezzo è 72 € al giorno."),
        ("nl", "Materniteit", "Bezoekuren", "15.00 - 19.30", "Materniteit: bezoek van 15.00 tot 19.30 uur."),
        ("en", "Maternity", "Visiting hours", "daily 15:00-19:30", "Maternity: visiting daily from 15:00 to 19:30."),
        ("fr", "Maternité", "Heures de visite", "15h-19h30", "Maternité: visites de 15h à 19h30."),
        ("it", "Maternità", "Orario di visita", "15:00–19:30", "Maternità: visite dalle 15:00 alle 19:30."),
        ("nl", "Cafetaria", "Openingsuren", "9-17 u", "Cafetaria: open van 9 tot 17 uur."),
        ("nl", "Cardiologie", "Telefoon", "050 12 34 56", "Cardiologie: het telefoonnummer is 050 12 34 56."),
        ("en", "Cardiology", "Phone", "050 12 34 56", "Cardiology: the telephone number is 050 12 34 56."),
        ("fr", "Cardiologie", "Téléphone", "050 12 34 56", "Cardiologie: le numéro de téléphone est le 050 12 34 56."),
        ("it", "Cardiologia", "Telefono", "050 12 34 56", "Cardiologia: il numero di telefono è 050 12 34 56."),
    ],
)  # fmt: skip
def test_a_price_hours_and_a_telephone_number_become_a_sentence(
    language: str, row_label: str, column: str, value: str, said: str
) -> None:
    table = a_table(["", column, "Ander"], [row_label, value, "x1"])
    assert said_row(table, table.rows[0], [0], language) == said
    assert is_said_row(table, said, language)


@pytest.mark.parametrize(
    ("column", "value", "said"),
    [
        ("Wachttijd", "3 weken", "Radiologie – Wachttijd: 3 weken."),
        ("Prijs", "afhankelijk van de kamer", "Radiologie – Prijs: afhankelijk van de kamer."),
        ("Prijs", "€ 5 terugbetaald", "Radiologie – Prijs: € 5 terugbetaald."),
        ("Telefoon", "4350", "Radiologie – Telefoon: 4350."),
        ("Telefoon", "050 12 34 56 of 050 12 34 57", "Radiologie – Telefoon: 050 12 34 56 of 050 12 34 57."),
        ("Noodnummer", "050 12 34 56", "Radiologie – Noodnummer: 050 12 34 56."),
        ("Openingsuren", "gesloten 12.00-13.00", "Radiologie – Openingsuren: gesloten van 12.00 tot 13.00 uur."),
        ("Openingsuren", "van 9.00-12.00", "Radiologie – Openingsuren: van 9.00-12.00."),
        ("Verdunning", "1:10-1:20", "Radiologie – Verdunning: 1:10-1:20."),
        ("Referentie", "2.10-4.50", "Radiologie – Referentie: 2.10-4.50."),
        ("Referentie (mmol/l)", "2.10-12.50", "Radiologie – Referentie (mmol/l): 2.10-12.50."),
    ],
)
def test_what_is_of_no_known_kind_keeps_its_label(column: str, value: str, said: str) -> None:
    table = a_table(["", column, "Ander"], ["Radiologie", value, "x1"])
    assert said_row(table, table.rows[0], [0], "nl") == said
    assert is_said_row(table, said, "nl")


def test_what_is_refunded_or_left_as_a_deposit_does_not_cost() -> None:
    table = a_table(["", "Terugbetaling", "Waarborg"], ["Verloren ticket", "€ 5", "€ 10"])
    assert said_row(table, table.rows[0], [0], "nl") == "Verloren ticket – Terugbetaling: € 5."
    assert said_row(table, table.rows[0], [1], "nl") == "Verloren ticket: de waarborg is € 10."


def test_several_cells_are_said_in_one_manner_and_notes_come_along() -> None:
    table = a_table(["", "Prijs", "Waarborg*", "Duur"], ["Rolstoel", "€ 5", "€ 20", "1 dag"], ["* cash", "", "", ""])
    (row,) = table.rows
    assert said_row(table, row, [0, 1], "nl") == "Rolstoel: de prijs is € 5; de waarborg is € 20 (cash)."
    assert said_row(table, row, [0, 2], "nl") == "Rolstoel – Prijs: € 5; Duur: 1 dag."


def test_two_columns_that_would_be_called_the_same_keep_their_labels() -> None:
    table = a_table(["", "Telefoon", "Tel."], ["Onthaal", "050 12 34 56", "050 12 34 57"])
    assert said_row(table, table.rows[0], [0], "nl") == "Onthaal – Telefoon: 050 12 34 56."


@pytest.mark.parametrize(
    ("caption", "headings", "language", "about"),
    [
        ("Parkeren campus Oost", ("Bezoek",), "nl", "Parkeren campus Oost"),
        ("Tabel 3: Tarieven parking", (), "nl", "Tarieven parking"),
        ("Table 2. Visiting hours", (), "en", "Visiting hours"),
        ("Tableau 1 – Prix des chambres", (), "fr", "Prix des chambres"),
        ("Tabella 4: Orari", (), "it", "Orari"),
        ("", ("Prijzen", "Overzicht"), "nl", "Prijzen"),
        ("", ("Wat kost parkeren?",), "nl", ""),
        ("Prijzen. Alles inclusief", ("Kamers",), "nl", "Kamers"),
    ],
)
def test_what_a_table_tells_of_is_its_caption_or_its_heading(
    caption: str, headings: tuple[str, ...], language: str, about: str
) -> None:
    assert about_of(Table(caption, (), (), ()), headings, language) == about


def test_what_a_table_tells_of_is_said_first_unless_a_label_says_it() -> None:
    table = a_table(["", "Bezoekers", "Personeel"], ["Eerste uur", "1,50 €", "1 €"])
    said = said_row(table, table.rows[0], [0], "nl", "Parkeren campus Oost")
    assert said == "Parkeren campus Oost, Bezoekers: het eerste uur kost 1,50 €."
    assert said_row(table, table.rows[0], [0], "nl", "Het eerste uur") == "Bezoekers: het eerste uur kost 1,50 €."
    assert is_said_row(table, said, "nl", "Parkeren campus Oost")
    assert not is_said_row(table, said, "nl", "Parkeren campus West")


def test_a_language_without_wording_keeps_the_labels() -> None:
    table = a_table(["", "Preis", "Tag"], ["Zimmer", "€ 5", "1"])
    assert said_row(table, table.rows[0], [0], "de") == "Zimmer – Preis: € 5."


def _labels_of(language: str) -> list[str]:
    wording = row_wording(language)
    assert wording is not None
    return [label for clause in wording.clauses for label in clause.labels if not any(map(str.isdigit, label))]


_numbers = st.integers(10, 99)
_amounts = st.builds(lambda n, form: form.format(n), _numbers, st.sampled_from(["€ {},50", "{},50 €", "{} € per uur"]))
_hours = st.builds(
    lambda a, b, c, form: form.format(a, b, c),
    st.integers(2, 11), st.integers(12, 23), st.sampled_from(["00", "15", "30"]),
    st.sampled_from(
        ["{0}.{2}-{1}.{2}", "{0}:{2} – {1}:{2}", "{0}h-{1}h{2}", "ma-vr {0}.{2} - {1}.{2} uur", "{0}-{1} u"]
    ),
)  # fmt: skip
_phones = st.builds(lambda a, b: f"050 {a} {b} 56", _numbers, _numbers)
_plain = st.builds(lambda a, text: f"{text} {a}", _numbers, st.sampled_from(["verdieping", "na", "≥", "a; b: c", "x."]))
_values = st.one_of(_amounts, _hours, _phones, _plain)


@st.composite
def _tables(draw: st.DrawFn) -> tuple[Table, str]:
    """A table with labels that differ and values that differ; some labels have words of their own."""
    language = draw(st.sampled_from(LANGUAGES))
    names = st.one_of(st.sampled_from(_labels_of(language)), st.text("abcdefgh", min_size=3, max_size=9))
    labels = draw(st.lists(names, min_size=3, max_size=7, unique=True))
    cut = draw(st.integers(1, len(labels) - 1))
    rows, columns = labels[:cut], labels[cut:]
    count = len(rows) * len(columns)
    values = draw(st.lists(_values, min_size=count, max_size=count, unique_by=lambda text: re.sub(r"\D", "", text)))
    cells = [tuple(values[n * len(columns) : (n + 1) * len(columns)]) for n in range(len(rows))]
    made = tuple(TableRow((label,), row) for label, row in zip(rows, cells, strict=True))
    return Table("", ("",), tuple((name,) for name in columns), made), language


def _figures(text: str) -> list[str]:
    return re.findall(r"\d+", text)


@settings(max_examples=150, deadline=None)
@given(_tables(), st.sampled_from(["", "Waarover het gaat"]), st.data())
def test_whatever_is_said_of_a_table_is_recognised_and_has_the_figures_of_its_cells_and_no_others(
    made: tuple[Table, str], about: str, data: st.DataObject
) -> None:
    table, language = made
    row = data.draw(st.sampled_from(table.rows))
    columns = sorted(data.draw(st.sets(st.integers(0, len(table.columns) - 1), min_size=1)))
    said = said_row(table, row, columns, language, about)
    assert is_said_row(table, said, language, about)
    assert _figures(said) == [figure for column in columns for figure in _figures(row.values[column])]


@settings(max_examples=150, deadline=None)
@given(_tables(), st.data())
def test_a_sentence_with_the_value_of_another_cell_is_not_recognised(
    made: tuple[Table, str], data: st.DataObject
) -> None:
    table, language = made
    cells = [(n, column) for n in range(len(table.rows)) for column in range(len(table.columns))]
    here, there = data.draw(st.lists(st.sampled_from(cells), min_size=2, max_size=2, unique=True))
    values = [list(row.values) for row in table.rows]
    values[here[0]][here[1]] = values[there[0]][there[1]]
    rows = tuple(TableRow(row.labels, tuple(cells)) for row, cells in zip(table.rows, values, strict=True))
    wrong = Table("", ("",), table.columns, rows)
    columns = sorted({here[1], *data.draw(st.sets(st.integers(0, len(table.columns) - 1)))})
    assert not is_said_row(table, said_row(wrong, wrong.rows[here[0]], columns, language), language)


def test_recognising_grows_with_the_table_and_not_with_the_choices_of_columns() -> None:
    columns = tuple((f"kolom {n}",) for n in range(40))
    table = Table("", ("",), columns, (TableRow(("rij",), ("zelfde",) * 40),))
    said = said_row(table, table.rows[0], range(40), "nl")
    assert is_said_row(table, said, "nl")
    assert not is_said_row(table, said.replace("kolom 39: zelfde", "kolom 39: ander"), "nl")


@pytest.mark.parametrize("columns", [[0], [0, 2], [2]])
def test_a_row_whose_values_bear_the_signs_of_notes_is_recognised(columns: list[int]) -> None:
    rows = (
        TableRow(("Dagmaximum",), ("12,50¹", "–", "8,90¹")),
        TableRow(("Verloren ticket",), ("24,00²", "–", "16,00²")),
    )
    paths = (("P1 (EUR)", "Dag"), ("P1 (EUR)", "Nacht"), ("P2 (EUR)", "Dag en nacht"))
    table = Table("", ("",), paths, rows, (("¹", "Per begonnen dag."), ("²", "Ook bij kort parkeren.")))
    for row in rows:
        said = said_row(table, row, columns, "nl", "Tarieven")
        assert "¹" not in said
        assert is_said_row(table, said, "nl", "Tarieven")
