"""Finds what a document says in lines of a label and its value: "Telefoon: 011 90 13 32"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from careline.curation.proposals.proposal import Kind, Statement
from careline.curation.proposals.reading.cells import Page
from careline.curation.proposals.reading.holders import holders_in
from careline.curation.proposals.reading.particulars import (
    address_in,
    email_in,
    names_campus,
    phone_in,
    place_in,
    says_email,
    says_phone,
    says_place,
)
from careline.curation.proposals.reading.weeks import as_json, days_in, merged, read_week
from careline.curation.proposals.reading.words import are_of_visitors, concepts, told
from careline.curation.proposals.schedules import schedule_of_line
from careline.curation.proposals.services import is_all_of_hours, is_entity, says_hours
from careline.curation.proposals.transport import transport_of_line
from careline.records.record_table import Body

_NUMBERED = re.compile(r"^[0-9]{1,2}[.)] ")
_BULLETS = "-–*•· "
_MOST_WORDS = 7
_LONGEST_LABEL, _LONGEST_VALUE = 80, 160


@dataclass(frozen=True, slots=True)
class _Line:
    """A line that was read: the fields that it gives, and the label that says of what (empty for what stands above)."""

    about: str
    value: Body
    text: str
    number: int
    context: tuple[str, ...]
    is_visiting: bool = False
    missing: tuple[str, ...] = ()

    @property
    def is_of_hours(self) -> bool:
        """Whether it says hours."""
        return "opening_hours" in self.value or "visiting_hours" in self.value


@dataclass(slots=True)
class _Run:
    """Lines about one thing."""

    lines: list[_Line] = field(default_factory=list)


def lines_in(page: Page) -> Iterator[Statement]:
    """One statement for each thing that lines of a passage say something of."""
    runs: dict[tuple[str, tuple[str, ...]], _Run] = {}
    titles = dict(page.chunk.titles)
    above: dict[int, str] = {}
    for number, text in enumerate(page.chunk.text.splitlines()):
        if number in titles:
            above = {depth: title for depth, title in above.items() if depth < titles[number]}
            above[titles[number]] = text.strip()
            continue
        context = (*(above[depth] for depth in sorted(above, reverse=True)), *page.context)
        of_doctor = schedule_of_line(page, text, number, context)
        of_line = [of_doctor] if of_doctor is not None else transport_of_line(page, text, number, context)
        if of_line:
            yield from of_line
            continue
        line = _read(text, number, context, page.language)
        if line is not None and not (line.is_of_hours and holders_in(_heading(above), page.language)):
            # Hours under the name of a doctor are that doctor's, and those of no door.
            runs.setdefault((line.about, context), _Run()).lines.append(line)
    for run in runs.values():
        yield _statement(page, run.lines)


def _heading(above: dict[int, str]) -> str:
    """The nearest heading."""
    return above[max(above)] if above else ""


def _read(text: str, number: int, context: tuple[str, ...], language: str) -> _Line | None:
    label, colon, said = _NUMBERED.sub("", text.strip().lstrip(_BULLETS)).partition(": ")
    label, said = label.strip(" *_"), said.strip(" *_")
    if not colon or not 1 < len(label) <= _LONGEST_LABEL or not said or len(said) > _LONGEST_VALUE:
        return None
    if len(label.split()) > _MOST_WORDS or any(mark in label for mark in ".?!;"):
        # A sentence that ends in a number: what it is the number of is somewhere in it.
        return None
    bare = said.rstrip(".")
    if phone := phone_in(bare, language):
        return _Line("" if says_phone(label, language) else label, {"phone": phone}, text, number, context)
    if email := email_in(bare):
        return _Line("" if says_email(label, language) else label, {"email": email}, text, number, context)
    if address := address_in(bare):
        about = label if names_campus(label, language) else ""
        is_address = concepts(label, language) & {"address", "campus"}
        return _Line(about, {"address": address}, text, number, context) if is_address else None
    place, rest = place_in(bare)
    if place and not told(rest, language) and says_place(label, language):
        return _Line("", dict(place), text, number, context)
    return _hours(label, bare, text, number, context, language)


def _hours(
    label: str, said: str, text: str, number: int, context: tuple[str, ...], language: str
) -> _Line | None:
    named, rest = days_in(label, language)
    of_hours = says_hours(label, language)
    place, bare = place_in(said)
    reading = read_week(bare if place else said, language, named)
    days = named or reading.days
    if not (reading.has_hours or (named and reading.is_whole)) or not days:
        return None
    if not (reading.is_whole or (named and is_all_of_hours(rest, language)) or of_hours):
        return None
    is_visiting = are_of_visitors((label, *context), language)
    if named:
        # "Zaterdag: gesloten" is of what stands above; "Zaterdag, alleen MRI" is of a part of it.
        about = "" if is_all_of_hours(rest, language) else rest
    else:
        about = "" if of_hours else label
    whole = reading.is_whole and reading.named
    hours = "visiting_hours" if is_visiting else "opening_hours"
    missing = () if whole else (hours,)
    return _Line(about, {hours: reading, **place}, text, number, context, is_visiting, missing)


def _statement(page: Page, lines: list[_Line]) -> Statement:
    value: Body = {}
    missing: set[str] = set()
    for line in lines:
        for name, said in line.value.items():
            if name in ("opening_hours", "visiting_hours"):
                value.setdefault(name, []).append(said)
            elif value.setdefault(name, said) != said:
                missing.add(name)
        missing.update(line.missing)
    for name in ("opening_hours", "visiting_hours"):
        if name in value:
            week = merged(value[name])
            missing |= set() if week.is_whole and week.named else {name}
            value[name] = as_json(week.weekly)
    first = lines[0]
    labels = (first.about,) if first.about else ()
    source = page.source("; ".join(line.text.strip() for line in lines), first.number)
    entity = is_entity("", labels, page.language)
    return Statement(
        _kind(value), page.language, labels, (), first.context, value, tuple(sorted(missing)), source, is_entity=entity
    )


def _kind(value: Body) -> Kind:
    if "visiting_hours" in value:
        return "visiting"
    if "phone" in value or "email" in value:
        return "contact"
    if "opening_hours" in value:
        return "hours"
    return "address" if "address" in value else "place"
