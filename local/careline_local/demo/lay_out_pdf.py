"""Turns a document's blocks into the paragraphs, lists and ruled tables that a printed page is set from."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from html import escape
from itertools import pairwise

from pyphen import Pyphen
from reportlab.lib.colors import HexColor
from reportlab.lib.enums import TA_JUSTIFY, TA_LEFT
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus import Flowable, Spacer
from reportlab.platypus import MarkdownTable as SetTable
from reportlab.platypus import Paragraph as SetParagraph

from careline_local.demo.parse_markdown import (
    Block,
    DocumentError,
    Heading,
    InlineSpan,
    Listing,
    MarkdownTable,
    Paragraph,
    plain,
)

ACCENT = HexColor("#0f5e73")
PALE = HexColor("#e6f0f3")
RULE = HexColor("#8fa9b3")
GREY = HexColor("#566a73")
SIGNS = "Vera"
"""The embedded font for signs that the standard fonts lack, such as ≥; it comes with reportlab."""

SPACES = str.maketrans({"\u202f": "\xa0", "\u2009": "\xa0", "\u2007": "\xa0", "\u2011": "-", "☐": "❏"})
SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")
SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
LIST_INDENT = 14
CELL_PADDING = 4

_POWER = re.compile("[⁰⁴-⁹⁺⁻][⁰¹²³⁴-⁹]*|(?<![¹²³])[¹²³]+[⁰⁴-⁹]+")
_INDEX = re.compile("[₀-₉]+")


@cache
def styles(language_dictionary: str) -> dict[str, ParagraphStyle]:
    """Return the paragraph styles, hyphenated by the named pyphen dictionary ("nl_NL")."""
    hyphenate = Pyphen(lang=language_dictionary, left=2, right=3).iterate
    text = ParagraphStyle(
        "text", fontName="Helvetica", fontSize=9.5, leading=13, spaceAfter=5, alignment=TA_JUSTIFY,
        hyphenationLang=hyphenate, hyphenationMinWordLength=6,
    )  # fmt: skip
    heading = ParagraphStyle(
        "heading", parent=text, fontName="Helvetica-Bold", textColor=ACCENT, alignment=TA_LEFT, keepWithNext=1,
        hyphenationLang="",
    )  # fmt: skip
    return {
        "text": text,
        "entry": ParagraphStyle("entry", parent=text, spaceAfter=3),
        "notice": ParagraphStyle(
            "notice", parent=text, backColor=PALE, borderPadding=6, leftIndent=8, rightIndent=8, spaceBefore=8,
            spaceAfter=12,
        ),
        "cell": ParagraphStyle("cell", parent=text, fontSize=8.5, leading=11, spaceAfter=0, alignment=TA_LEFT),
        "small": ParagraphStyle(
            "small", parent=text, fontSize=7.5, leading=10, spaceAfter=1, alignment=TA_LEFT, textColor=GREY
        ),
        "1": ParagraphStyle(
            "1", parent=heading, fontSize=19, leading=23, textColor=HexColor("#ffffff"), backColor=ACCENT,
            borderPadding=10, leftIndent=10, rightIndent=10, spaceBefore=10, spaceAfter=20, keepWithNext=0,
        ),
        "2": ParagraphStyle("2", parent=heading, fontSize=13, leading=16, spaceBefore=10, spaceAfter=4),
        "3": ParagraphStyle("3", parent=heading, fontSize=10.5, leading=13, spaceBefore=6, spaceAfter=3),
    }  # fmt: skip


def lay_out(blocks: Sequence[Block], style: dict[str, ParagraphStyle], width: float) -> Iterator[Flowable]:
    """Yield what goes on the page for `blocks`, for a column `width` points wide."""
    for block in blocks:
        yield from _block(block, style, width, indent=0)


def set_line(text: str) -> str:
    """Return `text` with the characters that a line drawn straight onto the page can show."""
    return _INDEX.sub(lambda index: index[0].translate(SUBSCRIPTS), _printable(text))


def _block(block: Block, style: dict[str, ParagraphStyle], width: float, indent: int) -> Iterator[Flowable]:
    match block:
        case Heading(level, spans):
            yield SetParagraph(_markup(spans), style[str(min(level, 3))])
        case Paragraph(spans, set_off):
            yield SetParagraph(_markup(spans), _indented(style["notice" if set_off else "text"], indent))
        case Listing(entries, start):
            for number, entry in enumerate(entries, start or 1):
                mark = "•" if start is None else f"{number}."
                yield SetParagraph(
                    _markup(entry.spans), _indented(style["entry"], indent + LIST_INDENT), bulletText=mark
                )
                for nested in entry.nested:
                    yield from _block(nested, style, width, indent + LIST_INDENT)
        case MarkdownTable():
            yield _table(block, style["cell"], width)
            yield Spacer(0, 8)


@cache
def _indented(style: ParagraphStyle, indent: int) -> ParagraphStyle:
    if not indent:
        return style
    return ParagraphStyle(
        f"{style.name}+{indent}", parent=style, leftIndent=indent, bulletIndent=indent - LIST_INDENT + 3
    )


def _table(table: MarkdownTable, style: ParagraphStyle, width: float) -> SetTable:
    """Return a ruled table whose shaded first row is repeated on every page it reaches."""
    cells = [[SetParagraph(_markup(cell), style) for cell in row] for row in table.rows]
    header = [SetParagraph(f"<b>{_markup(cell)}</b>", style) for cell in table.header]
    drawn = SetTable([header, *cells], colWidths=_column_widths(table, style, width), repeatRows=1, spaceBefore=4)
    drawn.setStyle([
        ("GRID", (0, 0), (-1, -1), 0.5, RULE),
        ("BACKGROUND", (0, 0), (-1, 0), PALE),
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("LEFTPADDING", (0, 0), (-1, -1), CELL_PADDING),
        ("RIGHTPADDING", (0, 0), (-1, -1), CELL_PADDING),
        ("TOPPADDING", (0, 0), (-1, -1), 2),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 3),
    ])  # fmt: skip
    return drawn


def _column_widths(table: MarkdownTable, style: ParagraphStyle, width: float) -> list[float]:
    """Return widths that sum to `width`: room for each column's longest word, the rest shared by the text in it."""
    columns = list(zip(*(tuple(plain(cell) for cell in row) for row in (table.header, *table.rows)), strict=True))
    measure = _bold_width(style)
    least = [max((measure(word) for cell in cells for word in cell.split()), default=0) + 10 for cells in columns]
    wished = [min(max(map(measure, cells)) + 10, width / 2) for cells in columns]
    spare = width - sum(least)
    if spare <= 0:
        return [width * share / sum(least) for share in least]
    wants = [max(wish - need, 1) for wish, need in zip(wished, least, strict=True)]
    return [need + spare * want / sum(wants) for need, want in zip(least, wants, strict=True)]


def _bold_width(style: ParagraphStyle) -> Callable[[str], float]:
    return lambda text: float(pdfmetrics.stringWidth(text, "Helvetica-Bold", style.fontSize))


def _markup(spans: Sequence[InlineSpan]) -> str:
    return "".join(_span(span) for span in spans)


def _span(span: InlineSpan) -> str:
    text = escape(_printable(span.text)).replace("\n", "<br/>")
    text = _INDEX.sub(lambda index: f'<sub rise="1.5" size="7">{index[0].translate(SUBSCRIPTS)}</sub>', text)
    text = "".join(f'<font name="{SIGNS}">{run}</font>' if ours else run for ours, run in _runs(text))
    text = f"<i>{text}</i>" if span.italic else text
    text = f"<b>{text}</b>" if span.bold else text
    return f'<a href="{escape(span.link)}" color="#0f5e73">{text}</a>' if span.link else text


def _runs(text: str) -> Iterator[tuple[bool, str]]:
    """Yield the stretches of `text`, each with whether it needs the font of signs."""
    marks = [_font_of(character) == SIGNS for character in text]
    edges = [0, *(place for place, (one, next_one) in enumerate(pairwise(marks), 1) if one != next_one), len(text)]
    for begin, end in pairwise(edges):
        if begin < end:
            yield marks[begin], text[begin:end]


def _printable(text: str) -> str:
    """Return `text` in characters the page can show.

    A power of ten is written 10^9, because a raised 9 comes out of a PDF as 109. Raises DocumentError naming a
    character that no font has: a black square would hide a mistake.
    """
    shown = _POWER.sub(lambda power: "^" + power[0].translate(SUPERSCRIPTS), text.translate(SPACES))
    for character in set(shown):
        if not _INDEX.match(character) and not _font_of(character):
            raise DocumentError(f"the PDF fonts have no sign for {character!r} (U+{ord(character):04X})")
    return shown


@cache
def _font_of(character: str) -> str:
    """Return the first of the fonts that has `character`, or an empty string."""
    if character == "\n" or _encodes(character, "cp1252"):
        return "Helvetica"
    if ord(character) in _signs().face.charToGlyph:
        return SIGNS
    return next(
        (name for name in ("Symbol", "ZapfDingbats") if _encodes(character, pdfmetrics.getFont(name).encName)), ""
    )


@cache
def _signs() -> TTFont:
    """Register the font of signs in its four weights and return the upright one."""
    fonts = [TTFont(name, f"{name}.ttf") for name in (SIGNS, "VeraBd", "VeraIt", "VeraBI")]
    for font in fonts:
        pdfmetrics.registerFont(font)
    pdfmetrics.registerFontFamily(SIGNS, *(font.fontName for font in fonts))
    return fonts[0]


def _encodes(character: str, encoding: str) -> bool:
    try:
        character.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True
