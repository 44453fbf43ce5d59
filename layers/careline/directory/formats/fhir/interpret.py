"""What the resources of a bundle say of a hospital, as the entries of a directory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from careline.directory.formats.fhir.bundle import Bundle, Held
from careline.directory.formats.fhir.resources import (
    CARELINE_SPECIALTY,
    HealthcareService,
    Location,
    Organization,
    Reference,
    has_code,
    is_gone,
)
from careline.directory.formats.fhir.times import week
from careline.directory.formats.fhir.wording import first_of, language_of, names_of, place_of

NO_NAME = "is missing: give it a name"
NO_ID = "is missing: give it an identifier or an id of letters and digits"
TWICE = "is that of another entry too; give each its own"
SITE, BUILDING = "si", "bu"
_PLACES = {BUILDING: "building", "lvl": "floor", "ro": "room", "wa": "room"}
"""What a place is of a department, by its physical type."""
NO_SITE = "is part of no site; refer to a Location of the type si"
DEEPEST = 10
"""Places within places that are followed."""
Entry = dict[str, Any]


class Interpretation:
    """The entries that a bundle holds, by section, and those that it says are gone."""

    def __init__(self, bundle: Bundle, language: str) -> None:
        self._bundle, self._language = bundle, language
        self._services = self._services_of_organizations()
        self.gone: set[tuple[str, str]] = set()
        self.without_role: set[str] = set()
        """Doctors of whose roles the bundle says nothing."""
        self.hospital = self._hospital()
        self.campuses = self._campuses()
        self.departments = self._departments()

    def language(self, held: Held) -> str:
        """The language that a resource is written in."""
        return language_of(held.resource.language, self._language)

    def named(self, held: Held) -> dict[str, str]:
        """The names of a resource, which it must have."""
        found = names_of(held.resource.name, held.resource.beside_name, self.language(held))
        if not found:
            self._bundle.tell(held, "name", NO_NAME)
        return found

    def entry_id(self, held: Held) -> str:
        """The id of an entry, which it must have."""
        if not held.entry_id:
            self._bundle.tell(held, "id", NO_ID)
        return held.entry_id

    def _hospital(self) -> Entry:
        organizations = list(self._bundle.of(Organization))
        chosen = [one for one in organizations if has_code(one[1].type, "prov")]
        others = [one for one in organizations if one[1].part_of is None and not has_code(one[1].type, "dept")]
        for held, resource in (chosen or others)[:1]:
            phone = first_of(resource.telecom, "phone")
            return {
                "id": next((one.value for one in resource.identifier if one.value), None),
                "default_language": self._language,
                "names": self.named(held),
                "phones": {"main": phone} if phone else {},
                "email": first_of(resource.telecom, "email"),
                "website": first_of(resource.telecom, "url"),
            }
        return {}

    def _kept(self, section: str, held: Held, seen: set[str]) -> bool:
        """Whether a resource is an entry: not one that is gone, nor one whose id another has."""
        entry_id = self.entry_id(held)
        if is_gone(held.resource):
            self.gone.add((section, entry_id))
            return False
        if entry_id in seen:
            self._bundle.tell(held, "identifier", TWICE)
        seen.add(entry_id)
        return bool(entry_id)

    def _campuses(self) -> list[Entry]:
        seen: set[str] = set()
        return [
            self._campus(held, resource)
            for held, resource in self._bundle.of(Location)
            if _is_campus(resource) and self._kept("campuses", held, seen)
        ]

    def _campus(self, held: Held, resource: Location) -> Entry:
        def tell(path: str, message: str) -> None:
            self._bundle.tell(held, path, message)

        if resource.part_of is not None:
            self._found(held, "partOf", resource.part_of, "Location")
        names = self.named(held)
        hours = week(resource.hours, "hoursOfOperation", tell)
        entry: Entry = {
            "id": held.entry_id,
            "names": names,
            "phone": first_of(resource.telecom, "phone"),
            "email": first_of(resource.telecom, "email"),
            "entrances": [{"names": names, "weekly": hours}] if hours else [],
        }
        if resource.alias:
            entry["synonyms"] = {self.language(held): list(resource.alias)}
        if resource.address is not None:
            entry["address"] = self._address(held, resource)
        return entry

    def _address(self, held: Held, resource: Location) -> Entry | None:
        address = resource.address
        if address is None:
            return None
        said = {
            "line": ", ".join(address.line),
            "postalCode": address.postal_code,
            "city": address.city,
        }
        for path, value in said.items():
            if not value:
                self._bundle.tell(held, f"address.{path}", "is missing: an address has line, postalCode and city")
        if not all(said.values()):
            return None
        country = address.country.upper() if address.country and len(address.country) == 2 else None
        return {"street": said["line"], "postcode": said["postalCode"], "town": said["city"], "country": country}

    def _departments(self) -> list[Entry]:
        found: dict[str, Entry] = {}
        for held, service in self._bundle.of(HealthcareService):
            entry_id = self.entry_id(held)
            if is_gone(service):
                self.gone.add(("departments", entry_id))
            elif entry_id in found:
                self._add_service(found[entry_id], held, service)
            elif entry_id:
                found[entry_id] = self._add_service(
                    {"id": entry_id, "names": self.named(held), "specialty": _specialty(service)}, held, service
                )
        for held, organization in self._bundle.of(Organization):
            if has_code(organization.type, "dept") and not self.service_of(held):
                self._add_organization(found, held, organization)
        return list(found.values())

    def _add_organization(self, found: dict[str, Entry], held: Held, organization: Organization) -> None:
        """A department that no service stands for."""
        entry_id = self.entry_id(held)
        if is_gone(organization):
            self.gone.add(("departments", entry_id))
        elif entry_id in found:
            self._bundle.tell(held, "identifier", TWICE)
        elif entry_id:
            entry: Entry = {"id": entry_id, "names": self.named(held), "phone": first_of(organization.telecom, "phone")}
            entry["email"] = first_of(organization.telecom, "email")
            if organization.alias:
                entry["synonyms"] = {self.language(held): list(organization.alias)}
            found[entry_id] = entry

    def service_of(self, organization: Held) -> Held | None:
        """The service that stands for a department's organization."""
        return self._services.get(id(organization))

    def _services_of_organizations(self) -> dict[int, Held]:
        found: dict[int, Held] = {}
        for held, service in self._bundle.of(HealthcareService):
            provider = self._bundle.find(service.provided_by, "Organization") if service.provided_by else None
            if provider is not None:
                found.setdefault(id(provider), held)
        return found

    def _add_service(self, entry: Entry, held: Held, service: HealthcareService) -> Entry:
        """A department with what one of its services says: several differ in where and when."""

        def tell(path: str, message: str) -> None:
            self._bundle.tell(held, path, message)

        entry["phone"] = entry.get("phone") or first_of(service.telecom, "phone")
        entry["email"] = entry.get("email") or first_of(service.telecom, "email")
        if service.provided_by is not None:
            self._found(held, "providedBy", service.provided_by, "Organization")
        campuses: list[str] = []
        for at, reference in enumerate(service.location):
            campus, place = self.place(held, f"location[{at}]", reference)
            if campus is None:
                continue
            campuses.append(campus)
            locations = entry.setdefault("locations", [])
            if place and place not in locations:
                locations.append(place)
        known = entry.setdefault("campuses", [])
        known += [one for one in dict.fromkeys(campuses) if one not in known]
        hours = week(service.available, "availableTime", tell)
        if hours:
            only = campuses[0] if len(set(campuses)) == 1 else None
            entry.setdefault("opening_hours", []).append({"campus": only, "weekly": hours})
        return entry

    def _found(self, held: Held, path: str, reference: Reference, *kinds: str) -> Held | None:
        found = self._bundle.find(reference, *kinds)
        if found is None and not self._is_known_before(reference, kinds):
            self._bundle.tell_dangling(held, path, reference)
        return found

    def _is_known_before(self, reference: Reference, kinds: Sequence[str]) -> bool:
        sections = [section for kind in kinds for section in _SECTIONS.get(kind, ())]
        return any(self._bundle.known_before(reference, section) for section in sections)

    def place(self, held: Held, path: str, reference: Reference) -> tuple[str | None, Entry]:
        """The campus of a place, and where on it that is, if it is more than the campus itself."""
        found = self._bundle.find(reference, "Location")
        if found is None:
            before = self._bundle.known_before(reference, "campuses")
            if before is None:
                self._bundle.tell_dangling(held, path, reference)
            return before, {}
        steps = list(self._upwards(found))
        campus = next((one for one in steps if _is_campus(one.resource)), None)
        if campus is None:
            above = steps[-1].resource.part_of
            if above is not None:
                self._bundle.tell_dangling(steps[-1], "partOf", above)
            else:
                self._bundle.tell(found, "partOf", NO_SITE)
            return None, {}
        place: Entry = {}
        for one in steps[: steps.index(campus)]:
            place = {**_named_place(one.resource), **place_of(one.resource.identifier), **place}
            phone = first_of(one.resource.telecom, "phone")
            place |= {"phone": phone} if phone and "phone" not in place else {}
        return campus.entry_id, {"campus": campus.entry_id, **place} if found is not campus else {}

    def _upwards(self, held: Held) -> Iterator[Held]:
        """A place, what it is part of, and so on."""
        at: Held | None = held
        for _ in range(DEEPEST):
            if at is None:
                return
            yield at
            above = at.resource.part_of
            at = self._bundle.find(above, "Location") if above is not None else None

    def department(self, held: Held, path: str, reference: Reference) -> str | None:
        """The department that a role refers to, as a service or an organization."""
        found = self._bundle.find(reference, "HealthcareService", "Organization")
        if found is None:
            before = self._bundle.known_before(reference, "departments")
            if before is None:
                self._bundle.tell_dangling(held, path, reference)
            return before
        if isinstance(found.resource, Organization):
            if not has_code(found.resource.type, "dept"):
                return None
            found = self.service_of(found) or found
        return found.entry_id or None


_SECTIONS = {"Location": ("campuses",), "Organization": ("departments",), "HealthcareService": ("departments",)}


def _is_campus(location: Location) -> bool:
    kinds = [location.physical_type] if location.physical_type is not None else []
    return has_code(kinds, SITE) or ((not kinds or has_code(kinds, BUILDING)) and location.part_of is None)


def _named_place(location: Location) -> dict[str, Any]:
    """What a building, a level or a room is called, where no identifier says it."""
    kinds = [location.physical_type] if location.physical_type is not None else []
    if any((one.system or "").startswith("urn:careline:") for one in location.identifier) or not location.name:
        return {}
    field = next((name for code, name in _PLACES.items() if has_code(kinds, code)), None)
    return {field: location.name} if field is not None else {}


def _specialty(service: HealthcareService) -> str | None:
    codings = (coding for concept in service.specialty for coding in concept.coding)
    return next((one.code for one in codings if one.system == CARELINE_SPECIALTY), None)
