"""What the ingestion functions are called with, as far as they use it; `events/` has a sample of each.

Powertools has models of AWS's own events; reading them takes longer than reading all of pydantic.
"""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, ValidationError

from careline.errors import BadRequest
from careline.knowledge.ingestion.ingestion_job import IngestionJob

Name = Annotated[str, Field(min_length=1)]


class Event(BaseModel):
    """An event with what of it is used; whatever else is in it is left."""

    model_config = ConfigDict(extra="ignore", frozen=True, populate_by_name=True)


class Bucket(Event):
    """Where the object is."""

    name: Name


class StoredObject(Event):
    """An object of S3; without a version where the bucket keeps none."""

    key: Name
    size: int | None = None
    version_id: str | None = Field(default=None, alias="version-id")
    sequencer: Annotated[str, Field(pattern=r"^[0-9A-Fa-f]{1,64}$")] | None = None
    """Its place among the events of the same key, in hexadecimal digits."""


class ObjectCreatedDetail(Event):
    """The `detail` of an `Object Created` event."""

    bucket: Bucket
    stored: StoredObject = Field(alias="object")


class ObjectCreated(Event):
    """EventBridge says that S3 has a new object: `s3_object_created.json`."""

    detail: ObjectCreatedDetail
    time: str | None = None
    """When S3 told of it."""


class ImportItem(BaseModel):
    """One object of a bulk import: a line of a manifest, or what S3 lists (`Key`, `ETag` and more)."""

    model_config = ConfigDict(extra="allow", frozen=True)
    key: Name = Field(validation_alias=AliasChoices("key", "Key"))
    doc_key: str | None = None

    def facts(self) -> dict[str, object]:
        """What else a line says, but for what S3 says, whose names are written large; a column may be empty."""
        said = (self.model_extra or {}).items()
        return {name: value for name, value in said if not name[:1].isupper() and value not in ("", None)}

    def named(self) -> str:
        """What is the same whenever the object is."""
        more = self.model_extra or {}
        return str(more.get("ETag") or more.get("Etag") or "")


class Imported(Event):
    """The bulk import has come to an object: `ingestion_import.json`."""

    item: ImportItem
    time: str


class RetryRequest(Event):
    """A job is to run again: `ingestion_retry.json`."""

    tenant: Name
    job_id: Name


class StageInput(Event):
    """The state machine runs a stage: `ingestion_stage.json`."""

    ingestion_job: IngestionJob


class BatchInput(StageInput):
    """The same for one batch of a document's passages: `ingestion_embed.json`."""

    batch: int = Field(ge=0)


class Caught(Event):
    """What a `Catch` of the state machine passes on: the class of the error, and Lambda's account of it as JSON."""

    error: str = Field(alias="Error")
    cause: str = Field(default="", alias="Cause")


class Cause(Event):
    """Lambda's account of an exception."""

    message: str = Field(alias="errorMessage")


class FailInput(Event):
    """A job has failed: `ingestion_fail.json`. Where it could not be registered there is no ingestion job, and what
    `register` was called with stands beside the error."""

    ingestion_job: IngestionJob | None = None
    error: Caught
    tenant: str | None = None
    job_id: str | None = None
    detail: ObjectCreatedDetail | None = None
    item: ImportItem | None = None
    time: str | None = None


Read = TypeVar("Read", bound=Event)


def read(shape: type[Read], event: dict[str, Any]) -> Read:
    """The event as this shape. Raises: BadRequest naming its wrong fields, without what stands in them."""
    try:
        return shape.model_validate(event)
    except ValidationError as error:
        places = (".".join(map(str, one["loc"])) for one in error.errors(include_url=False, include_input=False))
        raise BadRequest(f"the event is no {shape.__name__}: {', '.join(dict.fromkeys(places))}") from None
