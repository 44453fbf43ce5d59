"""The list of prices, as data with their sources."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from functools import cache
from pathlib import Path
from typing import Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field

FILE = Path(__file__).with_name("prices.yaml")


class Price(BaseModel):
    """What one unit costs, in US dollars without tax. `how` says whether a page was read that names the figure."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    usd: float = Field(gt=0)
    unit: str
    source: str
    how: Literal["read", "from memory"]


class Prices(BaseModel):
    """All prices, and the day they were put together."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    checked: date
    prices: Mapping[str, Price]


@cache
def prices() -> Prices:
    """The list. Raises: ValidationError when it is not one."""
    return Prices.model_validate(yaml.safe_load(FILE.read_text(encoding="utf-8")))
