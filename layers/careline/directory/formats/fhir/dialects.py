"""Resources as servers write them, in the form in which they are read: FHIR R5 as R4, what is contained beside it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from careline.directory.formats.fhir.resources import RESOURCES
from careline.directory.formats.identifiers import identifier_of

Written = dict[str, Any]
TIMES = {"availableStartTime": "openingTime", "availableEndTime": "closingTime"}
"""What times are called of a place in R4, by what R5 calls them."""
CONTAINED = "urn:careline:contained"
"""Begins the addresses that contained resources get, which have none of their own."""


def as_r4(resource: Mapping[str, Any]) -> Written:
    """A resource with the elements of R5 under the names of R4."""
    found = dict(resource)
    kind = resource.get("resourceType")
    held = _dicts(resource.get("availability"))
    for new, old in (("availableTime", "availableTime"), ("notAvailableTime", "notAvailable")):
        if times := [one for each in held for one in _dicts(each.get(new))]:
            found[old] = [*_dicts(found.get(old)), *times]
    if kind == "Location":
        found |= _place(resource)
    if kind == "Practitioner":
        spoken = resource.get("communication")
        if isinstance(spoken, list):
            found["communication"] = [one.get("language", one) if isinstance(one, dict) else one for one in spoken]
    # A contact of R4 is somebody for a purpose; one of R5 may be how it is reached itself.
    numbers = [one for each in _dicts(resource.get("contact")) if "purpose" not in each for one in _telecom(each)]
    if numbers and not resource.get("telecom"):
        found["telecom"] = numbers
    return found


def _place(resource: Mapping[str, Any]) -> Written:
    found: Written = {}
    hours = _dicts(resource.get("hoursOfOperation"))
    if any("availableTime" in one for one in hours):
        times = [one for each in hours for one in _dicts(each.get("availableTime"))]
        found["hoursOfOperation"] = [{TIMES.get(key, key): value for key, value in one.items()} for one in times]
    if "form" in resource and "physicalType" not in resource:
        found["physicalType"] = resource["form"]
    return found


def _telecom(contact: Mapping[str, Any]) -> list[Written]:
    return _dicts(contact.get("telecom"))


def _dicts(value: Any) -> list[Written]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


class Contained:
    """Resources that stand within others, each once: what is the same in several is one."""

    def __init__(self) -> None:
        self._addresses: dict[str, str] = {}

    def parted(self, resource: Written) -> Iterator[tuple[str, Written]]:
        """A resource and those that it contains with their addresses, by which it refers to them; its own is empty."""
        inner = [
            one
            for one in _dicts(resource.get("contained"))
            if one.get("resourceType") in RESOURCES and isinstance(one.get("id"), str)
        ]
        addresses, new = {}, []
        for one in inner:
            content = {key: value for key, value in one.items() if key != "id"}
            same = json.dumps(content, sort_keys=True)
            if same not in self._addresses:
                self._addresses[same] = f"{CONTAINED}:{len(self._addresses) + 1}"
                new.append((self._addresses[same], content | _named(one)))
            addresses[f"#{one['id']}"] = self._addresses[same]
        yield "", _referring(resource, addresses) if addresses else resource
        for address, content in new:
            yield address, _referring(content, addresses)


def _named(resource: Written) -> Written:
    """The id of a contained resource, which only counts where it stands: made of its name, where it has one."""
    name = resource.get("name")
    made = identifier_of(name) if isinstance(name, str) else ""
    return {"id": made or resource["id"]}


def _referring(resource: Written, addresses: Mapping[str, str]) -> Written:
    """A resource whose references to what it contains are to their addresses."""
    return {
        key: _with_addresses(value, addresses) for key, value in resource.items() if key not in ("contained", "text")
    }


def _with_addresses(value: Any, addresses: Mapping[str, str]) -> Any:
    """References stand in an element, or in a list of them."""
    if isinstance(value, list):
        return [_with_address(one, addresses) for one in value]
    return _with_address(value, addresses)


def _with_address(value: Any, addresses: Mapping[str, str]) -> Any:
    named = value.get("reference") if isinstance(value, dict) else None
    return {**value, "reference": addresses[named]} if isinstance(named, str) and named in addresses else value
