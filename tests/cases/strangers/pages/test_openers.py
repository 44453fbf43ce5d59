"""The text of what opens a part of a page is its heading; a button that only acts is none."""

from __future__ import annotations

import pytest

from careline.knowledge.extract import read
from careline.model import LeftOut
from tests.cases.strangers.pages.page_texts import left_out, texts, told

QUESTION, ANSWER = ("heading", "May I smoke?"), ("paragraph", "Only at gate 2.")
OPENED = [
    '<h3><button aria-controls="a">May I smoke?</button></h3><div id="a"><p>Only at gate 2.</p></div>',
    '<h3><button>May I smoke?</button></h3><div><p>Only at gate 2.</p></div>',
    '<button data-bs-target="#a">May I smoke?</button><div id="a">Only at gate 2.</div>',
    '<div><button aria-expanded="false">May I smoke?</button></div><div>Only at gate 2.</div>',
    '<a data-toggle="collapse" href="#a">May I smoke?</a><div id="a">Only at gate 2.</div>',
    '<div role="tab" id="t">May I smoke?</div><div aria-labelledby="t">Only at gate 2.</div>',
    "<details><summary>May I smoke?</summary>Only at gate 2.</details>",
    '<input type="checkbox" id="q"><label for="q">May I smoke?</label><div>Only at gate 2.</div>',
    '<dl><dt><button aria-controls="a">May I smoke?</button></dt><dd id="a">Only at gate 2.</dd></dl>',
    '<button popovertarget="a">May I smoke?</button><div popover id="a">Only at gate 2.</div>',
    '<button onclick="rules.showModal()">May I smoke?</button><dialog id="rules">Only at gate 2.</dialog>',
]


@pytest.mark.parametrize("page", OPENED)
def test_f11_the_text_of_what_opens_a_part_of_the_page_is_its_heading(page: str) -> None:
    assert told(f"<h2>Rules</h2>{page}") == [("heading", "Rules"), QUESTION, ANSWER]


def test_f11_buttons_and_panels_that_follow_one_another_are_headings_without_a_name_that_ties_them() -> None:
    asked = (("Wifi", "Free."), ("Tv", "€ 3."))
    pairs = "".join(f'<button class="q">{label}</button><div class="a">{text}</div>' for label, text in asked)
    assert told(pairs) == [("heading", "Wifi"), ("paragraph", "Free."), ("heading", "Tv"), ("paragraph", "€ 3.")]


ROWS = [
    '<div class="tabs"><button>East</button><button>West</button></div>'
    '<div class="tab-pane">Gate 1</div><div class="tab-pane">Gate 2</div>',
    '<ul class="tab-nav"><li><button>East</button></li><li><button>West</button></li></ul>'
    "<div><section>Gate 1</section><section>Gate 2</section></div>",
    '<ul><li><a href="#e">East</a></li><li><a href="#w">West</a></li></ul>'
    '<div id="e">Gate 1</div><div id="w">Gate 2</div>',
]


@pytest.mark.parametrize("row", ROWS)
def test_f11_a_row_of_tabs_and_as_many_panels_behind_it_belong_together_by_their_order(row: str) -> None:
    assert texts(f"<h2>Gates</h2>{row}") == ["Gates", "East", "Gate 1", "West", "Gate 2"]


def test_f11_buttons_that_act_and_links_to_sections_with_titles_are_no_tabs() -> None:
    acts = '<div><button>Print</button><button>Share</button></div><div class="c">One</div><div class="c">Two</div>'
    assert texts(acts) == ["One", "Two"]
    links = '<ul><li><a href="#e">East</a></li><li><a href="#w">West</a></li></ul>'
    titled = '<section id="e"><h2>East</h2><p>Gate 1</p></section><section id="w"><h2>West</h2><p>Gate 2</p></section>'
    assert texts(links + titled) == ["East", "West", "East", "Gate 1", "West", "Gate 2"]


def test_f11_a_tab_names_its_own_panel_and_what_stands_behind_the_panels_is_of_the_page_again() -> None:
    page = """<h1>Sites</h1><ul role="tablist"><li><button role="tab" id="e" aria-controls="pe">East</button></li>
    <li><button role="tab" id="w" aria-controls="pw">West</button></li></ul>
    <div role="tabpanel" id="pe" aria-labelledby="e"><p>From 8:10.</p></div>
    <div role="tabpanel" id="pw" aria-labelledby="w"><h2>Desk</h2><p>From 9:20.</p></div><p>Closed on holidays.</p>"""
    blocks = read("a.html", page.encode()).pages[0].blocks
    assert [(block.text, block.level) for block in blocks] == [
        ("Sites", 1), ("East", 2), ("From 8:10.", 0), ("West", 2), ("Desk", 3), ("From 9:20.", 0), ("Sites", 1),
        ("Closed on holidays.", 0),
    ]  # fmt: skip


def levels(body: str, head: str = "") -> list[tuple[str, int]]:
    page = f"<!doctype html><html lang='en'><head>{head}</head><body>{body}</body></html>"
    return [(block.text, block.level) for block in read("a.html", page.encode()).pages[0].blocks]


FOLDED = "<details><summary>Towels?</summary>One a day.</details>{}<details><summary>Soap?</summary>Bring it.</details>"


@pytest.mark.parametrize("between", ["", "<p>Ask the ward.</p>"])
def test_f11_labels_that_no_heading_stands_above_stand_beside_one_another(between: str) -> None:
    found = dict(levels(FOLDED.format(between)))
    assert found["Towels?"] == found["Soap?"]


def test_f11_a_title_behind_a_part_that_no_heading_stands_above_does_not_stand_below_its_label() -> None:
    found = dict(levels(FOLDED.format("<h3>Laundry</h3><p>It takes a week.</p>")))
    assert found["Laundry"] < found["Towels?"]
    assert found["Laundry"] < found["Soap?"]


def test_f11_text_behind_a_part_that_no_heading_stands_above_stands_under_the_title_of_the_page() -> None:
    blocks = levels(FOLDED.format("<p>Ask the ward.</p>"), "<title>Your stay</title>")
    assert [text for text, _ in blocks][1:5] == ["One a day.", "Your stay", "Ask the ward.", "Soap?"]


@pytest.mark.parametrize("label", ["Print", "Share", "Search", "Close"])
@pytest.mark.parametrize("attributes", ["", "onclick='window.print()'", "aria-controls='nowhere'", "type='submit'"])
def test_f11_a_button_that_only_acts_is_no_heading(label: str, attributes: str) -> None:
    button = f"<button {attributes}>{label}</button>"
    assert told(f"<h1>Tv</h1>{button}<p>It costs € 3.</p>") == [("heading", "Tv"), ("paragraph", "It costs € 3.")]
    assert left_out(button) == [(LeftOut.FURNITURE, label)]
