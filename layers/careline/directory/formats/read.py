"""What reading a file gives."""

from __future__ import annotations

from dataclasses import dataclass

from careline.directory.directory import Directory, Problem

FILE = "file"
"""The section of a problem with the file as a whole."""


@dataclass(frozen=True, slots=True)
class Read:
    """A directory out of a file, and all that is wrong with the file; None where it cannot be used as it is."""

    directory: Directory | None
    problems: tuple[Problem, ...] = ()


def nothing(*problems: Problem) -> Read:
    """A file that cannot be used."""
    return Read(None, problems)
