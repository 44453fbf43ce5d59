"""What a page strikes through is not told, and is kept with its reason."""

from __future__ import annotations

import pytest

from careline.model import LeftOut
from tests.cases.strangers.pages.page_texts import left_out, texts, told


@pytest.mark.parametrize(
    ("old", "head"),
    [
        ("<del>€ 7</del>", ""),
        ("<s>€ 7</s>", ""),
        ("<strike>€ 7</strike>", ""),
        ("<span style='text-decoration: line-through red'>€ 7</span>", ""),
        ("<span style='color:red;text-decoration-line:underline line-through'>€ 7</span>", ""),
        ("<span role='deletion'>€ 7</span>", ""),
        ("<span class='line-through'>€ 7</span>", ""),
        ("<b class='was'>€ 7</b>", "<style>p .was, em{text-decoration:line-through}</style>"),
    ],
)
def test_f04_what_a_page_strikes_through_is_not_told_and_is_kept_as_struck(old: str, head: str) -> None:
    page = f"<p>A visit costs {old} <ins>€ 9</ins> today.</p>"
    assert texts(page, head) == ["A visit costs € 9 today."]
    assert left_out(page, head) == [(LeftOut.STRUCK, "€ 7")]


def test_f04_a_rule_that_takes_the_line_away_again_goes_before_the_one_that_drew_it() -> None:
    rules = "<style>.was{text-decoration:line-through} .list .was{text-decoration:none}</style>"
    assert texts("<div class='list'><p>Ask for <b class='was'>soup</b>.</p></div>", rules) == ["Ask for soup."]


def test_f04_cells_and_rows_of_a_table_that_are_struck_through_are_not_told() -> None:
    page = """<table><tr><th>Ward</th><th>Hour</th></tr><tr><td>East</td><td><s>€ 1</s> € 2</td></tr>
    <tr style="text-decoration:line-through"><td>Old</td><td>€ 3</td></tr><tr><td>West</td><td>€ 4</td></tr></table>"""
    assert told(page) == [("table", "Ward | Hour\nEast | € 2\nWest | € 4")]
    assert left_out(page) == [(LeftOut.STRUCK, "Old € 3"), (LeftOut.STRUCK, "€ 1")]
