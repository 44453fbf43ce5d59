"""Blocks of Word documents: what is left out, boxes, automatic numbers, headers, and what a file says of itself."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from careline.model import LeftOut
from careline.tables.extracted import BlockKind
from tests.cases.strangers.docx_files import (
    BODY,
    DESK,
    ENTRIES,
    PLACEHOLDER,
    SHOWN,
    STRUCK,
    TYPED,
    a_box,
    a_document,
    blocks,
    complex_field,
    control,
    core,
    extracted,
    heading,
    item,
    left_out,
    levels,
    paragraph,
    part,
    run,
    says,
    table,
    told,
)


@pytest.mark.parametrize("kept", ["Supper", "€ 5.00"])
def test_a_row_that_lost_its_label_or_its_value_says_nothing_of_its_neighbours(kept: str) -> None:
    row = tuple(text if text == kept else f"<w:p>{run(text, '<w:dstrike/>')}</w:p>" for text in ("Supper", "€ 5.00"))
    content = a_document(table(("Meal", "Price"), row, ("Lunch", "€ 9.20"), ("Tea", "€ 1.20")))
    assert told(content) == ["Meal | Price\nLunch | € 9.20\nTea | € 1.20"]
    assert (kept, LeftOut.STRUCK) in left_out(content)


def test_a_label_whose_value_is_struck_through_is_not_that_of_the_next_line() -> None:
    content = a_document(paragraph(run("Head nurse: ") + run("An Peeters", STRUCK)) + paragraph("Telephone: 4437"))
    assert told(content) == ["Telephone: 4437"]


@pytest.mark.parametrize(
    ("former", "now"), [("8-17", "9-18"), ("from 8 to 17", "from 9 to 18"), ("€ 80 a day", "€ 7,50")]
)
def test_a_label_is_that_of_the_value_below_the_one_that_was_struck_through(former: str, now: str) -> None:
    struck = run(former, STRUCK)
    assert says(paragraph(run("Library: ") + struck) + paragraph(now)) == ["Library:", now]
    assert says(paragraph("Library:") + paragraph(struck) + paragraph(now)) == ["Library:", now]


def test_a_merged_label_is_that_of_the_row_below_a_value_that_was_struck_through() -> None:
    rows = table(("What", "When"), ("Library", f"<w:p>{run('8-17', STRUCK)}</w:p>"), ("", "9-18"), ("Lunch", "12-13"))
    for text, how in (("Library", ' w:val="restart"'), ("", "")):
        cell = f"<w:tc>{paragraph(text)}"
        merged = f"<w:tc><w:tcPr><w:vMerge{how}/></w:tcPr>{paragraph(text)}"
        rows = rows.replace(cell, merged, 1)
    first, *_ = blocks(a_document(rows))
    label = next(cell for cell in first.cells if cell.text == "Library")
    assert ("9-18", label.row + label.rows - 1) in [(cell.text, cell.row) for cell in first.cells]
    assert "Library | 9-18" in first.text


@pytest.mark.parametrize("now", ["Route 34", "Ring twice.", "Lunch: 12-13"])
def test_a_label_above_a_struck_value_is_not_that_of_another_line(now: str) -> None:
    assert says(paragraph("Library:") + paragraph(run("8-17", STRUCK)) + paragraph(now)) == [now]


def test_tracked_changes_are_read_as_accepted() -> None:
    deleted = "<w:del><w:r><w:delText>until 20:00</w:delText></w:r></w:del>"
    prices = table(("Meal", "Price"), ("Lunch", "€ 9"), ("Tea", "€ 1"))
    *kept, tea = prices.split("<w:tr>")
    body = (
        paragraph(run("Open ") + "<w:ins>" + run("until 18:00") + "</w:ins>" + deleted)
        + f"<w:moveFrom>{paragraph('Moved away.')}</w:moveFrom>"
        + paragraph("<w:moveFrom>" + run("Moved too.") + "</w:moveFrom><w:moveTo>" + run("Moved here.") + "</w:moveTo>")
        + paragraph("The lift", "<w:rPr><w:del/></w:rPr>")
        + paragraph(" is on the left.")
        + "<w:tbl><w:tr><w:tc><w:p/></w:tc></w:tr></w:tbl>"
        + "<w:tr>".join(kept)
        + f"<w:tr><w:trPr><w:del/></w:trPr>{tea}"
    )
    assert says(body) == ["Open until 18:00", "Moved here.", "The lift is on the left.", "Meal | Price\nLunch | € 9"]


def test_a_field_that_was_filled_in_is_told() -> None:
    chosen = f'<w:ffData><w:ddList><w:result w:val="1"/>{ENTRIES}</w:ddList></w:ffData>'
    typed = f"<w:ffData>{TYPED}</w:ffData>"
    body = paragraph(run("Nurse: ") + complex_field("FORMDROPDOWN", "", chosen)) + paragraph(
        run("Doctor: ") + complex_field("FORMTEXT", run("Mia"), typed)
    )
    assert says(body) == ["Nurse: Jo", "Doctor: Mia"]


def test_a_switch_that_a_program_forgot_does_not_hide_what_it_filled_in() -> None:
    glossary = (
        '<w:docParts><w:docPart><w:docPartPr><w:name w:val="Ask"/></w:docPartPr>'
        f"<w:docPartBody>{paragraph('Click here.')}</w:docPartBody></w:docPart></w:docParts>"
    )
    asks = '<w:placeholder><w:docPart w:val="Ask"/></w:placeholder>' + PLACEHOLDER
    body = paragraph(run("Nurse: ") + control(run("Mia"), asks)) + paragraph(
        run("Doctor: ") + control(run("Click here."), asks)
    )
    content = a_document(
        body,
        links=(("g", "glossaryDocument", "glossary/document.xml"),),
        files={"word/glossary/document.xml": part("glossaryDocument", glossary)},
    )
    assert told(content) == ["Nurse: Mia"]


def test_only_the_sentence_with_a_placeholder_goes() -> None:
    asks = control(run("Enter a date"), PLACEHOLDER)
    body = paragraph(run("The ward is on floor 2. It opens on ") + asks + run(". Ring twice."))
    assert says(body) == ["The ward is on floor 2. Ring twice."]
    both = paragraph(run("Telephone: 4437") + "<w:r><w:tab/></w:r>" + run("Fax: ") + asks)
    assert says(both) == ["Telephone: 4437"]


@pytest.mark.parametrize("empty", [control(""), control(run(" ")), control("") + run(" ")])
def test_an_empty_control_leaves_the_sentence_behind_it(empty: str) -> None:
    assert says(paragraph(empty + run("The lift is on the left. Ring twice."))) == [
        "The lift is on the left. Ring twice."
    ]
    body = paragraph(run("Head nurse: ") + empty + run("Telephone: 4437"))
    assert says(body) == ["Telephone: 4437"]
    assert left_out(a_document(body)) == [("Head nurse:", LeftOut.PLACEHOLDER)]
    rows = table(("Unit", "Where"), ("Scanner", f"<w:p>{empty}{run('Level 1')}</w:p>"), ("X-ray", "Level 2"))
    assert says(rows) == ["Unit | Where\nScanner | Level 1\nX-ray | Level 2"]


@pytest.mark.parametrize("behind", ["opens at 9:35.", " to 17:00.", "4437"])
def test_what_an_empty_control_begins_is_not_told_without_it(behind: str) -> None:
    assert says(paragraph(control("") + run(behind)) + paragraph("Ring twice.")) == ["Ring twice."]
    assert says(paragraph(run("Open: ") + control("") + run(behind)) + paragraph("Ring twice.")) == ["Ring twice."]


def test_a_label_above_its_placeholder_goes_with_it() -> None:
    body = paragraph("Head nurse:") + control(paragraph("Click here."), PLACEHOLDER) + paragraph("Telephone: 4437")
    assert says(body) == ["Telephone: 4437"]


def test_a_table_in_a_box_in_a_cell_stands_behind_the_table_of_the_cell() -> None:
    hours = table(("Day", "Hours"), ("Monday", "08:10-16:40"))
    cell = f"<w:p>{run('Level 1')}{a_box(hours)}</w:p>"
    assert says(table(("Unit", "Where"), ("Scanner", cell), ("X-ray", "Level 2"))) == [
        "Unit | Where\nScanner | Level 1\nX-ray | Level 2",
        "Day | Hours\nMonday | 08:10-16:40",
    ]


def test_a_box_in_a_box_and_lists_and_headings_in_boxes_are_read_in_order() -> None:
    inner = a_box(heading("Visits", 2) + item("Ring twice."))
    outer = paragraph(run("First.") + a_box(paragraph(run("Second.") + inner))) + paragraph("Last.")
    found = blocks(a_document(outer, parts={"numbering": levels(("decimal", "%1."))}))
    assert [(block.kind.value, block.text) for block in found] == [
        ("paragraph", "First."),
        ("paragraph", "Second."),
        ("heading", "Visits"),
        ("list_item", "1. Ring twice."),
        ("paragraph", "Last."),
    ]


def test_headings_are_numbered_by_the_styles_that_levels_name() -> None:
    styles = "".join(
        f'<w:style w:type="paragraph" w:styleId="Heading{level}"><w:name w:val="heading {level}"/><w:pPr><w:numPr>'
        f'<w:numId w:val="1"/></w:numPr></w:pPr></w:style>'
        for level in (1, 2)
    )
    numbering = levels(("upperRoman", "Chapter %1"), ("decimal", "%1.%2"))
    for at, name in ((0, "Heading1"), (1, "Heading2")):
        numbering = numbering.replace(f'w:ilvl="{at}"><w:start', f'w:ilvl="{at}"><w:pStyle w:val="{name}"/><w:start')
    numbering = numbering.replace('<w:numFmt w:val="decimal"/>', '<w:numFmt w:val="decimal"/><w:isLgl/>')
    body = heading("Visits") + heading("Hours", 2) + heading("Children", 2) + heading("Payment") + heading("Card", 2)
    assert says(body, parts={"styles": styles, "numbering": numbering}) == [
        "Chapter I Visits", "1.1 Hours", "1.2 Children", "Chapter II Payment", "2.1 Card",
    ]  # fmt: skip


def test_levels_restart_below_another_item_and_numbers_start_again_where_they_say_so() -> None:
    again = (
        '<w:num w:numId="2"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/>'
        "</w:lvlOverride></w:num>"
    )
    numbering = levels(("decimal", "%1"), ("lowerLetter", "%2)"), ("lowerRoman", "(%3)"), more=again)
    body = "".join(
        (
            item("one"), item("a", level=1), item("b", level=1), item("i", level=2), item("two"), item("a", level=1),
            item("five", 2), item("six", 2), item("seven"),
        )
    )  # fmt: skip
    assert says(body, parts={"numbering": numbering}) == [
        "1. one", "a) a", "b) b", "(i) i", "2. two", "a) a", "5. five", "6. six", "7. seven",
    ]  # fmt: skip


def test_an_empty_item_counts_and_a_deleted_one_does_not() -> None:
    deleted = item("gone").replace("<w:pPr>", "<w:pPr><w:rPr><w:del/></w:rPr>").replace("<w:r>", "<w:del><w:r>")
    deleted = deleted.replace("</w:r></w:p>", "</w:r></w:del></w:p>")
    body = item("first") + item('<w:r><w:t></w:t></w:r>') + deleted + item("third")
    assert says(body, parts={"numbering": levels(("decimal", "%1."))}) == ["1. first", "3. third"]


def test_bullets_have_no_number_and_a_list_without_definition_stays_a_list() -> None:
    found = blocks(a_document(item("card") + item("bag", 7), parts={"numbering": levels(("bullet", "•"))}))
    assert [(block.kind, block.text) for block in found] == [
        (BlockKind.LIST_ITEM, "card"),
        (BlockKind.LIST_ITEM, "bag"),
    ]


def test_a_column_of_automatic_numbers_keeps_them_and_one_item_of_a_cell_needs_none() -> None:
    body = table(
        ("Nr", "Step", "ml"), (item(""), "Flush", item("10")), (item(""), "Rinse", item("20"))
    )
    found = blocks(a_document(body, parts={"numbering": levels(("decimal", "%1."))}))
    assert found[0].text == "Nr | Step | ml\n1. | Flush | 10\n3. | Rinse | 20"


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 8), min_size=1, max_size=25))
def test_any_order_of_levels_is_counted_from_one_without_gaps(order: list[int]) -> None:
    numbering = levels(*(("decimal", f"%{at}.") for at in range(1, 10)))
    found = says("".join(item("text", level=level) for level in order), parts={"numbering": numbering})
    counts: dict[int, int] = {}
    for level, text in zip(order, found, strict=True):
        counts = {at: count for at, count in counts.items() if at <= level}
        counts[level] = counts.get(level, 0) + 1
        assert text == f"{counts[level]}. text"


def test_a_running_line_without_a_contact_is_counted_and_not_told() -> None:
    parts = {"header1": paragraph("Leaflet 12, version of 3 May 2024"), "footer1": paragraph("Brookvale")}
    content = a_document(BODY + f"<w:sectPr>{SHOWN}</w:sectPr>", parts=parts)
    assert told(content) == ["Day room", "The day room opens at 9:35."]
    assert [reason for _, reason in left_out(content)] == [LeftOut.RUNNING, LeftOut.RUNNING]


def test_who_is_reached_stays_with_the_number_and_other_figures_do_not() -> None:
    header = paragraph("Surgery desk") + paragraph("T 011 90 44 37") + paragraph("Version 7 of 2019")
    content = a_document(BODY + f"<w:sectPr>{SHOWN}</w:sectPr>", parts={"header1": header, "footer1": ""})
    assert told(content)[:2] == ["Surgery desk", "T 011 90 44 37"]
    assert left_out(content) == [("Version 7 of 2019", LeftOut.RUNNING)]


@pytest.mark.parametrize(
    "header",
    [
        table(("Surgery desk", "T 011 90 44 37")),
        paragraph(a_box(paragraph("Surgery desk") + paragraph("T 011 90 44 37"))),
        control(paragraph("Surgery desk") + paragraph("T 011 90 44 37")),
    ],
)
def test_letterheads_are_set_in_tables_boxes_and_controls(header: str) -> None:
    content = a_document(BODY + f"<w:sectPr>{SHOWN}</w:sectPr>", parts={"header1": header, "footer1": ""})
    assert told(content)[:2] == ["Surgery desk", "T 011 90 44 37"]


def test_a_first_page_has_its_own_letterhead_where_its_section_says_so_and_it_is_text() -> None:
    first = '<w:headerReference w:type="first" r:id="rIdheader1"/>'
    parts = {"header1": paragraph("Route 34, floor 2")}
    assert told(a_document(BODY + f"<w:sectPr>{first}<w:titlePg/></w:sectPr>", parts=parts))[0] == "Route 34, floor 2"
    assert "Route 34, floor 2" not in told(a_document(BODY + f"<w:sectPr>{first}</w:sectPr>", parts=parts))
    linked = paragraph("One.", f"<w:sectPr>{first}</w:sectPr>") + "<w:sectPr><w:titlePg/></w:sectPr>"
    assert told(a_document(linked, parts=parts)) == ["Route 34, floor 2", "One."]


def test_even_pages_have_a_header_of_their_own_where_the_document_says_so() -> None:
    even = '<w:sectPr><w:headerReference w:type="even" r:id="rIdheader1"/></w:sectPr>'
    parts = {"header1": paragraph(DESK)}
    assert DESK not in told(a_document(BODY + even, parts=parts))
    assert DESK in told(a_document(BODY + even, parts={**parts, "settings": "<w:evenAndOddHeaders/>"}))


def test_a_header_of_the_first_page_that_the_others_have_too_is_a_running_line() -> None:
    kinds = ("first", "default")
    shown = "".join(f'<w:headerReference w:type="{kind}" r:id="rIdheader1"/>' for kind in kinds)
    content = a_document(BODY + f"<w:sectPr>{shown}<w:titlePg/></w:sectPr>", parts={"header1": paragraph("Leaflet 12")})
    assert left_out(content) == [("Leaflet 12", LeftOut.RUNNING)]


def test_the_header_of_the_only_page_is_text() -> None:
    app = (
        '<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties">'
        "<Pages>1</Pages><Words>{}</Words></Properties>"
    )
    parts = {"header1": paragraph("Route 34, floor 2"), "footer1": paragraph("Page 1")}
    for words, shown in ((412, True), (0, False)):
        files = {"docProps/app.xml": app.format(words)}
        content = a_document(BODY + f"<w:sectPr>{SHOWN}</w:sectPr>", parts=parts, files=files)
        assert ("Route 34, floor 2" in told(content)) is shown
        assert "Page 1" not in told(content)


def test_what_people_say_of_a_document_is_a_fact() -> None:
    from datetime import UTC, datetime

    year = datetime.now(UTC).year
    files = core(title="Visits 2", author="An Peeters", changed=f"{year}-01-05T10:00:00Z")
    assert extracted(a_document(BODY, files=files)).stated == {
        "title": "Visits 2",
        "authors": ("An Peeters",),
        "year": year,
    }


def test_a_line_with_a_number_of_a_page_and_a_contact_stays() -> None:
    footer = paragraph(run("T 011 90 44 37, page ") + complex_field("PAGE", run("1")))
    content = a_document(BODY + f"<w:sectPr>{SHOWN}</w:sectPr>", parts={"header1": "", "footer1": footer})
    assert told(content)[-1] == "T 011 90 44 37, page 1"


def test_cells_that_go_on_sideways_keep_the_columns_behind_them() -> None:
    merged = [f'<w:tc><w:tcPr><w:hMerge{how}/></w:tcPr>{paragraph(text)}</w:tc>' for how, text in (
        (' w:val="restart"', "Weekdays"), ("", ""),
    )]  # fmt: skip
    rows = table(("Ward", "Monday", "Tuesday", "Sunday"), ("7", "10", "11", "12"))
    first = f"<w:tr><w:tc>{paragraph('')}</w:tc>{''.join(merged)}<w:tc>{paragraph('Weekend')}</w:tc></w:tr>"
    found = blocks(a_document(rows.replace("<w:tbl>", f"<w:tbl>{first}")))
    assert [(cell.text, cell.column) for cell in found[0].cells][:2] == [("Weekdays", 1), ("Weekend", 3)]


def test_an_empty_control_in_a_cell_asks_too() -> None:
    cell = f"<w:tc>{control('<w:p/>')}</w:tc>"
    body = table(("What", "Value"), ("Meal time", "x"), ("Route", "34"))
    found = told(a_document(body.replace(f"<w:tc>{paragraph('x')}</w:tc>", cell)))
    assert found == ["What | Value\nRoute | 34"]


def test_a_number_without_charge_in_a_letterhead_is_a_way_to_reach_somebody() -> None:
    content = a_document(
        BODY + f"<w:sectPr>{SHOWN}</w:sectPr>", parts={"header1": paragraph("Numero verde 800 123 456"), "footer1": ""}
    )
    assert told(content)[0] == "Numero verde 800 123 456"


@pytest.mark.parametrize("title", ["[Document title]", "[Titel van document]"])
def test_a_title_that_asks_for_one_is_none(title: str) -> None:
    assert extracted(a_document(BODY, files=core(title=title))).stated["title"] == "Day room"


def test_a_document_that_is_nothing_but_its_letterhead_is_that() -> None:
    content = a_document(f"<w:p/><w:sectPr>{SHOWN}</w:sectPr>", parts={"header1": paragraph("Route 34"), "footer1": ""})
    assert told(content) == ["Route 34"]
