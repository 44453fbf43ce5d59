"""The words for days and times, as data."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import yaml


@cache
def time_words() -> Mapping[str, Any]:
    """The tables of `data/time_words.yaml`, by name and language."""
    text = files("careline.directory").joinpath("data", "time_words.yaml").read_text("utf-8")
    content: Mapping[str, Any] = yaml.load(text, Loader=yaml.CSafeLoader)
    return content


def months(language: str) -> Mapping[str, int]:
    """The months by name."""
    found: Mapping[str, int] = time_words()["months"][language]
    return found
