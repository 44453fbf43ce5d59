"""Lines as a printer sets them: hyphens at their ends, and rows of dots between a label and its value."""

from __future__ import annotations

from io import BytesIO

import pytest
from reportlab.pdfgen.canvas import Canvas

from careline.knowledge.clean.clean import clean
from careline.knowledge.extract import read
from careline.model import LeftOut
from careline.tables.extracted import Block
from careline.tables.read import read as read_table

ABOUT = {
    "en": "You may visit the patients of this ward on every day of the week, and they may go with you.",
    "fr": "Vous pouvez rendre visite aux patients de ce service tous les jours de la semaine, avec leurs enfants.",
    "nl": "U kunt de patiënten van deze afdeling elke dag van de week bezoeken en zij mogen met u mee.",
    "it": "Potete fare visita ai pazienti di questo reparto tutti i giorni della settimana con i vostri figli.",
}


def pdf(*lines: str) -> bytes:
    """A page with each line set by itself."""
    made = BytesIO()
    canvas = Canvas(made)
    for number, line in enumerate(lines):
        canvas.drawString(60, 800 - 14 * number, line)
    canvas.save()
    return made.getvalue()


def blocks(name: str, content: bytes) -> list[Block]:
    return [block for page in clean(read(name, content)).pages for block in page.blocks]


def told(name: str, content: bytes) -> str:
    return "\n".join(block.text for block in blocks(name, content) if block.left_out is None)


@pytest.mark.parametrize(
    ("language", "left", "right", "whole"),
    [
        ("en", "X", "ray", "X-ray"),
        ("en", "anti", "inflammatory", "anti-inflammatory"),
        ("en", "24", "hour", "24-hour"),
        ("en", "e", "mail", "e-mail"),
        ("en", "walk", "in", "walk-in"),
        ("en", "well", "being", "well-being"),
        ("en", "non", "smokers", "non-smokers"),
        ("en", "mother", "daughter", "mother-daughter"),
        ("fr", "Demandez", "leur", "Demandez-leur"),
        ("fr", "est", "ce", "est-ce"),
        ("fr", "peut", "on", "peut-on"),
        ("fr", "au", "dessus", "au-dessus"),
        ("fr", "gastro", "entérologie", "gastro-entérologie"),
        ("fr", "dites", "le-nous", "dites-le-nous"),
        ("nl", "zee", "egel", "zee-egel"),
        ("nl", "CT", "scan", "CT-scan"),
        ("nl", "neus-keel", "oor", "neus-keel-oor"),
        ("it", "ex", "ospedale", "ex-ospedale"),
        ("it", "anti", "infiammatorio", "anti-infiammatorio"),
        # What a printer broke is put together.
        ("en", "treat", "ment", "treatment"),
        ("en", "chemo", "therapy", "chemotherapy"),
        ("en", "with", "in", "within"),
        ("fr", "consul", "tation", "consultation"),
        ("nl", "spoed", "afdeling", "spoedafdeling"),
        ("nl", "zieken", "huis", "ziekenhuis"),
        ("it", "ambula", "torio", "ambulatorio"),
    ],
)
def test_f20_a_hyphen_at_the_end_of_a_line_stays_where_it_belongs_to_the_word(
    language: str, left: str, right: str, whole: str
) -> None:
    about = ABOUT[language]
    lines = (about[:40], about[40:], f"{about[:30]} {left}-", f"{right} {about[:20]}")
    assert f" {whole} " in told("a.pdf", pdf(*lines)).replace("\n", " ")


@pytest.mark.parametrize(
    ("elsewhere", "right", "whole"),
    [
        ("the post-operative pain", "operative", "post-operative"),
        ("the postoperative pain", "operative", "postoperative"),
        ("what is post-operatively done", "operative", "post-operative"),
        ("post-natal, post-mortem", "admission", "post-admission"),
        ("the post", "admission", "postadmission"),
    ],
)
def test_f20_the_document_knows_best_how_it_writes_a_word(elsewhere: str, right: str, whole: str) -> None:
    lines = (f"You may ask for the leaflet of {elsewhere},", "which lies at the post-", f"{right} desk. Ask us.")
    assert f"at the {whole} desk" in told("a.pdf", pdf(*lines))


@pytest.mark.parametrize(
    ("sign", "below"), [("B-", "Platelets"), ("AB-", "Plasma"), ("0-", "Donors"), ("O-", "Closed")]
)
def test_a_line_that_ends_with_a_sign_is_not_one_with_the_line_below(sign: str, below: str) -> None:
    lines = (ABOUT["en"], f"The unit asks for {sign}", f"{below} are kept at the desk", "Ring twice.")
    assert f"asks for {sign}\n{below} are" in told("a.pdf", pdf(*lines))
    whole = (ABOUT["en"], f"{ABOUT['en'][:-4]} {sign}", f"{below} are blood of the desk. {ABOUT['en'][:50]}")
    assert f" {sign} {below} are" in told("a.pdf", pdf(*whole))


def test_a_range_goes_on_below_the_edge_of_its_column() -> None:
    lines = (ABOUT["en"], f"{ABOUT['en'][:-4]} 14-", f"20 hours. {ABOUT['en'][:50]}")
    assert " 14-20 hours." in told("a.pdf", pdf(*lines))


PRICES = [("Coffee", "€ 2.10"), ("Soup of the day", "€ 3.40"), ("Sandwich", "€ 4.60")]


@pytest.mark.parametrize("leader", [".", " .", "·", "…", " -"])
@pytest.mark.parametrize("aligned", [True, False])
@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.pdf"])
def test_labels_and_values_with_a_row_of_dots_between_them_are_rows(name: str, aligned: bool, leader: str) -> None:
    lines = [f"{label} {leader * ((40 - len(label)) if aligned else 12)} {price}" for label, price in PRICES]
    content = pdf(*lines) if name == "a.pdf" else "\n".join(lines).encode()
    assert told(name, content) == "Coffee | € 2.10\nSoup of the day | € 3.40\nSandwich | € 4.60"


def test_a_label_on_two_lines_and_several_values_of_one_row_are_read() -> None:
    lines = ("A bowl of soup with bread", "and butter ........ 3.40 ........ 4.10", "Tea ........ 1.20 ........ 1.80")
    assert told("a.pdf", pdf(*lines)) == "A bowl of soup with bread and butter | 3.40 | 4.10\nTea | 1.20 | 1.80"


def test_a_table_of_contents_is_not_told_and_is_kept_as_furniture() -> None:
    contents = "CONTENTS\n\n1. Parking ........ 3\n2. Visiting ....... 4"
    text = f"{contents}\n\n1. Parking\n\nIt is free.\n\n2. Visiting\n\nAll day."
    found = blocks("a.txt", text.encode())
    assert [block.text for block in found if block.left_out is None] == [
        "CONTENTS", "1. Parking", "It is free.", "2. Visiting", "All day.",
    ]  # fmt: skip
    assert [block.text for block in found if block.left_out is LeftOut.FURNITURE] == ["1. Parking 3\n2. Visiting 4"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Cardiology ........ 4512", "Urology ........... 4610"),
        ("Cardiology ........ 6", "Urology ........... 5"),
        ("Cardiology ........ 1200", "Urology ........... 12"),
    ],
)
def test_numbers_that_no_page_has_are_told_of_what_headings_name(first: str, second: str) -> None:
    text = f"EXTENSIONS\n\n{first}\n{second}\n\n1. Cardiology\n\nIt is open.\n\n2. Urology\n\nAll day."
    (label, value), (other, last) = (" ".join(line.split(".")).split() for line in (first, second))
    assert told("a.txt", text.encode()).split("\n")[1:3] == [f"{label} | {value}", f"{other} | {last}"]


def book(*pages: tuple[str, ...]) -> bytes:
    """Pages whose first line is set as a heading."""
    made = BytesIO()
    canvas = Canvas(made)
    for title, *lines in pages:
        canvas.setFont("Helvetica-Bold", 18)
        canvas.drawString(60, 800, title)
        canvas.setFont("Helvetica", 11)
        for number, line in enumerate(lines):
            canvas.drawString(60, 760 - 14 * number, line)
        canvas.showPage()
    canvas.save()
    return made.getvalue()


@pytest.mark.parametrize(("numbers", "is_told"), [((2, 4), False), ((1, 3), False), ((3, 4), True), ((2, 6), True)])
def test_a_table_of_contents_has_the_pages_of_its_headings(numbers: tuple[int, int], is_told: bool) -> None:
    first, second = numbers
    listed = (f"Oncology ......... {first}", f"Maternity ........ {second}")
    content = book(("Wards", *listed), ("Oncology", ABOUT["en"]), ("Rooms", ABOUT["en"]), ("Maternity", ABOUT["en"]))
    assert (f"Oncology | {first}\nMaternity | {second}" in told("a.pdf", content)) is is_told


def test_pages_in_roman_figures_come_before_the_others() -> None:
    listed = ("Preface ...... iv", "Thanks ....... ix", "Visits ....... 1", "Parking ...... 3")
    text = "\n".join(f"# {line.split()[0]}\n\nIt is so.\n\nIt stays so.\n" for line in listed)
    content = "\n".join(("# CONTENTS", "", *listed, "", text)).encode()
    assert told("a.md", content).split("\n")[:2] == ["CONTENTS", "Preface"]


def test_a_short_line_that_ends_in_a_broken_word_goes_on() -> None:
    lines = (
        "Breng bij uw komst altijd uw identiteits-", "kaart mee, en de lijst van uw genees-",
        "middelen. Komt u voor een", "dag-", "opname, dan gaat u naar loket 6.",
    )  # fmt: skip
    assert told("a.txt", "\n".join(lines).encode()) == (
        "Breng bij uw komst altijd uw identiteitskaart mee, en de lijst van uw geneesmiddelen. Komt u voor een "
        "dagopname, dan gaat u naar loket 6."
    )


def test_the_first_line_of_a_list_is_a_label_and_its_value_too() -> None:
    lines = ("With a letter ........ free", "One ride ............ EUR 1.70", "Ten rides ........... EUR 13.50")
    (table,) = (block for block in blocks("a.txt", "\n".join(lines).encode()) if block.cells)
    assert [row.values for row in read_table(table.cells).rows] == [("free",), ("EUR 1.70",), ("EUR 13.50",)]


def test_dots_that_lead_to_the_next_column_of_a_table_are_no_words_of_a_cell() -> None:
    made = BytesIO()
    canvas = Canvas(made)
    for number, (label, price) in enumerate((("On a disc", "7.40"), ("On a stick", "11.90"), ("By post", "free"))):
        canvas.drawString(60, 780 - 18 * number, label + " " + "." * (75 - len(label)))
        canvas.drawString(420, 780 - 18 * number, price)
    canvas.save()
    assert "On a disc | 7.40\nOn a stick | 11.90\nBy post | free" in told("a.pdf", made.getvalue())


@pytest.mark.parametrize("text", ["Wait..... and then go.", "Name: ..................", "Name: ....... Date: ......."])
def test_dots_in_prose_and_places_to_fill_in_are_no_rows(text: str) -> None:
    assert told("a.txt", text.encode()) == text
