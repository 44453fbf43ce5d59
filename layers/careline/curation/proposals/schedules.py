"""Finds when doctors hold consultations: in tables of doctors and days, whichever stands where, and in lines.

A table has a doctor a row and days as columns, days as rows and a doctor a column, doctors in the cells of a week, or
a record a row whose cells name doctor, days and hours. What of it could not be read whole is said to be missing.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from careline.curation.proposals.proposal import Statement
from careline.curation.proposals.reading.cells import SHOWN, Page, PlacedValue, row_text
from careline.curation.proposals.reading.holders import Holder, holders_in
from careline.curation.proposals.reading.particulars import email_in, is_of_campuses, phone_in
from careline.curation.proposals.reading.records import values_with_spans
from careline.curation.proposals.reading.sessions import WEEKLY, Sessions, sessions_in
from careline.curation.proposals.reading.weeks import clock_alone, days_in
from careline.curation.proposals.reading.words import concepts, is_nothing, told, words
from careline.model import Table
from careline.records.record_table import Body
from careline.text.figure_words import plain

_OF_HOURS = frozenset("opening hour visit consultation day week department doctor".split())
_SAYS_WHEN = frozenset(("consultation", "day", "opening", "hour"))
_ANY_TIME = Sessions()


@dataclass(frozen=True, slots=True)
class _Around:
    """What labels say of the cells that they stand at. `others` are those that are neither doctor nor time."""

    holders: tuple[Holder, ...] = ()
    when: Sessions = _ANY_TIME
    others: tuple[str, ...] = ()
    is_read: bool = True

    def beside(self, other: _Around) -> _Around:
        """Labels of a row and of a column together."""
        when = self.when.over(other.when)
        is_read = self.is_read and other.is_read and when is not None
        return _Around((*self.holders, *other.holders), when or Sessions(), (*self.others, *other.others), is_read)


@dataclass(slots=True)
class _Said:
    """What is said of one doctor. `labels` are those of the first row, `here` those of the one that is read."""

    holder: Holder
    labels: tuple[str, ...]
    here: tuple[str, ...] = ()
    consultations: list[Body] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)
    whole: bool = True

    def add(self, consultations: Sequence[Body] | None) -> None:
        """Consultations, or None for what could not be read."""
        self.whole &= consultations is not None
        placed = _at(consultations or (), self.here, self.labels)
        self.consultations += [one for one in placed if one not in self.consultations]


def _at(consultations: Iterable[Body], here: tuple[str, ...], labels: tuple[str, ...]) -> list[Body]:
    """Consultations with the labels that they stand at, where these are others than those of the doctor."""
    is_elsewhere = bool(here) and here != labels
    return [{**one, "at": list(here)} if is_elsewhere and "at" not in one else dict(one) for one in consultations]


def schedules_in(page: Page, table: Table) -> Iterator[Statement]:
    """One statement for each doctor of a table that says when they are there."""
    if are_of_else(page.context):
        return
    said: dict[tuple[str, str], _Said] = {}
    values = [one for one in values_with_spans(table, page.language) if not are_of_else((*one.path, *one.labels))]
    paths = {one.column: _around(one.path, page.language) for one in values}
    for row, held in enumerate(table.rows):
        cells = [one for one in values if one.row == row]
        labels = [(stub, label) for stub, label in zip(_stubs(table, held.labels), held.labels, strict=True) if label]
        campus = next((label for stub, label in labels if is_of_campuses((stub,), page.language)), "")
        around = _around([label for _, label in labels if label != campus], page.language)
        _read_row(_Row(page.language, row, around, campus, cells, paths), said)
    for one in said.values():
        if one.consultations or not one.whole:
            yield _statement(page, one, _text(table, one), one.rows[0] if len(set(one.rows)) == 1 else None)


def joined(statements: Iterable[Statement]) -> Iterator[Statement]:
    """Statements with those of one doctor under one heading as one: a long table is read in several parts."""
    found: list[Statement] = []
    seen: dict[tuple[object, ...], int] = {}
    for one in statements:
        named = (one.value.get("last_name"), one.value.get("first_name"), one.context)
        at = seen.setdefault(named, len(found)) if one.kind == "schedule" else len(found)
        if at < len(found):
            found[at] = _both(found[at], one)
        else:
            found.append(one)
    yield from found


def _both(first: Statement, more: Statement) -> Statement:
    """What two parts of a table say of one doctor."""
    held = first.value.get("consultations", [])
    added = [one for one in _at(more.value.get("consultations", []), more.labels, first.labels) if one not in held]
    if not added and set(more.missing) <= set(first.missing):
        return first
    consultations = [*held, *added]
    missing = tuple(dict.fromkeys((*first.missing, *more.missing, *_unsure(consultations))))
    value = {**first.value, **({"consultations": consultations} if consultations else {})}
    text = f"{first.source.text}; {more.source.text}"[:SHOWN]
    return replace(first, value=value, missing=missing, source=replace(first.source, text=text, row=None))


def are_of_else(labels: Iterable[str]) -> bool:
    """Whether labels or headings say that days are not those of consultations: of absence, on call, in theatre."""
    said = (" ".join(("", *plain(label).replace("(", " ").replace(")", " ").split(), "")) for label in labels)
    return any(phrase in label for label in said for phrase in words().no_consultations)


def schedule_of_line(page: Page, text: str, number: int, context: tuple[str, ...]) -> Statement | None:
    """What a line says of a doctor: "Dr. Holt: Monday and Thursday 9-12"."""
    name, colon, when = text.strip().lstrip("-–*•· ").replace(" :", ":").partition(": ")
    holders = holders_in(name.strip(" *_"), page.language) if colon else []
    if len(holders) != 1 or are_of_else(context):
        return None
    read = _places(when.strip(" .*_"), "", Sessions(), page.language)
    if read is None and not days_in(when, page.language)[0]:
        return None
    said = _Said(holders[0], (), rows=[number])
    said.add(read)
    is_some = said.consultations or not said.whole
    return _statement(page, said, text.strip(), number, context) if is_some else None


@dataclass(frozen=True, slots=True)
class _Row:
    """A row of a table: what its labels say, the campus that they name, its cells, and what stands above each."""

    language: str
    number: int
    around: _Around
    campus: str
    cells: list[PlacedValue]
    paths: dict[int, _Around]


def _stubs(table: Table, labels: Sequence[str]) -> tuple[str, ...]:
    return (*table.stub, *("",) * len(labels))[: len(labels)]


def _around(labels: Sequence[str], language: str) -> _Around:
    found = _Around()
    for label in labels:
        found = found.beside(_label(label, language))
    return found


def _label(label: str, language: str) -> _Around:
    if is_nothing(label):
        return _Around()
    if holders := holders_in(label, language):
        return _Around(tuple(holders))
    read = sessions_in(label, language)
    if read is not None and len(read) == 1 and not read[0].is_closed:
        return _Around(when=read[0])
    said = told(label, language)
    if all(word.concepts & _OF_HOURS or word.text in words().holders for word in said):
        return _Around()
    return _Around(others=(label,), is_read=not days_in(label, language)[0])


def _read_row(row: _Row, said: dict[tuple[str, str], _Said]) -> None:
    """Note what a row says, of the doctors that its labels, its cells or what stands above these name."""
    named = {one.column: holders_in(one.value, row.language) for one in row.cells}
    own = list(row.around.holders)
    if not own:
        # A record: its doctor stands in a cell that no day stands above.
        own = next((held for at, held in named.items() if held and not _days(row, at)), [])
    for one in row.cells:
        at = row.around.beside(row.paths[one.column])
        for holder in at.holders or tuple(named[one.column]):
            if at.when.days and holder not in own:
                text = "" if named[one.column] else one.value
                _noted(said, holder, row, row.paths[one.column]).add(_cell(one, text, at, row))
    if not own:
        return
    consultations, whole = _of_record(row, named)
    for holder in own:
        if whole and not consultations and holder.key not in said:
            continue
        held = _noted(said, holder, row)
        held.add(consultations)
        # Of several doctors in one record nobody says who is there when.
        held.whole &= whole and len(own) == 1


def _days(row: _Row, column: int) -> bool:
    return bool(row.around.when.days or row.paths[column].when.days)


def _noted(said: dict[tuple[str, str], _Said], holder: Holder, row: _Row, above: _Around | None = None) -> _Said:
    # What stands beside the name of a doctor above a column is where that doctor works.
    others = above.others if above is not None and above.holders else ()
    here = (*row.around.others, *others)
    held = said.setdefault(holder.key, _Said(holder, here))
    held.here = here
    held.rows.append(row.number)
    return held


def _cell(one: PlacedValue, text: str, at: _Around, row: _Row) -> list[Body] | None:
    """What a cell says of a doctor and a day that its labels name; an empty text is the doctor's own cell."""
    if not text and one.value and not is_nothing(one.value):
        return None if one.notes or not at.is_read else list(at.when.consultations(_campus(row, one)))
    if is_nothing(text):
        return []
    return None if one.notes or not at.is_read else _places(text, _campus(row, one), at.when, row.language)


def _campus(row: _Row, one: PlacedValue) -> str:
    """The campus of a cell: that of its row, or the one thing that stands above it beside days."""
    above = row.paths[one.column]
    others = () if above.holders else above.others
    return row.campus or (others[0] if len(others) == 1 else "") or _campus_of_record(row)


def _campus_of_record(row: _Row) -> str:
    return next((one.value for one in row.cells if is_of_campuses(one.path, row.language)), "")


def _of_record(row: _Row, named: dict[int, list[Holder]]) -> tuple[list[Body], bool]:
    """The consultations of a doctor whose row it is, and whether these are all that it says of them."""
    found: list[Body] = []
    loose: list[Sessions] = []
    campus = row.campus or _campus_of_record(row)
    # What takes the place of a value says why there is none, which may be of the whole row.
    whole = not any(one.notes for one in row.cells if is_nothing(one.value))
    cells = [one for one in row.cells if not (named[one.column] or _is_beside(one, row.language))]
    if not cells and row.around.when.days:
        return list(row.around.when.consultations(campus)), whole and row.around.is_read
    for one in cells:
        above = row.paths[one.column]
        if is_nothing(one.value):
            continue
        if above.when.days or row.around.when.days:
            read = _cell(one, one.value, row.around.beside(above), row)
            found += read or []
            whole &= read is not None
            continue
        read_alone = _loose(one, row)
        if read_alone is None:
            whole = False
        else:
            found += read_alone[0]
            loose += read_alone[1]
    together = _together(loose, found)
    placed = [body for one in together or () for body in one.consultations(campus)]
    return [*found, *placed], whole and together is not None


def _is_beside(one: PlacedValue, language: str) -> bool:
    """Whether a cell says where a doctor is or how to reach them, and not when."""
    is_of_phone = any(concepts(label, language) & {"phone"} for label in one.path)
    reaches = phone_in(one.value, language) or email_in(one.value)
    return is_of_phone or bool(reaches) or is_of_campuses(one.path, language)


def _loose(one: PlacedValue, row: _Row) -> tuple[list[Body], list[Sessions]] | None:
    """What a cell says without a label that names a day: whole consultations, or days or times alone."""
    says_when = _says_when(one, row.language)
    says_more = bool(one.path) and bool(_label(one.path[-1], row.language).others)
    if says_more and any(_says_when(each, row.language) for each in row.cells):
        # Another column says that it is the one of consultations, and no more than that.
        return ([], []) if sessions_in(one.value, row.language) else _other(one, row, is_some=False)
    read = sessions_in(one.value, row.language)
    if read is None and (placed := _places(one.value, row.campus, Sessions(), row.language)) is not None:
        return placed, []
    if read is None or (read and one.notes):
        return _other(one, row, is_some=says_when)
    campus = row.campus or _campus_of_record(row)
    whole = [each for each in read if each.days and each.times and not each.is_closed]
    rest = [each for each in read if each not in whole and not each.is_closed]
    return [body for each in whole for body in each.consultations(campus)], rest


def _says_when(one: PlacedValue, language: str) -> bool:
    return any(concepts(label, language) & _SAYS_WHEN for label in one.path) and not one.value == ""


def _other(one: PlacedValue, row: _Row, *, is_some: bool) -> tuple[list[Body], list[Sessions]] | None:
    """What stands in a column of something else, and names no day or time, is of something else; but a remark may be of
    all."""
    is_remark = any(word in words().remarks for label in one.path for word in plain(label).split())
    is_time = clock_alone(one.value) is not None and not one.value.strip().isdigit()
    return None if is_some or is_remark or is_time or days_in(one.value, row.language)[0] else ([], [])


def _together(loose: list[Sessions], found: list[Body]) -> list[Sessions] | None:
    """Days of one cell with the times and the frequency of others; None where it is not clear which are whose."""
    days = [one for one in loose if one.days]
    rest = [one for one in loose if not one.days]
    if not rest:
        return days
    if len(days) != 1 or found:
        return None if any(one.times or one.frequency != WEEKLY for one in rest) else days
    whole: Sessions | None = days[0]
    for one in rest:
        whole = one.over(whole) if whole is not None else None
    if whole is None or (len(whole.days) > 1 and len(whole.times) > 1):
        # "Monday and Thursday", "9-12, 14-17": the hours may be one day's each.
        return None
    return [whole]


def _places(text: str, campus: str, around: Sessions, language: str) -> list[Body] | None:
    """Consultations as a text lists them, by campus where it names several: "Campus North: Mon 9-12; …"."""
    found: list[Body] = []
    for part in text.split(";"):
        place, colon, said = part.strip().partition(": ")
        if not colon or sessions_in(place, language) is not None:
            place, said = campus, part.strip().replace(": ", " ")
        read = sessions_in(said.strip(), language)
        if read is None:
            return None
        for one in read:
            whole = one.over(around)
            if whole is None or not whole.days:
                return None
            found += [] if whole.is_closed else whole.consultations(place.strip())
    return found


def _unsure(consultations: Sequence[Body]) -> tuple[str, ...]:
    """What is missing where somebody would be twice somewhere at once: two of them are of other times of the year."""
    timed = [one for one in consultations if "from" in one]
    twice = any(
        one["weekday"] == other["weekday"] and one.get("frequency") == other.get("frequency")
        and one["from"] < other["to"] and other["from"] < one["to"]
        for one, other in itertools.combinations(timed, 2)
    )  # fmt: skip
    return ("consultations",) if twice else ()


def _text(table: Table, said: _Said) -> str:
    rows = list(dict.fromkeys(said.rows))
    return "; ".join(row_text(table, row) for row in rows)


def _statement(
    page: Page, said: _Said, text: str, row: int | None, context: tuple[str, ...] | None = None
) -> Statement:
    holder = said.holder
    value: Body = {"title": holder.title, "first_name": holder.first_name, "last_name": holder.last_name}
    value = {name: given for name, given in value.items() if given}
    if holder.is_head:
        value["role"] = "head_of_department"
    if said.consultations:
        value["consultations"] = said.consultations
    missing = _unsure(said.consultations) if said.whole else ("consultations",)
    source = page.source(text, row)
    return Statement(
        "schedule", page.language, said.labels, (), page.context if context is None else context, value, missing, source
    )
