"""Reads the notes of a Markdown text (`[^1]: …`): each is told where it is referred to, or below the table that does.

The syntax is that of Pandoc and GitHub: a label without spaces, and a text that goes on in indented lines.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import count

from careline.knowledge.extract.characters.superscripts import raised
from careline.knowledge.extract.markdown.fences import Fenced

_DEFINED = re.compile(r" {0,3}\[\^([^\]\s]{1,40})\]:(.*)")
_REFERENCE = re.compile(r"\[\^([^\]\s]{1,40})\]")
_INDENTS = ("  ", "\t")
_BEGINS = re.compile(r" {0,3}(?:#{1,6}\s|[-*+]\s|\d{1,9}[.)]\s|[<>|]|`{3}|~{3}|\[|[-*_=]{3})")
"""A line that does not go on with the paragraph above it."""
_IN_SENTENCE = re.compile(r"([.!?…]?)((?:\[\^[^\]\s]{1,40}\])+)")
"""References with the stop that they stand behind."""
_LONGEST = 300
_LONGEST_SIGN = 2
_MOST = 1_000
_MOST_TOLD = 200_000
"""Characters of all notes that are told in their places; whoever refers to one again and again gets its sign then."""


class MarkdownNotes:
    """The notes of one text by their labels. `lines`: those of the text, without the notes that are told elsewhere.

    `code` is the fenced code of the text, in which nothing is a note.
    """

    def __init__(self, lines: Sequence[str], code: Mapping[int, Fenced]) -> None:
        self.lines = list(lines)
        self._texts: dict[str, str] = {}
        self._signs: dict[str, str] = {}
        self._told: set[str] = set()
        self._room = _MOST_TOLD
        if not any("[^" in line for line in lines):
            return
        free_of_code = [at for at in self._numbers(code) if "[^" in lines[at]]
        said = (found[2] if (found := _DEFINED.fullmatch(lines[at])) else lines[at] for at in free_of_code)
        referred = dict.fromkeys(found for line in said for found in _REFERENCE.findall(line))
        self._take(referred, code)
        free = (str(number) for number in count(1) if str(number) not in referred)
        for label in referred:
            self._signs[label] = raised(label if len(label) <= _LONGEST_SIGN else next(free))

    def _numbers(self, code: Mapping[int, Fenced]) -> Iterator[int]:
        """The numbers of the lines that are no code."""
        at = 0
        while at < len(self.lines):
            if at in code:
                at = code[at].after
            else:
                yield at
                at += 1

    def _take(self, referred: Container[str], code: Mapping[int, Fenced]) -> None:
        """Takes the notes that are referred to, and short enough to stand in a sentence, out of the lines."""
        begun = 0
        for at in self._numbers(code):
            found = _DEFINED.fullmatch(self.lines[at]) if at >= begun else None
            if found is None or len(self._texts) >= _MOST:
                continue
            begun = at + 1
            while begun < len(self.lines) and begun not in code and _goes_on(self.lines[begun]):
                begun += 1
            text = " ".join(" ".join((found[2], *self.lines[at + 1 : begun])).split())
            if text and len(text) <= _LONGEST and found[1] in referred and found[1] not in self._texts:
                self._texts[found[1]] = text
                self.lines[at:begun] = [""] * (begun - at)
            else:
                self.lines[at] = f"[^{found[1]}] {found[2].lstrip()}"

    def in_place(self, text: str) -> str:
        """Text of a sentence with each note in brackets where it is referred to."""
        return _IN_SENTENCE.sub(self._placed, text) if "[^" in text else text

    def signed(self, text: str) -> str:
        """Text of a cell with a raised sign in place of each reference."""
        return _REFERENCE.sub(lambda found: self._sign(found[1]), text)

    def below(self, rows: Iterable[str]) -> list[str]:
        """The notes that rows of a table refer to, each behind its sign."""
        labels = dict.fromkeys(found for row in rows for found in _REFERENCE.findall(row))
        return [self._behind_sign(label) for label in labels if self._is_told(label)]

    def left(self) -> list[str]:
        """The notes that were told nowhere, each behind its sign."""
        return [self._behind_sign(label) for label in self._texts if label not in self._told]

    def _is_told(self, label: str) -> bool:
        """Whether a note may be told here, which is noted down."""
        self._room -= len(self._texts.get(label, ""))
        if label not in self._texts or self._room < 0:
            return False
        self._told.add(label)
        return True

    def _behind_sign(self, label: str) -> str:
        return f"{self._sign(label)} {self.signed(self._texts[label])}"

    def _sign(self, label: str) -> str:
        return self._signs.get(label, raised(label))

    def _placed(self, found: re.Match[str]) -> str:
        """The notes of a sentence before its stop, behind which they would begin the next one."""
        signs, notes = "", ""
        for label in _REFERENCE.findall(found[2]):
            if self._is_told(label):
                notes += f" ({self.signed(self._texts[label]).rstrip('.')})"
            else:
                signs += self._sign(label)
        return f"{notes}{found[1]}{signs}"


def _goes_on(line: str) -> bool:
    """Whether a line belongs to the note above it: indented, or the rest of its paragraph."""
    return bool(line.strip()) and (line.startswith(_INDENTS) or _BEGINS.match(line) is None)
