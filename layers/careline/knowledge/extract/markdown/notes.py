"""Reads the notes of a Markdown text (`[^1]: …`): each is told where it is referred to, or below the table that does.

The syntax is that of Pandoc and GitHub: a label without spaces, and a text that goes on in indented lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import count

from careline.knowledge.extract.characters.superscripts import raised

_DEFINED = re.compile(r" {0,3}\[\^([^\]\s]{1,40})\]:(.*)")
_REFERENCE = re.compile(r"\[\^([^\]\s]{1,40})\](?!:)")
_FENCE = re.compile(r"\s*(?:`{3}|~{3})")
_INDENTS = ("  ", "\t")
_IN_SENTENCE = re.compile(r"([.!?…]?)((?:\[\^[^\]\s]{1,40}\](?!:))+)")
"""References with the stop that they stand behind."""
_LONGEST = 300
_LONGEST_SIGN = 2
_MOST = 1_000


class MarkdownNotes:
    """The notes of one text by their labels. `lines`: those of the text, without the notes that are told elsewhere."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = list(lines)
        self._texts: dict[str, str] = {}
        self._signs: dict[str, str] = {}
        if not any("[^" in line for line in lines):
            return
        referred = dict.fromkeys(found for line in lines for found in _REFERENCE.findall(line))
        self._take(referred)
        free = (str(number) for number in count(1) if str(number) not in referred)
        for label in referred:
            self._signs[label] = raised(label if len(label) <= _LONGEST_SIGN else next(free))

    def _take(self, referred: Iterable[str]) -> None:
        """Takes the notes that are referred to, and short enough to stand in a sentence, out of the lines."""
        at, fenced = 0, False
        while at < len(self.lines):
            fenced ^= _FENCE.match(self.lines[at]) is not None
            found = None if fenced else _DEFINED.fullmatch(self.lines[at])
            end = at + 1
            if found is not None and len(self._texts) < _MOST:
                said = [found[2]]
                while end < len(self.lines) and self.lines[end].strip() and self.lines[end].startswith(_INDENTS):
                    said.append(self.lines[end])
                    end += 1
                text = " ".join(" ".join(said).split())
                if text and len(text) <= _LONGEST and found[1] in referred and found[1] not in self._texts:
                    self._texts[found[1]] = text
                    self.lines[at:end] = [""] * (end - at)
                else:
                    self.lines[at] = f"[^{found[1]}] {found[2].lstrip()}"
            at = end

    def in_place(self, text: str) -> str:
        """Text of a sentence with each note in brackets where it is referred to."""
        return _IN_SENTENCE.sub(self._placed, text) if "[^" in text else text

    def signed(self, text: str) -> str:
        """Text of a cell with a raised sign in place of each reference."""
        return _REFERENCE.sub(lambda found: self._sign(found[1]), text)

    def below(self, rows: Iterable[str]) -> list[str]:
        """The notes that rows of a table refer to, each behind its sign."""
        labels = dict.fromkeys(found for row in rows for found in _REFERENCE.findall(row) if found in self._texts)
        return [f"{self._sign(label)} {self.signed(self._texts[label])}" for label in labels]

    def _sign(self, label: str) -> str:
        return self._signs.get(label, raised(label))

    def _placed(self, found: re.Match[str]) -> str:
        """The notes of a sentence before its stop, behind which they would begin the next one."""
        labels = _REFERENCE.findall(found[2])
        signs = "".join(self._sign(label) for label in labels if label not in self._texts)
        notes = "".join(f" ({self.signed(self._texts[one]).rstrip('.')})" for one in labels if one in self._texts)
        return f"{notes}{found[1]}{signs}"
