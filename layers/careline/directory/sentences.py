"""The sentences and words that facts of the directory are said with, as data."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import yaml


@cache
def wording(language: str) -> Mapping[str, Any]:
    """The sentences and words of a language."""
    text = files("careline.directory").joinpath("rendering", "wording", f"{language}.yaml").read_text("utf-8")
    content: Mapping[str, Any] = yaml.load(text, Loader=yaml.CSafeLoader)
    return content
