"""Markdown as other people write it: addresses, entities, stars that are no emphasis, and what is struck through."""

from __future__ import annotations

import pytest

from careline.knowledge.clean.clean import clean
from careline.knowledge.extract import read
from careline.model import LeftOut
from careline.tables.extracted import Block


def blocks(text: str) -> list[Block]:
    return list(clean(read("a.md", text.encode())).pages[0].blocks)


def told(text: str) -> list[str]:
    return [block.text for block in blocks(text) if block.left_out is None]


def left_out(text: str) -> list[tuple[LeftOut, str]]:
    return [(block.left_out, block.text) for block in blocks(text) if block.left_out is not None]


@pytest.mark.parametrize("old", ["~~€ 7~~", "<del>€ 7</del>", "<s>€ 7</s>", "~~**€ 7**~~"])
@pytest.mark.parametrize("line", ["A visit costs {} € 9.", "- A visit costs {} € 9.", "# A visit costs {} € 9."])
def test_f04_what_is_struck_through_is_not_told_and_is_kept_as_struck(line: str, old: str) -> None:
    text = f"{line.format(old)}\n\nAsk at gate 2."
    assert told(text) == ["A visit costs € 9.", "Ask at gate 2."]
    assert left_out(text) == [(LeftOut.STRUCK, "€ 7")]


def test_f04_a_struck_price_of_a_table_is_not_in_its_cell() -> None:
    assert told("| Ward | Hour |\n|---|---|\n| East | ~~€ 1~~ € 2 |") == ["Ward | Hour\nEast | € 2"]


def test_f04_signs_for_about_strike_nothing_through() -> None:
    assert told("Takes ~10 minutes, ~5 for children.") == ["Takes ~10 minutes, ~5 for children."]


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("<desk@brook.example>", "desk@brook.example"),
        ("<a.b+night@brook.example>", "a.b+night@brook.example"),
        ("<https://brook.example/a?b=1>", "https://brook.example/a?b=1"),
        ("<mailto:desk@brook.example>", "desk@brook.example"),
        ("https://brook.example/a_b_c", "https://brook.example/a_b_c"),
        ("[us](mailto:desk@brook.example)", "us (desk@brook.example)"),
        ("[us](tel:+3211904461)", "us (+3211904461)"),
        ("[ward 120](tel:+3211904461)", "ward 120 (+3211904461)"),
        ("[011 90 44 61](tel:+3211904461)", "011 90 44 61"),
        ("[our desk](https://brook.example)", "our desk"),
        ("[our desk][desk]", "our desk"),
        ("[desk]", "desk"),
        ("desk [at] brook [dot] example", "desk@brook.example"),
    ],
)
def test_f18_an_address_is_told_however_it_is_linked(written: str, said: str) -> None:
    assert told(f"Ask {written} first.\n\n[desk]: https://brook.example 'Desk'") == [f"Ask {said} first."]


def test_f18_a_sign_for_less_than_swallows_nothing() -> None:
    assert told("Under <low (60 mg/dl) write to <a@b.example>.") == ["Under <low (60 mg/dl) write to a@b.example."]
    assert told("- Urgent <24 h : <a@b.example>") == ["Urgent <24 h : a@b.example"]


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("&euro;&nbsp;2.40 &ndash; 3", "€ 2.40 – 3"),
        ("9&#58;15 to 9&#x3A;45", "9:15 to 9:45"),
        ("Fees &amp; deposits", "Fees & deposits"),
        ("5 &lt; 6 and AT&T", "5 < 6 and AT&T"),
        (r"\*not\* \_so\_ 1\. 2\|3", "*not* _so_ 1. 2|3"),
        (r"`&euro; \*`", r"&euro; \*"),
    ],
)
def test_f19_entities_and_escaped_signs_are_told_as_signs(written: str, said: str) -> None:
    assert told(f"Now {written}") == [f"Now {said}"]
    assert told(f"## Now {written}\n\nText.")[0] == f"Now {said}"


def test_f19_entities_and_escaped_pipes_of_a_table_are_told_as_signs() -> None:
    table = "| Item | Price |\n|---|---|\n| Phone &amp; TV | &euro; 3.70 |\n| A \\| B | 2 |"
    assert told(table) == ["Item | Price\nPhone & TV | € 3.70\nA / B | 2"]


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("Rooms of type 4*, 5* and 6* have a bath.", "Rooms of type 4*, 5* and 6* have a bath."),
        ("*Rooms marked so cost 9 euros more.", "*Rooms marked so cost 9 euros more."),
        ("Take 2 * 3 steps, 5 * 6.", "Take 2 * 3 steps, 5 * 6."),
        ("The **large *and* quiet** room", "The large and quiet room"),
        ("**Monday:**closed", "**Monday:**closed"),
        ("form_a_b and _so_", "form_a_b and so"),
        ("a line  \n**bold\nacross**", "a line"),
    ],
)
def test_stars_and_strokes_are_emphasis_by_the_rules_of_commonmark_alone(written: str, said: str) -> None:
    assert told(written)[0] == said


def test_ticks_of_a_task_list_are_told_as_boxes() -> None:
    assert told("- [x] Card\n- [ ] Letter") == ["☑ Card", "☐ Letter"]


def test_folded_text_stands_under_its_label_and_what_follows_under_the_heading_above() -> None:
    text = "# Stay\n\n<details>\n<summary>Wifi</summary>\n\n## Code\n\nAsk us.\n\n</details>\n\nWelcome."
    assert [(block.text, block.level) for block in blocks(text)] == [
        ("Stay", 1), ("Wifi", 2), ("Code", 3), ("Ask us.", 0), ("Stay", 1), ("Welcome.", 0),
    ]  # fmt: skip


def test_elements_in_a_line_are_read_as_on_a_page() -> None:
    unseen = '<span style="display:none">not one word of this is seen here</span>'
    text = f'<b>Monday</b><span>7:40</span> <img src="y.png" alt="open"> {unseen}'
    assert told(text) == ["Monday 7:40 open"]
    assert left_out(text) == [(LeftOut.HIDDEN, "not one word of this is seen here")]
    assert left_out("See ![](map.png) here.") == [(LeftOut.UNREAD, "img map.png")]


def test_f19_what_a_term_means_is_told_with_it() -> None:
    text = "Desk\n:   room 23, floor 0\n:   Tuesday, 9:20-12:50\n\nArchive\n: room 2\n\nAt 9\n: 30"
    assert told(text) == ["Desk: room 23, floor 0; Tuesday, 9:20-12:50", "Archive: room 2", "At 9: 30"]
