"""Packages and paragraphs of Word documents: parts, notes, signs, formulas, fields and pictures."""

from __future__ import annotations

import pytest

from careline.errors import DocumentRejected
from careline.model import LeftOut
from careline.tables.extracted import BlockKind
from tests.cases.strangers.docx_files import (
    BODY,
    HEADINGS,
    NOTE_1,
    NOTE_2,
    OFFICE,
    SPACES,
    TYPES,
    a_document,
    a_fraction,
    a_note,
    a_picture,
    a_sign,
    blocks,
    complex_field,
    control,
    extracted,
    formula,
    heading,
    item,
    left_out,
    levels,
    packed,
    paragraph,
    part,
    relationships,
    run,
    says,
    table,
    told,
)
from tests.growth import grows_no_faster_than_its_length


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
    for strict, name in (("wordprocessingml", "main"), ("officeDocument", "math")):
        usual = f"{strict}/2006/{name}"
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


DECLARED = '<!DOCTYPE any [<!ENTITY more "more">]>'


@pytest.mark.parametrize("name", ["_rels/.rels", "word/_rels/document.xml.rels", "docProps/core.xml"])
def test_relationships_and_facts_that_declare_a_document_type_are_passed_over(name: str) -> None:
    content = a_document(BODY, files={name: f"{DECLARED}<Relationships>&more;</Relationships>"})
    assert told(content)[-1] == "The day room opens at 9:35."


@pytest.mark.parametrize("name", ["word/document.xml", "word/styles.xml"])
def test_a_part_of_the_text_that_declares_a_document_type_refuses_the_document(name: str) -> None:
    root = part(*(("document", f"<w:body>{BODY}&more;</w:body>") if "document" in name else ("styles", "&more;")))
    with pytest.raises(DocumentRejected, match=f"{name} declares") as refused:
        extracted(a_document(BODY, files={name: DECLARED + root}))
    assert refused.value.reason == "corrupt"


@pytest.mark.parametrize("written", ["0" * 5_000, "9" * 5_000, "\u0663", "-1", ""])
def test_an_outline_level_that_is_no_number_makes_no_heading(written: str) -> None:
    found = blocks(a_document(paragraph("Ring twice.", f'<w:outlineLvl w:val="{written}"/>')))
    assert [block.kind for block in found] == [BlockKind.PARAGRAPH]


@pytest.mark.parametrize("broken", ["word/settings.xml", "word/theme1.xml", "docProps/core.xml", "docProps/app.xml"])
def test_a_part_beside_the_text_that_is_damaged_does_no_harm(broken: str) -> None:
    content = a_document(BODY, parts={"settings": "", "theme1": ""}, files={broken: "<w:broken"})
    assert told(content) == ["Day room", "The day room opens at 9:35."]


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


def test_a_note_that_is_referred_to_again_keeps_its_sign_and_stands_below_a_table_once() -> None:
    rooms = [(name, f"<w:p>{run(price)}{note}</w:p>") for name, price, note in (
        ("Single", "€ 80", NOTE_1), ("Double", "€ 60", NOTE_2), ("Family", "€ 90", NOTE_1),
    )]  # fmt: skip
    notes = a_note("Breakfast is on us.") + a_note("Linen is on you.", 2)
    found = says(table(("Room", "Price"), *rooms), parts={"footnotes": notes})
    assert found == [
        "Room | Price\nSingle | € 80¹\nDouble | € 60²\nFamily | € 90¹",
        "¹ Breakfast is on us.",
        "² Linen is on you.",
    ]


def test_a_note_is_read_once_however_often_the_text_refers_to_it() -> None:
    def work(count: int) -> object:
        note = f'<w:footnote w:id="1">{paragraph("Ask. ") * count}</w:footnote>'
        cells = table(("Room", "Price"), *((f"<w:p>{run('Single')}{NOTE_1}</w:p>", "€ 80") for _ in range(count)))
        body = paragraph(run("Call.") + NOTE_1) * count + cells + paragraph((run("Ring.") + NOTE_1) * count)
        return says(body, parts={"footnotes": note})

    grows_no_faster_than_its_length(work, 20)


def test_a_long_note_stands_behind_its_paragraph_without_a_sign() -> None:
    note = "Ring the bell and wait. " * 3_000
    found = says(paragraph(run("It costs 80.") + NOTE_1 + run(" Ask us.")), parts={"footnotes": a_note(note)})
    assert found == ["It costs 80. Ask us.", note.strip()]


def test_comments_separators_and_missing_notes_are_not_told() -> None:
    body = paragraph(
        '<w:commentRangeStart w:id="0"/>' + run("Ring twice.") + '<w:r><w:commentReference w:id="0"/></w:r>' + NOTE_2
    )
    parts = {
        "comments": f'<w:comment w:id="0">{paragraph("Is this right?")}</w:comment>',
        "footnotes": f'<w:footnote w:type="separator" w:id="2">{paragraph("separator")}</w:footnote>',
    }
    assert says(body, parts=parts) == ["Ring twice."]


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


@pytest.mark.parametrize(
    ("signs", "shown"),
    [
        ("\uf0fc\uf0fb\uf0a7", ["✓ water", "✗ milk", "bread"]),
        ("\uf0fc\uf0a7\uf0a7", ["water", "milk", "bread"]),
        ("\uf0fe\uf0a8\uf0a7", ["☑ water", "☐ milk", "bread"]),
        ("\uf0a7\uf0a8\uf0a8", ["water", "milk", "bread"]),
    ],
)
def test_signs_of_bullets_are_told_where_they_say_yes_and_no(signs: str, shown: list[str]) -> None:
    bullets = "".join(
        f'<w:abstractNum w:abstractNumId="{at}"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val="{sign}"/>'
        f'<w:rPr><w:rFonts w:ascii="Wingdings" w:hAnsi="Wingdings"/></w:rPr></w:lvl></w:abstractNum>'
        for at, sign in enumerate(signs)
    )
    numbers = "".join(f'<w:num w:numId="{at + 1}"><w:abstractNumId w:val="{at}"/></w:num>' for at in range(3))
    body = item("water", 1) + item("milk", 2) + item("bread", 3)
    assert says(body, parts={"numbering": bullets + numbers}) == shown


def test_formulas_inside_one_another_are_read_once() -> None:
    def nested(depth: int) -> str:
        return "<m:oMathPara><m:oMath>" * depth + a_fraction("1", "2") + "</m:oMath></m:oMathPara>" * depth

    assert says(paragraph(run("Give ") + nested(60) + run(" tablet"))) == ["Give ½ tablet"]
    first, second = formula(a_fraction("1", "2")), formula(a_fraction("3", "4"))
    several = f"<m:oMathPara><w:ins>{first}</w:ins>{second}</m:oMathPara>"
    assert says(paragraph(several)) == ["½; ¾"]


@pytest.mark.parametrize("before", ["1", "21"])
def test_a_fraction_behind_a_figure_of_the_text_is_not_part_of_it(before: str) -> None:
    body = paragraph(run(f"Give {before}") + formula(a_fraction("3", "16")) + run("5 times."))
    assert says(body) == [f"Give {before} 3/16 5 times."]


def test_a_cell_with_a_formula_that_is_not_read_leaves_its_row_out() -> None:
    cell = f"<w:p>{run('Give ')}{formula('<m:oddity/>')}{run(' tablet')}</w:p>"
    content = a_document(table(("Age", "Dose"), ("4", cell), ("8", "1 tablet"), ("12", "2 tablets")))
    assert told(content) == ["Age | Dose\n8 | 1 tablet\n12 | 2 tablets"]


def test_hyphens_tabs_breaks_and_small_letters_above_others_are_read_as_they_look() -> None:
    above, base = "<w:rt><w:r><w:t>above</w:t></w:r></w:rt>", "<w:rubyBase><w:r><w:t>base</w:t></w:r></w:rubyBase>"
    ruby = f"<w:ruby>{above}{base}</w:ruby>"
    body = paragraph(
        run("X") + "<w:r><w:noBreakHyphen/></w:r>" + run("ray \u2011 1") + "<w:r><w:ptab/></w:r>" + run("room 4")
        + "<w:r><w:br/></w:r>" + f"<w:r>{ruby}</w:r>"
    )  # fmt: skip
    assert says(body) == ["X-ray - 1\troom 4", "base"]


def test_text_behind_a_field_that_never_ends_is_not_lost_and_fields_in_instructions_are() -> None:
    begin = '<w:r><w:fldChar w:fldCharType="begin"/></w:r>'
    assert says(paragraph(run("Open ") + begin + run("until 18:00"))) == ["Open until 18:00"]
    nested = begin + complex_field("MERGEFIELD Ward", run("7")) + '<w:r><w:fldChar w:fldCharType="separate"/></w:r>'
    end = '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    assert says(paragraph(run("Ward ") + nested + run("8") + end)) == ["Ward 8"]


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
        '<a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/diagram"><dgm:relIds r:dm="d"/>'
        "</a:graphicData></a:graphic></wp:inline></w:drawing></w:r>"
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
