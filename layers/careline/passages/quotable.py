"""Cuts a passage of prose into what can be quoted: a sentence, a list with its lead-in."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from careline.model import Chunk
from careline.passages.sub_headings import PassageLine, lines_of
from careline.tables.row_wording import row_wording
from careline.text.analysers import terms
from careline.text.answer_kind import is_open_question
from careline.text.note_signs import SIGNS
from careline.text.phone_numbers import PHONE
from careline.text.sentences import split

_UNIT = re.compile(r"\([^()\s0-9]{1,8}\)")
_MEASURE = re.compile(r"[0-9][0-9.,:]*[ \u00a0]?[^\W\d_]*")
UNITS = 2
"""Units in brackets, and no figure, by which a line is the header of a table that could not be read as one."""
SHORT = 2
"""Words of a sentence that says nothing by itself."""
MOST_ITEMS = {False: 8, True: 4}
"""Items of a list that are quoted, by whether it is spoken."""


@dataclass(frozen=True, slots=True)
class Quotable:
    """A piece of a passage. `heading` is what it stands under; it is compared with the question but not quoted.

    `asked` is the document's own question that a yes or no answers, without which that says nothing; "" for anything
    else. `language` is that of the passage. `under` is the sub-heading of the passage that it stands under, said before
    it where `says_under`.
    """

    heading: str
    lead: str
    items: tuple[str, ...] = ()
    asked: str = ""
    language: str = ""
    under: str = ""
    says_under: bool = False

    @property
    def tells_figure(self) -> bool:
        """Whether it holds a digit, telephone numbers apart."""
        return any(map(str.isdecimal, PHONE.sub("", " ".join((self.lead, *self.items)))))

    def words(self, language: str) -> set[str]:
        """Its informative words, without numbers and the words right behind them, which are units."""
        text = _MEASURE.sub(" ", " ".join((self.lead, *self.items)))
        return {word for word in terms(text, language) if not word.isdecimal()}

    @property
    def is_orphan(self) -> bool:
        """A yes or no whose question is not there; it cannot be quoted."""
        wording = row_wording(self.language)
        is_answer = wording is not None and wording.is_answer(self.lead)
        return is_answer and not self.asked and not self.items and len(self.lead.split()) <= SHORT

    def text(self, voice: bool) -> str:
        """The quotation; a list has one item a line. One that is cut says on its last line how many are left out;
        of a long list the phone says anyway that these are some among others."""
        lead = f"{self.under}{' ' if self.under.endswith('?') else ': '}{self.lead}" if self.says_under else self.lead
        if not self.items:
            return f"{self.asked} {self.lead}" if self.asked else lead
        shown = [lead, *(f"- {item}" for item in self.items[: MOST_ITEMS[voice]])]
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
    return [] if chunk.kind == "table" else _prose(chunk, language)


def _prose(chunk: Chunk, language: str) -> list[Quotable]:
    """The sentences and lists of a passage, each under its own sub-heading."""
    path = chunk.heading_path[-2:]
    found: list[Quotable] = []
    last: PassageLine | None = None
    for line in lines_of(chunk):
        if not line.is_heading:
            found = _with_line(found, line, last, path, language)
        last = line
    return _told_apart([one for one in found if one.items or _says_something(one.lead)], language)


def _with_line(
    found: list[Quotable], line: PassageLine, last: PassageLine | None, path: Sequence[str], language: str
) -> list[Quotable]:
    """What was found with one line more; `path` are the headings of the passage, `last` is the line above."""
    heading = " ".join((*path, *line.headings))
    above = line.headings[-1] if line.headings else (path[-1] if path else "")
    under = line.headings[-1] if line.headings else ""
    if line.is_item or line.within or line.lead:
        led_by = under or " ".join(path)
        is_same = last is not None and not last.is_heading and last.headings == line.headings
        return _with_item(found, line, last if is_same else None, Quotable(heading, led_by, language=language))
    if above and PHONE.match(line.text):
        # A number alone is told with what it stands under.
        return [*found, Quotable(heading, f"{above.rstrip('?: ')}:", (line.text,), language=language)]
    return [*found, *(replace(one, under=under) for one in _of_line(line.text, heading, above, language))]


def _told_apart(found: list[Quotable], language: str) -> list[Quotable]:
    """The quotables, of which those say their sub-heading that tell a figure and might as well be of another one."""
    told: dict[str, set[str]] = {}
    for one in found:
        if one.tells_figure:
            told.setdefault(one.under, set()).update(one.words(language))
    return [replace(one, says_under=True) if _may_be_of_another(one, told, language) else one for one in found]


def _may_be_of_another(one: Quotable, told: Mapping[str, set[str]], language: str) -> bool:
    """Whether more than half of what a quotable with a figure says is said with figures under other sub-headings too,
    and nothing of its own sub-heading. `told` are the words under each."""
    others = set().union(*(words for under, words in told.items() if under != one.under))
    if not one.under or not one.tells_figure or len(told) < 2:
        return False
    words, above = one.words(language), set(terms(one.under, language))
    own = words - others
    return words.isdisjoint(above) and 2 * len(own) < max(len(words), 1)


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


def _with_item(found: list[Quotable], line: PassageLine, last: PassageLine | None, begun: Quotable) -> list[Quotable]:
    """What was found with an item more; `last` is the line above it where that is under the same sub-headings, `begun`
    a list that would begin with it, led by its sub-heading."""
    if line.is_item and line.leads:
        # It is said before each item that stands under it.
        return found
    before = ", ".join(line.within)
    item = f"{before}: {line.text}" if before else line.text
    goes_on = last is not None and found and (last.leads or last.is_item or last.within or last.lead)
    if goes_on and (found[-1].items or found[-1].lead.endswith(":")):
        held = found[-1]
        if before and held.items and last is not None and last.within == line.within and not last.leads:
            together = f"{held.items[-1].rstrip(';, ')}{'' if held.items[-1].endswith('.') else ';'} {line.text}"
            return [*found[:-1], replace(held, items=(*held.items[:-1], together))]
        return [*found[:-1], replace(held, items=(*held.items, item))]
    # A list under a heading is one answer: its items are kept together, led by the heading.
    lead = line.lead or begun.lead
    under = begun.under
    return [*found, replace(begun, lead=f"{lead.rstrip('?: ')}:" if lead else "", items=(item,), under=under)]
