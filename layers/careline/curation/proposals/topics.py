"""Tells of what the prices of a table are: its row under the heading above it, and not the title of a document that is
of many things."""

from __future__ import annotations

import re
from collections.abc import Sequence

from careline.curation.proposals.reading.amounts import is_duration, says_price_alone
from careline.curation.proposals.reading.cells import Page, PlacedValue
from careline.curation.proposals.reading.particulars import names_campus
from careline.curation.proposals.reading.words import concepts, is_price_word, told, words
from careline.model import Table
from careline.tables.row_wording import row_wording
from careline.text.figure_words import plain
from careline.text.figure_words import words as figure_words

LONGEST = 190
"""Characters of a subject; the directory holds two hundred."""
_GENERAL = frozenset("visit opening closing hour day".split())
"""Concepts of words that say what a page tells beside prices, and not of what: "Visiting hours and prices"."""
_OF_THE_HOUSE = frozenset(
    "reception billing admission complaint laboratory cafeteria hairdresser pharmacy".split()
)
"""Services that are of the whole house: a brochure for those who are admitted is of no department."""
_ENUMERATED = re.compile(r" ?[,:;&/] ?| (?:en|and|et|e) ")
_NUMBERED = re.compile(r"^(?:[0-9]{1,2}[.)] ?){1,3}(?=[^\s0-9])")
_MOST_NAMES = 3
"""Words beside the one thing that a title names: those of a place."""


def subject_of(page: Page, table: Table, one: PlacedValue, *, by_duration: bool) -> tuple[list[str], list[str]]:
    """What a price is of, from the widest to the narrowest, and the labels that narrow it."""
    language = page.language
    labels = [label for label in one.labels if not says_price_alone(label, language)]
    if by_duration:
        return [_topic(page)], labels
    if not labels:
        return [_topic(page), *one.path[-1:]], []
    prefix = _prefix(page, table, labels)
    return ([prefix, labels[-1]] if prefix else [labels[-1]]), labels[:-1]


def names_nothing(text: str, language: str) -> bool:
    """Whether a heading or title names no thing: a question, or words of prices, hours, visits and dates alone, as
    "Visiting hours and prices 2027"."""
    known, wording = words(), row_wording(language)
    if text.rstrip().endswith("?") or (wording is not None and not wording.says_something(text)):
        return True
    said = told(text, language)
    of_prices = [word for word in said if "=" in word.concepts or is_price_word(word.text, language)]
    return bool(of_prices) and all(
        word in of_prices
        or word.number is not None
        or (word.concepts and word.concepts <= _GENERAL)
        or word.text in figure_words().months
        or word.text in known.holding
        for word in said
    )


def _prefix(page: Page, table: Table, labels: Sequence[str]) -> str:
    """What stands above the labels and says of what they are: the header of their column, else the nearest heading,
    with the title where that names the one thing that all is about."""
    language, label = page.language, labels[-1]
    stub = _stub(table, len(labels) - 1, language)
    inner = _bare("".join(page.chunk.heading_path[-1:]))
    tells = _names(inner, language)
    title = _first(page)
    if stub:
        above = [inner if len(page.chunk.heading_path) > 1 and tells else stub]
    elif not inner or inner.endswith("?") or inner == title:
        above = [title]
    else:
        head = _without_nothing(title.partition(":")[0].strip(), language)
        all_of = next((text for text in (head, title) if _is_of_all(text, label, language)), "")
        above = [all_of, inner if tells else ""]
    kept = [text for text in above if text and not _tells_no_more(text, label, language)]
    return _joined(*kept) if len(kept) > 1 else "".join(kept)


def _without_nothing(title: str, language: str) -> str:
    """A title without what it says of prices beside the one thing that it names: "Parking" of "Parking and prices"."""
    named = [part for part in _ENUMERATED.split(title) if part and not names_nothing(part, language)]
    return named[0] if len(named) == 1 else title


def _is_of_all(title: str, label: str, language: str) -> bool:
    """Whether all of a document is of what its title names, and a label does not say so: of one thing, and where it is
    ("Parking at campus North"), or of a department, whose rooms have prices of their own; not of "Practical matters"
    or "Visits and prices"."""
    meant = concepts(title, language)
    if meant & words().services - _OF_THE_HOUSE:
        return True
    said = [word for word in told(title, language) if word.number is None and not is_price_word(word.text, language)]
    things = [word.concepts for word in said if word.concepts - {"campus", "="}]
    if not things or meant & (_GENERAL | _OF_THE_HOUSE) or len(said) - len(things) > _MOST_NAMES:
        return False
    return all(one & things[0] for one in things) and not things[0] <= concepts(label, language)


def _tells_no_more(prefix: str, label: str, language: str) -> bool:
    """Whether a label says what stands above it, or one of the things that this lists: "Television and fridge"; also in
    a narrower word, as "Single room" below "Rooms"."""
    said, above = _stems(label, language), told(prefix, language)
    if above and all(word.concepts and word.concepts <= concepts(label, language) for word in above):
        return True
    listed = [stems for part in _ENUMERATED.split(prefix) if (stems := _stems(part, language))]
    return said >= _stems(prefix, language) or (len(listed) > 1 and any(said >= stems for stems in listed))


def _stems(text: str, language: str) -> set[str]:
    return {word.stem for word in told(text, language)}


def _stub(table: Table, column: int, language: str) -> str:
    """The header above the labels, where it says what they are; not "overview" or "value"."""
    stub = table.stub[column] if column < len(table.stub) else ""
    wording = row_wording(language)
    says_nothing = wording is not None and not wording.says_something(stub)
    is_empty = says_nothing or names_campus(stub, language) or plain(stub).strip(" :?") in words().empty_stubs
    return "" if is_empty or not told(stub, language) else stub


def _first(page: Page) -> str:
    """The first heading or the title, where it names something."""
    return next((text for text in (*page.chunk.heading_path[:1], page.title) if _names(text, page.language)), "")


def _topic(page: Page) -> str:
    """What a table is about where its rows say no more than how long: the first and the nearest heading."""
    inner = next((bare for text in reversed(page.chunk.heading_path) if _names(bare := _bare(text), page.language)), "")
    return _joined(_first(page), inner) or page.title


def _joined(first: str, inner: str) -> str:
    topic = f"{first}: {inner}" if first and inner and inner != first else first or inner
    return topic if len(topic) <= LONGEST else first


def _bare(heading: str) -> str:
    """A heading without its number: "2. Room supplements"."""
    return _NUMBERED.sub("", heading.strip())


def _names(text: str, language: str) -> bool:
    return bool(told(text, language)) and not names_nothing(text, language) and not says_price_alone(text, language)


def are_durations(rows: Sequence[str], language: str) -> bool:
    """Whether the labels of rows say how long or when: a third of them, and two at least."""
    durations = sum(is_duration(label, language) for label in rows)
    return durations >= 2 and durations * 3 >= len(rows)
