"""Cuts a passage of prose into what can be quoted: a sentence, a list with its lead-in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from careline.model import Chunk
from careline.note_signs import SIGNS
from careline.phone_numbers import PHONE
from careline.search.answer_kind import is_open_question
from careline.search.row_wording import row_wording
from careline.sentences import split

_ITEM = re.compile(r"^(?:[-*•]|\d{1,2}[.)])\s+")
_UNIT = re.compile(r"\([^()\s0-9]{1,8}\)")
UNITS = 2
"""Units in brackets, and no figure, by which a line is the header of a table that could not be read as one."""
SHORT = 2
"""Words of a sentence that says nothing by itself."""
LONGEST_HEADING = 90
MOST_ITEMS = {False: 8, True: 4}
"""Items of a list that are quoted, by whether it is spoken."""


@dataclass(frozen=True, slots=True)
class Quotable:
    """A piece of a passage. `heading` is what it stands under; it is compared with the question but not quoted.

    `asked` is the document's own question that a yes or no answers, without which that says nothing; "" for anything
    else. `language` is that of the passage.
    """

    heading: str
    lead: str
    items: tuple[str, ...] = ()
    asked: str = ""
    language: str = ""

    @property
    def is_orphan(self) -> bool:
        """A yes or no whose question is not there; it cannot be quoted."""
        wording = row_wording(self.language)
        is_answer = wording is not None and wording.is_answer(self.lead)
        return is_answer and not self.asked and not self.items and len(self.lead.split()) <= SHORT

    def text(self, voice: bool) -> str:
        """The quotation; a list has one item a line. One that is cut says on its last line how many are left out;
        of a long list the phone says anyway that these are some among others."""
        if not self.items:
            return f"{self.asked} {self.lead}" if self.asked else self.lead
        shown = [self.lead, *(f"- {item}" for item in self.items[: MOST_ITEMS[voice]])]
        more = "" if voice else self.more()
        return "\n".join([*shown, f"- {more}"] if more else shown).strip()

    def more(self) -> str:
        """What is said below the list where it is cut; "" where it is whole."""
        wording = row_wording(self.language)
        left = len(self.items) - MOST_ITEMS[False]
        return wording.more_items(left) if wording is not None and left > 0 else ""

    def compared(self) -> str:
        """What is compared with the question."""
        return " ".join(part for part in (self.heading, self.lead, *self.items) if part)


def quotables(chunk: Chunk, language: str) -> list[Quotable]:
    """The quotables of a passage in reading order; none of a table, whose text is never taken apart."""
    return [] if chunk.kind == "table" else _prose(chunk.text, chunk.heading_path[-2:], language)


def _prose(text: str, headings: Sequence[str], language: str) -> list[Quotable]:
    found: list[Quotable] = []
    heading = last = path = " ".join(headings)
    above = headings[-1] if headings else ""
    for line in text.splitlines():
        line = line.strip()
        if not line:
            continue
        if _ITEM.match(line):
            found = _with_item(found, _ITEM.sub("", line), heading, last, language)
        elif _is_heading(line):
            heading, last, above = f"{path} {line}".strip(), line, line
        elif above and PHONE.match(line):
            # A number alone is told with what it stands under.
            found.append(Quotable(heading, f"{above.rstrip('?: ')}:", (line,), language=language))
        else:
            found += _of_line(line, heading, above, language)
    return [one for one in found if one.items or _says_something(one.lead)]


def _of_line(line: str, heading: str, before: str, language: str) -> list[Quotable]:
    """The sentences of a line. `before` is the heading right above it."""
    found: list[Quotable] = []
    wording = row_wording(language)
    for sentence in _whole(split(line, language), language):
        is_answer = wording is not None and wording.is_answer(sentence) and before.endswith("?")
        found.append(Quotable(heading, sentence, asked=before if is_answer else "", language=language))
        before = sentence
    return found


def _says_something(lead: str) -> bool:
    """A question in a document is a heading or a phrase and answers nothing; nor does a row of figures without words,
    the header of a table without its values, or a table's note that is quoted without it."""
    if lead[-1:] not in ".!:;" and not any(map(str.isdigit, lead)) and len(_UNIT.findall(lead)) >= UNITS:
        return False
    return not lead.endswith("?") and _has_words(lead) and lead[:1] not in SIGNS


def _has_words(sentence: str) -> bool:
    """Whether a sentence has more letters than digits, its telephone numbers apart."""
    rest = PHONE.sub("", sentence)
    return sum(map(str.isalpha, rest)) > sum(map(str.isdecimal, rest))


def _whole(sentences: list[str], language: str) -> list[str]:
    """The sentences, of which some say nothing by themselves: a "Yes." is kept together with the one it introduces, a
    question for which case the next one is ("Something left in the bus? Call 011 90 10 00."), and "Phone 011 90 10 00."
    with the one before it. What answers "how late?" says so itself."""
    whole: list[str] = []
    wording = row_wording(language)
    for sentence in (one.strip() for one in sentences if one.strip()):
        is_answer = wording is not None and wording.is_answer(sentence)
        is_asked = bool(whole) and whole[-1].endswith("?") and not is_answer and not is_open_question(whole[-1])
        if whole and (is_asked or len(whole[-1].split()) <= SHORT or _is_only_number(sentence)):
            whole[-1] = f"{whole[-1]} {sentence}"
        else:
            whole.append(sentence)
    return whole


def _is_only_number(sentence: str) -> bool:
    """Whether a sentence tells a number and no more: "Call 112.", "Phone 011 90 10 00.", "Route 12."."""
    rest, count = PHONE.subn("", sentence)
    return len(rest.split()) <= SHORT and (count > 0 or any(map(str.isdecimal, rest)))


def _is_heading(line: str) -> bool:
    """A short line without a full stop: small sections share a passage, and their headings stand in its text."""
    if len(line) > LONGEST_HEADING or PHONE.search(line):
        return False
    return line.endswith("?") or line[-1:] not in ".!…:;,"


def _with_item(found: list[Quotable], item: str, heading: str, led_by: str, language: str) -> list[Quotable]:
    if found and (found[-1].items or found[-1].lead.endswith(":")):
        last = found[-1]
        return [*found[:-1], replace(last, items=(*last.items, item))]
    # A list under a heading is one answer: its items are kept together, led by the heading.
    return [*found, Quotable(heading, f"{led_by.rstrip('?: ')}:" if led_by else "", (item,), language=language)]
