"""What a page says for the eye and for the ear, what it hides, and what its pictures and rules say."""

from __future__ import annotations

import pytest

from careline.model import LeftOut
from tests.cases.strangers.pages.page_texts import left_out, texts, told

CLIPPED = "<style>.sr-only{position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)}</style>"


@pytest.mark.parametrize("order", ["{eye}{ear}", "{ear}{eye}"])
@pytest.mark.parametrize(
    ("eye", "ear", "told"),
    [
        ("€4<sup>30</sup>", "€4.30", "€4.30"), ("<b>€4</b><sup><b>30</b></sup>", "4 euros 30", "4 euros 30"),
        ("<b>8</b>–<b>17</b>", "8 to 17 o'clock", "8–17"), ("€ 12", "€ 12", "€ 12"), ("0,5 mg", "05 mg", "0,5 mg"),
        ("0<sup>5</sup> mg", "05 mg", "0⁵ mg"), ("€4<sup>30</sup>", f"€4.30, {'which is said at length ' * 5}", "€4³⁰"),
        ("€4<sup>30</sup>", "per night", "€4³⁰"), ("→", "next: 4 beds", "next: 4 beds"),
    ],
)  # fmt: skip
def test_f13_a_raised_part_with_figures_is_told_as_it_is_said_for_the_ear(
    eye: str, ear: str, told: str, order: str
) -> None:
    twin = order.format(eye=f'<span aria-hidden="true">{eye}</span>', ear=f'<span class="visually-hidden">{ear}</span>')
    assert texts(f"<p>A bed: {twin}.</p>") == [f"A bed: {told}."]


@pytest.mark.parametrize("eye", ['<s aria-hidden="true">{}</s>', '<i aria-hidden="true"><b><del>{}</del></b></i>'])
def test_f13_what_is_struck_for_the_eye_is_not_told_for_the_ear(eye: str) -> None:
    was = f'{eye.format("€4<sup>30</sup>")}<span class="visually-hidden">€4.30</span>'
    assert texts(f"<p>A bed: {was} € 5.</p>") == ["A bed: € 5."]


def test_f13_a_text_for_the_eye_with_one_for_the_ear_is_told_once() -> None:
    twin = '<span aria-hidden="true">€ 5.40</span><span class="sr-only">five euros forty</span>'
    assert texts(f"<p>A parasol costs {twin} a day.</p>", CLIPPED) == ["A parasol costs € 5.40 a day."]
    assert texts(f"<p>A parasol costs {twin} a day.</p>") == ["A parasol costs € 5.40 a day."]


@pytest.mark.parametrize(
    ("mark", "said"),
    [
        ('<span aria-hidden="true">✓</span><span class="sr-only">yes</span>', "yes"),
        ('<i class="fa fa-check"></i><span class="sr-only">yes</span>', "yes"),
        ('<span aria-hidden="true">✓</span>', "✓"),
        ('<span aria-hidden="true">€ 2</span>', "€ 2"),
        ('<span aria-label="4 of 5">★★★★☆</span>', "4 of 5"),
        ('<img src="y.png" alt="yes">', "yes"),
        ('<svg role="img" aria-label="yes"><path/></svg>', "yes"),
        ("<svg><title>yes</title><path/></svg>", "yes"),
        ('<span class="icon" role="img" aria-label="yes"></span>', "yes"),
        ('<i class="fa fa-check" title="yes"></i>', "yes"),
        ("✅", "✅"),
        ('<input type="checkbox" checked disabled>', "☑"),
        ('<input type="checkbox" disabled>', "☐"),
    ],
)
@pytest.mark.parametrize("head", ["", CLIPPED])
def test_f13_f15_marks_of_a_table_are_told_as_readers_see_or_hear_them(mark: str, said: str, head: str) -> None:
    table = f"<table><tr><th>Item</th><th>There</th></tr><tr><td>Towels</td><td>{mark}</td></tr></table>"
    assert told(table, head) == [("table", f"Item | There\nTowels | {said}")]


def test_f13_a_sentence_has_no_hole_where_programs_that_read_aloud_pass_over_a_part() -> None:
    assert texts('<p>The bus costs <span aria-hidden="true">€ 2.70</span>.</p>') == ["The bus costs € 2.70."]


@pytest.mark.parametrize("value", ["until-found", "UNTIL-FOUND"])
def test_f14_what_a_search_in_the_page_finds_is_read(value: str) -> None:
    assert texts(f"<h1>Coins</h1><div hidden='{value}'><p>Take a 2 euro coin.</p></div>")[-1] == "Take a 2 euro coin."


def test_f14_what_a_button_unfolds_is_read_and_what_nothing_opens_is_kept_as_hidden() -> None:
    folded = "<div style='height:0;overflow:hidden' id='more'>Return them before nine in the evening.</div>"
    button = "<button onclick='x()' aria-controls='more'>More</button>"
    assert texts(f"<p>Borrow.</p>{button}{folded}")[-1] == "Return them before nine in the evening."
    assert left_out(folded) == [(LeftOut.HIDDEN, "Return them before nine in the evening.")]
    closed = "<dialog>Subscribe to the letter of the friends.</dialog>"
    assert left_out(closed) == [(LeftOut.HIDDEN, "Subscribe to the letter of the friends.")]


def test_f15_what_a_picture_says_is_told_and_one_without_words_is_kept_as_unread() -> None:
    assert texts('<p><img src="t.png" alt="Call 011 90 44 63"></p>') == ["Call 011 90 44 63"]
    assert left_out('<p><img src="plan.png"></p>') == [(LeftOut.UNREAD, "img plan.png")]
    assert left_out('<p><img src="line.png" alt=""></p>') == []
    lazy = '<p><img data-src="p.png"><noscript><img src="p.png" alt="Closed on Sunday"></noscript></p>'
    assert texts(lazy) == ["Closed on Sunday"]
    assert left_out('<iframe title="Route" src="https://maps.example/1"></iframe>') == [
        (LeftOut.UNREAD, "iframe Route https://maps.example/1")
    ]


def test_f15_what_a_rule_of_the_page_writes_beside_an_element_is_told_and_its_decorations_are_not() -> None:
    rules = r"""<style>.yes::before{content:"\2713"} .fee:after{content: " a day"} li::before{content:"›"}
    .icon::before{content:"\f00c"}</style>"""
    page = "<ul><li>Tv: <i class='yes'></i>, € 3<b class='fee'></b> <i class='icon'></i></li></ul>"
    assert texts(page, rules) == ["Tv: ✓, € 3 a day"]
    rows = "<tr><th>Item</th><th>There</th></tr><tr><td>Tv</td><td><i class='yes'></i></td></tr>"
    last = "<tr><td>Safe</td><td class='yes'></td></tr><tr><td>Bath</td><td><i class='icon'></i></td></tr>"
    assert texts(f"<table>{rows}{last}</table>", rules) == ["Item | There\nTv | ✓\nSafe | ✓\nBath | "]


def test_f15_a_formula_is_told_on_one_line_and_the_name_of_an_icon_is_not() -> None:
    formula = "<math><mn>1</mn><mfrac><mn>1</mn><mn>2</mn></mfrac></math>"
    assert texts(f"<p>Give {formula} tablet.</p>") == ["Give 1 1/2 tablet."]
    assert texts('<p>Open <i class="material-icons">schedule</i> 9:00</p>') == ["Open 9:00"]
