"""Finds when doctors hold consultations, in tables that name a doctor in a row and days or hours beside them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from careline.curation.proposals.proposal import Statement
from careline.curation.proposals.reading.cells import Page, PlacedValue, row_text, values_of
from careline.curation.proposals.reading.particulars import names_campus, phone_in
from careline.curation.proposals.reading.weeks import days_in, read_week
from careline.curation.proposals.reading.words import concepts, is_nothing, words
from careline.model import Table
from careline.records.record_table import Body
from careline.text.figure_words import plain

_HEAD = frozenset(("head",))
_SPLIT = re.compile(r" ?[,;] ?| (?:&|en|and|et|e) ")


@dataclass(frozen=True, slots=True)
class Holder:
    """A doctor as a document names them."""

    title: str
    first_name: str
    last_name: str
    is_head: bool = False


def schedules_in(page: Page, table: Table) -> Iterator[Statement]:
    """One statement for each doctor of a row that names days on which they hold consultations."""
    values = list(values_of(table))
    for row, held in enumerate(table.rows):
        cells = [one for one in values if one.row == row]
        texts = [(label, "label") for label in held.labels] + [(one.value, "value") for one in cells]
        holders = next((found for text, _ in texts if (found := holders_in(text, page.language))), [])
        if not holders:
            continue
        campus = next((one.value for one in cells if any(names_campus(p, page.language) for p in one.path)), "")
        campus = campus or _campus_label(table, held.labels, page.language)
        consultations, whole = _consultations(cells, campus, page.language)
        if not consultations and whole:
            continue
        department = tuple(label for label in held.labels if label and not holders_in(label, page.language))
        labels = tuple(label for label in department if label != campus)
        for holder in holders:
            yield _statement(page, table, row, holder, labels, consultations, whole and len(holders) == 1)


def _campus_label(table: Table, labels: tuple[str, ...], language: str) -> str:
    """The label of a row in a column of campuses."""
    for stub, label in zip(table.stub, labels, strict=False):
        if names_campus(stub, language):
            return label
    return ""


def _consultations(cells: list[PlacedValue], campus: str, language: str) -> tuple[list[Body], bool]:
    """The consultations of a row, and whether all that it says of them was read."""
    found: list[Body] = []
    whole = True
    for one in cells:
        if is_nothing(one.value) or phone_in(one.value, language) or holders_in(one.value, language):
            continue
        read = _read(one.value, campus, language)
        expects = any(concepts(label, language) & {"consultation", "day", "opening"} for label in one.path)
        if read is None:
            whole &= not expects or one.value == campus
            continue
        found += read
        whole &= not one.notes
    return found, whole


def _read(value: str, campus: str, language: str) -> list[Body] | None:
    """Consultations as a cell lists them: days alone, or hours of days, by campus where it names several."""
    found: list[Body] = []
    for part in value.split(";"):
        place, colon, said = part.strip().partition(": ")
        if not colon:
            place, said = campus, part
        read = _part(said.strip(), place.strip(), language)
        if read is None:
            return None
        found += read
    return found


def _part(said: str, campus: str, language: str) -> list[Body] | None:
    frequency, said = _frequency(said)
    days, rest = days_in(said, language)
    if days and not rest:
        return [_consultation(day, None, campus, frequency) for day in days]
    reading = read_week(said, language)
    if not (reading.is_whole and reading.named and reading.has_hours):
        return None
    return [
        _consultation(day, ranged, campus, frequency) for day, ranges in reading.weekly.items() for ranged in ranges
    ]


def _frequency(said: str) -> tuple[str, str]:
    """How often, where a turn of phrase says so, and the rest of the text."""
    low = plain(said)
    for phrase, name in words().frequencies:
        at = low.find(phrase)
        if at >= 0 and len(low) == len(said):
            rest = f"{said[:at]}{said[at + len(phrase) :]}".replace("()", "")
            return name, " ".join(rest.split())
    return "weekly", said


def _consultation(day: str, ranged: tuple[str, str] | None, campus: str, frequency: str) -> Body:
    hours: Body = {"from": ranged[0], "to": ranged[1]} if ranged else {}
    often: Body = {} if frequency == "weekly" else {"frequency": frequency}
    return {"weekday": day, **hours, **({"campus": campus} if campus else {}), **often}


def holders_in(text: str, language: str) -> list[Holder]:
    """The doctors that a cell names, each behind a title: "dr. Vercauteren, dr. Aelbrecht"."""
    found: list[Holder] = []
    parts = [part for part in _SPLIT.split(" ".join(text.split())) if part]
    for part in parts:
        holder = _holder(part)
        if holder is not None:
            found.append(holder)
        elif found and concepts(part, language) & _HEAD:
            last = found.pop()
            found.append(Holder(last.title, last.first_name, last.last_name, is_head=True))
        else:
            return []
    return found


def _holder(text: str) -> Holder | None:
    tokens = text.split()
    title = []
    while tokens and plain(tokens[0]) in words().doctors:
        title.append(tokens.pop(0))
    if not title or not 1 <= len(tokens) <= 5 or not all(token[:1].isalpha() for token in tokens):
        return None
    if not tokens[-1][:1].isupper():
        return None
    first, last = (tokens[:1], tokens[1:]) if len(tokens) > 1 and not _is_particle(tokens[0]) else ([], tokens)
    return Holder(" ".join(title), " ".join(first), " ".join(last))


def _is_particle(token: str) -> bool:
    """Whether a name begins with it: "Van Overmeire" has no first name before it."""
    return plain(token) in words().particles


def _statement(
    page: Page, table: Table, row: int, holder: Holder, labels: tuple[str, ...], consultations: list[Body], whole: bool
) -> Statement:
    value: Body = {"title": holder.title, "first_name": holder.first_name, "last_name": holder.last_name}
    value = {name: text for name, text in value.items() if text}
    if holder.is_head:
        value["role"] = "head_of_department"
    if whole:
        value["consultations"] = consultations
    missing = () if whole else ("consultations",)
    source = page.source(row_text(table, row), row)
    return Statement("schedule", page.language, labels, (), page.context, value, missing, source)
