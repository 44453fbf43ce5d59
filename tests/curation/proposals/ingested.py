"""Documents that are taken in through every stage, and a hospital that they are held against."""

from __future__ import annotations

from typing import Any

from careline.curation import editions
from careline.curation.proposals import store
from careline.curation.proposals.proposal import Proposal
from careline.directory.directory import Directory
from careline.knowledge import pipeline
from careline.knowledge.register import Upload, register
from careline.model import IndexingJob, JobState
from careline.ports import Engines

TENANT = "h"
ANN = "admin ann"


def a_hospital(**said: Any) -> Directory:
    """Two campuses and a department with its numbers, hours and routes."""
    written = {
        "campuses": [
            {"id": "north", "names": {"en": "Campus North", "nl": "Campus Noord"}, "role": "main"},
            {"id": "south", "names": {"en": "Campus South", "nl": "Campus Zuid"}},
        ],
        "departments": [
            {
                "id": "cardiology",
                "names": {"en": "Cardiology", "nl": "Cardiologie"},
                "synonyms": {"en": ["heart clinic"]},
                "campuses": ["north", "south"],
                "locations": [
                    {"campus": "north", "route": 32, "phone": "011 22 33 44"},
                    {"campus": "south", "route": 132},
                ],
                "opening_hours": [
                    {"campus": "north", "weekly": {day: [{"from": "08:00", "to": "17:00"}] for day in WEEKDAYS}}
                ],
            }
        ],
    }
    return Directory.model_validate({**written, **said})


WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday")


async def ingest(engines: Engines, file_name: str, content: str | bytes, **facts: Any) -> IndexingJob:
    """Take a document in, as anybody's upload."""
    body = content.encode() if isinstance(content, str) else content
    upload = Upload(TENANT, file_name, body, file_name.partition(".")[0], {"language": "en", **facts})
    job = await pipeline.run(await register(upload, engines), engines)
    assert job.state is JobState.COMPLETED, job.error_message
    return job


async def keep_hospital(engines: Engines, **said: Any) -> None:
    """Make `a_hospital` the directory that holds."""
    await editions.keep(a_hospital(**said), TENANT, engines, by="beginning")


async def proposed(engines: Engines, **chosen: Any) -> list[Proposal]:
    """What is asked now."""
    return await store.listing(TENANT, engines, **chosen)
