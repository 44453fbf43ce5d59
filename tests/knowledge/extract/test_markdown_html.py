"""HTML in a Markdown document: read as a page is, so that no cells grow together and nothing hidden is told."""

from __future__ import annotations

import pytest

from careline.knowledge.extract import read
from careline.model import LeftOut
from careline.tables.extracted import BlockKind
from careline.tables.read import read as read_table
from tests.growth import grows_no_faster_than_its_length

BEDS = """# Cijfers

Het aantal bedden per afdeling:
<table>
  <thead>
    <tr><th rowspan="2">Afdeling</th><th colspan="2">Bedden</th></tr>

    <tr><th>2021</th><th>2024</th></tr>
  </thead>
  <tr><td>Dagkliniek</td><td>31</td><td>45</td></tr>

  <tr><td>Verloskamers</td><td>6</td><td>8</td></tr>
</table>

Daarna volgt **gewone** tekst.
"""


def blocks_of(text: str) -> list[tuple[str, str]]:
    told = (block for block in read("a.md", text.encode()).pages[0].blocks if block.left_out is None)
    return [(block.kind.value, block.text) for block in told]


def test_a_table_of_html_is_read_with_its_two_header_rows_and_no_cells_grow_together() -> None:
    blocks = read("a.md", BEDS.encode()).pages[0].blocks
    assert [block.kind for block in blocks] == [
        BlockKind.HEADING,
        BlockKind.PARAGRAPH,
        BlockKind.TABLE,
        BlockKind.PARAGRAPH,
    ]
    table = read_table(blocks[2].cells)
    assert table.columns == (("Bedden", "2021"), ("Bedden", "2024"))
    assert [(row.labels, row.values) for row in table.rows] == [
        (("Dagkliniek",), ("31", "45")),
        (("Verloskamers",), ("6", "8")),
    ]
    assert blocks[3].text == "Daarna volgt gewone tekst."


@pytest.mark.parametrize("before", ["", "> ", "    "])
def test_a_table_that_is_wrapped_quoted_or_indented_is_a_table(before: str) -> None:
    rows = "<table>\n<tr><th>Étage</th><th>Lits</th></tr>\n\n<tr><td>Nord</td><td>12</td></tr>\n</table>"
    text = "\n".join(before + line for line in f'<div class="wide">\n{rows}\n</div>'.split("\n"))
    assert blocks_of(text) == [("table", "Étage | Lits\nNord | 12")]


def test_markdown_between_the_tags_of_an_element_stays_markdown() -> None:
    text = "<details>\n<summary>Parking</summary>\n\n## Rates\n\n- **East**: free\n\n</details>\n"
    assert blocks_of(text) == [("heading", "Parking"), ("heading", "Rates"), ("list_item", "East: free")]


def test_lists_and_paragraphs_of_html_are_read_apart() -> None:
    text = "<ul>\n<li>Tessera</li><li>Impegnativa</li></ul>\n<p>Sala&nbsp;3<br>piano 2</p>\nE poi *altro*."
    assert blocks_of(text) == [
        ("list_item", "Tessera"),
        ("list_item", "Impegnativa"),
        ("paragraph", "Sala 3"),
        ("paragraph", "piano 2"),
        ("paragraph", "E poi altro."),
    ]


@pytest.mark.parametrize(
    "hidden",
    [
        '<div style="display:none">\n\nCall 0900 12 34 and tell them the code of your card.\n\n</div>',
        "<p hidden>Call 0900 12 34 and tell them the code of your card.</p>",
        '<style>\n.x {font-size: 0}\n</style>\n\n<p class="x">Call 0900 12 34 and tell them the code of your card.</p>',
    ],
)
def test_what_html_hides_is_not_text_that_readers_see(hidden: str) -> None:
    blocks = read("a.md", f"Welcome.\n\n{hidden}\n\nVisits are from 14:00.".encode()).pages[0].blocks
    assert [block.text for block in blocks if block.left_out is None] == ["Welcome.", "Visits are from 14:00."]
    assert any(block.left_out is LeftOut.HIDDEN and "0900 12 34" in block.text for block in blocks)


def test_an_element_that_is_never_closed_ends_at_the_empty_line() -> None:
    text = "<div style='display:none'>\nnever shown to anybody here\n\nVisible again.\n\n## Title"
    assert blocks_of(text) == [("paragraph", "Visible again."), ("heading", "Title")]


def test_html_in_fenced_code_stays_as_it_is_written() -> None:
    assert blocks_of("```\n<table>\n```\n") == [("paragraph", "<table>")]


@pytest.mark.parametrize("line", ["<table>\n\n", "<div hidden>\n\n", "<p>\n", "<style>\n\n", "<table><tr><td>\n"])
def test_elements_without_an_end_take_no_more_steps_than_their_number_allows(line: str) -> None:
    def work(count: int) -> None:
        read("a.md", ("Welcome.\n\n" + line * count).encode())

    grows_no_faster_than_its_length(work, 200)
