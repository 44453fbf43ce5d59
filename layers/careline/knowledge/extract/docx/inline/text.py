"""Reads a paragraph of a DOCX: its text as readers see it, and apart from it what is not told, notes and pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from careline.knowledge.extract.characters.superscripts import raised
from careline.knowledge.extract.docx.inline import fields, math, objects
from careline.knowledge.extract.docx.inline.paragraph_text import (
    RESERVED,
    UNREAD_FORMULA,
    ParagraphText,
    Piece,
    note_mark,
    put_together,
)
from careline.knowledge.extract.docx.inline.symbols import sign_of, written
from careline.knowledge.extract.docx.names import BOX, R_, SDT, TBL, W16SE, M, T, W, value
from careline.knowledge.extract.docx.notes import Notes
from careline.knowledge.extract.docx.package import Package
from careline.knowledge.extract.docx.run_properties import PLAIN, RunLook
from careline.knowledge.extract.docx.shown import is_unanswered
from careline.knowledge.extract.docx.styles import Styles
from careline.model import LeftOut

_SPACES = {
    W + "tab": "\t", W + "ptab": "\t", W + "br": "\n", W + "cr": "\n", W + "noBreakHyphen": "-",
    W + "softHyphen": "\u00ad",
}  # fmt: skip
_NOT_SHOWN = frozenset(
    (
        *(W + name for name in ("delText", "delInstrText", "rPr", "pPr", "sdtPr", "sdtEndPr", "rt", "rubyPr")),
        W + "fldData",
        *(W + name for name in ("footnoteRef", "endnoteRef", "annotationRef", "pgNum", "customXmlPr", "smartTagPr")),
        *(W + name for name in ("dayLong", "dayShort", "monthLong", "monthShort", "yearLong", "yearShort")),
        BOX,
    )
)
_SIGNS = frozenset((W + "sym", W16SE + "symEx"))
_OBJECTS = frozenset((W + "drawing", W + "pict", W + "object"))
_NOTES = {W + "footnoteReference": "footnote", W + "endnoteReference": "endnote"}
_FORMULAS = frozenset((M + "oMath", M + "oMathPara"))
_HYPHEN = str.maketrans({"\u2011": "-"})
_PAGE_FIELDS = frozenset(("PAGE", "NUMPAGES", "SECTIONPAGES"))
_NOT_CHOSEN = "[a list from which nobody chose]"


class InlineReader:
    """Reads the paragraphs of one part of a document."""

    def __init__(self, styles: Styles, notes: Notes | None, package: Package | None, part: str) -> None:
        self._styles = styles
        self._notes = notes
        self._package = package
        self._part = part

    def read(self, paragraphs: Sequence[Any]) -> ParagraphText:
        """What paragraphs say that a deleted mark has made one."""
        line = _Line(self._styles, self._notes, self._package, self._part)
        for paragraph in paragraphs:
            line.add(paragraph)
        return line.finished()


class _Line:
    """Goes through paragraphs once, without recursion."""

    def __init__(self, styles: Styles, notes: Notes | None, package: Package | None, part: str) -> None:
        self._styles = styles
        self._notes = notes
        self._package = package
        self._part = part
        self._pieces: list[Piece] = []
        self._told = ParagraphText()
        self._fields: list[fields.OpenField] = []
        self._look = PLAIN
        self._ends_in_formula = False
        self._in_mark = False
        """Whether what follows in the run is the mark of a note that its author typed."""

    def add(self, paragraph: Any) -> None:
        """Read one paragraph. What a field shows that begins in it and ends elsewhere is its text."""
        style = value(paragraph, f"{W}pPr/{W}pStyle")
        table = _table_style(paragraph)
        stack: list[tuple[Iterator[Any], RunLook]] = [(iter(paragraph), PLAIN)]
        while stack:
            children, self._look = stack[-1]
            element = next(children, None)
            if element is None:
                stack.pop()
            elif element.tag == R_:
                self._in_mark = False
                stack.append((iter(element), self._styles.look(element, style, table)))
            elif self._goes_into(element):
                stack.append((iter(element), self._look))
        for each in self._fields:
            if each.begin is None:
                # A field that never came to its result is damaged: what stands behind its beginning is text.
                self._pieces.extend(each.held)
        self._fields.clear()

    def _goes_into(self, element: Any) -> bool:
        """Read an element; whether what is inside it is to be read too."""
        tag = element.tag
        if tag in _SPACES:
            self._write(_SPACES[tag])
            return False
        read = _READERS.get(tag)
        if read is not None:
            return bool(read(self, element))
        return tag not in _NOT_SHOWN

    def _instruction(self, element: Any) -> None:
        if self._fields:
            self._fields[-1].instruction.append(element.text or "")

    def _control(self, element: Any) -> bool:
        """A content control: what is inside it. An empty one asks for an answer behind a label, or in front of all."""
        before = self._pieces[-1].text.rstrip() if self._pieces else ""
        if (not before or before.endswith(":")) and is_unanswered(element):
            self._ask("")
            return False
        return True

    def _is_hidden_by_field(self) -> bool:
        return any(each.begin is None or each.hides_result for each in self._fields)

    def _write(self, text: str, *, is_formula: bool = False) -> None:
        if not text or self._in_mark:
            return
        if self._is_hidden_by_field():
            self._fields[-1].held.append(Piece(text, self._look.left_out))
            return
        last = self._pieces[-1].text[-1:] if self._pieces and self._pieces[-1].left_out is None else ""
        if (is_formula or self._ends_in_formula) and last.isdecimal() and text[:1].isdecimal():
            # Two numbers that a formula sets apart are not one.
            text = f" {text}"
        elif is_formula and self._ends_in_formula:
            text = f" {text}"
        self._ends_in_formula = is_formula
        self._pieces.append(Piece(text, self._look.left_out))

    def _text(self, element: Any) -> None:
        text = element.text or ""
        if "\n" in text:
            text = " ".join(text.split())
        look = self._look
        if not text.isascii() or look.low or look.high:
            text = _in_fonts(text.translate(RESERVED), look).translate(_HYPHEN)
        if look.is_raised and self._pieces:
            text = raised(text, self._pieces[-1].text)
        elif look.is_raised:
            text = raised(text)
        self._write(text)

    def _sign(self, element: Any) -> None:
        if element.tag == W + "sym":
            font = element.get(W + "font") or self._look.high or self._look.low
            self._write(sign_of(element.get(W + "char", ""), font))
        else:
            self._write(sign_of(element.get(W16SE + "char", ""), ""))

    def _math(self, element: Any) -> None:
        self._formula(math.line_of(element))

    def _formula(self, line: str | None) -> None:
        if line is None:
            is_seen = self._look.left_out is None and not self._is_hidden_by_field()
            self._told.is_incomplete = self._told.is_incomplete or is_seen
            line = UNREAD_FORMULA
        self._write(line, is_formula=True)

    def _note(self, element: Any) -> None:
        if self._notes is None or self._is_hidden_by_field():
            return
        run = element.getparent()
        self._in_mark = element.get(W + "customMarkFollows") in ("1", "true", "on")
        mark = "".join(each.text or "" for each in run.iterchildren(T)) if self._in_mark else None
        reference = self._notes.refer(_NOTES[element.tag], element.get(W + "id", ""), mark)
        if reference is not None and self._look.left_out is None:
            self._told.notes.append(reference)
            self._pieces.append(Piece(note_mark(len(self._told.notes) - 1)))
        elif mark is not None:
            self._in_mark = False

    def _object(self, element: Any) -> None:
        found = objects.object_in(element, self._package, self._part)
        if found is None:
            return
        if found.is_formula:
            self._formula(None)
        elif found.unread:
            self._told.left_out.append((LeftOut.UNREAD, found.unread))
        elif found.has_line:
            self._write(f" {found.told} ")
        elif self._look.left_out is None:
            self._told.beside.append(found.told)

    def _field(self, element: Any) -> None:
        kind = element.get(W + "fldCharType", "")
        if kind == "begin":
            self._fields.append(fields.OpenField(element.find(W + "ffData")))
        elif kind == "separate" and self._fields:
            self._shows(self._fields[-1])
            self._fields[-1].begin = len(self._pieces)
        elif kind == "end" and self._fields:
            ended = self._fields.pop()
            if ended.begin is None:
                ended.begin = len(self._pieces)
                self._fields.append(ended)
                self._shows(ended)
                self._fields.pop()
            self._mark_if_it_asks(ended.written, ended.form, ended.begin)

    def _shows(self, opened: fields.OpenField) -> None:
        """Write what a field shows by itself; its result, if any, is an older state of it."""
        state = fields.form_state(opened.form)
        self._told.has_page_number = self._told.has_page_number or opened.name in _PAGE_FIELDS
        if state is None and opened.name not in ("SYMBOL", "EQ"):
            return
        opened.begin = len(self._pieces)
        if state == "":
            self._ask(_NOT_CHOSEN)
        elif state is not None:
            self._write(state)
        elif opened.name == "SYMBOL":
            self._write(fields.symbol(opened.written))
        else:
            self._formula(fields.equation(opened.written))
        opened.hides_result = True

    def _simple_field(self, element: Any) -> bool:
        """A field in one element: its result is what is inside."""
        instruction = element.get(W + "instr", "")
        opened = fields.OpenField(element.find(W + "ffData"), [instruction], begin=len(self._pieces))
        result = "".join(each.text or "" for each in element.iter(T))
        self._shows(opened)
        if opened.hides_result:
            return False
        if fields.asks(instruction, opened.form, result):
            self._ask(result)
            return False
        return True

    def _ask(self, text: str) -> None:
        """Note that something is to be filled in here."""
        if not self._is_hidden_by_field():
            self._pieces.append(Piece(text, self._look.left_out or LeftOut.PLACEHOLDER))

    def _mark_if_it_asks(self, instruction: str, form: Any, begin: int) -> None:
        result = self._pieces[begin:]
        text = "".join(piece.text for piece in result)
        if fields.asks(instruction, form, text):
            for piece in result:
                piece.left_out = piece.left_out or LeftOut.PLACEHOLDER
            if not text.strip():
                self._ask("")

    def finished(self) -> ParagraphText:
        """What was read."""
        put_together(self._told, self._pieces)
        return self._told


_READERS: dict[str, Callable[[_Line, Any], bool | None]] = {
    T: _Line._text, W + "fldChar": _Line._field, W + "instrText": _Line._instruction,
    W + "fldSimple": _Line._simple_field, SDT: _Line._control,
    **dict.fromkeys(_SIGNS, _Line._sign), **dict.fromkeys(_FORMULAS, _Line._math),
    **dict.fromkeys(_NOTES, _Line._note), **dict.fromkeys(_OBJECTS, _Line._object),
}  # fmt: skip
"""How each element in a line is read; True of those whose content is to be read too."""


def _table_style(paragraph: Any) -> str:
    parent = paragraph.getparent()
    if parent is None or parent.tag == W + "body":
        return ""
    table = next(paragraph.iterancestors(TBL), None)
    return value(table, f"{W}tblPr/{W}tblStyle") if table is not None else ""


def _in_fonts(text: str, look: RunLook) -> str:
    """The text with the signs that its fonts show for letters; ASCII and other characters have fonts of their own."""
    if look.low == look.high:
        return written(text, look.high)
    return "".join(written(each, look.low if each.isascii() else look.high or look.low) for each in text)

