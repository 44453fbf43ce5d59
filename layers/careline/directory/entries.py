"""The entries of a hospital's directory: what a person has confirmed, each with its owner and its time of validity."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Field, StringConstraints, model_validator

from careline.directory.part import Part
from careline.directory.week import Clock, Day, Hours, Week, WeeklyHours

Language = Literal["nl", "en", "fr", "it"]
Name = Annotated[str, StringConstraints(min_length=1, max_length=200)]
Sentence = Annotated[str, StringConstraints(min_length=1, max_length=1000)]
Identifier = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_-]{0,79}$")]
Telephone = Annotated[str, StringConstraints(pattern=r"^[+0-9][0-9 ./()-]{1,29}$")]
Address = Annotated[str, StringConstraints(min_length=3, max_length=200, pattern=r"^[^\s@]+@[^\s@]+$")]
Link = Annotated[str, StringConstraints(pattern=r"^https?://\S{3,300}$")]
Names = dict[Language, Name]
Texts = dict[Language, Sentence]
Wordings = dict[Language, Annotated[list[Name], Field(max_length=60)]]
"""Other words for something, by language."""


def name_in(names: Mapping[Language, str], language: str) -> str | None:
    """The name of something in a language; None where it has none in that."""
    return next((name for code, name in names.items() if code == language), None)


Purpose = Literal[
    "main", "appointments", "helpdesk", "gp_on_call_post", "billing", "complaints", "records", "privacy", "social",
    "interpreter", "press", "international", "lost_property", "pharmacy_on_call", "other",
]  # fmt: skip
"""What a number or an address is for."""
Frequency = Literal[
    "weekly", "even_weeks", "odd_weeks", "first_of_month", "second_of_month", "third_of_month", "fourth_of_month",
    "last_of_month", "by_appointment",
]  # fmt: skip
"""How often a consultation is held. Even and odd by the number of the week in ISO 8601; the first of the month is the
first such weekday in it."""
DayPart = Literal["morning", "afternoon", "evening", "day"]
Unit = Literal[
    "once", "hour", "half_hour", "quarter", "minute", "day", "night", "week", "month", "year", "session", "visit",
    "item", "page", "kwh", "km", "person", "meal", "card",
]  # fmt: skip
"""What a price is for one of; `once` for a price that is for nothing counted."""


class Entry(Part):
    """Something that the directory holds. Outside its time of validity nobody is told of it."""

    id: Identifier
    owner: Name | None = None
    """Who answers for it being right."""
    valid_from: date | None = None
    valid_until: date | None = None
    """The last day on which it holds."""
    confirmed_on: date | None = None
    """When a person last said that it is right; saving it says so."""

    @model_validator(mode="after")
    def _in_time_order(self) -> Entry:
        if self.valid_from and self.valid_until and self.valid_until < self.valid_from:
            raise ValueError("valid_until lies before valid_from")
        return self

    def holds_on(self, day: date) -> bool:
        """Whether it is valid on a day."""
        return self.holds_within(day, day)

    def holds_within(self, first: date, last: date) -> bool:
        """Whether it is valid on one day at least of a stretch of time, both of whose ends count."""
        return (self.valid_from or date.min) <= last and first <= (self.valid_until or date.max)


class PostalAddress(Part):
    """Where a campus is."""

    street: Name
    postcode: Name
    town: Name
    country: Annotated[str, StringConstraints(pattern=r"^[A-Z]{2}$")] | None = None


class Entrance(Part):
    """One way in, open the same hours every day or by week."""

    id: Identifier | None = None
    names: Names
    hours: Hours | None = None
    weekly: Week = Field(default={})
    step_free: bool | None = None


class Transport(Part):
    """A stop of public transport near a campus."""

    kind: Literal["bus", "train", "tram", "metro", "boat"]
    line: Name
    stop: Name
    walking_minutes: Annotated[int, Field(ge=0, le=120)] | None = None


class Parking(Part):
    """A car park of a campus; what it costs is a tariff."""

    id: Identifier | None = None
    names: Names
    capacity: Annotated[int, Field(ge=0)] | None = None
    accessible_spaces: Annotated[int, Field(ge=0)] | None = None
    charging_points: Annotated[int, Field(ge=0)] | None = None
    max_height_m: Annotated[float, Field(gt=0, lt=20)] | None = None


class Way(Part):
    """How to get somewhere, in words."""

    by: Literal["car", "bus", "train", "tram", "bicycle", "foot", "taxi", "inside"]
    text: Texts


class Campus(Entry):
    """One site of the hospital."""

    name: Name | None = None
    names: Names = Field(default={})
    synonyms: Wordings = Field(default={})
    address: PostalAddress | None = None
    phone: Telephone | None = None
    email: Address | None = None
    role: Name | None = None
    """`main` is the one that is meant where none is named."""
    entrances: list[Entrance] = Field(default=[], max_length=100)
    public_transport: list[Transport] = Field(default=[], max_length=100)
    parking: list[Parking] = Field(default=[], max_length=100)
    routes: list[Way] = Field(default=[], max_length=50)
    visiting_hours: list[WeeklyHours] = Field(default=[], max_length=10)


class Location(Part):
    """Where a department is on one campus. `route` is the number on the signs."""

    campus: Identifier
    building: Name | None = None
    floor: int | Name | None = None
    route: int | Name | None = None
    room: Name | None = None
    phone: Telephone | None = None


class Department(Entry):
    """A department, ward, service or desk, in the order in which callers should hear them."""

    kind: Literal["department", "ward", "service", "desk", "shop"] = "department"
    names: Names
    synonyms: Wordings = Field(default={})
    specialty: Identifier | None = None
    """Key of a medical specialty, where the name does not tell it (`careline.understanding.terms`)."""
    campuses: list[Identifier] = Field(default=[], max_length=50)
    locations: list[Location] = Field(default=[], max_length=100)
    phone: Telephone | None = None
    phones: dict[Purpose, Telephone] = Field(default={})
    email: Address | None = None
    opening_hours: list[WeeklyHours] = Field(default=[], max_length=50)
    visiting_hours: list[WeeklyHours] = Field(default=[], max_length=50)
    contact_for: list[Purpose] = Field(default=[], max_length=20)
    """What it is the one to ask about, as `billing`."""


class Consultation(Part):
    """When a doctor sees patients."""

    weekday: Day
    part: DayPart | None = None
    opens: Clock | None = Field(default=None, alias="from")
    closes: Clock | None = Field(default=None, alias="to")
    campus: Identifier | None = None
    department: Identifier | None = None
    frequency: Frequency = "weekly"


class Absence(Part):
    """Days, both included, on which a doctor is away."""

    since: date = Field(alias="from")
    until: date = Field(alias="to")
    replaced_by: Identifier | None = None


class Doctor(Entry):
    """A doctor or another care professional with consultations."""

    title: Name | None = None
    first_name: Name | None = None
    last_name: Name
    sex: Literal["female", "male"] | None = None
    department: Identifier
    also_in: list[Identifier] = Field(default=[], max_length=20)
    """Other departments."""
    campuses: list[Identifier] = Field(default=[], max_length=50)
    languages: list[Annotated[str, StringConstraints(pattern=r"^[a-z]{2,3}$")]] = Field(default=[], max_length=30)
    role: Name | None = None
    """`head_of_department` leads it."""
    focus: Names = Field(default={})
    """What patients come to them for."""
    phone: Telephone | None = None
    email: Address | None = None
    synonyms: list[Name] = Field(default=[], max_length=30)
    """As people and speech recognition write the name."""
    consultations: list[Consultation] = Field(default=[], max_length=100)
    absences: list[Absence] = Field(default=[], max_length=100)

    @property
    def full_name(self) -> str:
        """Title, first and last name."""
        return " ".join(part for part in (self.title, self.first_name, self.last_name) if part)

    @property
    def departments(self) -> tuple[str, ...]:
        """Every department they work in."""
        return (self.department, *self.also_in)


class Tariff(Entry):
    """What something costs. Several of one subject differ by campus or condition."""

    subject: Names
    synonyms: Wordings = Field(default={})
    campus: Identifier | None = None
    condition: Texts = Field(default={})
    """For whom or when, as "each further hour"."""
    amount: Annotated[Decimal, Field(ge=0, max_digits=9, decimal_places=4)]
    currency: Annotated[str, StringConstraints(pattern=r"^[A-Z]{3}$")] = "EUR"
    unit: Unit = "once"


class Contact(Entry):
    """Somebody to call or write to who is no department: a line, a desk, a person with a task."""

    purpose: Purpose = "other"
    names: Names
    synonyms: Wordings = Field(default={})
    phone: Telephone | None = None
    email: Address | None = None
    url: Link | None = None
    campus: Identifier | None = None
    opening_hours: list[WeeklyHours] = Field(default=[], max_length=10)

    @model_validator(mode="after")
    def _reachable(self) -> Contact:
        if not (self.phone or self.email or self.url):
            raise ValueError("a contact needs a phone, an email or a url")
        return self


class LayWords(Part):
    """What people say for something that a department treats, by language; in a file, `terms`."""

    department: Identifier
    terms: Wordings
    clinical: Names = Field(default={})
    """The term of medicine for it."""


class Closure(Entry):
    """Days, both included, on which usual hours do not hold. Without `hours` it is closed then; without campuses and
    departments it is the whole hospital, but what never closes."""

    names: Names
    since: date = Field(alias="from")
    until: date = Field(alias="to")
    campuses: list[Identifier] = Field(default=[], max_length=50)
    departments: list[Identifier] = Field(default=[], max_length=200)
    hours: list[Hours] = Field(default=[], max_length=10)


class Hospital(Part):
    """The hospital as a whole. `phones` are by purpose, `phone_hours` say when they are answered."""

    id: Name | None = None
    names: Names = Field(default={})
    default_language: Language | None = None
    """Where the language of a question cannot be told."""
    languages: list[Language] = Field(default=[], max_length=4)
    emergency_number: Telephone | None = None
    """That of the settings when absent."""
    phones: dict[Purpose, Telephone] = Field(default={})
    phone_hours: dict[Purpose, Week] = Field(default={})
    email: Address | None = None
    website: Link | None = None
    patient_portal: Link | None = None
    time_zone: Name | None = Field(default=None, alias="timezone")
    country: Annotated[str, StringConstraints(pattern=r"^[A-Z]{2}$")] | None = None
    """Whose public holidays are kept (ISO 3166); that of the main campus when absent."""
    visiting_hours: list[WeeklyHours] = Field(default=[], max_length=10)
    """Of wards that say nothing else."""
