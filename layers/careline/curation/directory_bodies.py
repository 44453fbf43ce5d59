"""The directory's changes and problems as clients and commands see them."""

from __future__ import annotations

from collections.abc import Iterable

from careline.curation.editions import KEPT, MOST_NAMED, Edition, EntryChange
from careline.directory.directory import Problem
from careline.schemas.directory import (
    DirectoryChangeBody,
    DirectoryChanges,
    DirectorySaved,
    EntryChangeBody,
    EntryProblemBody,
)


def saved_body(now: Edition, before: int, warnings: Iterable[Problem]) -> DirectorySaved:
    """What a change came to; no changes where the edition is still the one `before`."""
    is_new = now.number != before
    return {
        "edition": now.number,
        "dry_run": False,
        "changes": [_change_body(one) for one in now.changes] if is_new else [],
        "more_changes": now.more_changes if is_new else 0,
        "problems": problem_bodies(warnings),
    }


def planned_body(now: Edition, changes: tuple[EntryChange, ...], warnings: Iterable[Problem]) -> DirectorySaved:
    """What a change would come to."""
    return {
        "edition": now.number,
        "dry_run": True,
        "changes": [_change_body(one) for one in changes[:MOST_NAMED]],
        "more_changes": max(0, len(changes) - MOST_NAMED),
        "problems": problem_bodies(warnings),
    }


def problem_bodies(problems: Iterable[Problem]) -> list[EntryProblemBody]:
    """What is wrong, place by place."""
    return [
        {
            "section": one.section,
            "entry": one.entry,
            "field": one.field,
            "message": one.message,
            "row": one.row,
            "warning": one.warning,
        }
        for one in problems
    ]


def history_body(changes: list[Edition], newest: int) -> DirectoryChanges:
    """Changes, of which the last fifty can be taken back."""
    return {"edition": newest, "changes": [_edition_body(one, newest) for one in changes]}


def _edition_body(one: Edition, newest: int) -> DirectoryChangeBody:
    # An edition is taken back to the one before it; before the first there was nothing.
    oldest = newest - KEPT + 1
    return {
        "number": one.number,
        "at": one.at.isoformat() if one.at else None,
        "by": one.by,
        "note": one.note,
        "changes": [_change_body(change) for change in one.changes],
        "more_changes": one.more_changes,
        "can_undo": one.number > oldest or (one.number == 1 and oldest <= 1),
    }


def _change_body(one: EntryChange) -> EntryChangeBody:
    return {"section": one.section, "entry": one.entry, "what": one.what, "fields": list(one.fields)}
