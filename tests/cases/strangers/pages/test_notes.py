"""Notes of web pages and of Markdown: each stands where it is referred to, or below the table that does."""

from __future__ import annotations

import pytest

from careline.knowledge.clean.clean import clean
from careline.knowledge.extract import read


def told_of(text: str, name: str = "a.md") -> list[str]:
    return [block.text for block in clean(read(name, text.encode())).pages[0].blocks if block.left_out is None]


def texts(body: str) -> list[str]:
    return told_of(f"<html><body>{body}</body></html>", "a.html")


NOTE = '<ol><li id="n1">For cooled goods: 24 hours. <a href="#r1">↩</a></li></ol>'


@pytest.mark.parametrize(
    "sign",
    [
        '<sup><a href="#n1">a</a></sup>',
        '<sup id="r1"><a href="#n1">[1]</a></sup>',
        '<a href="#n1"><sup>*</sup></a>',
        '<sup><a href="#n1" role="doc-noteref">1</a></sup>',
    ],
)
def test_f2_a_note_of_a_page_stands_where_it_is_referred_to(sign: str) -> None:
    page = f"<p>The code stays valid for 3 days{sign}. Ask at desk 2.</p>{NOTE}"
    assert texts(page)[0] == "The code stays valid for 3 days (For cooled goods: 24 hours). Ask at desk 2."


def test_f2_a_note_of_a_page_behind_a_stop_is_of_the_sentence_before_it() -> None:
    page = f'<p>The code stays valid for <b>3 days.</b><sup><a href="#n1">1</a></sup> Ask at desk 2.</p>{NOTE}'
    assert texts(page)[0] == "The code stays valid for 3 days (For cooled goods: 24 hours). Ask at desk 2."


def test_f2_a_raised_link_to_a_chapter_or_to_nothing_is_no_note() -> None:
    raised = '<sup><a href="#{}">{}</a></sup>'
    page = f"<p>Parking{raised.format('top', 2)} costs € 3{raised.format('n9', 1)}.</p>"
    assert texts(page + '<h2 id="top">Prices</h2>')[0] == "Parking² costs € 3¹."


def test_f2_a_note_in_a_cell_stays_with_its_sign() -> None:
    row = '<tr><td>Code</td><td>3<sup><a href="#n1">a</a></sup></td></tr>'
    page = f"<table><tr><th>What</th><th>Days</th></tr>{row}</table>{NOTE}"
    assert "Code | 3ᵃ" in texts(page)[0]


@pytest.mark.parametrize(
    ("note", "said"),
    [
        ('<li id="n1">15 mg per kg.</li>', "15 mg per kg"),
        ('<li id="n1">112 in an emergency.</li>', "112 in an emergency"),
        ('<p id="n1">1 tablet a day.</p>', "1 tablet a day"),
        ('<p id="n1"><sup>1</sup>15 mg per kg.</p>', "15 mg per kg"),
        ('<p id="n1"><a href="#r1">1</a> 15 mg per kg.</p>', "15 mg per kg"),
        ('<p id="n1"><a href="#r1">[1]</a> 15 mg per kg.</p>', "15 mg per kg"),
        ('<p id="n1"><a href="#r1">1</a>. Only so.</p>', "Only so"),
        ('<p id="n1">1. Only so.</p>', "Only so"), ('<p id="n1">1) Only so.</p>', "Only so"),
        ('<p id="n1"><a href="#r1">1</a> .5 mg.</p>', ".5 mg"),
        ('<li id="n1">At most 10<sup>9</sup> a litre.</li>', "At most 10⁹ a litre"),
        ('<li id="n1"><s>Free.</s> € 5 a day.</li>', "€ 5 a day"),
        ('<li id="n1">€ 5 a day<span hidden> and € 9 for dogs</span>.</li>', "€ 5 a day"),
    ],
)  # fmt: skip
def test_f2_a_note_of_a_page_says_what_its_readers_see_and_loses_no_digit(note: str, said: str) -> None:
    assert texts(f'<p>As said<sup><a href="#n1">1</a></sup>.</p>{note}')[0] == f"As said ({said})."


@pytest.mark.parametrize(
    "note", ['<del><p id="n1">Only so.</p></del>', '<p id="n1" hidden>Only so.</p>', '<s id="n1">Only so.</s>']
)
def test_f2_a_note_that_is_struck_or_hidden_is_not_told(note: str) -> None:
    told = texts(f'<p>As said<sup><a href="#n1">1</a></sup>.</p>{note}')
    assert told == ["As said¹."]


@pytest.mark.parametrize("between", ["", ", ", " "])
def test_f2_two_notes_that_one_raised_part_refers_to_are_both_told(between: str) -> None:
    links = between.join(f'<a href="#n{number}">{number}</a>' for number in (1, 2))
    page = f'<p>As said<sup>{links}</sup>.</p><ol><li id="n1">On Monday.</li><li id="n2">€ 5 a day.</li></ol>'
    assert texts(page)[0] == "As said (On Monday; € 5 a day)."


def test_f2_an_exponent_beside_the_sign_of_a_note_stays() -> None:
    page = '<p>At most 10<sup>9 <a href="#n1">a</a></sup>.</p><p id="n1">A litre.</p>'
    assert texts(page)[0] == "At most 10⁹ (A litre)."


WRITTEN = "For cooled goods: 24 hours,\n    also on *Sunday*.\n\nAsk at gate 2."


@pytest.mark.parametrize("label", ["1", "a", "cool", "cooled-goods"])
def test_f2_a_note_stands_where_it_is_referred_to_whatever_its_label(label: str) -> None:
    text = f"The code is valid for 3 days[^{label}].\n\n[^{label}]: {WRITTEN}"
    assert told_of(text) == [
        "The code is valid for 3 days (For cooled goods: 24 hours, also on Sunday).", "Ask at gate 2.",
    ]  # fmt: skip


def test_f2_a_note_changes_no_address_that_it_stands_behind() -> None:
    assert told_of("Write to desk@brook.example[^late].\n\n[^late]: Not on Sunday.") == [
        "Write to desk@brook.example (Not on Sunday)."
    ]


@pytest.mark.parametrize("stop", [".", "!", "?", "…"])
def test_f2_a_note_behind_a_stop_is_of_the_sentence_before_it(stop: str) -> None:
    text = f"The pool is open on weekdays{stop}[^hours] Children need an adult.\n\n[^hours]: From 7:50 to 19:20."
    assert told_of(text) == [f"The pool is open on weekdays (From 7:50 to 19:20){stop} Children need an adult."]


def test_f2_the_notes_of_a_table_stand_below_it_with_their_signs() -> None:
    table = "| What | Week |\n|---|---|\n| Chair | € 11[^long] |\n| Crutch | € 3[^2] |"
    text = f"{table}\n\nMore.\n\n[^2]: A pair.\n[^long]: {WRITTEN}"
    assert told_of(text) == [
        "What | Week\nChair | € 11¹\nCrutch | € 3²",
        "¹ For cooled goods: 24 hours, also on Sunday.", "² A pair.", "More.", "Ask at gate 2.",
    ]  # fmt: skip


def test_f2_a_note_that_is_long_or_that_nothing_refers_to_stays_where_it_is() -> None:
    long = "So many words. " * 30
    assert told_of(f"Open[^1].\n\n[^1]: {long}") == ["Open¹.", f"¹ {long.strip()}"]
    assert told_of("Open.\n\n[^7]: Not in June.") == ["Open.", "⁷ Not in June."]
    assert told_of("Open[^9].") == ["Open⁹."]
    assert told_of("# Prices[^1]\n\nFrom June.\n\n[^1]: Without tax.")[0] == "Prices¹"
    assert told_of("```\n[^1]: code\n```\n\nOpen[^1].") == ["[^1]: code", "Open¹."]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("# Prices[^1]\n\nFrom June.\n\n[^1]: Without tax.", ["Prices¹", "From June.", "¹ Without tax."]),
        ("Open[^1].\n\n[^1]: On Monday[^2].\n[^2]: Not in June.", ["Open (On Monday²).", "² Not in June."]),
        ("Paracetamol[^a]: 1 g.\n\n[^a]: For adults.", ["Paracetamol (For adults): 1 g."]),
        ("Open[^1].\n\n[^1]: On Monday\nand Friday.\n\nWelcome.", ["Open (On Monday and Friday).", "Welcome."]),
        ("Open[^1].\n\n[^1]: On Monday.\n- Soup\n- Tea", ["Open (On Monday).", "Soup", "Tea"]),
        ("````\n[^1]: code\n```\n[^1]: more\n````\n\nOpen[^1].",
         ["[^1]: code", "```", "[^1]: more", "Open¹."]),
        ("Open[^1].\n\n~~~\n```\n~~~\n\n[^1]: On Monday.", ["Open (On Monday).", "```"]),
    ],
)  # fmt: skip
def test_f2_no_note_of_markdown_is_lost_or_taken_from_code(text: str, told: list[str]) -> None:
    assert told_of(text) == told


def test_f1_code_in_a_quotation_ends_with_it() -> None:
    assert told_of("> ```\n> one\n> ```\n\nOpen.") == ["one", "Open."]
    assert told_of("> ```\n> one\n\nOpen[^1].\n\n[^1]: On Monday.") == ["one", "Open (On Monday)."]
    assert told_of("```\n> one\n```\n\nOpen.") == ["> one", "Open."]


def test_f2_a_note_that_is_referred_to_without_end_is_not_told_without_end() -> None:
    text = "Open[^1].\n\n" * 5_000 + f"[^1]: {'On Monday ' * 29}"
    told = told_of(text)
    assert told[0].startswith("Open (On Monday")
    assert told[-1] == "Open¹."
    assert sum(map(len, told)) < 300_000
