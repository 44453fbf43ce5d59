"""Killed at any call to any engine and run again with a fresh process: nothing lost, nothing doubled."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from careline.engines.embedded.uploads import FolderUploads
from careline.errors import CarelineError, KeyTaken, NotFound
from careline.knowledge import catalogue, offered_upload, pipeline
from careline.knowledge.delete import delete as delete_document
from careline.knowledge.ingestion.refused_upload import Arrival, refuse
from careline.knowledge.register import Upload
from careline.knowledge.reindex import reindex
from careline.model import JobState
from careline.ports import Engines
from tests.builders import some_ids
from tests.fakes import NOW
from tests.knowledge.stores import (
    TENANT,
    Countdown,
    Killed,
    an_upload,
    close,
    contents,
    in_folder,
    ingested,
    jobs,
    watched,
)

KEY = "document-parking"
OLD, NEW, BAD = an_upload("Parkeren kost twee euro."), an_upload("# Tarief\n\nParkeren is gratis."), an_upload("  \n")
Work = Callable[[Engines], Awaitable[object]]


async def unfinished_jobs(engines: Engines) -> list[str]:
    return [job.job_id for job in await jobs(engines) if job.state in {JobState.PENDING, JobState.RUNNING}]


async def take_up(engines: Engines) -> None:
    for job_id in await unfinished_jobs(engines):
        await pipeline.resume(TENANT, job_id, engines)


async def ingest_bad(engines: Engines) -> None:
    """A rejected upload; once its job has failed, uploading it again would open another one, as it should."""
    await take_up(engines)
    if all(job.state is not JobState.FAILED for job in await jobs(engines)):
        await ingested(BAD, engines)


async def retry(engines: Engines) -> None:
    for job in await jobs(engines):
        if job.state is JobState.FAILED and job.retry_count == 0:
            await pipeline.retry(TENANT, job.job_id, engines)
    await take_up(engines)


async def delete(engines: Engines) -> None:
    with suppress(NotFound):
        await delete_document(TENANT, KEY, engines)


def arriving(upload: Upload, sequencer: str) -> Upload:
    """The upload as an event of a bucket tells of it."""
    return replace(upload, arrival=Arrival(TENANT, upload.file_name, sequencer, NOW, sequencer))


async def ordered(engines: Engines) -> None:
    """The newer event, then the older one, then the newer one again."""
    for upload in (arriving(NEW, "0B"), arriving(OLD, "0A"), arriving(NEW, "0B")):
        await ingested(upload, engines)


async def another_name(engines: Engines) -> None:
    """A file of another name and the same key, of which its event tells twice."""
    other = arriving(an_upload("Iets anders.", name="parking.txt"), "0C")
    for _ in range(2):
        try:
            await ingested(other, engines)
        except KeyTaken as told:
            assert other.arrival is not None
            await refuse(other.arrival, told, engines)


def with_uploads(engines: Engines) -> Engines:
    return replace(engines, uploads=FolderUploads(engines.files, engines.clock, bytes(32)))


async def announced(engines: Engines) -> None:
    """A file of one part that was put and not yet completed."""
    engines = with_uploads(engines)
    content = NEW.content
    _, addresses = await offered_upload.offer(TENANT, "parking.md", len(content), "text/markdown", None, {}, engines)
    assert engines.uploads is not None

    async def read(most: int) -> bytes:
        return content

    await engines.uploads.receive(addresses.puts[0].url.rpartition("/")[2], read)


async def completed(engines: Engines) -> None:
    engines = with_uploads(engines)
    async for item in engines.table.query(f"{TENANT}/uploads"):
        etag = hashlib.sha256(NEW.content).hexdigest()
        await offered_upload.complete(TENANT, item.sort, [etag], engines)
    await take_up(engines)


async def rebuild(engines: Engines) -> None:
    async for _ in reindex(TENANT, engines):
        pass


@dataclass(frozen=True)
class Scenario:
    """What there is, and the work that is interrupted."""

    before: tuple[Work, ...]
    work: Work


SCENARIOS = {
    "a first version": Scenario((), lambda engines: ingested(OLD, engines)),
    "a second version": Scenario((lambda engines: ingested(OLD, engines),), lambda engines: ingested(NEW, engines)),
    "a version that fails": Scenario((lambda engines: ingested(OLD, engines),), ingest_bad),
    "a version after a failure": Scenario(
        (lambda engines: ingested(OLD, engines), ingest_bad), lambda engines: ingested(NEW, engines)
    ),
    "a retry": Scenario((ingest_bad,), retry),
    "a deletion": Scenario((lambda engines: ingested(OLD, engines),), delete),
    "the return of what was deleted": Scenario(
        (lambda engines: ingested(OLD, engines), delete), lambda engines: ingested(OLD, engines)
    ),
    "events out of order": Scenario((lambda engines: ingested(OLD, engines),), ordered),
    "another name for one document": Scenario((lambda engines: ingested(OLD, engines),), another_name),
    "a file that was announced": Scenario((lambda engines: ingested(OLD, engines), announced), completed),
    "the index built again": Scenario((lambda engines: ingested(OLD, engines),), rebuild),
}


async def done(folder: Path, *works: Work, before_call: Callable[[], None] = lambda: None, ids: str = "id") -> None:
    """Do the works in a process of their own."""
    engines = watched(in_folder(folder, new_id=some_ids(ids)), before_call)
    try:
        for work in works:
            await work(engines)
    finally:
        close(engines)


async def held(folder: Path) -> dict[str, Any]:
    engines = in_folder(folder)
    try:
        return await contents(engines, [KEY], "parkeren euro gratis")
    finally:
        close(engines)


@pytest.mark.parametrize("name", SCENARIOS)
async def test_killed_before_any_call_and_run_again_it_ends_as_if_nothing_had_happened(
    tmp_path: Path, name: str
) -> None:
    scenario = SCENARIOS[name]
    start, whole = tmp_path / "start", tmp_path / "whole"
    await done(start, *scenario.before, ids="a")
    shutil.copytree(start, whole) if scenario.before else None
    calls = Countdown(-1)
    await done(whole, scenario.work, before_call=calls, ids="b")
    expected, total = await held(whole), -1 - calls.left
    assert total > 4
    for number in range(total):
        killed = tmp_path / f"killed-{number}"
        shutil.copytree(start, killed) if scenario.before else None
        with pytest.raises(Killed):
            await done(killed, scenario.work, before_call=Countdown(number), ids="b")
        await done(killed, scenario.work, ids="c")
        assert await held(killed) == expected, f"killed before call {number} of {total}"
        shutil.rmtree(killed)


async def test_a_version_killed_at_any_call_while_the_next_one_comes_leaves_the_newest_live(tmp_path: Path) -> None:
    calls = Countdown(-1)
    await done(tmp_path / "whole", lambda engines: ingested(OLD, engines), before_call=calls)
    for number in range(3, -1 - calls.left, 3):
        folder = tmp_path / f"killed-{number}"
        with pytest.raises(Killed):
            await done(folder, lambda engines: ingested(OLD, engines), before_call=Countdown(number), ids="b")
        await done(folder, lambda engines: ingested(NEW, engines), take_up, ids="c")
        engines = in_folder(folder)
        head = await catalogue.head(engines.table, TENANT, KEY)
        assert head.live == head.latest
        assert await unfinished_jobs(engines) == []
        close(engines)


async def test_between_any_two_calls_a_reader_finds_one_version_or_the_other(tmp_path: Path) -> None:
    await done(tmp_path, lambda engines: ingested(OLD, engines), ids="a")
    calls = Countdown(-1)
    before = tmp_path.parent / f"{tmp_path.name}-start"
    shutil.copytree(tmp_path, before)
    await done(tmp_path, lambda engines: ingested(NEW, engines), before_call=calls, ids="b")
    seen = []
    for number in range(0, -1 - calls.left, 2):
        folder = tmp_path.parent / f"{tmp_path.name}-{number}"
        shutil.copytree(before, folder)
        with suppress(Killed, CarelineError):
            await done(folder, lambda engines: ingested(NEW, engines), before_call=Countdown(number), ids="b")
        seen.append((await held(folder))["found"][0])
        shutil.rmtree(folder)
    assert {len(texts) for texts in seen} == {1}
    assert seen == sorted(seen, key=lambda texts: "gratis" in texts[0])
