"""A figure of a table leaves only beside the labels of its own row and column."""

from __future__ import annotations

from dataclasses import replace

import pytest

from careline.model import Hit, Table, TableRow
from careline.ports import Source
from careline.safety.grounding.grounding import Grounds
from careline.tables import read as tables
from careline.tables.caller_forms import beside
from careline.tables.said_row import about_of, said_row
from tests.builders import a_passage

TABLE = tables.read(
    tables.cells_of(
        [["", "Campus Kade", "Campus Bos"], ["Eerste uur", "€ 1,30", "€ 1,70"], ["Verloren ticket", "€ 22", "€ 27"]], 1
    )
)
QUESTION = "wat kost een verloren ticket op campus bos"


def grounds(question: str = QUESTION, *prose: str) -> Grounds:
    passages = [a_passage(tables.text_of(TABLE), table=TABLE), *(a_passage(text) for text in prose)]
    sources = [Source(n, "Parkeren", "nl", Hit(one, 0.9)) for n, one in enumerate(passages, 1)]
    return Grounds(sources, "nl", question)


@pytest.mark.parametrize(
    "sentence",
    [
        "Een verloren ticket kost op campus Bos € 27 [1].",
        "Verloren ticket – Campus Bos: € 27. [1]",
        "Dat kost € 27 [1].",
    ],
)
def test_a_figure_beside_its_labels_or_those_that_were_asked_for_is_grounded(sentence: str) -> None:
    assert grounds().ungrounded(sentence) == ()


@pytest.mark.parametrize(
    "sentence",
    [
        "Een verloren ticket kost op campus Bos € 22 [1].",
        "Een verloren ticket kost op campus Kade € 27 [1].",
        "Dat kost € 1,70 [1].",
    ],
)
def test_a_figure_of_another_row_or_column_is_not(sentence: str) -> None:
    assert grounds().ungrounded(sentence) == ("claim/label",)


def test_without_any_label_the_cell_that_has_the_figure_is_told_instead_where_there_is_one_and_no_other_is_named() -> (
    None
):
    ground = grounds("wat kost een verloren ticket")
    assert ground.ungrounded("Dat kost € 27 [1].") == ("claim/label",)
    assert ground.labelled("Dat kost € 27 [1].") == ("Campus Bos: een verloren ticket kost € 27.", 1)
    assert ground.labelled("Op campus Kade kost dat € 27 [1].") is None
    assert ground.labelled("Het eerste uur kost € 27 [1].") is None
    assert ground.labelled("Dat kost € 1,70 [1].") is None, "the question names another row"
    assert grounds("wat kost dat").labelled("Dat kost € 99 [1].") is None


AGES = tables.read(
    tables.cells_of(
        [["Gewicht (kg)", "Siroop (ml)", "Tablet"], ["5 tot 6", "2,5 ml", "geen"], ["7", "5 ml", "geen"],
         ["8 tot 10", "7 ml", "een halve"]],
        1,
    )
)  # fmt: skip
INSURED = tables.read(tables.cells_of([["", "Prijs"], ["Verzekerd", "€ 4"], ["Niet verzekerd", "€ 9"]], 1))


def of_table(table: Table, question: str = "iets anders", language: str = "nl", written_in: str = "nl") -> Grounds:
    source = Source(1, "Blad", written_in, Hit(a_passage(tables.text_of(table), table=table), 0.9))
    return Grounds([source], language, question)


@pytest.mark.parametrize(
    ("table", "sentence", "is_told"),
    [
        (AGES, "Een kind van 7 kg krijgt 5 ml siroop.", True),
        (AGES, "Van 8 tot 10 kg is dat 7 ml siroop.", True),
        (AGES, "Een kind van 7 kg krijgt 2,5 ml siroop.", False),
        # The amount itself does not name the row that is called so.
        (AGES, "Geef 7 ml siroop.", False),
        (INSURED, "Wie verzekerd is, betaalt een prijs van € 4.", True),
        (INSURED, "Wie niet verzekerd is, betaalt een prijs van € 4.", False),
        (INSURED, "Wie niet verzekerd is, betaalt een prijs van € 9.", True),
        (INSURED, "Verzekerd betaalt u € 9.", False),
    ],
)
def test_a_label_is_told_by_all_its_words_and_numbers(table: Table, sentence: str, *, is_told: bool) -> None:
    assert (of_table(table).ungrounded(f"{sentence} [1]", (1,)) == ()) is is_told


def test_the_only_row_or_column_of_a_table_need_not_be_named_and_the_only_row_of_a_piece_must() -> None:
    table = Table("", ("",), ((),), (TableRow(("Dagkaart",), ("€ 12",)),), total=1)
    assert of_table(table).ungrounded("Dat kost € 12 [1].") == ()
    assert of_table(replace(table, total=9)).ungrounded("Dat kost € 12 [1].") == ("claim/label",)


def test_a_row_need_not_be_named_where_every_row_of_the_column_has_the_figure() -> None:
    table = tables.read(tables.cells_of([["", "Noord", "Zuid"], ["Dag", "€ 5", "€ 5"], ["Nacht", "€ 5", "€ 6"]], 1))
    assert of_table(table).ungrounded("Op Noord betaalt u altijd € 5 [1].") == ()
    assert of_table(table).ungrounded("Op Zuid betaalt u altijd € 5 [1].") == ("claim/label",)


@pytest.mark.parametrize(
    ("question", "is_told"),
    [("wat kost een verloren ticket op campus bos", True), ("ik ben mijn kaartje kwijt op campus bos", False),
     ("wat kost een ticket op bos", False)],
)  # fmt: skip
def test_what_was_asked_counts_only_where_it_holds_the_labels_own_words(question: str, *, is_told: bool) -> None:
    assert (grounds(question).ungrounded("Dat kost € 27 [1].") == ()) is is_told


@pytest.mark.parametrize(
    ("language", "sentence", "is_told"),
    [
        ("fr", "Au campus Bos, un ticket perdu coûte 27 €.", True),
        ("fr", "Au campus Kade, un ticket perdu coûte 27 €.", False),
        ("en", "A lost ticket costs € 27 on campus Bos.", True),
        ("en", "The first hour costs € 27 on campus Bos.", False),
        ("it", "Al campus Bos la prima ora costa 1,70 €.", True),
        ("it", "Al campus Bos la prima ora costa 27 €.", False),
    ],
)
def test_in_another_language_a_label_is_told_by_its_names_and_by_what_its_words_mean(
    language: str, sentence: str, *, is_told: bool
) -> None:
    assert (of_table(TABLE, "something", language).ungrounded(f"{sentence} [1]", (1,)) == ()) is is_told


def test_a_figure_that_stands_in_prose_too_needs_no_labels() -> None:
    assert grounds(QUESTION, "Een dagkaart kost € 27.").ungrounded("Een dagkaart kost € 27 [2].") == ()


def test_every_row_is_grounded_as_it_is_told() -> None:
    from careline.tables.row_sentence import row_sentence

    for row in TABLE.rows:
        for columns in ((0,), (1,), (0, 1)):
            assert grounds("iets anders").ungrounded(f"- {row_sentence(TABLE, row, columns)} [1]") == ()


def test_every_row_is_grounded_as_a_caller_is_told_it() -> None:
    about = about_of(TABLE, a_passage(tables.text_of(TABLE), table=TABLE).chunk.heading_path, "nl")
    for row in TABLE.rows:
        for columns in ((0,), (1,), (0, 1)):
            for before in (about, ""):
                said = said_row(TABLE, row, columns, "nl", before)
                assert grounds("iets anders").ungrounded(f"{said} [1]") == ()


@pytest.mark.parametrize(
    "sentence",
    [
        "Campus Bos: het eerste uur kost € 1,30.",
        "Campus Kade: een verloren ticket kost € 27.",
        "Het eerste uur – Campus Kade: € 1,70; Campus Bos: € 1,30.",
    ],
)
def test_the_value_of_another_cell_in_such_a_sentence_is_not(sentence: str) -> None:
    assert grounds("iets anders").ungrounded(f"{sentence} [1]") != ()


@pytest.mark.parametrize("language", ["en", "fr", "it"])
def test_a_row_that_is_quoted_for_a_caller_with_another_language_is_grounded_with_the_callers_forms(
    language: str,
) -> None:
    source = Source(1, "Parkeren", "nl", Hit(a_passage(tables.text_of(TABLE), table=TABLE), 0.9))
    ground = Grounds([source], language, "something else")
    for row in TABLE.rows:
        for quoted in (True, False):
            said = beside(said_row(TABLE, row, (1,), "nl"), "nl", language, quoted=quoted)
            assert ground.ungrounded(f"{'' if quoted else '- '}{said} [1]", (1,)) == ()
            wrong = said.replace("27", "22").replace("1,70", "1,30").replace("1.70", "1.30")
            assert ground.ungrounded(f"{wrong} [1]", (1,)) != ()
            if quoted:
                assert ground.ungrounded(f"This is in “Parkeren”, which is in Dutch: {said} [1]", (1,)) == ()
                assert ground.ungrounded(f"You pay € 3 there: {said} [1]", (1,)) == ("claim/number",)


@pytest.mark.parametrize("columns", [(0, 1), (0,)])
def test_a_row_as_it_is_told_is_published_by_its_source_and_a_value_under_another_label_is_not(
    columns: tuple[int, ...],
) -> None:
    said = said_row(TABLE, TABLE.rows[0], columns, "nl")
    assert grounds().publishes(f"{said} [1]")
    assert grounds().publishes(f"- {said}\n")
    assert not grounds().publishes(f"{said.replace('Kade', 'Bos')} [1]")


@pytest.mark.parametrize(
    "text",
    ["Borstvoeding\nNa een inspuiting mag u voeden.\n", "Borstvoeding\n\nU vraagt: na een inspuiting mag u voeden."],
)
def test_a_sentence_is_published_where_it_stands_below_a_heading_without_a_full_stop(text: str) -> None:
    ground = Grounds([Source(1, "Scan", "nl", Hit(a_passage(text), 0.9))], "nl", "mag ik voeden")
    assert ground.publishes("Na een inspuiting mag u voeden. [1]")
    assert not ground.publishes("Na een inspuiting mag u niet voeden. [1]")
    assert not ground.publishes("Een inspuiting mag u. [1]")
