"""Which sets of classifiers are shipped, and for which screens each has some, by the manifest of the artefacts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import PurePosixPath

import careline_artefacts

SCREENS = careline_artefacts.FOLDER / "screens"
"""A folder for each set."""
_MANIFEST = careline_artefacts.FOLDER / "manifest.json"
_SEMANTIC = "_semantic"


@cache
def shipped_screens() -> Mapping[str, frozenset[str]]:
    """The screens of each set, by its name. A listed file may be left out of an installation that never reads it."""
    listed = [PurePosixPath(name) for name in json.loads(_MANIFEST.read_text(encoding="utf-8"))["artefacts"]]
    found: dict[str, frozenset[str]] = {}
    for file in listed:
        if file.parts[0] == SCREENS.name and not file.stem.endswith(_SEMANTIC):
            found[file.parent.name] = found.get(file.parent.name, frozenset()) | {file.stem}
    return found
