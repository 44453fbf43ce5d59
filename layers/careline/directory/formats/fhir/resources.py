"""The five resources of FHIR R4 that a directory is made of, with the elements that are read.

`fhir.resources` has them all: 14 MB and a quarter of a second, to find an element that nobody reads wrong. What is
written is validated with it in the tests.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

TRANSLATION = "http://hl7.org/fhir/StructureDefinition/translation"
ORGANIZATION_TYPE = "http://terminology.hl7.org/CodeSystem/organization-type"
PHYSICAL_TYPE = "http://terminology.hl7.org/CodeSystem/location-physical-type"
LANGUAGE = "urn:ietf:bcp:47"
CARELINE_ID = "urn:careline:id"
"""System of the identifier that is the id of an entry."""
CARELINE_ROLE, CARELINE_SPECIALTY = "urn:careline:role", "urn:careline:specialty"
CARELINE_PLACE = "urn:careline:"
"""Beginning of the systems of identifiers that say building, floor, route and room of a place."""
Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=1000)]


def _without_nulls(value: Any) -> Any:
    """A list of texts without the nulls that FHIR has where something is said of a text that is not there."""
    return [one for one in value if one is not None] if isinstance(value, list) else value


Texts = Annotated[list[Text], BeforeValidator(_without_nulls)]


class Element(BaseModel):
    """Part of a resource; what is not read of it is passed over."""

    model_config = ConfigDict(frozen=True, extra="ignore", populate_by_name=True)


class Extension(Element):
    """What is said beside an element, such as its translations."""

    url: str = ""
    extension: list[Extension] = []
    value: str | None = Field(default=None, alias="valueString")
    code: str | None = Field(default=None, alias="valueCode")
    markdown: str | None = Field(default=None, alias="valueMarkdown")


class Beside(Element):
    """What stands under the name of an element with an underscore in front."""

    extension: list[Extension] = []


class Identifier(Element):
    system: str | None = None
    value: Text | None = None


class Reference(Element):
    reference: str | None = None
    identifier: Identifier | None = None


class Coding(Element):
    system: str | None = None
    code: str | None = None
    display: Text | None = None


class CodeableConcept(Element):
    coding: list[Coding] = []
    text: Text | None = None
    beside_text: Beside | None = Field(default=None, alias="_text")


class ContactPoint(Element):
    use: str | None = None
    system: str | None = None
    value: Text | None = None


class Address(Element):
    line: Texts = []
    city: Text | None = None
    postal_code: Text | None = Field(default=None, alias="postalCode")
    country: Text | None = None


class HumanName(Element):
    use: str | None = None
    text: Text | None = None
    family: Text | None = None
    given: Texts = []
    prefix: Texts = []


class Period(Element):
    start: str | None = None
    end: str | None = None


class AvailableTime(Element):
    """Hours on days, of a service or a role."""

    days: list[str] = Field(default=[], alias="daysOfWeek")
    all_day: bool = Field(default=False, alias="allDay")
    start: str | None = Field(default=None, alias="availableStartTime")
    end: str | None = Field(default=None, alias="availableEndTime")


class OperatingHours(Element):
    """Hours on days, of a place."""

    days: list[str] = Field(default=[], alias="daysOfWeek")
    all_day: bool = Field(default=False, alias="allDay")
    start: str | None = Field(default=None, alias="openingTime")
    end: str | None = Field(default=None, alias="closingTime")


class NotAvailable(Element):
    during: Period | None = None


class Resource(Element):
    """What all five have in common."""

    resource_type: str = Field(alias="resourceType")
    id: str | None = None
    language: str | None = None
    identifier: list[Identifier] = []
    active: bool = True
    telecom: list[ContactPoint] = []


class Organization(Resource):
    name: Text | None = None
    beside_name: Beside | None = Field(default=None, alias="_name")
    alias: Texts = []
    type: list[CodeableConcept] = []
    part_of: Reference | None = Field(default=None, alias="partOf")


class Location(Resource):
    status: str | None = None
    name: Text | None = None
    beside_name: Beside | None = Field(default=None, alias="_name")
    alias: Texts = []
    address: Address | None = None
    physical_type: CodeableConcept | None = Field(default=None, alias="physicalType")
    part_of: Reference | None = Field(default=None, alias="partOf")
    hours: list[OperatingHours] = Field(default=[], alias="hoursOfOperation")


class HealthcareService(Resource):
    name: Text | None = None
    beside_name: Beside | None = Field(default=None, alias="_name")
    provided_by: Reference | None = Field(default=None, alias="providedBy")
    specialty: list[CodeableConcept] = []
    location: list[Reference] = []
    available: list[AvailableTime] = Field(default=[], alias="availableTime")


class Practitioner(Resource):
    name: list[HumanName] = []
    gender: str | None = None
    communication: list[CodeableConcept] = []


class PractitionerRole(Resource):
    period: Period | None = None
    practitioner: Reference | None = None
    organization: Reference | None = None
    code: list[CodeableConcept] = []
    specialty: list[CodeableConcept] = []
    location: list[Reference] = []
    service: list[Reference] = Field(default=[], alias="healthcareService")
    available: list[AvailableTime] = Field(default=[], alias="availableTime")
    not_available: list[NotAvailable] = Field(default=[], alias="notAvailable")


RESOURCES: Mapping[str, type[Resource]] = MappingProxyType(
    {
        "Organization": Organization,
        "Location": Location,
        "HealthcareService": HealthcareService,
        "Practitioner": Practitioner,
        "PractitionerRole": PractitionerRole,
    }
)


def has_code(concepts: list[CodeableConcept], *codes: str) -> bool:
    """Whether one of some concepts is one of some codes."""
    return any(coding.code in codes for concept in concepts for coding in concept.coding)


def is_gone(resource: Any) -> bool:
    """Whether a resource says that it holds no more."""
    return not resource.active or getattr(resource, "status", None) == "inactive"
