"""What the directory says to a question: facts by kind, each with the entries that it rests on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import TypeAlias

from careline.directory.asked_time import ANY_TIME, AskedTime
from careline.directory.directory import Directory
from careline.directory.entries import Absence, Campus, Closure, Consultation, Department, Doctor, Location, Tariff
from careline.directory.week import Hours, WeeklyHours

Cite: TypeAlias = tuple[str, str]
"""Section and id of an entry that a fact rests on; of the hospital itself, an empty id."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of a directory: the intent, what the question names of it (ids), its time, and the clock.

    `directory` is what holds today; `holidays` are public holidays by day, with their names.
    """

    directory: Directory
    now: datetime
    language: str
    intent: str
    sub_intent: str = ""
    doctors: tuple[str, ...] = ()
    departments: tuple[str, ...] = ()
    campuses: tuple[str, ...] = ()
    contacts: tuple[str, ...] = ()
    tariffs: tuple[str, ...] = ()
    complaint: str = ""
    """What somebody wants to be treated for, as it was said."""
    sex: str | None = None
    spoken: str | None = None
    """A language that a doctor is asked to speak, as ISO 639."""
    is_head: bool = False
    """Whether who leads a department is asked for."""
    units: tuple[str, ...] = ()
    """What a price is asked for one of."""
    purposes: frozenset[str] = frozenset()
    """What a number is asked for."""
    qualifiers: frozenset[str] = frozenset()
    """What the question says that changes what answers it (`careline.directory.qualifiers`)."""
    words: frozenset[str] = frozenset()
    """Stems of what else the question says, by which one of several things is meant."""
    is_short: bool = False
    """Whether the question tells no story: whatever it says is said of what is asked."""
    time: AskedTime = ANY_TIME
    holidays: Mapping[date, str] = field(default_factory=dict)
    voice: bool = False

    @property
    def label(self) -> str:
        """Intent and sub-intent as one name."""
        return f"{self.intent}/{self.sub_intent}" if self.sub_intent else self.intent

    def doctor(self) -> Doctor | None:
        """The one doctor who is named."""
        found = [one for one in self.directory.doctors if one.id in self.doctors]
        return found[0] if len(found) == 1 else None

    def department(self, holds: Callable[[Department], object] | None = None) -> Department | None:
        """The one department that is named; of several the only one that `holds` what is asked for."""
        found = [one for one in self.directory.departments if one.id in self.departments]
        if len(found) > 1 and holds is not None:
            found = [one for one in found if holds(one)]
        return found[0] if len(found) == 1 else None

    def campus(self) -> Campus | None:
        """The one campus that is named."""
        found = [one for one in self.directory.campuses if one.id in self.campuses]
        return found[0] if len(found) == 1 else None


@dataclass(frozen=True, slots=True)
class DayAsked:
    """A day that is asked about, and the weekday alone where it is that of every week."""

    day: date
    is_weekly: bool


@dataclass(frozen=True, slots=True)
class Reach:
    """How somebody or something is reached. `when`: hours in which the number is answered. `is_general`: the number of
    the hospital, as there is none of its own."""

    phone: str | None = None
    email: str | None = None
    url: str | None = None
    when: WeeklyHours | None = None
    is_general: bool = False
    campus: str | None = None


@dataclass(frozen=True, slots=True)
class DayHeld:
    """A day that is asked about with the consultations of it that lie where and when they are asked for. `closed_for`:
    what closes it, in words. `is_known`: whether the directory tells; of most public holidays it does not."""

    day: DayAsked
    held: tuple[Consultation, ...] = ()
    closed_for: str = ""
    is_known: bool = True


@dataclass(frozen=True, slots=True)
class DoctorSchedule:
    """When a doctor sees patients; `asked` are the days that were asked about. `follows` is the first day after these
    on which they do, where days of the calendar were asked about and they do on none of them."""

    doctor: Doctor
    department: Department | None
    consultations: tuple[Consultation, ...]
    asked: tuple[DayHeld, ...]
    absence: Absence | None
    replaced_by: Doctor | None
    appointment: Reach
    cites: tuple[Cite, ...]
    follows: tuple[date, Consultation] | None = None
    coming: Closure | None = None
    """What closes a place of the consultations for days on end now or soon, where no days are asked about."""


@dataclass(frozen=True, slots=True)
class DoctorProfile:
    """Who a doctor is, and when they are away."""

    doctor: Doctor
    department: Department | None
    cites: tuple[Cite, ...]
    absence: Absence | None = None
    replaced_by: Doctor | None = None


@dataclass(frozen=True, slots=True)
class DoctorsOf:
    """The doctors of a department, those who are asked for; `of_all` in all."""

    department: Department
    doctors: tuple[Doctor, ...]
    of_all: int
    sex: str | None
    spoken: str | None
    is_head: bool
    campus: Campus | None
    cites: tuple[Cite, ...]


@dataclass(frozen=True, slots=True)
class DoctorsOn:
    """Who of a department sees patients on a day, and when; `closed_for` and `is_known` as of `DayHeld`."""

    department: Department
    day: DayAsked
    present: tuple[tuple[Doctor, tuple[Consultation, ...]], ...]
    cites: tuple[Cite, ...]
    closed_for: str = ""
    is_known: bool = True
    phone: str | None = None


@dataclass(frozen=True, slots=True)
class PhoneOf:
    """How something of the hospital is reached, by campus where that differs."""

    name: str
    reaches: tuple[Reach, ...]
    cites: tuple[Cite, ...]


@dataclass(frozen=True, slots=True)
class PlaceOf:
    """Where a department is."""

    name: str
    locations: tuple[Location, ...]
    cites: tuple[Cite, ...]


@dataclass(frozen=True, slots=True)
class HoursAt:
    """Hours at one place; `on` are those of each asked day, None for a public holiday of which nothing is known."""

    campus: str | None
    week: WeeklyHours
    on: tuple[tuple[DayAsked, tuple[Hours, ...] | None], ...] = ()
    open_now: bool | None = None
    next_opening: tuple[date, Hours] | None = None
    closed_for: str | None = None
    """Why it is closed on the day that is asked about, in words."""
    coming: Closure | None = None
    """What closes it for days on end now or soon, where its week is told."""


@dataclass(frozen=True, slots=True)
class HoursOf:
    """When something is open, or may be visited (`visiting`). `ward` is that of which general hours are told."""

    name: str
    places: tuple[HoursAt, ...]
    visiting: bool
    phone: str | None
    cites: tuple[Cite, ...]
    ward: str = ""


@dataclass(frozen=True, slots=True)
class CampusFacts:
    """Something of one or more campuses: `aspect` is `address`, `route`, `parking` or `entrance`."""

    aspect: str
    campuses: tuple[Campus, ...]
    cites: tuple[Cite, ...]


@dataclass(frozen=True, slots=True)
class Prices:
    """What something costs. `other_unit`: a price for one of something else was asked for."""

    tariffs: tuple[Tariff, ...]
    other_unit: str | None
    cites: tuple[Cite, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """Somebody to turn to: a name and how they are reached."""

    name: str
    reach: Reach
    cite: Cite


@dataclass(frozen=True, slots=True)
class Lines:
    """Whom to turn to with a `purpose`."""

    purpose: str
    lines: tuple[Line, ...]
    cites: tuple[Cite, ...]


@dataclass(frozen=True, slots=True)
class DepartmentFor:
    """The department that treats a complaint; nothing is said of the complaint itself."""

    complaint: str
    department: Department
    reach: Reach
    cites: tuple[Cite, ...]


@dataclass(frozen=True, slots=True)
class AppointmentWith:
    """Where an appointment is made: with a doctor, a department, or in general where `name` is empty."""

    name: str
    reach: Reach
    cites: tuple[Cite, ...]


Facts: TypeAlias = (
    DoctorSchedule
    | DoctorProfile
    | DoctorsOf
    | DoctorsOn
    | PhoneOf
    | PlaceOf
    | HoursOf
    | CampusFacts
    | Prices
    | Lines
    | DepartmentFor
    | AppointmentWith
)


@dataclass(frozen=True, slots=True)
class WhichOne:
    """That several entries may be meant, of which is asked."""

    kind: str
    ids: tuple[str, ...]
