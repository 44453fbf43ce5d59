"""Finds how services are reached, when they are open and where they are, in the tables of a document.

A table may have one service a row or one a column: what a label says of its values ("Telefoon", "Zaterdag") is taken
from the labels around a value, and what is left names the service.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from careline.curation.proposals.proposal import Kind, Statement
from careline.curation.proposals.reading.cells import Page, PlacedValue, row_text
from careline.curation.proposals.reading.holders import holders_in
from careline.curation.proposals.reading.particulars import (
    email_in,
    is_of_campuses,
    phone_in,
    place_in,
    says_email,
    says_phone,
    says_place,
)
from careline.curation.proposals.reading.records import values_with_days
from careline.curation.proposals.reading.weeks import WeekReading, as_json, days_in, merged, read_week
from careline.curation.proposals.reading.words import are_of_visitors, concepts, is_nothing, told, words
from careline.model import Table
from careline.records.record_table import Body
from careline.text.figure_words import plain
from careline.text.label_words import label_words, vocabulary

OF_HOURS = frozenset("opening closing hour visit consultation morning afternoon evening day week".split())
"""Concepts of labels that say that hours follow, and not of what."""
_NAMES_HOURS = frozenset(("opening", "visit", "consultation"))
_LONGEST_NAME = 120


@dataclass(slots=True)
class _Service:
    """What a table says of one service."""

    row: int
    column: int
    numbers: list[str] = field(default_factory=list)
    emails: list[str] = field(default_factory=list)
    weeks: list[WeekReading] = field(default_factory=list)
    place: dict[str, int | str] = field(default_factory=dict)
    labels: tuple[str, ...] = ()
    qualifiers: list[str] = field(default_factory=list)
    is_visiting: bool = False
    unread: set[str] = field(default_factory=set)
    is_by_phone: bool = False
    is_certain: bool = False
    """Whether its hours are those of a door or of visitors, and not of whatever else has hours."""
    rows: set[int] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class _Read:
    """What one value says, the labels of it that are left, and those that say for what of it it holds."""

    kind: str
    value: object
    labels: tuple[str, ...]
    qualifiers: tuple[str, ...] = ()
    whole: bool = True
    is_certain: bool = False
    is_by_phone: bool = False
    """Whether hours are those in which a number is answered."""


def services_in(page: Page, table: Table) -> Iterator[Statement]:
    """One statement for each service of a table that it says something of."""
    services: dict[tuple[str, ...], _Service] = {}
    values = values_with_days(table, page.language)
    campuses = {one.row: one.value for one in values if is_of_campuses(one.path, page.language)}
    of_doctors = {one.row for one in values if holders_in(one.value, page.language)}
    remarked = {one.row for one in values if _takes_back(one, page.language)}
    for one in values:
        read = _read(one, page.language)
        if read is None or (read.kind == "hours" and one.row in of_doctors):
            # What stands in the row of a doctor is when that doctor is there, and not when a door is open.
            continue
        place, labels = _placed(read.labels)
        campus = campuses.get(one.row, "")
        about = tuple(label for label in (*labels, campus) if label and not is_nothing(label))
        held = services.setdefault(about, _Service(one.row, one.column, labels=about))
        held.rows.add(one.row)
        held.place = {**place, **held.place}
        held.qualifiers += [text for text in read.qualifiers if text not in held.qualifiers]
        _add(held, read, one, page)
        held.unread |= {"hours"} if read.kind == "hours" and one.row in remarked else set()
    for service in services.values():
        if (statement := _statement(page, table, service)) is not None:
            yield statement


def _takes_back(one: PlacedValue, language: str) -> bool:
    """Whether a cell is a remark that names days or times, which may be others than those of its row."""
    is_remark = any(word in words().remarks for label in one.path for word in plain(label).split())
    return is_remark and (bool(days_in(one.value, language)[0]) or any(map(str.isdigit, one.value)))


def _placed(labels: tuple[str, ...]) -> tuple[dict[str, int | str], tuple[str, ...]]:
    """Route and floor that stand in the labels, and these without them."""
    found: dict[str, int | str] = {}
    bare: list[str] = []
    for label in labels:
        place, rest = place_in(label)
        found.update(place)
        bare.append(rest if place else label)
    return found, tuple(bare)


def _read(one: PlacedValue, language: str) -> _Read | None:
    """What a value says, where it is a number, an address to write to, hours or a place."""
    around = tuple(label for label in (*one.labels, *one.path) if not _is_holder(label))
    if phone := phone_in(one.value, language):
        return _Read("phone", phone, tuple(label for label in around if not says_phone(label, language)))
    if email := email_in(one.value):
        return _Read("email", email, tuple(label for label in around if not says_email(label, language)))
    if len(around) == len(one.labels) + len(one.path) and (hours := _hours(one, around, language)) is not None:
        return hours
    place, rest = place_in(one.value)
    if place and not told(rest, language):
        return _Read("place", place, tuple(label for label in around if not says_place(label, language)))
    return None


def _is_holder(label: str) -> bool:
    """Whether a label is the name of a doctor."""
    first = plain(label).split()[:1]
    return bool(first) and first[0] in words().doctors


def _hours(one: PlacedValue, around: tuple[str, ...], language: str) -> _Read | None:
    """Hours that the value or a label says are some; None where a value is none of a column or row of hours."""
    days: list[str] = []
    kept, narrowed, expects, certain = [], [], False, False
    for label in around:
        named, rest = days_in(label, language)
        of_hours = says_hours(label, language)
        days += named
        expects |= bool(named) or of_hours
        certain |= bool(named) and is_all_of_hours(rest, language)
        certain |= of_hours and bool(concepts(label, language) & _NAMES_HOURS)
        if not named and not of_hours:
            kept.append(label)
        elif named and not is_all_of_hours(rest, language):
            narrowed.append(label)
    reading = read_week(one.value, language, dict.fromkeys(days))
    if not (certain or reading.is_whole):
        # "Daily 1 to 2 mg" names days and a range as well; beside a number, under "Hours", it is hours.
        is_some = expects and not is_nothing(one.value)
        return _Read("hours", None, tuple(kept), tuple(narrowed), whole=False) if is_some else None
    certain |= bool(reading.days)
    labels, qualifiers = tuple(kept), tuple(narrowed)
    by_phone = any(says_hours(label, language) and _asks_phone(label, language) for label in around)
    if not reading.has_hours and not (days and reading.is_whole and reading.weekly):
        says_some = expects and not is_nothing(one.value) and (reading.days or any(map(str.isdigit, one.value)))
        return _Read("hours", None, labels, qualifiers, False, certain, by_phone) if says_some else None
    if not expects and not reading.days:
        return None
    whole = reading.is_whole and reading.named and not one.notes
    return _Read("hours", reading, labels, qualifiers, whole, certain, by_phone)


def says_hours(label: str, language: str) -> bool:
    """Whether a label says that hours follow, and nothing else; an empty one says nothing."""
    said = label_words(label, language)
    asked = vocabulary().asks.get(language, {})
    hits = [word for word in said if word.concepts & OF_HOURS or asked.get(word.text) in ("time", "phone")]
    return bool(hits) and all(word in hits or (word.is_talk and not word.concepts) for word in said)


def _asks_phone(label: str, language: str) -> bool:
    asked = vocabulary().asks.get(language, {})
    return any(word.concepts & {"phone"} or asked.get(word.text) == "phone" for word in label_words(label, language))


def is_all_of_hours(rest: str, language: str) -> bool:
    return all(word.concepts & OF_HOURS for word in told(rest, language))


def _add(held: _Service, read: _Read, one: PlacedValue, page: Page) -> None:
    if read.kind == "phone":
        held.numbers.append(str(read.value))
    elif read.kind == "email":
        held.emails.append(str(read.value))
    elif read.kind == "place" and isinstance(read.value, dict):
        held.place.update(read.value)
    else:
        around = (*reversed(one.path), *reversed(one.labels), *page.context)
        held.is_visiting |= are_of_visitors(around, page.language)
        held.is_certain |= read.is_certain
        held.is_by_phone |= read.is_by_phone
        if isinstance(read.value, WeekReading):
            held.weeks.append(read.value)
        if not read.whole:
            held.unread.add("hours")


def _statement(page: Page, table: Table, service: _Service) -> Statement | None:
    is_reachable = bool(service.numbers or service.emails)
    if not (any(week.has_hours for week in service.weeks) and (service.is_certain or is_reachable)):
        service.weeks.clear()
    week = merged(service.weeks)
    unread = set(service.unread) if service.weeks or is_reachable else service.unread - {"hours"}
    if service.weeks and not (week.is_whole and week.named):
        unread.add("hours")
    hours = "visiting_hours" if service.is_visiting else "phone_hours" if service.is_by_phone else "opening_hours"
    value: Body = {}
    for name, found in (("phone", service.numbers), ("email", service.emails)):
        distinct = list(dict.fromkeys(found))
        if len(distinct) == 1:
            value[name] = distinct[0]
        elif distinct:
            unread.add(name)
    if service.weeks:
        value[hours] = as_json(week.weekly)
    value.update(service.place)
    is_visited = service.is_visiting and (service.weeks or "hours" in unread)
    kind: Kind = "visiting" if is_visited else "contact" if "phone" in value or "email" in value else "hours"
    if kind == "hours" and not service.weeks and not unread:
        kind = "place"
    if not value:
        return None
    missing = tuple(sorted({hours if name == "hours" else name for name in unread}))
    text = row_text(table, service.row) if len(service.rows) == 1 else _column_text(table, service)
    source = page.source(text, service.row if len(service.rows) == 1 else None, service.column)
    labels = tuple(label[:_LONGEST_NAME] for label in service.labels)
    return Statement(
        kind, page.language, labels, tuple(service.qualifiers), page.context, value, missing, source,
        is_entity=is_entity(table.stub[0] if table.stub else "", labels, page.language),
    )  # fmt: skip


def _column_text(table: Table, service: _Service) -> str:
    """The rows that say something of a service which is a column."""
    return "; ".join(
        f"{' – '.join(filter(None, table.rows[row].labels))}: {table.rows[row].values[service.column]}"
        for row in sorted(service.rows)
    )


def is_entity(stub: str, labels: tuple[str, ...], language: str) -> bool:
    """Whether labels name a service with a door of its own: their column says so, or a word of theirs does."""
    if concepts(stub, language) & {"department"}:
        return True
    known = words()
    said = [word for label in labels for word in label_words(label, language)]
    return any(word.concepts & known.services or word.text in known.shops for word in said)
