"""Puts the packages of a locked list into a folder, taken from the environment that the tests run in.

Nothing is downloaded. The versions are those of the list or it stops; the files are the ones that pip has checked.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement

_PINNED = re.compile(r"^(?P<pin>[A-Za-z0-9][^\s]*==[^\\\n]+?)\s*\\?$", re.MULTILINE)


def install(locked: Path, folder: Path) -> None:
    """Fill a folder with what a list names for this machine. Raises: ValueError where the environment differs from the
    list: `make test` installs what it names."""
    for requirement in pinned(locked.read_text("utf-8")):
        _place(_installed(requirement), folder)


def pinned(text: str) -> Iterator[Requirement]:
    """The packages of a locked list that this machine wants."""
    for found in _PINNED.finditer(text):
        requirement = Requirement(found["pin"])
        if requirement.marker is None or requirement.marker.evaluate():
            yield requirement


def _installed(requirement: Requirement) -> Distribution:
    try:
        found = distribution(requirement.name)
    except PackageNotFoundError:
        raise ValueError(f"{requirement} is not installed here; run `make test`") from None
    if not requirement.specifier.contains(found.version, prereleases=True):
        raise ValueError(f"{requirement} is wanted, and {found.version} is installed here; run `make test`")
    return found


def _place(found: Distribution, folder: Path) -> None:
    """Files beside the packages, such as scripts, are left out, and so is bytecode: each image makes its own."""
    for file in found.files or ():
        if file.parts[0] == ".." or "__pycache__" in file.parts:
            continue
        target = folder / file
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            _link(Path(str(found.locate_file(file))), target)


def _link(source: Path, target: Path) -> None:
    """Linked where it can be, as nothing is written in a tree; a copy elsewhere."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)
