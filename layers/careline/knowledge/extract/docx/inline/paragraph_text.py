"""Puts together what a paragraph of a DOCX says of the pieces that were read, without what nobody is told."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from careline.knowledge.extract.docx.inline.symbols import NOTHING
from careline.knowledge.extract.docx.notes import NoteReference
from careline.model import LeftOut

UNREAD_FORMULA = "[formula]"
_UNREAD_SIGN = "[sign]"
_ASKED, _NOTE = "\ufdd0", "\ufdd1"
"""Stand where a placeholder and a note were: characters that no text has (Unicode 23.7)."""
RESERVED = str.maketrans(dict.fromkeys((_ASKED, _NOTE)))
_NOTE_MARK = re.compile(rf"{_NOTE}(\d+){_NOTE}")
_SENTENCE = re.compile(r"(\n+|\t+|(?<=[.!?;])\s+)")
_HAS_ANSWER = re.compile(r":\s*\S")
_SEVERAL = re.compile(f"{NOTHING}{{2,}}")
_BEGINS_LINE = re.compile(rf"(?m)^([ \t]{{0,9}}){NOTHING}")
_BESIDE_FIGURE = re.compile(rf"(\d ?){NOTHING}|{NOTHING}(?= ?\d)")
_MOST_PLACED = 200
"""Notes of one paragraph that are set behind their sentences; where there are more, all stand behind the paragraph."""
_LONGEST_PLACED = 50_000
"""Characters of such notes together: one note may be referred to many times."""
_ENDED = re.compile(r"[.!?…][\"'”’»)\]]*\s*$")
_END = re.compile(rf"(?:{_NOTE}\d+{_NOTE})*[.!?…][\"'”’»)\]]*(?=\s|$)")


@dataclass(slots=True)
class Piece:
    """A piece of text, and why it is left out where it is."""

    text: str
    left_out: LeftOut | None = None


@dataclass(slots=True)
class ParagraphText:
    """What a paragraph says.

    `marked` is its text with a mark for each note, and `\\n` where the author broke a line. `left_out` is what is not
    told, with why, in order. `is_incomplete` says that something in the line could not be read, which stands in
    brackets there: such a line is not told. `beside` are descriptions of pictures that do not stand in the line;
    `has_page_number` says that the line counts pages.
    """

    marked: str = ""
    left_out: list[tuple[LeftOut, str]] = field(default_factory=list)
    is_incomplete: bool = False
    notes: list[NoteReference] = field(default_factory=list)
    beside: list[str] = field(default_factory=list)
    has_page_number: bool = False

    @property
    def told(self) -> str:
        """The text without notes and their signs."""
        return _NOTE_MARK.sub("", self.marked).strip()

    @property
    def signed(self) -> str:
        """The text with the signs of its notes."""
        return _NOTE_MARK.sub(lambda found: self.notes[int(found[1])].sign, self.marked).strip()

    def with_notes(self, said: Sequence[str]) -> tuple[str, list[int]]:
        """The text with the notes that belong to a sentence of it behind that sentence, and which notes are left.

        `said` is the text of each note. One at the end of the paragraph, or at a word, is left to stand behind it.
        Where several are, their signs stay in the text.
        """
        text, left, at = self.marked.strip(), [], 0
        if len(said) > _MOST_PLACED or sum(map(len, said)) > _LONGEST_PLACED:
            return self.signed if len(said) > 1 else self.told, list(range(len(said)))
        while found := _NOTE_MARK.search(text, at):
            number, at = int(found[1]), found.start()
            before, after = text[:at], text[found.end() :]
            end = _END.match(after) if _ENDED.search(_NOTE_MARK.sub("", before)) is None else None
            if end is not None:
                before, after = before + after[: end.end()], after[end.end() :]
            ends_sentence = _ENDED.search(_NOTE_MARK.sub("", before)) is not None
            if ends_sentence and _NOTE_MARK.sub("", after).strip() and said[number]:
                text = f"{before.rstrip()} {_sentence(said[number])}{after}"
            else:
                left.append(number)
                at = found.end()
        several = len(left) > 1
        return _NOTE_MARK.sub(lambda one: self.notes[int(one[1])].sign if several else "", text).strip(), left


def note_mark(number: int) -> str:
    """What stands in a text for the note of a number."""
    return f"{_NOTE}{number}{_NOTE}"


def _sentence(text: str) -> str:
    return text if _ENDED.search(text) else f"{text}."


def put_together(told: ParagraphText, pieces: Sequence[Piece]) -> None:
    """Give a paragraph its text, and what of it is left out."""
    told.marked = _with_signs(told, _without_questions(told, pieces)).strip()
    for reason in dict.fromkeys(piece.left_out for piece in pieces):
        if reason is not None and reason is not LeftOut.PLACEHOLDER and (text := _kept(pieces, reason)):
            told.left_out.append((reason, text))


def _joined(pieces: Sequence[Piece]) -> str:
    """What is told, with a mark for each placeholder, empty ones among them. What begins with a capital behind an empty
    one, which is the first or has a label, is another sentence on a line of its own."""
    parts: list[str] = []
    has_gap = may_end = False
    for piece in pieces:
        if piece.left_out is LeftOut.PLACEHOLDER:
            before = "".join(parts[-2:]).strip(f" {_ASKED}")
            may_end = not piece.text.strip() and (not before or before.endswith((":", "\n")))
            if parts[-1:] != [_ASKED]:
                parts.append(_ASKED)
        elif piece.left_out is None:
            text = piece.text
            if text.strip():
                text = f"\n{text.lstrip()}" if may_end and text.lstrip()[0].isupper() else text
                may_end = False
            ends = has_gap and (not parts or parts[-1].endswith((" ", "\n")))
            parts.append(text.lstrip(" ") if ends else text)
        has_gap = piece.left_out is not None
    return "".join(parts)


def _kept(pieces: Sequence[Piece], reason: LeftOut) -> str:
    """What is left out for one reason, pieces that stand apart with a space between them."""
    texts: list[str] = []
    before: LeftOut | None = None
    for piece in pieces:
        if piece.left_out is reason:
            texts.append(piece.text if before is reason or not texts else f" {piece.text}")
        before = piece.left_out
    return _NOTE_MARK.sub("", " ".join("".join(texts).replace(NOTHING, "").split()))


def _without_questions(told: ParagraphText, pieces: Sequence[Piece]) -> str:
    """The text without the sentences that a placeholder stands in: what is left of one says nothing or something else,
    and a label without its value would be that of the next line."""
    text = _joined(pieces)
    if _ASKED not in text:
        return text
    parts = _SENTENCE.split(text)
    asked: list[str] = []
    for at in range(0, len(parts), 2):
        if _ASKED not in parts[at]:
            continue
        before = at - 2
        if before >= 0 and "\t" in parts[at - 1] and _HAS_ANSWER.search(parts[before]) is None:
            asked.append(parts[before])
            parts[before] = ""
        asked.append(parts[at])
        parts[at] = ""
        if at + 1 < len(parts) and not parts[at + 1].strip(" "):
            parts[at + 1] = ""
    shown, said = _kept(pieces, LeftOut.PLACEHOLDER), " ".join(asked)
    said = said.replace(_ASKED, f" {shown} ") if said.count(_ASKED) == 1 else f"{said.replace(_ASKED, ' ')} {shown}"
    told.left_out.append((LeftOut.PLACEHOLDER, " ".join(_NOTE_MARK.sub("", said).split())))
    return "".join(parts)


def _with_signs(told: ParagraphText, text: str) -> str:
    """The text without signs that nobody knows; one beside a figure may change what it says, and is marked."""
    if NOTHING not in text:
        return text
    text = _BEGINS_LINE.sub(r"\1", _SEVERAL.sub(NOTHING, text))
    marked = _BESIDE_FIGURE.sub(rf"\1{_UNREAD_SIGN}", text)
    told.is_incomplete = told.is_incomplete or marked != text
    return marked.replace(NOTHING, "")
