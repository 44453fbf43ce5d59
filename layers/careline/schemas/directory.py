"""Bodies of the hospital's directory beside the directory itself: what a change did, and what is wrong with one."""

from __future__ import annotations

from typing import Literal

from pydantic import Field
from typing_extensions import TypedDict

from careline.schemas.moments import Moment
from careline.schemas.wire import Problem, Strict


class EntryChangeBody(TypedDict):
    """What a change did to one entry; `fields` are those that differ of one that was changed."""

    section: str
    entry: str
    what: Literal["added", "changed", "removed", "confirmed"]
    fields: list[str]


class EntryProblemBody(TypedDict):
    """What is wrong with a directory: in which section, entry and field (dotted). `row` is that of a sheet. A warning
    keeps nothing from being used."""

    section: str
    entry: str
    field: str
    message: str
    row: int | None
    warning: bool


class DirectorySaved(TypedDict):
    """A change of the directory; `edition` is the number of the one that holds. Of a dry run nothing was kept.

    `changes` are at most 300 entries, `more_changes` how many more there are. `problems` are warnings.
    """

    edition: int
    dry_run: bool
    changes: list[EntryChangeBody]
    more_changes: int
    problems: list[EntryProblemBody]


class DirectoryChangeBody(TypedDict):
    """One change: who made it, when and why. `can_undo`: it can be taken back still."""

    number: int
    at: Moment | None
    by: str
    note: str
    changes: list[EntryChangeBody]
    more_changes: int
    can_undo: bool


class DirectoryChanges(TypedDict):
    """Changes of the directory, the last one first."""

    edition: int
    changes: list[DirectoryChangeBody]


class DirectoryFindings(TypedDict):
    """What a person should look at in a directory that holds."""

    problems: list[EntryProblemBody]


class EntryProblem(Strict):
    """The same as `EntryProblemBody`, in a refusal."""

    section: str
    entry: str
    field: str
    message: str
    row: int | None = None
    warning: bool = False


class RejectedDirectory(Problem):
    """A problem document that names everything that is wrong with a directory; nothing of it was kept."""

    problems: list[EntryProblem] = Field(default_factory=list)
