"""What a client is told of a directory that cannot be used: a problem document with everything that is wrong."""

from __future__ import annotations

from datetime import datetime

from careline.curation.editions import DirectoryRejected
from careline.schemas.directory import EntryProblem, RejectedDirectory
from careline.schemas.problem import problem


def rejected_directory(error: DirectoryRejected, trace_id: str, now: datetime) -> RejectedDirectory:
    """The problem document; values are not repeated in it."""
    told = problem(error, trace_id, now)
    problems = [
        EntryProblem(
            section=one.section, entry=one.entry, field=one.field, message=one.message, row=one.row, warning=one.warning
        )
        for one in error.problems
    ]
    return RejectedDirectory(**told.model_dump(), problems=problems)
