"""Reads the fields of a DOCX: what they show where nothing is stored, and which of them still ask for something.

A field has an instruction, which readers do not see, and mostly a result, which they do (ECMA-376, 17.16).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from careline.knowledge.extract.docx.inline.math import UnreadFormula, fraction, root, subscript, superscript
from careline.knowledge.extract.docx.inline.paragraph_text import Piece
from careline.knowledge.extract.docx.inline.symbols import sign_of
from careline.knowledge.extract.docx.names import VAL, W, is_on, number, value
from careline.knowledge.extract.docx.shown import CHECKED, UNCHECKED

_NAME = re.compile(r"\s*([A-Za-z]+|=)")
_SYMBOL = re.compile(r"\s*SYMBOL\s+\"?(0x[0-9A-Fa-f]{1,6}|\d{1,7}|.)\"?", re.I)
_FONT = re.compile(r"\\f\s*(?:\"([^\"]{1,80})\"|(\S{1,80}))", re.I)
_LONGEST_INSTRUCTION = 2_000
_MOST_ENTRIES = 1_000


@dataclass(slots=True)
class OpenField:
    """A field whose end has not come yet. `form` is its form field, `begin` the place at which its result begins, and
    `held` the text before that, which readers do not see."""

    form: Any = None
    instruction: list[str] = field(default_factory=list)
    begin: int | None = None
    held: list[Piece] = field(default_factory=list)
    hides_result: bool = False

    @property
    def written(self) -> str:
        """The instruction."""
        return "".join(self.instruction)[:_LONGEST_INSTRUCTION]

    @property
    def name(self) -> str:
        """What kind of field it is, in capitals."""
        found = _NAME.match(self.written)
        return found[1].upper() if found else ""


def form_state(form: Any) -> str | None:
    """What a form field shows by itself: a checkbox its state, a list the entry that somebody chose.

    None for a form field that shows its result; "" for a list from which nobody chose (ECMA-376, 17.16.5 to 17.16.38).
    """
    if form is None:
        return None
    box, chosen = form.find(W + "checkBox"), form.find(W + "ddList")
    if box is not None:
        checked = box.find(W + "checked")
        state = checked if checked is not None else box.find(W + "default")
        return CHECKED if is_on(state) else UNCHECKED
    if chosen is None:
        return None
    entries = [each.get(VAL, "") for each in chosen.iterchildren(W + "listEntry")][:_MOST_ENTRIES]
    result = chosen.find(W + "result")
    result = result if result is not None else chosen.find(W + "default")
    place = number(result.get(VAL, ""), len(entries), len(entries)) if result is not None else len(entries)
    return entries[place] if place < len(entries) else ""


def asks(instruction: str, form: Any, result: str) -> bool:
    """Whether a result is there to be replaced: a mail merge that was not made («Name»), or a text field that is empty
    or as it came."""
    shown = " ".join(result.split())
    named = instruction.split()
    if named and named[0].upper() == "MERGEFIELD":
        return shown.startswith("«") and shown.endswith("»")
    field = form.find(W + "textInput") if form is not None else None
    return field is not None and shown in ("", " ".join(value(field, W + "default").split()))


def symbol(instruction: str) -> str:
    """The sign that a SYMBOL field shows; `symbols.NOTHING` where nobody but the font knows it."""
    found, font = _SYMBOL.match(instruction), _FONT.search(instruction)
    code = found[1] if found else ""
    if code[:2].lower() == "0x":
        code = code[2:]
    elif code.isdecimal():
        code = f"{int(code):x}"
    else:
        code = f"{ord(code):x}" if code else ""
    return sign_of(code, (font[1] or font[2]) if font else "")


def equation(instruction: str) -> str | None:
    r"""What an EQ field shows, on a line: \f(1;2) is ½. None where it cannot be written so (ECMA-376, 17.16.5.17)."""
    try:
        return " ".join(_Equation(instruction.strip()[2:]).read().split()) or None
    except (UnreadFormula, RecursionError):
        return None


class _Equation:
    """Goes through the instruction of an EQ field once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def read(self, ends: str = "") -> str:
        """What it says up to one of the characters `ends`, or to its end."""
        said: list[str] = []
        while self._at < len(self._text) and self._text[self._at] not in ends:
            character = self._text[self._at]
            self._at += 1
            piece = self._switch() if character == "\\" else character
            is_fraction = piece[:1].isdecimal() and "/" in piece and bool(said) and said[-1][-1:].isdecimal()
            said.append(f" {piece}" if is_fraction else piece)
        return "".join(said)

    def _switch(self) -> str:
        name = self._text[self._at : self._at + 1].lower()
        self._at += 1
        if name in ("(", ")", ",", ";", "\\"):
            return name
        self._pass_options()
        options, pieces = self._options, self._pieces()
        if name == "f" and len(pieces) == 2 and all(pieces):
            return fraction(*pieces)
        if name == "r" and pieces and pieces[-1]:
            return root(pieces[0] if len(pieces) == 2 else "", pieces[-1])
        if name == "s" and len(pieces) == 1 and pieces[0]:
            return subscript(pieces[0]) if "do" in options else superscript(pieces[0])
        if name == "b" and len(pieces) == 1:
            return f"({pieces[0]})"
        if name in ("l", "x") and pieces:
            return ", ".join(pieces)
        raise UnreadFormula

    def _pass_options(self) -> None:
        r"""The options of a switch, as in \s\up8(2)."""
        begin = self._at
        while self._at < len(self._text) and self._text[self._at] != "(":
            if not (self._text[self._at].isalnum() or self._text[self._at] in "\\ "):
                raise UnreadFormula
            self._at += 1
        self._options = self._text[begin : self._at].lower()

    def _pieces(self) -> list[str]:
        pieces = []
        while self._text[self._at : self._at + 1] not in (")", ""):
            self._at += 1
            pieces.append(self.read(ends=",;)").strip())
        self._at += 1
        return pieces
