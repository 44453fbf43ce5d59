"""Takes the resources out of a bundle, and finds what they refer to."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar
from urllib.parse import unquote

from pydantic import ValidationError

from careline import time_zone
from careline.directory.directory import Directory, Problem
from careline.directory.formats.fhir.dialects import Contained, as_r4
from careline.directory.formats.fhir.resources import CARELINE_ID, RESOURCES, Reference, Resource
from careline.directory.formats.identifiers import identifier_of
from careline.errors import TooLarge

LARGEST = 20_000_000
"""Bytes of a bundle."""
MOST_ENTRIES = 100_000
BUNDLE = "Bundle"
DANGLING = "refers to nothing that the bundle holds; put that in, or take the reference out"
EXPORT = "export the resources as one Bundle in JSON"
ONE_PAGE = "is one page of several: fetch those that its link `next` leads to, and put all entries into one Bundle"
_Kind = TypeVar("_Kind", bound=Resource)


def _type_and_id(reference: str) -> str:
    """The end of a reference, as Location/12; which version is meant does not count."""
    return "/".join(reference.partition("/_history/")[0].rstrip("/").split("/")[-2:])


def _searched(reference: str) -> str:
    """What a reference by a search for an identifier asks for, as Practitioner?identifier=system|value: its value."""
    return unquote(reference.partition("?identifier=")[2].partition("&")[0]).rpartition("|")[2]


class BundleWrong(Exception):
    """What keeps a file from being a bundle at all."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


@dataclass(frozen=True, slots=True)
class Held:
    """A resource with what it is called in messages, and the id that its entry has."""

    resource: Any
    name: str
    entry_id: str


@dataclass(slots=True)
class Bundle:
    """The resources of a bundle by what refers to them."""

    before: Directory
    held: list[Held] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    _by_reference: dict[str, Held] = field(default_factory=dict)
    _told: set[Problem] = field(default_factory=set)
    _known: dict[str, set[str]] = field(default_factory=dict)
    _broken: set[str] = field(default_factory=set)
    """What refers to resources that could not be read, which was told."""

    @property
    def zone(self) -> str:
        """By whose clocks a moment falls on a day."""
        return self.before.hospital.time_zone or time_zone.DEFAULT

    def of(self, kind: type[_Kind]) -> Iterator[tuple[Held, _Kind]]:
        """The resources of a kind."""
        return ((one, one.resource) for one in self.held if type(one.resource) is kind)

    def tell(self, held: Held, path: str, message: str, *, warning: bool = False) -> None:
        """Keep what is wrong with an element."""
        problem = Problem(held.resource.resource_type, held.name, path, message, warning=warning)
        if problem not in self._told:
            self._told.add(problem)
            self.problems.append(problem)

    def add(self, held: Held, full_url: str) -> None:
        """Keep a resource, to be referred to by its URL, type and id, or identifier."""
        self.held.append(held)
        resource = held.resource
        keys = [full_url, f"{resource.resource_type}/{resource.id}" if resource.id else ""]
        keys += [f"|{resource.resource_type}|{one.value}" for one in resource.identifier]
        for key in keys:
            if key:
                self._by_reference.setdefault(key, held)

    def is_known(self, section: str, entry_id: str) -> bool:
        """Whether the directory before has an entry."""
        if section not in self._known:
            self._known[section] = {one.id for one in self.before.entries(section)}
        return entry_id in self._known[section]

    def add_broken(self, full_url: str, kind: str, name: object) -> None:
        """Keep that a resource is there and cannot be read."""
        self._broken |= {full_url, f"{kind}/{name}"} - {""}

    def tell_dangling(self, held: Held, path: str, reference: Reference, message: str = DANGLING) -> None:
        """Keep that a reference finds nothing, unless what it finds is told to be wrong itself."""
        named = reference.reference or ""
        if not {named, _type_and_id(named)} & self._broken:
            self.tell(held, path, message)

    def find(self, reference: Reference, *kinds: str) -> Held | None:
        """The resource that is referred to, of one of some kinds."""
        named = reference.reference or ""
        keys = [named, _type_and_id(named)]
        if value := _searched(named):
            keys += [f"|{kind}|{value}" for kind in kinds if named.partition("?")[0].rpartition("/")[2] == kind]
        if reference.identifier is not None:
            keys += [f"|{kind}|{reference.identifier.value}" for kind in kinds]
        found = next((one for key in keys if (one := self._by_reference.get(key)) is not None), None)
        return found if found is not None and found.resource.resource_type in kinds else None

    def known_before(self, reference: Reference, section: str) -> str | None:
        """The id of an entry of the directory before, that is referred to and not in the bundle."""
        named = (reference.reference or "").rstrip("/").rpartition("/")[2]
        value = reference.identifier.value if reference.identifier is not None else ""
        for one in (identifier_of(named), identifier_of(value or "")):
            if one and self.is_known(section, one):
                return one
        return None


def read_bundle(name: str, content: bytes, before: Directory) -> Bundle:
    """The resources of a bundle that are read, with what is wrong with their shape. Raises: TooLarge, BundleWrong."""
    if len(content) > LARGEST:
        raise TooLarge(f"{name}: larger than {LARGEST // 1_000_000} MB; export one hospital")
    entries = _entries(content)
    bundle, passed_over, contained = Bundle(before), set(), Contained()
    for at, entry in enumerate(entries, 1):
        resource = entry.get("resource") if isinstance(entry, dict) else None
        kind = resource.get("resourceType") if isinstance(resource, dict) else None
        called = _called(entry, resource, at)
        if not isinstance(kind, str):
            bundle.problems.append(Problem(BUNDLE, called, f"entry[{at - 1}].resource", "is missing or no resource"))
        elif kind not in RESOURCES:
            passed_over.add(kind[:40])
        elif isinstance(resource, dict):
            url = entry.get("fullUrl")
            for address, one in contained.parted(resource):
                _add(bundle, address or (url if isinstance(url, str) else ""), as_r4(one), called)
    if passed_over:
        message = f"are not read: {', '.join(sorted(passed_over)[:10])}"
        bundle.problems.append(Problem(BUNDLE, "", "entry", message, warning=True))
    return bundle


def _entries(content: bytes) -> list[Any]:
    try:
        written = json.loads(content)
    except RecursionError:
        raise BundleWrong(f"is nested too deeply; {EXPORT}") from None
    except UnicodeDecodeError:
        raise BundleWrong(f"is no text in UTF-8; {EXPORT}") from None
    except ValueError as error:
        line = getattr(error, "lineno", None)
        where = f" at line {line}" if line else ""
        raise BundleWrong(f"is not JSON{where}; {EXPORT}") from None
    if not isinstance(written, dict) or written.get("resourceType") != BUNDLE:
        raise BundleWrong(f"is no Bundle of FHIR R4; {EXPORT}")
    entries = written.get("entry", [])
    if _has_more(written.get("link")):
        raise BundleWrong(ONE_PAGE)
    if not isinstance(entries, list) or not entries:
        raise BundleWrong("is a Bundle without entries; ask the system again for the resources of the hospital")
    if len(entries) > MOST_ENTRIES:
        raise BundleWrong(f"holds more than {MOST_ENTRIES:,} entries; export one hospital")
    return entries


def _has_more(links: Any) -> bool:
    """Whether a server has given a page of what it found, with the address of the next."""
    found = links if isinstance(links, list) else []
    return any(isinstance(one, dict) and one.get("relation") == "next" for one in found)


def _called(entry: Any, resource: Any, at: int) -> str:
    """What messages call an entry: its URL, or its id, or its place."""
    url = entry.get("fullUrl") if isinstance(entry, dict) else None
    own = resource.get("id") if isinstance(resource, dict) else None
    found = url or own
    return found if isinstance(found, str) and len(found) <= 200 else f"entry {at}"


def _add(bundle: Bundle, full_url: str, resource: Mapping[str, Any], called: str) -> None:
    kind = str(resource["resourceType"])
    try:
        read = RESOURCES[kind].model_validate(resource)
    except ValidationError as error:
        for one in error.errors(include_url=False, include_input=False):
            bundle.problems.append(Problem(kind, called, path_of(one["loc"]), one["msg"]))
        bundle.add_broken(full_url, kind, resource.get("id"))
        return
    bundle.add(Held(read, called, _entry_id(bundle, read, full_url)), full_url)


def path_of(place: tuple[Any, ...]) -> str:
    """A place as FHIR writes paths: `availableTime[0].daysOfWeek[1]`."""
    return "".join(f"[{one}]" if isinstance(one, int) else f".{one}" for one in place).removeprefix(".")


_SECTIONS = {
    "Location": "campuses", "HealthcareService": "departments", "Organization": "departments",
    "Practitioner": "doctors",
}  # fmt: skip


def _entry_id(bundle: Bundle, resource: Resource, full_url: str) -> str:
    """The id of an entry: what is ours; else what the directory before knows it by; else its identifier, or its own."""
    own = next((one.value for one in resource.identifier if one.system == CARELINE_ID and one.value), None)
    if own is not None:
        return own if resource.resource_type == "Organization" else identifier_of(own)
    values = [one.value for one in resource.identifier if one.value]
    named = [*values, resource.id or "", full_url.rstrip("/").rpartition("/")[2].rpartition(":")[2]]
    made = [one for value in named if (one := identifier_of(value))]
    section = _SECTIONS.get(resource.resource_type)
    known = (one for one in made if section is not None and bundle.is_known(section, one))
    return next(known, made[0] if made else "")
