"""Reads the lines of a passage with what each stands under: the sub-headings, and the lead-in of its list.

A sub-heading belongs to every line under it, up to the next one. It is a heading of the document that stands in the
text because small sections share a passage, a short line without a stop, or a short line with a colon above lines that
are no list. What leads a list in belongs to its items alone, and an item with a colon, or with deeper items under it,
leads in those.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from careline.model import Chunk
from careline.text.phone_numbers import PHONE

INDENT = "  "
"""What an item begins with for each list that it stands within."""
LONGEST_HEADING = 90
"""Characters of a line that is a heading without being marked as one."""
_ITEM = re.compile(r"^(?:[-*•]|\d{1,2}[.)])\s+")
_SENTENCE_END = re.compile(r"[.!?…]\s+")


@dataclass(frozen=True, slots=True)
class PassageLine:
    """One line of a passage, without its bullet.

    `headings` are the sub-headings above it, outermost first, those of the whole passage apart; `lead` is what leads
    its list in, "" where nothing does, `within` are the items that it stands under. A line that is a sub-heading itself
    (`is_heading`) or leads in what is below it (`leads`) stands under what is above it.
    """

    number: int
    text: str
    headings: tuple[str, ...] = ()
    lead: str = ""
    within: tuple[str, ...] = ()
    is_item: bool = False
    is_heading: bool = False
    leads: bool = False

    @property
    def above(self) -> tuple[str, ...]:
        """Everything it stands under."""
        return (*self.headings, *filter(None, (self.lead,)), *self.within)


def lines_of(chunk: Chunk) -> tuple[PassageLine, ...]:
    """The lines of a passage of prose in order, but for empty ones and those that repeat a heading of all of it."""
    return read_lines(chunk.text.split("\n"), dict(chunk.titles), chunk.heading_path)


def read_lines(lines: Sequence[str], titles: dict[int, int], running: Sequence[str] = ()) -> tuple[PassageLine, ...]:
    """The lines that say something. `titles` are the numbers of those that are headings of the document, and how deep;
    `running` are texts which a page repeats and which are no sub-headings there, such as its title."""
    repeated = {_same(text) for text in running}
    there = [(n, line) for n, line in enumerate(lines) if line.strip() and (n in titles or _same(line) not in repeated)]
    reader = _Reader()
    for at, (number, line) in enumerate(there):
        below = there[at + 1] if at + 1 < len(there) else None
        following = None if below is None or below[0] in titles else below[1]
        reader.read(number, line, titles.get(number), following)
    return tuple(reader.found)


def is_item(line: str) -> bool:
    """Whether a line is an item of a list."""
    return _ITEM.match(line.strip()) is not None


def bare(line: str) -> str:
    """What a line says as a sub-heading: without bullet and colon."""
    return _ITEM.sub("", line.strip()).rstrip(": \u00a0\u202f")


@dataclass(frozen=True, slots=True)
class _Lead:
    """What leads in lines: the depth of its item, -1 for a line that is none; `is_flat` where these are no deeper."""

    text: str
    depth: int
    is_flat: bool = False


@dataclass(slots=True)
class _Reader:
    """Goes through the lines of a passage once."""

    found: list[PassageLine] = field(default_factory=list)
    titles: list[str] = field(default_factory=list)
    label: str = ""
    leads: list[_Lead] = field(default_factory=list)

    def read(self, number: int, line: str, title: int | None, following: str | None) -> None:
        """Take in the next line; `title` is its depth as a heading of the document, `following` the line below it,
        None where that is such a heading."""
        text = line.strip()
        if title is not None:
            self.titles, self.label, self.leads = [*self.titles[:title], bare(text)], "", []
            self._add(number, text, is_heading=True)
        elif is_item(text):
            self._item(number, line, following)
        else:
            self._text(number, text, following)

    def _item(self, number: int, line: str, following: str | None) -> None:
        text, depth = line.strip(), _depth(line)
        announces = text.endswith(":")
        self.leads = [
            one for one in self.leads if one.depth < depth or (one.depth == depth and one.is_flat and not announces)
        ]
        is_parent = following is not None and is_item(following) and _depth(following) > depth
        leads = is_parent or (announces and following is not None)
        self._add(number, _ITEM.sub("", text), is_item=True, leads=leads)
        if leads:
            self.leads.append(_Lead(bare(text), depth, is_flat=not is_parent))

    def _text(self, number: int, text: str, following: str | None) -> None:
        if not (self.found and self.found[-1].leads):
            self.leads = []
        announces = text.endswith(":") and following is not None and bool(bare(text))
        is_label = len(text) <= LONGEST_HEADING and not _SENTENCE_END.search(text)
        if announces and not (is_label and following is not None and not is_item(following)):
            self._add(number, text, leads=True)
            self.leads = [_Lead(bare(_SENTENCE_END.split(text)[-1]), -1)]
        elif announces or _is_heading(text):
            self.label, self.leads = bare(text), []
            self._add(number, text, is_heading=True)
        else:
            self._add(number, text)

    def _add(
        self, number: int, text: str, *, is_item: bool = False, is_heading: bool = False, leads: bool = False
    ) -> None:
        headings = tuple(filter(None, (*self.titles, self.label)))
        lead = next((one.text for one in self.leads if one.depth < 0), "")
        within = tuple(one.text for one in self.leads if one.depth >= 0)
        if is_heading:
            headings, lead, within = headings[:-1], "", ()
        self.found.append(PassageLine(number, text, headings, lead, within, is_item, is_heading, leads))


def _same(text: str) -> str:
    """A text however it is spaced and written."""
    return " ".join(text.split()).casefold()


def _depth(line: str) -> int:
    """How many lists an item stands within."""
    return (len(line) - len(line.lstrip(" "))) // len(INDENT)


def _is_heading(line: str) -> bool:
    """A short line without a full stop that does not go on with a sentence."""
    if len(line) > LONGEST_HEADING or PHONE.search(line) or line[:1].islower():
        return False
    return line.endswith("?") or line[-1:] not in ".!…:;,"
