"""Puts the rows of all sheets together as one directory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from careline.directory.directory import HOSPITAL, LAY_WORDS
from careline.directory.entries import (
    Absence,
    Campus,
    Closure,
    Consultation,
    Contact,
    Department,
    Doctor,
    Entrance,
    Entry,
    Hospital,
    LayWords,
    Location,
    Parking,
    PostalAddress,
    Tariff,
    Transport,
    Way,
)
from careline.directory.formats.workbook.hours_writing import BY_APPOINTMENT, Written
from careline.directory.formats.workbook.reading.builder import Builder
from careline.directory.formats.workbook.reading.cells import LOST_ZERO
from careline.directory.formats.workbook.reading.rows import Row
from careline.directory.formats.workbook.reading.timetable import Days, Told, add_days, settled, timetable
from careline.directory.formats.workbook.weekday_writing import DayAndPart
from careline.directory.formats.workbook.words import written
from careline.directory.part import Part
from careline.directory.week import DAYS, HOLIDAY

BEFORE = "lies before the first day"
NO_END = "is missing: the row says when it begins and not when it ends"
NO_BEGINNING = "is missing: the row says when it ends and not when it begins"
ENDS_BEFORE = "is not after the time at which it begins"
OTHER_CURRENCY = "is another currency than stands beside the price"
ADDRESS = ("street", "postcode", "town", "country")
WEEKLY = "weekly"
Rows = Mapping[str, Sequence[Row]]
Values = dict[str, Any]
_Part = TypeVar("_Part", bound=Part)
_Entry = TypeVar("_Entry", bound=Entry)


def _weekdays(days: Sequence[DayAndPart]) -> list[DayAndPart]:
    """The days of consultations: every day of the week, where every day is meant."""
    is_daily = {name for name, _ in days} >= set(DAYS)
    return [one for one in days if not (is_daily and one[0] == HOLIDAY)]


class Assembly:
    """The parts of one workbook. `sources` keeps the row of each entry by section and id."""

    def __init__(self, rows: Rows, builder: Builder) -> None:
        self._rows, self._builder = rows, builder
        self.sources: dict[tuple[str, str], Row] = {}

    def whole(self) -> Values:
        """The directory as it is validated; what is wrong is with the builder."""
        visiting = timetable(self._all("visiting_hours"), self._builder, ("department", "campus", "hospital"))
        opening = timetable(self._all("opening_hours"), self._builder, ("department", "contact", "phone"))
        locations = self._locations()

        def department(row: Row, values: Values) -> Values:
            where = locations.get(row.entry_id, [])
            named = list(dict.fromkeys(one.campus for one in where))
            return {
                "campuses": named,
                **values,
                "locations": where,
                "opening_hours": opening.of("department", row.entry_id),
                "visiting_hours": visiting.of("department", row.entry_id),
            }

        def contact(row: Row, values: Values) -> Values:
            return {**values, "opening_hours": opening.of("contact", row.entry_id)}

        phones = {purpose: opening.of("phone", purpose)[0].weekly for purpose in opening.names("phone")}
        return {
            HOSPITAL: self._hospital({"phone_hours": phones, "visiting_hours": visiting.of("hospital", "")}),
            "campuses": self._campuses(lambda entry_id: visiting.of("campus", entry_id)),
            "departments": self._entries("departments", Department, department),
            "doctors": self._doctors(),
            "tariffs": self._entries("tariffs", Tariff, self._tariff),
            "contacts": self._entries("contacts", Contact, contact),
            LAY_WORDS: self._lay_words(),
            "closures": self._entries("closures", Closure, self._closure),
        }

    def _locations(self) -> dict[str, list[Location]]:
        """Where departments are. One that is twice on a campus may be a slip, which is told of both rows."""
        found: dict[str, list[Location]] = {}
        rows: dict[tuple[str, str], tuple[Row, Location]] = {}
        for row, values in self._read("locations"):
            of = values.pop("department", None)
            part = self._builder.part(Location, values, row)
            if of is None or part is None:
                continue
            found.setdefault(of, []).append(part)
            first, other = rows.setdefault((of, part.campus), (row, part))
            if other.floor != part.floor:
                message = f"row {first.number} has this department on this campus on another floor; callers hear both"
                self._builder.tell(row, "floor", message, warning=True)
        return found

    def _all(self, sheet: str) -> Sequence[Row]:
        return self._rows.get(sheet, ())

    def _read(self, sheet: str) -> Iterator[tuple[Row, Values]]:
        for row in self._all(sheet):
            yield row, self._builder.values(row)

    def _by(
        self,
        sheet: str,
        owner: str,
        model: type[_Part],
        also: Callable[[Row, Values], Values] | None = None,
        *,
        keeps_owner: bool = False,
    ) -> dict[str, list[_Part]]:
        """The parts of a sheet by what they are of."""
        found: dict[str, list[_Part]] = {}
        for row, values in self._read(sheet):
            of = values.get(owner)
            held = {key: value for key, value in values.items() if keeps_owner or key != owner}
            part = self._builder.part(model, also(row, held) if also else held, row)
            if of is not None and part is not None:
                found.setdefault(of, []).append(part)
        return found

    def _entries(self, section: str, model: type[_Entry], made: Callable[[Row, Values], Values]) -> list[_Entry]:
        """The entries of a section, in the order of their rows."""
        found = []
        for row, values in self._read(section):
            entry = self._builder.part(model, made(row, {**values, "id": row.entry_id or "none"}), row)
            if entry is not None:
                self.sources[section, entry.id] = row
                found.append(entry)
        return found

    def _hospital(self, also: Values) -> Hospital:
        for row, values in self._read(HOSPITAL):
            self.sources.setdefault((HOSPITAL, ""), row)
            made = self._builder.part(Hospital, {**values, **also}, row)
            if made is not None:
                return made
        return Hospital.model_validate(also)

    def _campuses(self, visiting: Callable[[str], Any]) -> list[Campus]:
        entrances = self._by("entrances", "campus", Entrance, self._entrance)
        transport = self._by("transport", "campus", Transport)
        parking = self._by("parking", "campus", Parking)
        routes = self._by("routes", "campus", Way)

        def campus(row: Row, values: Values) -> Values:
            return {
                **{key: value for key, value in values.items() if key not in ADDRESS},
                "address": self._address(row, values),
                "entrances": entrances.get(row.entry_id, []),
                "public_transport": transport.get(row.entry_id, []),
                "parking": parking.get(row.entry_id, []),
                "routes": routes.get(row.entry_id, []),
                "visiting_hours": visiting(row.entry_id),
            }

        return self._entries("campuses", Campus, campus)

    def _address(self, row: Row, values: Values) -> PostalAddress | None:
        said = {key: values[key] for key in ADDRESS if key in values}
        cell = row.cells.get("postcode")
        digits = written()["postcode_digits"].get(said.get("country", "BE"), 0)
        if cell is not None and isinstance(cell.value, int | float) and len(said.get("postcode", "")) < digits:
            self._builder.tell(row, "postcode", LOST_ZERO)
        wanted = ADDRESS[:3]
        if not any(key in said or self._builder.is_wrong(row, key) for key in ADDRESS):
            return None
        for key in wanted:
            if key not in said and not self._builder.is_wrong(row, key):
                self._builder.tell(row, key, "is missing: an address has a street, a postcode and a town")
        return self._builder.part(PostalAddress, said, row)

    def _entrance(self, row: Row, values: Values) -> Values:
        """An entrance; hours of every day in two parts are those of each day."""
        weekly = {day: self._only_hours(row, f"weekly.{day}", held) for day, held in values.pop("weekly", {}).items()}
        daily = self._only_hours(row, "every_day", values.pop("every_day", []))
        days: Days = {}
        add_days(row, {"weekly": weekly}, days, self._builder)
        if len(daily) == 1:
            values["hours"] = {"from": daily[0][0], "to": daily[0][1]}
        elif daily:
            for day in (*DAYS, HOLIDAY):
                days.setdefault(day, []).append(Told(row, "every_day", daily, is_daily=True))
        return {**values, "weekly": settled(days, self._builder)}

    def _only_hours(self, row: Row, key: str, hours: Written) -> list[tuple[str, str]]:
        """Hours of what is never by appointment."""
        if hours == BY_APPOINTMENT:
            self._builder.tell(row, key, "is by appointment, which a door or a closure is not; write hours, or closed")
            return []
        return hours

    def _doctors(self) -> list[Doctor]:
        consultations = self._consultations()
        absences = self._by("absences", "doctor", Absence, self._absence)

        def doctor(row: Row, values: Values) -> Values:
            spellings = values.pop("spellings", [])
            return {
                **values,
                "synonyms": spellings,
                "consultations": consultations.get(row.entry_id, []),
                "absences": absences.get(row.entry_id, []),
            }

        return self._entries("doctors", Doctor, doctor)

    def _consultations(self) -> dict[str, list[Consultation]]:
        """Consultations by doctor; a row of several days or hours is one for each."""
        found: dict[str, list[Consultation]] = {}
        for row, values in self._read("consultations"):
            of, days, hours = values.pop("doctor", None), values.pop("weekday", ()), values.pop("hours", None)
            often = self._often(values.pop("frequency", [WEEKLY]), hours)
            when = [{**self._on_day(row, values, day), "frequency": one} for day in _weekdays(days) for one in often]
            every = self._times(row, values, [] if hours == BY_APPOINTMENT else hours)
            for one in when:
                for times in every:
                    made = self._builder.part(Consultation, {**values, **times, **one}, row)
                    if of is not None and made is not None:
                        found.setdefault(of, []).append(made)
        return found

    def _often(self, said: list[str], hours: Any) -> list[str]:
        return [BY_APPOINTMENT] if hours == BY_APPOINTMENT and said == [WEEKLY] else said

    def _on_day(self, row: Row, values: Values, day: DayAndPart) -> Values:
        """The day of a consultation, with the part that stands beside it."""
        name, part = day
        if name not in DAYS:
            self._builder.tell(row, "weekday", "names no day of the week; consultations are on weekdays")
        if part and values.get("part", part) != part:
            self._builder.tell(row, "part", "is another part of the day than stands beside the day")
        return {"weekday": name, **({"part": part} if part else {})}

    def _times(self, row: Row, values: Values, hours: list[tuple[str, str]] | None) -> list[Values]:
        if hours is not None and ("opens" in values or "closes" in values):
            beside = f"{row.heading('opens')} and {row.heading('closes')}"
            self._builder.tell(row, "hours", f"stands beside {beside}; write the hours once")
        if hours:
            return [{"opens": opens, "closes": closes} for opens, closes in hours]
        if "opens" in values and "closes" in values and values["closes"] <= values["opens"]:
            self._builder.tell(row, "closes", ENDS_BEFORE)
        for said, lacks, message in (("opens", "closes", NO_END), ("closes", "opens", NO_BEGINNING)):
            if said in values and lacks not in values and not self._builder.is_wrong(row, lacks):
                self._builder.tell(row, lacks, message)
        return [{}]

    def _absence(self, row: Row, values: Values) -> Values:
        return self._with_last_day(row, values)

    def _with_last_day(self, row: Row, values: Values) -> Values:
        """Without a last day it is the first alone."""
        since, until = values.get("since"), values.get("until")
        if since is not None and until is not None and until < since:
            self._builder.tell(row, "until", BEFORE)
        if since is not None and until is None and not self._builder.is_wrong(row, "until"):
            values["until"] = since
        return values

    def _tariff(self, row: Row, values: Values) -> Values:
        amount, beside = values.pop("amount", (None, None))
        if amount is not None:
            values["amount"] = amount
        if beside is not None and values.setdefault("currency", beside) != beside:
            self._builder.tell(row, "currency", OTHER_CURRENCY)
        return values

    def _closure(self, row: Row, values: Values) -> Values:
        said = self._only_hours(row, "hours", values.pop("hours", []))
        hours = [{"from": opens, "to": closes} for opens, closes in said]
        return {**self._with_last_day(row, values), "hours": hours}

    def _lay_words(self) -> list[LayWords]:
        found = []
        for row, values in self._read("lay_words"):
            made = self._builder.part(LayWords, values, row)
            if made is not None:
                found.append(made)
                self.sources[LAY_WORDS, f"entry {len(found)}"] = row
        return found
