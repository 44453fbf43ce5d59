"""Word documents as hospitals have them: made by many programs, repaired, filled in, struck through and drawn in."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from careline.model import LeftOut
from careline.schemas import wire
from careline.settings import Settings
from careline.tables.extracted import BlockKind
from careline.turn import pipeline
from careline_local.cli.session import CommandSession
from careline_local.ingest import ingest
from careline_local.intake import find
from tests.cases.strangers.docx_files import (
    BODY,
    DESK,
    ENTRIES,
    HEADINGS,
    NOTE_1,
    PLACEHOLDER,
    SHOWN,
    STRUCK,
    TYPED,
    a_box,
    a_document,
    a_fraction,
    a_note,
    a_sign,
    blocks,
    complex_field,
    control,
    core,
    extracted,
    formula,
    heading,
    item,
    left_out,
    letters,
    levels,
    paragraph,
    run,
    says,
    table,
    told,
)
from tests.patience import patient


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


def test_f04_what_is_struck_through_is_not_told_and_kept_with_why() -> None:
    content = a_document(paragraph(run("A meal costs ") + run("9 euros", STRUCK) + run("11 euros.")))
    assert told(content) == ["A meal costs 11 euros."]
    assert left_out(content) == [("9 euros", LeftOut.STRUCK)]


def test_f04_a_struck_row_is_gone_and_a_struck_value_leaves_the_new_one() -> None:
    old = f"<w:p>{run('€ 6.10', STRUCK)}{run(' € 7.40')}</w:p>"
    struck = tuple(f"<w:p>{run(text, STRUCK)}</w:p>" for text in ("Supper", "€ 5.00"))
    content = a_document(table(("Meal", "Price"), ("Breakfast", old), struck, ("Lunch", "€ 9.20")))
    assert told(content) == ["Meal | Price\nBreakfast | € 7.40\nLunch | € 9.20"]


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


@pytest.mark.parametrize(
    ("instruction", "shown"),
    [("EQ \\f(1;2)", "½"), ("EQ \\f(3,16)", "3/16"), ("EQ \\r(3;x)", "∛x"), ('SYMBOL 252 \\f "Wingdings" \\s 12', "✓"),
     ("SYMBOL 0xB3 \\f Symbol", "≥")],
)  # fmt: skip
def test_fields_that_show_what_they_hold_no_result_for_are_read(instruction: str, shown: str) -> None:
    assert says(paragraph(run("Give ") + complex_field(instruction, "") + run(" tablet"))) == [f"Give {shown} tablet"]


def test_f08_items_have_their_numbers_and_a_step_can_be_referred_to() -> None:
    steps = item("Wash your hands.") + item("Open the tap.") + item("Flush with 10 ml.")
    body = steps + paragraph("Go back to step 2.")
    found = blocks(a_document(body, parts={"numbering": levels(("decimal", "%1."))}))
    assert [(block.kind.value, block.text) for block in found] == [
        ("list_item", "1. Wash your hands."),
        ("list_item", "2. Open the tap."),
        ("list_item", "3. Flush with 10 ml."),
        ("paragraph", "Go back to step 2."),
    ]


def test_f08_chapters_have_their_numbers_and_the_title_has_none() -> None:
    number = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>'
    general = heading("General", 1, number) + paragraph("Be on time.")
    body = general + heading("Payment", 1, number) + paragraph("By card.")
    read = extracted(a_document(body, parts={"numbering": levels(("decimal", "%1."))}))
    assert [block.text for block in read.pages[0].blocks] == ["1. General", "Be on time.", "2. Payment", "By card."]
    assert read.stated["title"] == "General"


def test_f09_a_letterhead_that_says_how_to_reach_somebody_is_told_once() -> None:
    parts = {"header1": paragraph(DESK), "footer1": paragraph(run("Page ") + complex_field("PAGE", run("1")))}
    sections = paragraph("One.", f"<w:sectPr>{SHOWN}</w:sectPr>") + paragraph("Two.") + f"<w:sectPr>{SHOWN}</w:sectPr>"
    content = a_document(sections, parts=parts)
    assert told(content) == [DESK, "One.", "Two."]
    assert left_out(content) == [("Page 1", LeftOut.RUNNING)]


def test_f10_a_document_without_properties_has_the_title_of_its_first_heading_and_nothing_else() -> None:
    assert extracted(a_document(BODY)).stated == {"title": "Day room"}


def test_f10_what_a_template_says_of_itself_is_no_fact() -> None:
    day = "2013-12-23T23:15:00Z"
    files = core(title="Word Document", author="python-docx", made=day, changed=day)
    assert extracted(a_document(BODY, files=files)).stated == {"title": "Day room"}


@pytest.mark.parametrize("title", ["Document1", "Documento 3", "Microsoft Word - visits.doc", "visits.docx"])
def test_f10_a_title_that_a_program_gave_is_none(title: str) -> None:
    assert extracted(a_document(BODY, files=core(title=title))).stated["title"] == "Day room"


@pytest.mark.parametrize("author", ["Windows User", "Un-named", "Microsoft Office User", "Gebruiker", "docx4j"])
def test_f10_an_author_that_a_program_or_a_machine_gave_is_none(author: str) -> None:
    assert "authors" not in extracted(a_document(BODY, files=core(author=author))).stated


def test_fields_say_their_result_and_not_their_instruction() -> None:
    body = paragraph(
        run("See page ") + complex_field('PAGEREF _Toc1 \\h', run("7")) + run(" and ")
        + complex_field('IF 1 = 2 "no" "yes"', run("yes")) + run(" at ")
        + '<w:fldSimple w:instr=" DOCPROPERTY Room ">' + run("room 4") + "</w:fldSimple>"
    )  # fmt: skip
    assert says(body) == ["See page 7 and yes at room 4"]


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
