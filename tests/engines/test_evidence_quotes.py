"""What is quoted of the windows that the reader has read."""

from __future__ import annotations

from typing import Any

import pytest

from careline.engines.embedded.evidence_quotes import BESIDE, NEXT_BEST, evidence_quotes
from careline.engines.embedded.prose_quotes import AS_GOOD
from careline.model import Hit, ReadWindow, Table, TableRow
from careline.ports import PromptInput, Source
from tests.builders import a_passage

TARIFFS = Table(
    "",
    ("",),
    (("Bezoekers",), ("Bewoners",)),
    (TableRow(("Eerste uur",), ("1,50 €", "gratis")), TableRow(("Dag",), ("14 €", "6 €"))),
)


def a_source(text: str = "", *read: ReadWindow, number: int = 1, **said: Any) -> Source:
    passage = a_passage(text, doc_key=f"brochure-{number}", **said)
    return Source(number, passage.facts.title, passage.facts.language, Hit(passage, 0.9), read)


def quoted(question: str, *sources: Source, most: int = 3) -> list[str]:
    prompt_input = PromptInput(question, question, None, "nl", "", sources)
    return [one.text(False) for quote in evidence_quotes(prompt_input, most, 700) for one in quote.quotables]


@pytest.mark.parametrize(
    ("own", "relevance", "leads"),
    [
        ("Het nummer van Noord is 011 22 33 44.", 5.0, True),
        ("Het nummer van Zuid is 011 99 88 77.", 5.0, False),
        ("Het nummer van Noord is 011 22 33 44.", 1.0, False),
        ("Het nummer staat op de brief.", 5.0, False),
    ],
)
def test_a_page_in_the_callers_language_is_quoted_before_its_translation(
    own: str, relevance: float, leads: bool
) -> None:
    english = "The number of the north campus is 011 22 33 44."
    foreign = a_source(english, ReadWindow(0, 6.0, (6.0,)), number=1, facts={"language": "en"})
    dutch = a_source(own, ReadWindow(0, relevance, (relevance,)), number=2, facts={"language": "nl"})
    assert quoted("wat is het nummer van noord", foreign, dutch)[0] == (own if leads else english)


def test_the_sentence_that_answers_is_quoted_without_its_neighbours() -> None:
    source = a_source("De parking ligt vooraan. Wie wil, betaalt met de kaart.", ReadWindow(0, 3.0, (-2.0, 3.0)))
    assert quoted("kan ik met de kaart betalen", source) == ["Wie wil, betaalt met de kaart."]


def test_sentences_that_answer_as_well_are_quoted_in_their_order() -> None:
    source = a_source(
        "Bezoek is welkom. Kinderen mogen ook komen. Honden blijven thuis.", ReadWindow(0, 3.0, (2.0, 3.0, -1.0))
    )
    assert quoted("wie mag op bezoek komen", source) == ["Bezoek is welkom.", "Kinderen mogen ook komen."]


def test_the_best_window_of_all_sources_is_quoted() -> None:
    far = a_source("De cafetaria is open.", ReadWindow(0, -1.0), number=1)
    near = a_source("De kapel is altijd open.", ReadWindow(0, 4.0), number=2)
    assert quoted("wanneer is de kapel open", far, near) == ["De kapel is altijd open."]


def test_a_figure_of_another_campus_is_not_quoted_but_the_next_window_that_has_the_campus() -> None:
    north = a_source("Parkeren kost 3 euro.", ReadWindow(0, 4.0), number=1, facts={"title": "Campus Noord"})
    south = a_source("Parkeren kost 2 euro.", ReadWindow(0, 3.0), number=2, facts={"title": "Campus Zuid"})
    assert quoted("wat kost parkeren op campus Zuid", north, south) == ["Parkeren kost 2 euro."]


def test_a_page_whose_title_names_no_place_is_of_the_one_that_it_mentions() -> None:
    other = a_source(
        "Ingang links.", ReadWindow(0, 1.0), document_id="b", number=2, facts={"title": "Opname in Zuiderveld"}
    )

    def told(text: str, title: str) -> list[str]:
        page = a_source(text, ReadWindow(0, 4.0), ReadWindow(1, 3.5), number=1, facts={"title": title})
        return quoted("hoeveel dagen rust na een ingreep in Zuiderveld", page, other)

    mentioned = "Dagchirurgie\nU rust 5 dagen.\nWaar\nWij opereren in Zuiderveld."
    assert told(mentioned, "Dagchirurgie") == ["U rust 5 dagen."]
    assert "U rust 5 dagen." not in told("Dagchirurgie\nU rust 5 dagen.", "Dagchirurgie")
    assert "U rust 5 dagen." not in told(mentioned, "Dagchirurgie in Noorderveld")


def test_a_word_of_a_foreign_title_is_no_name_where_a_page_says_it_with_another_word() -> None:
    french = a_source(
        "Apportez 2 draps.",
        ReadWindow(0, 1.0),
        document_id="french",
        facts={"title": "Parking : les plans", "language": "fr"},
    )
    own = a_source("Parkeren kost 3 euro.", ReadWindow(0, 4.0), number=2, facts={"title": "Uw auto"})
    assert quoted("wat kost de parking", own, french) == ["Parkeren kost 3 euro."]


def test_a_window_far_behind_the_best_is_not_quoted_in_its_place() -> None:
    north = a_source("Parkeren kost 3 euro.", ReadWindow(0, 4.0), number=1, facts={"title": "Campus Noord"})
    south = a_source("Zuid heeft 20 plaatsen.", ReadWindow(0, 3.9 - NEXT_BEST), number=2)
    assert quoted("wat kost parkeren op campus Zuid", north, south) == []


def test_of_a_table_the_cell_is_told_whose_labels_the_question_names() -> None:
    source = a_source("", ReadWindow(1, 3.0), table=TARIFFS, facts={"title": "Parkeren"})
    assert quoted("wat kost een dag parkeren voor bewoners", source) == ["Dag – Bewoners: 6 €."]


def test_a_row_for_those_with_an_increased_reimbursement_is_told_to_who_asks_for_it() -> None:
    rows = TableRow(("Uw aandeel",), ("95 €",)), TableRow(("Aandeel met verhoogde tegemoetkoming",), ("25 €",))
    table = Table("", ("",), (("Bedrag",),), rows)
    source = a_source("", ReadWindow(1, 3.0), ReadWindow(0, 2.0), table=table, facts={"title": "Staar"})
    assert "95 €" in " ".join(quoted("wat moeten wij betalen", source))
    assert "25 €" in " ".join(quoted("wat moeten wij betalen met verhoogde tegemoetkoming", source))


def test_a_row_that_the_words_do_not_choose_is_told_whole() -> None:
    source = a_source("", ReadWindow(1, -1.0), table=TARIFFS, facts={"title": "Auto"})
    assert quoted("wat betalen wij daarvoor", source) == ["Dag – Bezoekers: 14 €; Bewoners: 6 €."]


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("wat kost parkeren", "Een verloren ticket kost 20 euro."),
        ("wat kost een verloren ticket", "Een dag kost 14 euro."),
        ("wanneer is er bezoek op zaterdag", "Op dinsdag is er bezoek van 14 tot 20 uur."),
        ("wat kost de inenting voor een kind", "Voor volwassenen kost de inenting 40 euro."),
    ],
)
def test_a_figure_of_another_case_is_not_told(question: str, sentence: str) -> None:
    assert quoted(question, a_source(sentence, ReadWindow(0, 3.0))) == []


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("wanneer is er bezoek op zaterdag", "Elke dag is er bezoek van 14 tot 20 uur."),
        ("wat kost de inenting voor een kind", "De inenting kost 40 euro."),
        ("mijn dochter van 7 komt mee, wat kost parkeren", "Parkeren kost 3 euro."),
    ],
)
def test_a_figure_that_holds_for_every_case_is_told(question: str, sentence: str) -> None:
    assert quoted(question, a_source(sentence, ReadWindow(0, 3.0))) == [sentence]


def test_a_window_beside_the_best_of_the_same_document_is_told_too_when_it_is_nearly_as_good() -> None:
    text = "Kaarten\nU betaalt met de kaart.\nKapel\nDe kapel is altijd open."
    near = a_source(text, ReadWindow(0, 3.0), ReadWindow(1, 3.0 - BESIDE))
    assert quoted("wat kan ik hier", near) == ["U betaalt met de kaart.", "De kapel is altijd open."]
    far = a_source(text, ReadWindow(0, 3.0), ReadWindow(1, 2.9 - BESIDE))
    assert quoted("wat kan ik hier", far) == ["U betaalt met de kaart."]


def test_both_questions_of_a_double_one_are_answered_and_nothing_twice() -> None:
    text = "Kaarten\nU betaalt met de kaart.\nKapel\nDe kapel is altijd open."
    read = (ReadWindow(0, 3.0), ReadWindow(1, 3.0, question=1), ReadWindow(1, -3.0), ReadWindow(0, -3.0, question=1))
    source = a_source(text, *read)
    asked = "hoe betaal ik en is de kapel open"
    assert quoted(asked, source) == ["U betaalt met de kaart.", "De kapel is altijd open."]
    again = a_source(text, ReadWindow(0, 3.0), ReadWindow(0, 3.0, question=1))
    assert quoted(asked, again) == ["U betaalt met de kaart."]


def test_a_row_that_answers_two_questions_is_told_whole_but_for_other_days() -> None:
    clinic = Table(
        "",
        ("",),
        (("Persoon",), ("Lokaal",), ("Zaterdag",)),
        (
            TableRow(("Campus Zuid",), ("An Claes", "0.14", "9 tot 12 uur")),
            TableRow(("Campus Noord",), ("Bo", "1.2", "–")),
        ),
    )
    source = a_source("", ReadWindow(0, 3.0), table=clinic, facts={"title": "Ombudsdienst"})
    (said,) = quoted("wie is de persoon op campus Zuid en in welk lokaal zit ze", source)
    assert "An Claes" in said
    assert "0.14" in said
    assert "9 tot 12" not in said


def test_a_word_of_another_title_that_is_no_name_keeps_nothing_from_being_told() -> None:
    clinics = a_source(
        "Voor een bezoek aan de arts belt u 12.", ReadWindow(0, 4.0), number=1, facts={"title": "Artsen"}
    )
    visits = a_source("Elk bezoek meldt zich.", ReadWindow(0, 1.0), number=2, facts={"title": "Uren van bezoek"})
    assert quoted("welk nummer voor een bezoek bij de arts", clinics, visits) == [
        "Voor een bezoek aan de arts belt u 12."
    ]


def a_table(*rows: tuple[str, str], caption: str = "") -> Table:
    return Table(caption, ("",), (("Wachttijd",),), tuple(TableRow((label,), (value,)) for label, value in rows))


CHILDREN = a_table(("Oogkliniek", "5 weken"), caption="Kinderen")
ADULTS = a_table(("Oogkliniek", "9 weken"), ("Pijnkliniek", "12 weken"), caption="Volwassenen")


def test_a_row_of_another_thing_is_not_told_in_the_place_of_one_that_is_not_there() -> None:
    children = a_source("", ReadWindow(0, 4.0), table=CHILDREN, number=1)
    adults = a_source("", ReadWindow(0, 3.0), ReadWindow(1, 2.0), table=ADULTS, number=2)
    assert quoted("hoe lang wacht een kind op de pijnkliniek", children, adults) == []
    assert quoted("hoe lang wacht een kind op de oogkliniek", children, adults) == [
        "Kinderen, Oogkliniek – Wachttijd: 5 weken."
    ]


def test_the_row_that_bears_the_label_is_told_though_another_was_read() -> None:
    children = a_source("", ReadWindow(0, 4.0), table=CHILDREN, number=1)
    adults = a_source("", table=ADULTS, number=2)
    assert quoted("wachttijd op de pijnkliniek", children, adults) == [
        "Volwassenen, Pijnkliniek – Wachttijd: 12 weken."
    ]


def test_cells_that_the_rest_of_the_question_chooses_are_not_told_of_another_clinic() -> None:
    hours = Table(
        "",
        ("Consultatie", "Deel"),
        (("Maandag",), ("Dinsdag",)),
        (
            TableRow(("Cardiologie", "namiddag"), ("gesloten", "14:15 tot 17:10")),
            TableRow(("Diabetologie", "voormiddag"), ("8:10 tot 11:50", "–")),
        ),
    )
    source = a_source("", ReadWindow(0, 4.0), table=hours, facts={"title": "Uren"})
    assert quoted("de uren van diabetologie op dinsdag in de namiddag", source) == []


def test_a_row_without_values_is_not_told() -> None:
    table = Table("", ("",), (("Weekdagen",), ("Weekend",)), (TableRow(("Brancard",), ("-", "n.v.t.")),))
    source = a_source("", ReadWindow(0, 3.0), table=table, facts={"title": "Vervoer"})
    assert quoted("wat kost vervoer met de wagen", source) == []


@pytest.mark.parametrize(("weight", "told"), [(20, ["Gewicht (kg): 20 – Katheter: 10 Fr."]), (40, [])])
def test_no_row_is_told_for_a_number_that_no_row_is_for(weight: int, told: list[str]) -> None:
    rows = tuple(TableRow((str(number),), (f"{number // 2} Fr", f"{number} mm")) for number in (5, 10, 20))
    table = Table("", ("Gewicht (kg)",), (("Katheter",), ("Masker",)), rows)
    source = a_source("", ReadWindow(2, 3.0), table=table, facts={"title": "Luchtweg"})
    assert quoted(f"welke katheter staat er voor {weight} kg", source) == told


@pytest.mark.parametrize(("margin", "told"), [(0.5, []), (AS_GOOD, ["Slaatje: de prijs is 8,15 €."])])
def test_a_row_of_which_the_question_names_nothing_is_told_where_the_reader_is_sure_of_it(
    margin: float, told: list[str]
) -> None:
    rows = TableRow(("Slaatje",), ("8,15 €",)), TableRow(("Dagsoep",), ("4,35 €",))
    table = Table("", ("",), (("Prijs",),), rows)
    source = a_source(
        "", ReadWindow(0, 3.0, answers=margin), ReadWindow(1, 2.0), table=table, facts={"title": "Bistro"}
    )
    assert quoted("wat kost een wafel in de bistro", source) == told
