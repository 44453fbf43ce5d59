"""The form that kinds of planted text are written in, `kinds.yaml`, which says itself what its words mean."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag, ValidationError

from careline.errors import PackInvalid


class _Written(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


Term = Annotated[
    Annotated[str, Tag("name")] | Annotated["ConditionWritten", Tag("condition")],
    Discriminator(lambda written: "name" if isinstance(written, str) else "condition"),
]
"""A name of a signal, a pattern, a condition or a sign, or a condition without a name."""
Language = Literal["en", "fr", "it", "nl"]
PatternWritten = str | Mapping[Language, str]
Lines = Mapping[Language, list[str]]
"""Example lines by language."""


class ConditionWritten(_Written):
    """What has to stand together, and where."""

    at: str | None = None
    of: str | None = None
    every: list[Term] = Field(alias="all", default=[])
    one: list[Term] = Field(alias="any", default=[])
    no: list[Term] = Field(alias="none", default=[])
    longest: int | None = Field(default=None, gt=0)


class PriceWritten(_Written):
    """Whether the dearest amount of a text lies above so many euros; amounts that the pattern `without` finds aside."""

    above: float = Field(ge=0)
    without: str | None = None


class KindWritten(_Written):
    """A kind of planted text."""

    told: Mapping[Language, str] = Field(min_length=4)
    said: Literal["never", "after_release"] = "after_release"
    settled_by: Literal["another_page", "its_document"] | None = None
    in_any_language: bool = False
    mark_of_fraud: bool = False
    as_written: bool = False
    without_signals: bool = False
    found: list[ConditionWritten] = Field(min_length=1)
    holds: Lines = {}
    passes: Lines = {}


class KindsWritten(_Written):
    """A whole file."""

    patterns: Mapping[str, PatternWritten] = {}
    numbers: Mapping[str, str] = {}
    prices: Mapping[str, PriceWritten] = {}
    conditions: Mapping[str, ConditionWritten] = {}
    kinds: Mapping[str, KindWritten]


def read(path: Path) -> KindsWritten:
    """One file. Raises: PackInvalid naming the file, the kind or condition, and the field that is wrong with it."""
    try:
        return KindsWritten.model_validate(_yaml(path))
    except FileNotFoundError:
        raise PackInvalid(f"{path.name} is missing") from None
    except yaml.YAMLError as error:
        raise PackInvalid(f"{path.name} is not YAML: {error}") from None
    except ValidationError as error:
        first = error.errors()[0]
        raise PackInvalid(f"{path.name}: {'/'.join(map(str, first['loc']))}: {first['msg']}") from None


def _yaml(path: Path) -> Any:
    return yaml.load(path.read_bytes(), Loader=yaml.CSafeLoader)
