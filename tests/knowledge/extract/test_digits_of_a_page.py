"""Figures on a printed page: every digit arrives, in its order, whatever its line begins with."""

from __future__ import annotations

import io
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Paragraph, SimpleDocTemplate

from careline.knowledge.clean.clean import clean
from careline.knowledge.extract import read
from careline.tables.extracted import BlockKind, Extracted

STYLE = getSampleStyleSheet()["BodyText"]


def printed(*paragraphs: str, right: float = 72) -> Extracted:
    written = io.BytesIO()
    SimpleDocTemplate(written, pagesize=A4, rightMargin=right).build([Paragraph(text, STYLE) for text in paragraphs])
    return clean(read("a.pdf", written.getvalue()))


def lines_of_a_page(*lines: str) -> list[tuple[BlockKind, str]]:
    written = io.BytesIO()
    canvas = Canvas(written, pagesize=A4)
    for number, line in enumerate(lines):
        canvas.drawString(72, 700 - 14 * number, line)
    canvas.save()
    return [(block.kind, block.text) for block in clean(read("a.pdf", written.getvalue())).pages[0].blocks]


NUMBERS = st.sampled_from(
    ["02 481 55 00", "12. verdieping", "3 mg per kg", "1733", "- 55 00", "+ 32 2 481 55 00", "4) en", "0,5 ml/kg",
     "12.50", "b. of", "* 9", "(2) dag", "14-17 u", "112."]
)  # fmt: skip
WORDS = st.sampled_from(["de", "patiënt", "belt", "het", "nummer", "op", "elke", "werkdag", "tussen", "ziekenhuis"])


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.one_of(WORDS, NUMBERS), min_size=3, max_size=60), st.sampled_from([72, 200, 330]))
def test_no_digit_of_a_page_is_lost_or_moved(parts: list[str], right: float) -> None:
    text = " ".join(parts)
    found = printed(text, "Slot.", right=right).pages[0].text
    assert re.findall(r"\d", found) == re.findall(r"\d", text)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Bel voor dringende vragen buiten de kantooruren altijd naar het nummer 02 481", "- 55 00 en vraag de arts."),
        ("De raadpleging voor kinderen en hun ouders vindt u met de lift op de groene", "12. verdieping rechts."),
        ("Een arts van wacht bereikt u in het weekend en op feestdagen altijd op het", "1733 en dat is gratis."),
        ("Kinderen die minder dan twintig kilogram wegen krijgen om de zes uur hoogstens", "3 mg per kg ervan."),
    ],
)  # fmt: skip
def test_a_wrapped_line_that_begins_with_a_number_goes_on_with_its_sentence(first: str, second: str) -> None:
    assert lines_of_a_page(first, second) == [(BlockKind.PARAGRAPH, f"{first} {second}")]


@pytest.mark.parametrize(
    "line", ["12. verdieping", "02 481 55 00 is het nummer van de dienst.", "+ 32 2 481 55 00", "* op afspraak"]
)
def test_one_line_that_begins_with_a_number_or_a_sign_keeps_it(line: str) -> None:
    assert lines_of_a_page(line) == [(BlockKind.PARAGRAPH, line)]


def test_numbers_in_sequence_are_items_of_a_list() -> None:
    found = lines_of_a_page("9. Neem een ticket.", "10. Betaal aan de automaat.", "11. Rij naar buiten.")
    assert [kind for kind, _ in found] == [BlockKind.LIST_ITEM] * 3
    assert [text.split()[0] for _, text in found] == ["9.", "10.", "11."]


def test_a_raised_sign_is_no_digit_of_the_figure_before_it() -> None:
    text = (
        printed("Een kamer kost 12.50<super>1</super> euro en meet 20 m<super>2</super>, 10<super>9</super> per liter.")
        .pages[0]
        .text
    )
    assert text == "Een kamer kost 12.50¹ euro en meet 20 m², 10⁹ per liter."
