"""Labels and values that style sheets alone set apart, terms with what they mean, choices and tables of roles."""

from __future__ import annotations

import pytest

from careline.model import LeftOut
from tests.cases.strangers.pages.page_texts import left_out, texts, told


@pytest.mark.parametrize(
    ("markup", "said"),
    [
        ("<span class='d'>Monday</span><span class='h'>7:40-18:10</span>", "Monday 7:40-18:10"),
        ("<strong>Monday</strong><span>7:40</span>", "Monday 7:40"),
        ("<b>Phone</b><a href='/x'>011 90 44 67</a>", "Phone 011 90 44 67"),
        ("<span>Soup</span><span>€2.60</span><span>Bread</span><span>€1.20</span>", "Soup €2.60 Bread €1.20"),
        ("Soup<span>€2.60</span>Bread<span>€1.20</span>", "Soup €2.60 Bread €1.20"),
        ("<label>Day</label><output>€ 4.30</output>", "Day € 4.30"),
        ("<my-day>Monday</my-day><my-hour>7:40</my-hour>", "Monday 7:40"),
        ("<span style='display:inline-block'>Mon</span>day", "Mon day"),
        ("<i>Monday</i>7:40", "Monday 7:40"),
        # What belongs to one word stays one word.
        ("<b>V</b>isits", "Visits"),
        ("<b>un</b><i>believable</i>", "unbelievable"),
        ("tele<wbr>phone", "telephone"),
        ("H<sub>2</sub>O", "H2O"),
        ("2<b>nd</b> floor", "2nd floor"),
        ("<span>7</span><span>:40</span>", "7:40"),
        ("<span>Visits are </span><span>possi</span><span>ble</span>", "Visits are possible"),
        ("<span>W</span><span>e</span><span>l</span>", "Wel"),
        ("B<b>12</b>", "B12"),
        ("9.80<a href='#n1'>1</a> euro", "9.80¹ euro"),
    ],
)
def test_f17_labels_and_values_that_style_sheets_alone_set_apart_are_told_apart(markup: str, said: str) -> None:
    assert texts(f"<p>{markup}</p>") == [said]


def test_f17_elements_that_a_rule_sets_apart_are_told_apart() -> None:
    rules = "<style>.line{display:block}.row{display:flex}</style>"
    assert texts("<div><span class='line'>Mon</span><span class='line'>7:40</span></div>", rules) == ["Mon", "7:40"]
    assert texts("<div class='row'><b>Mo</b><b>n</b></div>", rules) == ["Mo n"]


def test_f17_terms_stand_before_what_they_mean() -> None:
    terms = "<dl><dt>Lunch</dt><dd>11:50</dd><dd>12:30</dd><dt>Tea</dt><dt>Coffee</dt><dd>15:10</dd></dl>"
    assert texts(terms) == ["Lunch: 11:50", "Lunch: 12:30", "Tea, Coffee: 15:10"]


@pytest.mark.parametrize(
    "first",
    [
        "<dt>Blanket</dt><dd></dd>",
        "<dt>Blanket</dt><dd><s>€ 5</s></dd>",
        "<dt>Blanket</dt><dd hidden>Five euros and a half a night.</dd>",
        "<div><dt>Blanket</dt></div>",
    ],
)
def test_f17_a_term_of_which_nothing_is_told_stands_alone_and_takes_no_other_ones_price(first: str) -> None:
    assert texts(f"<dl>{first}<dt>Slippers</dt><dd>€ 7</dd></dl>") == ["Blanket", "Slippers: € 7"]
    assert texts(f"<dl>{first}<div><dt>Slippers</dt><dd>€ 7</dd></div></dl>") == ["Blanket", "Slippers: € 7"]


@pytest.mark.parametrize("struck", ["<dt hidden>Robe</dt>", "<dt class='line-through'>Robe</dt>"])
def test_f17_what_a_term_that_is_left_out_means_is_not_said_of_the_term_before(struck: str) -> None:
    assert texts(f"<dl><dt>Slippers</dt><dd>€ 7</dd>{struck}<dd>€ 15</dd></dl>") == ["Slippers: € 7", "€ 15"]


def test_f17_terms_in_what_a_term_means_stand_behind_it() -> None:
    inner = "<dl><dt>Day</dt><dd>€ 1</dd><dt>Night</dt><dd>€ 2</dd></dl>"
    page = f"<dl><dt>Fan</dt><dd>{inner}</dd><dt>Radio</dt><dd>€ 3</dd></dl>"
    assert texts(page) == ["Fan, Day: € 1", "Fan, Night: € 2", "Radio: € 3"]


def test_choices_of_names_are_told_and_choices_of_numbers_are_not() -> None:
    names = "<select><option value=''>Choose</option><option>Cardiology</option><option>Radiology</option></select>"
    assert told(f"<p>Clinics:</p>{names}")[1:] == [("list_item", "Cardiology"), ("list_item", "Radiology")]
    assert left_out("<select><option>1</option><option>2</option></select>") == [(LeftOut.FURNITURE, "1 2")]


def test_elements_with_the_roles_of_a_table_are_a_table() -> None:
    cells = [("columnheader", "Item", "Price"), ("cell", "Soup", "€ 2"), ("cell", "Tea", "€ 1")]
    rows = "".join(
        f"<div role='row'><span role='{role}'>{a}</span><span role='{role}'>{b}</span></div>" for role, a, b in cells
    )
    assert told(f"<div role='table'>{rows}</div>") == [("table", "Item | Price\nSoup | € 2\nTea | € 1")]


@pytest.mark.parametrize(
    "page",
    [
        "<dl>" + "<dt>" + "Wheelchair " * 15 + "<dd>x" * 40_000,
        "<dl>" + "<dt>Wheelchair" * 20_000 + "<dd>x" * 20_000,
        "<dl><dt>Wheelchair<dd>x" * 100 + "<dd>x" * 20_000,
        ("<dl><dt>" + "Wheelchair " * 15 + "<dd>") * 3 + "<dl>" + "<dt>a<dd>x" * 20_000,
    ],
)
def test_f4_terms_are_not_said_without_end(page: str) -> None:
    assert sum(map(len, texts(page))) < 4 * len(page)


def test_f4_the_terms_before_one_meaning_are_all_told() -> None:
    terms = [f"Room {number} on the ground floor of the east wing" for number in range(30)]
    told = texts(f"<dl>{''.join(f'<dt>{term}</dt>' for term in terms)}<dd>It is shut.</dd></dl>")
    assert all(any(term in text for text in told) for term in terms)
    assert told[-1].endswith(": It is shut.")
