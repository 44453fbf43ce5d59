"""Reads what the phone needs of a hospital's directory file: names to listen for, numbers to call, hours to say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from careline.errors import SettingsInvalid

LARGEST = 4_000_000
"""Characters of a directory file."""
DEEPEST = 30
"""Brackets that may be open at once, and indicators that a line may begin with; the parser's time grows with the
square of the depth."""
_INDICATORS = frozenset("-?:")
Day = Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
DAYS: tuple[Day, ...] = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
Name = Annotated[str, StringConstraints(min_length=1, max_length=200, strip_whitespace=True)]
Telephone = Annotated[str, StringConstraints(pattern=r"^[+0-9 ./()-]{2,30}$")]
Clock = Annotated[str, StringConstraints(pattern=r"^(?:[01][0-9]|2[0-4]):[0-5][0-9]$")]


class _DirectoryPart(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", populate_by_name=True)


class Hours(_DirectoryPart):
    """Local time, 24 hours; "24:00" closes a day."""

    opens: Clock = Field(alias="from")
    closes: Clock = Field(alias="to")


class HospitalNames(_DirectoryPart):
    """The part `tenant`."""

    names: dict[str, Name] = {}
    default_language: str = "nl"
    emergency_number: Telephone = "112"
    phones: dict[str, Telephone] = {}


class Entrance(_DirectoryPart):
    """One way in; `hours` are the same every day."""

    names: dict[str, Name] = {}
    hours: Hours | None = None


class Campus(_DirectoryPart):
    """One site. Its first entrance with hours tells when it is open."""

    names: dict[str, Name] = {}
    entrances: list[Entrance] = Field(default=[], max_length=100)


class WeeklyHours(_DirectoryPart):
    """Opening hours at one campus."""

    weekly: dict[Day, Annotated[list[Hours], Field(max_length=10)]] = {}


class Department(_DirectoryPart):
    """One department, in the order in which a caller should hear them."""

    names: dict[str, Name]
    phone: Telephone | None = None
    opening_hours: list[WeeklyHours] = Field(default=[], max_length=100)


class Doctor(_DirectoryPart):
    """One doctor, for the recogniser to listen for."""

    last_name: Name


class PhoneDirectory(_DirectoryPart):
    """A hospital as the phone knows it; what is missing is not offered."""

    tenant: HospitalNames = HospitalNames()
    campuses: list[Campus] = Field(default=[], max_length=200)
    departments: list[Department] = Field(default=[], max_length=1000)
    doctors: list[Doctor] = Field(default=[], max_length=20_000)


def read_directory(source: str, name: str) -> PhoneDirectory:
    """A directory file. `name` is how messages call it. Raises: SettingsInvalid naming the entry that is wrong."""
    if len(source) > LARGEST:
        raise SettingsInvalid(f"{name}: longer than {LARGEST:,} characters; give the directory of one hospital")
    written = read_yaml(source, name)
    try:
        return PhoneDirectory.model_validate(written)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise SettingsInvalid(f"{name}: {place or 'the file'}: {first['msg']}") from None


def _is_deep(source: str) -> bool:
    depth = 0
    for character in source:
        depth = depth + 1 if character in "[{" else max(0, depth - 1) if character in "]}" else depth
        if depth > DEEPEST:
            return True
    beginnings = (line.split(maxsplit=DEEPEST + 1)[: DEEPEST + 1] for line in source.splitlines())
    return any(len(words) > DEEPEST and _INDICATORS.issuperset(words) for words in beginnings)


def read_yaml(source: str, name: str) -> Mapping[object, object]:
    """A YAML file that is a mapping and repeats nothing by reference, so that its size bounds what it holds.

    Raises: SettingsInvalid with the line.
    """
    if _is_deep(source):
        raise SettingsInvalid(f"{name}: nested too deeply; a directory or overlay needs six levels")
    try:
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(source, Loader=yaml.SafeLoader)):
            raise SettingsInvalid(f"{name}: write entries out instead of referring to them with *")
        written = yaml.safe_load(source)
    except RecursionError:
        raise SettingsInvalid(f"{name}: nested too deeply; a directory or overlay needs six levels") from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f" at line {mark.line + 1}" if mark is not None else ""
        raise SettingsInvalid(f"{name}: this is not YAML{line}") from None
    if not isinstance(written, dict):
        raise SettingsInvalid(f"{name}: expected keys with values, such as `departments:`")
    return written
