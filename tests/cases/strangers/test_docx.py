"""Word documents as hospitals have them: made by many programs, repaired, filled in, struck through and drawn in."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from careline.errors import DocumentRejected
from careline.schemas import wire
from careline.settings import Settings
from careline.tables.extracted import BlockKind, LeftOut
from careline.turn import pipeline
from careline_local.cli.session import CommandSession
from careline_local.ingest import ingest
from careline_local.intake import find
from tests.cases.strangers.docx_files import (
    HEADINGS,
    OFFICE,
    PACKAGE,
    SPACES,
    TYPES,
    a_document,
    blocks,
    complex_field,
    control,
    extracted,
    heading,
    item,
    left_out,
    packed,
    paragraph,
    part,
    relationships,
    run,
    says,
    table,
    told,
)
from tests.patience import patient

BODY = heading("Day room") + paragraph("The day room opens at 9:35.")
NOTE_1 = '<w:r><w:footnoteReference w:id="1"/></w:r>'
NOTE_2 = '<w:r><w:footnoteReference w:id="2"/></w:r>'
STRUCK = "<w:strike/>"
PLACEHOLDER = "<w:showingPlcHdr/>"
TYPED = '<w:textInput><w:default w:val="naam"/></w:textInput>'
ENTRIES = '<w:listEntry w:val="An"/><w:listEntry w:val="Jo"/>'


def a_note(text: str, number: int = 1, kind: str = "footnote") -> str:
    return f'<w:{kind} w:id="{number}">{paragraph("<w:r><w:footnoteRef/></w:r>" + run(text))}</w:{kind}>'


def a_sign(font: str, code: str) -> str:
    return f'<w:r><w:sym w:font="{font}" w:char="{code}"/></w:r>'


def a_box(inside: str, *, again: bool = True) -> str:
    fallback = f"<w:pict><v:shape><v:textbox><w:txbxContent>{inside}</w:txbxContent></v:textbox></v:shape></w:pict>"
    drawing = (
        "<w:drawing><wp:inline><a:graphic><a:graphicData><wps:wsp><wps:txbx><w:txbxContent>"
        f"{inside}</w:txbxContent></wps:txbx></wps:wsp></a:graphicData></a:graphic></wp:inline></w:drawing>"
    )
    if not again:
        return f"<w:r>{fallback}</w:r>"
    return (
        f'<w:r><mc:AlternateContent><mc:Choice Requires="wps">{drawing}</mc:Choice>'
        f"<mc:Fallback>{fallback}</mc:Fallback></mc:AlternateContent></w:r>"
    )


def a_picture(description: str, place: str = "inline") -> str:
    return (
        f'<w:r><w:drawing><wp:{place}><wp:docPr id="1" name="Picture 1" descr="{description}"/><a:graphic>'
        '<a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic/></a:graphicData></a:graphic>'
        f"</wp:{place}></w:drawing></w:r>"
    )


def formula(inside: str) -> str:
    return f"<m:oMath>{inside}</m:oMath>"


def letters(text: str) -> str:
    return f"<m:r><m:t>{text}</m:t></m:r>"


def a_fraction(above: str, below: str) -> str:
    return f"<m:f><m:num>{letters(above)}</m:num><m:den>{letters(below)}</m:den></m:f>"


def levels(*each: tuple[str, str], more: str = "") -> str:
    """An abstract list and number 1 of it: the shape and the text of each level."""
    drawn = "".join(
        f'<w:lvl w:ilvl="{at}"><w:start w:val="1"/><w:numFmt w:val="{shape}"/><w:lvlText w:val="{text}"/></w:lvl>'
        for at, (shape, text) in enumerate(each)
    )
    return (
        f'<w:abstractNum w:abstractNumId="0">{drawn}</w:abstractNum>'
        f'<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>{more}'
    )


# Packages


@pytest.mark.parametrize(
    "link",
    [
        ("rId9", "image", "media/image9.png"),
        ("rId9", "image", "NULL"),
        ("rId9", "hyperlink", "#_top"),
        ("rId9", "header", "header9.xml"),
        ("rId9", "settings", "settings.xml"),
        ("rId9", "theme", "theme/theme1.xml"),
        ("rId9", "numbering", "numbering9.xml"),
        ("rId9", "customXml", "../customXml/item1.xml"),
        ("rId9", "footnotes", "../../../etc/footnotes.xml"),
    ],
)
def test_f01_a_document_that_names_a_part_which_is_missing_is_read(link: tuple[str, str, str]) -> None:
    body = BODY + paragraph('<w:hyperlink r:id="rId9"><w:r><w:t>Ask the desk.</w:t></w:r></w:hyperlink>')
    assert told(a_document(body, links=(link,))) == ["Day room", "The day room opens at 9:35.", "Ask the desk."]


def test_parts_named_in_another_case_with_backslashes_or_from_the_root_are_found() -> None:
    document = part("document", f"<w:body>{BODY}{paragraph(run('See.') + NOTE_1)}</w:body>")
    notes = part("footnotes", a_note("Ring twice."))
    content = packed(
        {
            "[content_types].XML": TYPES,
            "_RELS\\.rels": relationships(("a", "officeDocument", "/Word/Document.xml")),
            "word\\document.xml": document,
            "word/_rels/document.xml.rels": relationships(("b", "footnotes", ".\\Foot%6Eotes.XML")),
            "word/footnotes.xml": notes,
        }
    )
    assert told(content)[-2:] == ["See.", "Ring twice."]


def test_a_package_without_relationships_and_styles_is_read_by_the_names_of_its_parts() -> None:
    content = packed({"[Content_Types].xml": TYPES, "word/document.xml": part("document", f"<w:body>{BODY}</w:body>")})
    assert [(block.kind, block.level) for block in blocks(content)] == [
        (BlockKind.HEADING, 1),
        (BlockKind.PARAGRAPH, 0),
    ]


@pytest.mark.parametrize("kind", ["document.macroEnabled.main", "template.main", "template.macroEnabledTemplate.main"])
def test_a_template_or_a_document_with_macros_is_read(kind: str) -> None:
    named = f'<Override PartName="/word/document.xml" ContentType="application/vnd.ms-word.{kind}+xml"/>'
    types = TYPES.replace("</Types>", f"{named}</Types>")
    assert told(a_document(BODY, files={"[Content_Types].xml": types}))[0] == "Day room"


def test_the_strict_form_of_a_document_is_read() -> None:
    written = part("document", f"<w:body>{BODY}{paragraph(formula(a_fraction('1', '2')))}</w:body>")
    for usual, strict in (("wordprocessingml/2006/main", "wordprocessingml"), ("officeDocument/2006/math", "officeDocument")):
        name = usual.rpartition("/")[2]
        written = written.replace(
            f"http://schemas.openxmlformats.org/{usual}", f"http://purl.oclc.org/ooxml/{strict}/{name}"
        )
    office = "http://purl.oclc.org/ooxml/officeDocument/relationships/officeDocument"
    root = relationships(("a", office, "word/document.xml"))
    assert told(a_document("", files={"word/document.xml": written, "_rels/.rels": root}))[-1] == "½"


@pytest.mark.parametrize("broken", ["word/document.xml", "word/styles.xml", "word/footnotes.xml"])
def test_a_part_of_the_text_that_is_damaged_refuses_the_document_and_says_which(broken: str) -> None:
    content = a_document(BODY, parts={"footnotes": ""}, files={broken: "<w:broken"})
    with pytest.raises(DocumentRejected, match=broken) as refused:
        extracted(content)
    assert refused.value.reason == "corrupt"


@pytest.mark.parametrize("broken", ["word/settings.xml", "word/theme1.xml", "docProps/core.xml", "docProps/app.xml"])
def test_a_part_beside_the_text_that_is_damaged_does_no_harm(broken: str) -> None:
    content = a_document(BODY, parts={"settings": "", "theme1": ""}, files={broken: "<w:broken"})
    assert told(content) == ["Day room", "The day room opens at 9:35."]


# Notes


def test_f02_a_footnote_stands_behind_the_sentence_it_belongs_to() -> None:
    body = paragraph(run("Visitors come from 14:00 to 20:00.") + NOTE_1 + run(" Parents may stay."))
    assert says(body, parts={"footnotes": a_note("On Sundays visiting ends at 18:30.")}) == [
        "Visitors come from 14:00 to 20:00. On Sundays visiting ends at 18:30. Parents may stay."
    ]


def test_f02_an_endnote_at_the_end_of_a_paragraph_stands_behind_it() -> None:
    reference = '<w:r><w:endnoteReference w:id="4"/></w:r>'
    body = paragraph(run("Les résultats arrivent après trois jours") + reference + run("."))
    assert says(body, parts={"endnotes": a_note("Pour la thyroïde, huit jours.", 4, "endnote")}) == [
        "Les résultats arrivent après trois jours.",
        "Pour la thyroïde, huit jours.",
    ]


def test_notes_at_words_of_one_paragraph_keep_the_signs_that_tell_them_apart() -> None:
    body = paragraph(run("A single room costs 80 euro") + NOTE_1 + run(", a double one 60 euro") + NOTE_2 + run("."))
    notes = a_note("With breakfast.") + a_note("Without breakfast.", 2)
    assert says(body, parts={"footnotes": notes}) == [
        "A single room costs 80 euro¹, a double one 60 euro².",
        "¹ With breakfast.",
        "² Without breakfast.",
    ]


def test_a_note_of_a_table_has_its_sign_in_the_cell_and_stands_below() -> None:
    body = table(("Room", "Price"), ("Single", f"<w:p>{run('€ 80')}{NOTE_1}</w:p>"), ("Double", "€ 60"))
    found = blocks(a_document(body, parts={"footnotes": a_note("With breakfast.")}))
    assert [cell.text for cell in found[0].cells][3] == "€ 80¹"
    assert found[1].text == "¹ With breakfast."


def test_a_heading_has_no_sign_and_an_item_keeps_its_note() -> None:
    body = heading(run("Visits") + NOTE_1) + item(run("Bring your card") + NOTE_2)
    notes = a_note("From May on.") + a_note("Or your passport.", 2)
    assert says(body, parts={"footnotes": notes, "numbering": levels(("decimal", "%1."))}) == [
        "Visits",
        "From May on.",
        "1. Bring your card",
        "Or your passport.",
    ]


def test_the_mark_that_an_author_typed_is_no_part_of_the_text() -> None:
    reference = '<w:r><w:footnoteReference w:customMarkFollows="1" w:id="1"/><w:t>*</w:t></w:r>'
    body = paragraph(run("It costs 12 euro") + reference + run("."))
    assert says(body, parts={"footnotes": f'<w:footnote w:id="1">{paragraph("* By card only.")}</w:footnote>'}) == [
        "It costs 12 euro.",
        "By card only.",
    ]


def test_comments_separators_and_missing_notes_are_not_told() -> None:
    body = paragraph(
        '<w:commentRangeStart w:id="0"/>' + run("Ring twice.") + '<w:r><w:commentReference w:id="0"/></w:r>' + NOTE_2
    )
    parts = {
        "comments": f'<w:comment w:id="0">{paragraph("Is this right?")}</w:comment>',
        "footnotes": f'<w:footnote w:type="separator" w:id="2">{paragraph("separator")}</w:footnote>',
    }
    assert says(body, parts=parts) == ["Ring twice."]


# Signs


def test_f03_ticks_and_crosses_of_a_font_of_signs_are_the_cells_of_a_table() -> None:
    tick, cross = f"<w:p>{a_sign('Wingdings', 'F0FC')}</w:p>", f"<w:p>{a_sign('Wingdings', 'F0FB')}</w:p>"
    found = blocks(a_document(table(("Service", "A", "B"), ("Fridge", tick, cross), ("Radio", cross, tick))))
    assert found[0].text.splitlines()[1:] == ["Fridge | ✓ | ✗", "Radio | ✗ | ✓"]


@pytest.mark.parametrize(
    ("font", "code", "sign"),
    [
        ("Wingdings", "F0FE", "☑"), ("Wingdings", "F0A8", "☐"), ("Wingdings", "00FC", "✓"), ("Wingdings", "F0FD", "☒"),
        ("Wingdings 2", "F050", "✓"), ("Wingdings 2", "F04F", "✗"), ("Wingdings 2", "F052", "☑"),
        ("Wingdings 2", "F0A3", "☐"), ("Wingdings 3", "F0E2", "→"), ("Wingdings", "F0E0", "→"),
        ("Webdings", "F061", "✔"),
        ("Webdings", "F072", "✗"), ("Symbol", "F0B3", "≥"), ("Symbol", "F0A3", "≤"), ("Symbol", "F0B0", "°"),
        ("Symbol", "F06D", "µ"), ("Symbol", "F0B1", "±"), ("Symbol", "F0B4", "×"), ("Symbol", "F0AE", "→"),
        ("Symbol", "F0D6", "√"), ("Segoe UI Symbol", "2714", "✔"), ("ZapfDingbats", "F034", "✔"),
        ("wingdings2", "F050", "✓"),
    ],
)  # fmt: skip
def test_f03_a_sign_of_a_font_is_the_character_that_its_readers_see(font: str, code: str, sign: str) -> None:
    assert says(paragraph(run("Under ") + a_sign(font, code) + run(" 9"))) == [f"Under {sign} 9"]


@pytest.mark.parametrize(
    ("fonts", "styles", "theme"),
    [
        ('<w:rFonts w:ascii="Symbol" w:hAnsi="Symbol"/>', "", ""),
        ('<w:rStyle w:val="Signs"/>', '<w:rFonts w:ascii="Symbol" w:hAnsi="Symbol"/>', ""),
        ('<w:rFonts w:asciiTheme="minorHAnsi" w:hAnsiTheme="minorHAnsi"/>', "", "Symbol"),
    ],
)
def test_f03_private_characters_are_read_in_the_font_of_run_style_or_theme(fonts: str, styles: str, theme: str) -> None:
    style = f'<w:style w:type="character" w:styleId="Signs"><w:rPr>{styles}</w:rPr></w:style>'
    font = f'<a:fontScheme><a:minorFont><a:latin typeface="{theme}"/></a:minorFont></a:fontScheme>' if theme else ""
    content = a_document(
        paragraph(run("fièvre ") + run("\uf0b3", fonts) + run(" 38,5 ") + run("\uf0b0", fonts) + run("C")),
        parts={"styles": HEADINGS + style, "theme1": font},
    )
    assert told(content) == ["fièvre ≥ 38,5 °C"]


def test_a_sign_that_only_its_font_knows_is_not_left_out_before_a_figure() -> None:
    body = paragraph(a_sign("Odd Icons", "F0B3") + run(" Ring twice.")) + paragraph(
        run("Call from ") + a_sign("Odd Icons", "F0B3") + run(" 38,5 on.")
    )
    content = a_document(body)
    assert told(content) == ["Ring twice."]
    assert left_out(content) == [("Call from [sign] 38,5 on.", LeftOut.UNREAD)]


def test_a_sign_with_a_fallback_is_read_once() -> None:
    sign = (
        '<w:r><mc:AlternateContent><mc:Choice Requires="w16se"><w16se:symEx w16se:font="Emoji" w16se:char="2714"/>'
        "</mc:Choice><mc:Fallback><w:t>yes</w:t></mc:Fallback></mc:AlternateContent></w:r>"
    )
    assert says(paragraph(run("Open ") + sign)) == ["Open ✔"]
    assert says(paragraph(run("Open ") + sign.replace('"w16se"', '"nowhere"'))) == ["Open yes"]


@pytest.mark.parametrize(("state", "sign"), [("1", "☑"), ("0", "☐"), ("true", "☑")])
def test_checkboxes_say_their_state_whatever_they_look_like(state: str, sign: str) -> None:
    modern = control(run("☒"), f'<w14:checkbox><w14:checked w14:val="{state}"/></w14:checkbox>')
    form = f'<w:ffData><w:checkBox><w:checked w:val="{state}"/></w:checkBox></w:ffData>'
    old = complex_field("FORMCHECKBOX", "", form)
    assert says(paragraph(modern + run(" water"))) == [f"{sign} water"]
    assert says(paragraph(old + run(" water"))) == [f"{sign} water"]


def test_signs_of_bullets_are_told_where_they_say_yes_and_no() -> None:
    bullets = "".join(
        f'<w:abstractNum w:abstractNumId="{at}"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val="{sign}"/>'
        f'<w:rPr><w:rFonts w:ascii="Wingdings" w:hAnsi="Wingdings"/></w:rPr></w:lvl></w:abstractNum>'
        for at, sign in ((0, "\uf0fc"), (1, "\uf0fb"), (2, "\uf0a7"))
    )
    numbers = "".join(f'<w:num w:numId="{at + 1}"><w:abstractNumId w:val="{at}"/></w:num>' for at in range(3))
    body = item("water", 1) + item("milk", 2) + item("bread", 3)
    assert says(body, parts={"numbering": bullets + numbers}) == ["✓ water", "✗ milk", "bread"]


# What no longer holds


def test_f04_what_is_struck_through_is_not_told_and_kept_with_why() -> None:
    content = a_document(paragraph(run("A meal costs ") + run("9 euros", STRUCK) + run("11 euros.")))
    assert told(content) == ["A meal costs 11 euros."]
    assert left_out(content) == [("9 euros", LeftOut.STRUCK)]


def test_f04_a_struck_row_is_gone_and_a_struck_value_leaves_the_new_one() -> None:
    old = f"<w:p>{run('€ 6.10', STRUCK)}{run(' € 7.40')}</w:p>"
    struck = tuple(f"<w:p>{run(text, STRUCK)}</w:p>" for text in ("Supper", "€ 5.00"))
    content = a_document(table(("Meal", "Price"), ("Breakfast", old), struck, ("Lunch", "€ 9.20")))
    assert told(content) == ["Meal | Price\nBreakfast | € 7.40\nLunch | € 9.20"]


@pytest.mark.parametrize("kept", ["Supper", "€ 5.00"])
def test_a_row_that_lost_its_label_or_its_value_says_nothing_of_its_neighbours(kept: str) -> None:
    row = tuple(text if text == kept else f"<w:p>{run(text, '<w:dstrike/>')}</w:p>" for text in ("Supper", "€ 5.00"))
    content = a_document(table(("Meal", "Price"), row, ("Lunch", "€ 9.20"), ("Tea", "€ 1.20")))
    assert told(content) == ["Meal | Price\nLunch | € 9.20\nTea | € 1.20"]
    assert (kept, LeftOut.STRUCK) in left_out(content)


def test_f04_a_style_strikes_through_and_a_run_takes_it_back() -> None:
    styles = (
        '<w:style w:type="paragraph" w:styleId="Old"><w:basedOn w:val="Older"/></w:style>'
        '<w:style w:type="paragraph" w:styleId="Older"><w:rPr><w:strike/></w:rPr></w:style>'
        '<w:style w:type="character" w:styleId="Gone"><w:rPr><w:strike/></w:rPr></w:style>'
    )
    old = '<w:pStyle w:val="Old"/>'
    body = (
        paragraph(run("Until May: 8 euros."), old)
        + paragraph(run("Now: 9 euros.", '<w:strike w:val="0"/>'), old)
        + paragraph(run("From July: 10 euros.", '<w:rStyle w:val="Gone"/>'), old)
        + paragraph(run("8 euros ", '<w:rStyle w:val="Gone"/>') + run("9 euros"))
    )
    assert says(body, parts={"styles": styles}) == ["Now: 9 euros.", "From July: 10 euros.", "9 euros"]


def test_a_label_whose_value_is_struck_through_is_not_that_of_the_next_line() -> None:
    content = a_document(paragraph(run("Head nurse: ") + run("An Peeters", STRUCK)) + paragraph("Telephone: 4437"))
    assert told(content) == ["Telephone: 4437"]


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


# What asks to be filled in


@pytest.mark.parametrize("asks", ["Click or tap here to enter text.", "Klik om tekst in te voeren.", "…", "Wybierz."])
def test_f05_a_placeholder_and_the_label_it_stands_at_are_not_told_in_any_language(asks: str) -> None:
    content = a_document(
        paragraph(run("Head nurse: ") + control(run(asks), PLACEHOLDER))
        + paragraph(run("Telephone: ") + control(run("011 90 44 21")))
    )
    assert told(content) == ["Telephone: 011 90 44 21"]
    assert left_out(content) == [(f"Head nurse: {asks}", LeftOut.PLACEHOLDER)]


def test_f05_a_row_that_nobody_filled_in_does_not_name_the_rows_below() -> None:
    asked = f"<w:p>{control(run('Klik of tik.'), PLACEHOLDER)}</w:p>"
    route = f"<w:p>{control(run('34'))}</w:p>"
    content = a_document(table(("Gegeven", "Waarde"), ("Bezoekuur", asked), ("Route", route)))
    assert told(content) == ["Gegeven | Waarde\nRoute | 34"]


@pytest.mark.parametrize(
    "asks",
    [
        control(""),
        control(run("")),
        control(run("Kies een datum."), f"<w:date/>{PLACEHOLDER}"),
        complex_field("FORMTEXT", run("\u2002\u2002\u2002"), "<w:ffData><w:textInput/></w:ffData>"),
        complex_field("FORMTEXT", run("naam"), f"<w:ffData>{TYPED}</w:ffData>"),
        complex_field("FORMDROPDOWN", "", f"<w:ffData><w:ddList>{ENTRIES}</w:ddList></w:ffData>"),
        complex_field("MERGEFIELD HeadNurse", run("«HeadNurse»")),
        '<w:fldSimple w:instr=" MERGEFIELD HeadNurse ">' + run("«HeadNurse»") + "</w:fldSimple>",
    ],
)
def test_f05_every_kind_of_empty_field_asks(asks: str) -> None:
    body = paragraph(run("Head nurse: ") + asks) + paragraph("Telephone: 4437")
    assert says(body) == ["Telephone: 4437"]


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


def test_a_label_above_its_placeholder_goes_with_it() -> None:
    body = paragraph("Head nurse:") + control(paragraph("Click here."), PLACEHOLDER) + paragraph("Telephone: 4437")
    assert says(body) == ["Telephone: 4437"]


# Text boxes


@pytest.mark.parametrize("again", [True, False])
def test_f06_a_text_box_in_a_cell_is_read_once(again: bool) -> None:
    cell = f"<w:p>{run('Level 1 ')}{a_box(paragraph('Route 52'), again=again)}</w:p>"
    found = blocks(a_document(table(("Unit", "Where"), ("Scanner", cell), ("X-ray", "Level 2"))))
    assert [block.text for block in found] == ["Unit | Where\nScanner | Level 1 Route 52\nX-ray | Level 2"]


@pytest.mark.parametrize("again", [True, False])
def test_f06_a_table_in_a_text_box_is_a_table(again: bool) -> None:
    hours = table(("Day", "Hours"), ("Monday", "08:10-16:40"), ("Tuesday", "09:20-12:50"))
    found = blocks(a_document(paragraph(run("See the panel.") + a_box(hours + "<w:p/>", again=again))))
    assert [block.kind for block in found] == [BlockKind.PARAGRAPH, BlockKind.TABLE]
    assert found[1].text == "Day | Hours\nMonday | 08:10-16:40\nTuesday | 09:20-12:50"


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


# Formulas


def test_f07_a_fraction_is_told_in_its_sentence() -> None:
    body = paragraph(run("Give ") + formula(a_fraction("1", "2")) + run(" tablet each evening."))
    assert says(body) == ["Give ½ tablet each evening."]


def test_f07_a_formula_is_told_on_a_line() -> None:
    body = paragraph(run("The index is ") + formula(letters("BMI=") + a_fraction("weight", "height²")) + run(" in kg."))
    assert says(body) == ["The index is BMI=weight/height² in kg."]


@pytest.mark.parametrize(
    ("inside", "line"),
    [
        (a_fraction("3", "16"), "3/16"),
        (letters("1") + a_fraction("3", "16"), "1 3/16"),
        (letters("1") + a_fraction("1", "2"), "1½"),
        (a_fraction("a+b", "2a"), "(a+b)/(2a)"),
        (f"<m:sSup><m:e>{letters('10')}</m:e><m:sup>{letters('−3')}</m:sup></m:sSup>", "10⁻³"),
        (f"<m:sSub><m:e>{letters('x')}</m:e><m:sub>{letters('12')}</m:sub></m:sSub>", "x₁₂"),
        (f"<m:sSub><m:e>{letters('C')}</m:e><m:sub>{letters('max')}</m:sub></m:sSub>", "C_max"),
        (f"<m:rad><m:radPr><m:degHide/></m:radPr><m:deg/><m:e>{letters('a+b')}</m:e></m:rad>", "√(a+b)"),
        (f"<m:rad><m:deg>{letters('3')}</m:deg><m:e>{letters('27')}</m:e></m:rad>", "∛27"),
        (
            f'<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>{letters("i=1")}</m:sub>'
            f"<m:sup>{letters('n')}</m:sup><m:e>{letters('x')}</m:e></m:nary>",
            "∑_(i=1)^n x",
        ),
        (f"<m:d><m:e>{letters('a')}</m:e><m:e>{letters('b')}</m:e></m:d>", "(a|b)"),
        (
            f"<m:d><m:e><m:m><m:mr><m:e>{letters('1')}</m:e><m:e>{letters('2')}</m:e></m:mr>"
            f"<m:mr><m:e>{letters('3')}</m:e><m:e>{letters('4')}</m:e></m:mr></m:m></m:e></m:d>",
            "(1, 2; 3, 4)",
        ),
        ("<m:r><w:rPr><w:strike/></w:rPr><m:t>2</m:t></m:r>" + letters("3"), "3"),
    ],
)
def test_formulas_are_written_on_a_line(inside: str, line: str) -> None:
    assert says(paragraph(run("Dose: ") + formula(inside))) == [f"Dose: {line}"]


@pytest.mark.parametrize("before", ["1", "21"])
def test_a_fraction_behind_a_figure_of_the_text_is_not_part_of_it(before: str) -> None:
    body = paragraph(run(f"Give {before}") + formula(a_fraction("3", "16")) + run("5 times."))
    assert says(body) == [f"Give {before} 3/16 5 times."]


@pytest.mark.parametrize(
    "unread",
    [
        formula("<m:f><m:num/><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f>"),
        formula("<m:oddity/>"),
        '<w:r><w:object><v:shape><v:imagedata r:id="x"/></v:shape><o:OLEObject ProgID="Equation.3"/></w:object></w:r>',
        '<w:r><w:object><o:OLEObject ProgID="Equation.DSMT4"/></w:object></w:r>',
        complex_field("EQ \\i(1;2;3)", ""),
    ],
)
def test_f07_a_line_with_a_formula_that_is_not_read_is_not_told(unread: str) -> None:
    content = a_document(paragraph(run("Give ") + unread + run(" tablet each evening.")) + paragraph("Ring twice."))
    assert told(content) == ["Ring twice."]
    assert left_out(content) == [("Give [formula] tablet each evening.", LeftOut.UNREAD)]


def test_a_cell_with_a_formula_that_is_not_read_leaves_its_row_out() -> None:
    cell = f"<w:p>{run('Give ')}{formula('<m:oddity/>')}{run(' tablet')}</w:p>"
    content = a_document(table(("Age", "Dose"), ("4", cell), ("8", "1 tablet"), ("12", "2 tablets")))
    assert told(content) == ["Age | Dose\n8 | 1 tablet\n12 | 2 tablets"]


@pytest.mark.parametrize(
    ("instruction", "shown"),
    [("EQ \\f(1;2)", "½"), ("EQ \\f(3,16)", "3/16"), ("EQ \\r(3;x)", "∛x"), ('SYMBOL 252 \\f "Wingdings" \\s 12', "✓"),
     ("SYMBOL 0xB3 \\f Symbol", "≥")],
)  # fmt: skip
def test_fields_that_show_what_they_hold_no_result_for_are_read(instruction: str, shown: str) -> None:
    assert says(paragraph(run("Give ") + complex_field(instruction, "") + run(" tablet"))) == [f"Give {shown} tablet"]


# Automatic numbers


def test_f08_items_have_their_numbers_and_a_step_can_be_referred_to() -> None:
    body = item("Wash your hands.") + item("Open the tap.") + item("Flush with 10 ml.") + paragraph("Go back to step 2.")
    found = blocks(a_document(body, parts={"numbering": levels(("decimal", "%1."))}))
    assert [(block.kind.value, block.text) for block in found] == [
        ("list_item", "1. Wash your hands."),
        ("list_item", "2. Open the tap."),
        ("list_item", "3. Flush with 10 ml."),
        ("paragraph", "Go back to step 2."),
    ]


def test_f08_chapters_have_their_numbers_and_the_title_has_none() -> None:
    number = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>'
    body = heading("General", 1, number) + paragraph("Be on time.") + heading("Payment", 1, number) + paragraph("By card.")
    read = extracted(a_document(body, parts={"numbering": levels(("decimal", "%1."))}))
    assert [block.text for block in read.pages[0].blocks] == ["1. General", "Be on time.", "2. Payment", "By card."]
    assert read.stated["title"] == "General"


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


# Headers and footers

DESK = "Brookvale Clinic, surgery desk: 011 90 44 37"
SHOWN = '<w:headerReference w:type="default" r:id="rIdheader1"/><w:footerReference w:type="default" r:id="rIdfooter1"/>'


def test_f09_a_letterhead_that_says_how_to_reach_somebody_is_told_once() -> None:
    parts = {"header1": paragraph(DESK), "footer1": paragraph(run("Page ") + complex_field("PAGE", run("1")))}
    sections = paragraph("One.", f"<w:sectPr>{SHOWN}</w:sectPr>") + paragraph("Two.") + f"<w:sectPr>{SHOWN}</w:sectPr>"
    content = a_document(sections, parts=parts)
    assert told(content) == [DESK, "One.", "Two."]
    assert left_out(content) == [("Page 1", LeftOut.RUNNING)]


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


# What a document says of itself


def core(**said: str) -> dict[str, str | bytes]:
    spaces = f'xmlns="{PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"'
    names = {"title": "dc:title", "author": "dc:creator", "changed": "dcterms:modified", "made": "dcterms:created"}
    inside = "".join(f"<{names[key]}>{value}</{names[key]}>" for key, value in said.items())
    root = f'<coreProperties {spaces} xmlns:dcterms="http://purl.org/dc/terms/">{inside}</coreProperties>'
    return {"docProps/core.xml": root}


def test_f10_a_document_without_properties_has_the_title_of_its_first_heading_and_nothing_else() -> None:
    assert extracted(a_document(BODY)).stated == {"title": "Day room"}


def test_f10_what_a_template_says_of_itself_is_no_fact() -> None:
    day = "2013-12-23T23:15:00Z"
    files = core(title="Word Document", author="python-docx", made=day, changed=day)
    assert extracted(a_document(BODY, files=files)).stated == {"title": "Day room"}


@pytest.mark.parametrize("title", ["Document1", "Documento 3", "Microsoft Word - visits.doc", "visits.docx", "Untitled"])
def test_f10_a_title_that_a_program_gave_is_none(title: str) -> None:
    assert extracted(a_document(BODY, files=core(title=title))).stated["title"] == "Day room"


@pytest.mark.parametrize("author", ["Windows User", "Un-named", "Microsoft Office User", "Gebruiker", "docx4j", "Admin"])
def test_f10_an_author_that_a_program_or_a_machine_gave_is_none(author: str) -> None:
    assert "authors" not in extracted(a_document(BODY, files=core(author=author))).stated


def test_what_people_say_of_a_document_is_a_fact() -> None:
    from datetime import UTC, datetime

    year = datetime.now(UTC).year
    files = core(title="Visits 2", author="An Peeters", changed=f"{year}-01-05T10:00:00Z")
    assert extracted(a_document(BODY, files=files)).stated == {
        "title": "Visits 2",
        "authors": ("An Peeters",),
        "year": year,
    }


# Lines


def test_hyphens_tabs_breaks_and_small_letters_above_others_are_read_as_they_look() -> None:
    ruby = "<w:ruby><w:rt><w:r><w:t>above</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>base</w:t></w:r></w:rubyBase></w:ruby>"
    body = paragraph(
        run("X") + "<w:r><w:noBreakHyphen/></w:r>" + run("ray \u2011 1") + "<w:r><w:ptab/></w:r>" + run("room 4")
        + "<w:r><w:br/></w:r>" + f"<w:r>{ruby}</w:r>"
    )  # fmt: skip
    assert says(body) == ["X-ray - 1\troom 4", "base"]


def test_fields_say_their_result_and_not_their_instruction() -> None:
    body = paragraph(
        run("See page ") + complex_field('PAGEREF _Toc1 \\h', run("7")) + run(" and ")
        + complex_field('IF 1 = 2 "no" "yes"', run("yes")) + run(" at ")
        + '<w:fldSimple w:instr=" DOCPROPERTY Room ">' + run("room 4") + "</w:fldSimple>"
    )  # fmt: skip
    assert says(body) == ["See page 7 and yes at room 4"]


def test_a_table_of_contents_is_not_told() -> None:
    styles = HEADINGS + '<w:style w:type="paragraph" w:styleId="Inhopg1"><w:name w:val="toc 1"/></w:style>'
    content = a_document(
        paragraph(run("Visits") + "<w:r><w:tab/></w:r>" + run("3"), '<w:pStyle w:val="Inhopg1"/>') + BODY,
        parts={"styles": styles},
    )
    assert told(content)[0] == "Day room"
    assert left_out(content) == [("Visits 3", LeftOut.FURNITURE)]


def test_text_hidden_by_a_style_is_left_out_and_a_hidden_mark_hides_no_text() -> None:
    styles = '<w:style w:type="character" w:styleId="Secret"><w:rPr><w:vanish/></w:rPr></w:style>'
    body = paragraph(run("Ring twice.") + run(" Or not.", '<w:rStyle w:val="Secret"/>'), "<w:rPr><w:vanish/></w:rPr>")
    content = a_document(body, parts={"styles": styles})
    assert told(content) == ["Ring twice."]
    assert left_out(content) == [("Or not.", LeftOut.HIDDEN)]


def test_what_authors_say_of_pictures_is_told_and_what_programs_say_is_kept() -> None:
    body = (
        paragraph(run("Take ") + a_picture("the red lift") + run(" to floor 2."))
        + paragraph(run("Parking.") + a_picture("Map: the entrance is on the left.", "anchor"))
        + paragraph(a_picture("IMG_0021.jpg"))
        + paragraph(a_picture("A red sign&#10;&#10;Description automatically generated"))
    )
    content = a_document(body)
    assert [" ".join(text.split()) for text in told(content)] == [
        "Take the red lift to floor 2.",
        "Parking.",
        "Map: the entrance is on the left.",
    ]
    assert left_out(content) == [
        ("picture: IMG_0021.jpg", LeftOut.UNREAD),
        ("picture: A red sign Description automatically generated", LeftOut.UNREAD),
    ]


def test_diagrams_charts_and_documents_inside_are_marked_as_unread_with_their_words() -> None:
    diagram = (
        "<w:r><w:drawing><wp:inline><a:graphic>"
        '<a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/diagram"><dgm:relIds r:dm="d"/></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>'
    )
    data = f"<dgm:dataModel {SPACES}><a:t>Register</a:t><a:t>Wait</a:t></dgm:dataModel>"
    content = a_document(
        BODY + paragraph(diagram) + '<w:altChunk r:id="x"/>',
        links=(("d", f"{OFFICE}/diagramData", "diagrams/data1.xml"),),
        files={"word/diagrams/data1.xml": data},
    )
    assert left_out(content) == [
        ("diagram: Register; Wait", LeftOut.UNREAD),
        ("embedded document", LeftOut.UNREAD),
    ]


def test_text_from_right_to_left_and_in_smart_tags_stands_in_its_order() -> None:
    inside = (
        run("Ward ") + '<w:bdo w:val="rtl">' + run("א") + "</w:bdo><w:smartTag>" + run(" 7") + "</w:smartTag>"
        '<w:customXml><w:dir w:val="rtl">' + run(" ב", "<w:rtl/>") + "</w:dir></w:customXml>"
    )
    assert says(paragraph(inside)) == ["Ward א 7 ב"]


# Answers


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], str]:
    """The answer to a question of a hospital that has three documents of this file."""
    home = tmp_path_factory.mktemp("strangers-docx")
    folder = home / "given"
    folder.mkdir()
    visits = heading("Visiting the children's ward") + paragraph(
        run("Visitors are welcome from 14:00 to 20:00.") + NOTE_1 + run(" Parents may stay the night.")
    )
    asked = f"<w:p>{control(run('Click here.'), PLACEHOLDER)}</w:p>"
    written = {
        "visits": a_document(visits, parts={"footnotes": a_note("On Sundays visiting ends at 18:30.")}),
        "surgery": a_document(
            heading("Preparing for surgery") + paragraph("Come without breakfast.") + f"<w:sectPr>{SHOWN}</w:sectPr>",
            parts={"header1": paragraph(DESK), "footer1": ""},
        ),
        "ward": a_document(heading("Ward 7") + table(("What", "Value"), ("Meal time", asked), ("Route", "34"))),
    }
    for name, content in written.items():
        (folder / f"{name}.docx").write_bytes(content)
    session = CommandSession(home, given=patient(Settings(home=home, storage="embedded", pack="hospital_line")))
    session.run(ingest(find([str(folder)]), {}, session, quiet=True))

    async def answered(text: str) -> str:
        made = session.installation
        request = wire.QueryRequest(text=text, channel="chat", language="en")
        events = [event async for event in pipeline.run(request, made, made.engines.new_id())]
        assert isinstance(events[-1], wire.Done), events[-1]
        return events[-1].answer.text

    return lambda text: session.run(answered(text))


def test_f02_the_answer_is_that_of_the_footnote(ask: Callable[[str], str]) -> None:
    answer = ask("until when may I visit the children's ward on Sunday")
    assert "18:30" in answer
    assert "20:00" not in answer


def test_f09_the_answer_is_in_the_letterhead(ask: Callable[[str], str]) -> None:
    assert "011 90 44 37" in ask("what is the number of the surgery desk")


def test_f05_what_nobody_filled_in_is_not_answered_with_the_next_row(ask: Callable[[str], str]) -> None:
    assert "34" not in ask("what is the meal time of ward 7")
