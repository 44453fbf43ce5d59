"""Reads what a language says and hears: `data/<language>.yaml`, with one typed accessor for each shape of entry."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import cast

import yaml


def text(language: str, *path: str) -> str:
    """One sentence or word. Raises: KeyError where the language has no such entry, or is none of the four."""
    return cast(str, _entry(language, path))


def texts(language: str, *path: str) -> tuple[str, ...]:
    """A list, in its order. Raises: KeyError as `text`."""
    return tuple(cast(list[str], _entry(language, path)))


def table(language: str, *path: str) -> Mapping[str, str]:
    """Words by key. Raises: KeyError as `text`."""
    return MappingProxyType(cast(dict[str, str], _entry(language, path)))


def lists(language: str, *path: str) -> Mapping[str, tuple[str, ...]]:
    """Lists by key. Raises: KeyError as `text`."""
    return MappingProxyType(
        {key: tuple(some) for key, some in cast(dict[str, list[str]], _entry(language, path)).items()}
    )


def _entry(language: str, path: tuple[str, ...]) -> object:
    found: object = _data(language)
    for key in path:
        found = cast(dict[str, object], found)[key]
    return found


@cache
def _data(language: str) -> dict[str, object]:
    folder = resources.files("careline.speech").joinpath("data")
    merged: dict[str, object] = {}
    for name in (f"{language}.yaml", f"numbers_{language}.yaml"):
        file = folder.joinpath(name)
        if not file.is_file():
            raise KeyError(language)
        merged.update(yaml.load(file.read_text("utf-8"), Loader=yaml.CSafeLoader))
    return merged
