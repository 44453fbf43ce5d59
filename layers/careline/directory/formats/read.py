"""What reading a file gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from careline.directory.directory import Directory, Problem

FILE = "file"
"""The section of a problem with the file as a whole."""


@dataclass(frozen=True, slots=True)
class Read:
    """A directory out of a file, and all that is wrong with the file; None where it cannot be used as it is."""

    directory: Directory | None
    problems: tuple[Problem, ...] = ()


def told(problems: Sequence[Problem], most: int) -> tuple[Problem, ...]:
    """The problems of one file in their order; of more than `most`, first those that keep it from being used."""
    if len(problems) <= most:
        return tuple(problems)
    chosen = sorted(range(len(problems)), key=lambda at: problems[at].warning)[:most]
    return tuple(problems[at] for at in sorted(chosen))


def nothing(*problems: Problem) -> Read:
    """A file that cannot be used."""
    return Read(None, problems)
