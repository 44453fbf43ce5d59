"""The affinity of intents and categories: by how much a passage counts more or less for what somebody wants.

The values stand in `affinity.csv`; a hospital may replace some of them. An intent without a row weighs nothing.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

import yaml

from careline.model import Category
from careline.value_framework.category import CATEGORIES

LEAST, MOST = 0.55, 1.30
"""The bounds of a multiplier: a passage can overtake another, and no further (the specification's own)."""
NEUTRAL = 1.0
FOLDER = files("careline.value_framework")
Overrides = Mapping[str, float]
"""Multipliers that a hospital chose, by "row/category"."""


@dataclass(frozen=True, slots=True)
class Affinity:
    """The multipliers by row and category, and the row of each intent."""

    rows: Mapping[str, Mapping[Category, float]]
    row_of: Mapping[str, str]

    def row(self, intent: str) -> str | None:
        """The row of an intent; None where it has none."""
        return self.row_of.get(intent)

    def multiplier(self, intent: str, category: Category, overrides: Overrides = MappingProxyType({})) -> float:
        """What a passage's similarity is multiplied by; 1 for an intent without a row."""
        row = self.row(intent)
        if row is None:
            return NEUTRAL
        return overrides.get(f"{row}/{category}", self.rows[row][category])


@cache
def affinity() -> Affinity:
    """The shipped matrix. Raises: ValueError for one that is not whole, or out of bounds."""
    listed = csv.DictReader(FOLDER.joinpath("affinity.csv").read_text("utf-8").splitlines())
    if listed.fieldnames != ["intent", *CATEGORIES]:
        raise ValueError(f"affinity.csv: the columns are intent, {', '.join(CATEGORIES)}")
    rows = {line["intent"]: MappingProxyType({one: float(line[one]) for one in CATEGORIES}) for line in listed}
    held = ((f"{row}/{name}", value) for row, values in rows.items() for name, value in values.items())
    if wrong := [name for name, value in held if not is_bounded(value)]:
        raise ValueError(f"affinity.csv: {wrong[0]} is not between {LEAST} and {MOST}")
    said: dict[str, Any] = yaml.safe_load(FOLDER.joinpath("intents.yaml").read_text("utf-8"))
    row_of: dict[str, str] = said["intent_rows"]
    if unknown := set(row_of.values()) - rows.keys():
        raise ValueError(f"intents.yaml: there is no row {min(unknown)}")
    return Affinity(MappingProxyType(rows), MappingProxyType(row_of))


def is_bounded(value: float) -> bool:
    """Whether a multiplier lies within the bounds."""
    return math.isfinite(value) and LEAST <= value <= MOST


def fault_of(overrides: Mapping[str, float]) -> str:
    """What is wrong with a hospital's multipliers; "" where nothing is."""
    known = affinity().rows
    for name, value in overrides.items():
        row, _, category = name.partition("/")
        if row not in known or category not in CATEGORIES:
            return f"write ROW/CATEGORY, rows are {', '.join(known)}, categories {', '.join(CATEGORIES)}"
        if not is_bounded(value):
            return f"a multiplier is between {LEAST} and {MOST}"
    return ""
