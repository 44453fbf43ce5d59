"""Cuts a passage of prose into what can be quoted: a sentence, a list with its lead-in."""

from __future__ import annotations

import re
from dataclasses import dataclass

from careline.model import Chunk
from careline.note_signs import SIGNS
from careline.sentences import split

_ITEM = re.compile(r"^(?:[-*•]|\d{1,2}[.)])\s+")
SHORT = 2
"""Words of a sentence that says nothing by itself."""
LONGEST_HEADING = 90
MOST_ITEMS = {False: 8, True: 4}
"""Items of a list that are quoted, by whether it is spoken."""


@dataclass(frozen=True, slots=True)
class Quotable:
    """A piece of a passage. `heading` is what it stands under; it is compared with the question but not quoted."""

    heading: str
    lead: str
    items: tuple[str, ...] = ()

    def text(self, voice: bool) -> str:
        """The quotation; a list has one item a line."""
        if not self.items:
            return self.lead
        return "\n".join([self.lead, *(f"- {item}" for item in self.items[: MOST_ITEMS[voice]])]).strip()

    def compared(self) -> str:
        """What is compared with the question."""
        return " ".join(part for part in (self.heading, self.lead, *self.items) if part)


def quotables(chunk: Chunk, language: str) -> list[Quotable]:
    """The quotables of a passage in reading order; none of a table, whose text is never taken apart."""
    return [] if chunk.kind == "table" else _prose(chunk.text, " ".join(chunk.heading_path[-2:]), language)


def _prose(text: str, path: str, language: str) -> list[Quotable]:
    found: list[Quotable] = []
    heading = last = path
    for line in text.splitlines():
        line = line.strip()
        if not line:
            continue
        if _ITEM.match(line):
            found = _with_item(found, _ITEM.sub("", line), heading, last)
        elif _is_heading(line):
            heading, last = f"{path} {line}".strip(), line
        else:
            found += [Quotable(heading, sentence) for sentence in _whole(split(line, language))]
    return [one for one in found if one.items or _says_something(one.lead)]


def _says_something(lead: str) -> bool:
    """A question in a document is a heading or a phrase and answers nothing; nor does a row of figures without words,
    or the note of a table that is quoted without it."""
    words = sum(map(str.isalpha, lead))
    return not lead.endswith("?") and words > sum(map(str.isdecimal, lead)) and lead[:1] not in SIGNS


def _whole(sentences: list[str]) -> list[str]:
    """The sentences, a "Yes." or "No, never." kept together with the one it introduces."""
    whole: list[str] = []
    for sentence in (one.strip() for one in sentences if one.strip()):
        if whole and len(whole[-1].split()) <= SHORT:
            whole[-1] = f"{whole[-1]} {sentence}"
        else:
            whole.append(sentence)
    return whole


def _is_heading(line: str) -> bool:
    """A short line without a full stop: small sections share a passage, and their headings stand in its text."""
    return len(line) <= LONGEST_HEADING and (line.endswith("?") or line[-1:] not in ".!…:;,")


def _with_item(found: list[Quotable], item: str, heading: str, led_by: str) -> list[Quotable]:
    if found and (found[-1].items or found[-1].lead.endswith(":")):
        last = found[-1]
        return [*found[:-1], Quotable(last.heading, last.lead, (*last.items, item))]
    # A list under a heading is one answer: its items are kept together, led by the heading.
    return [*found, Quotable(heading, f"{led_by.rstrip('?: ')}:" if led_by else "", (item,))]
