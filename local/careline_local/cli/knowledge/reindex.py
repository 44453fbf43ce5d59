"""`careline reindex`: the index is a cache of the documents; this builds it again."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import click
from rich.progress import Progress

from careline.errors import CarelineError
from careline.knowledge import catalogue
from careline.knowledge.reindex import order_reindex, reindex
from careline.model import DocumentState, IndexingJob, JobState
from careline.ports import Engines
from careline_local.cli import session as cli

GOING_ON = frozenset({JobState.PENDING, JobState.RUNNING})
AT_ONCE = 200
"""Jobs that are ordered before some have ended: beyond, functions that are full make them wait until they give up."""
LOOKED_EVERY = 5.0
"""Seconds between two looks at jobs that run in the cloud; each takes a minute or so."""
NOTHING_ENDS = 1800.0
"""Seconds without any job that ends after which the rest is not waited for: longer than one may take."""
STILL = "it goes on; `careline jobs` tells how"


@dataclass
class Ordered:
    """Jobs that were ordered: those that go on, how many brought their document back, and why others did not."""

    engines: Engines
    done: Callable[[], None]
    waiting: dict[str, IndexingJob] = field(default_factory=dict)
    back: int = 0
    failed: dict[str, str] = field(default_factory=dict)

    async def fewer_than(self, most: int) -> None:
        """Wait until fewer than so many go on, or none has ended for `NOTHING_ENDS`."""
        ended = time.monotonic()
        while len(self.waiting) >= most:
            if await self._look():
                ended = time.monotonic()
            elif time.monotonic() - ended > NOTHING_ENDS:
                self.failed |= {job.doc_key: STILL for job in self.waiting.values()}
                self.waiting.clear()
            else:
                await asyncio.sleep(LOOKED_EVERY)

    async def _look(self) -> int:
        """How many have ended since."""
        before = len(self.waiting)
        for job in list(self.waiting.values()):
            now = (await catalogue.job(self.engines.table, job.tenant, job.job_id)).job
            if now.state in GOING_ON:
                continue
            del self.waiting[job.job_id]
            self.done()
            if now.state is JobState.FAILED:
                self.failed[job.doc_key] = now.error_message or str(now.error_type)
            else:
                self.back += 1
        return before - len(self.waiting)


@click.command(name="reindex")
@click.option("--keep", "keeps", is_flag=True, help="In AWS: clear nothing, put in again what may be missing.")
@cli.json_option
@click.pass_obj
@cli.command
def command(session: cli.CommandSession, keeps: bool, as_json: bool) -> None:
    """Build the index again from the documents; what is there is taken away first, and nothing is found until it is
    back. In AWS each document's own job runs again; where this is stopped, `--keep` goes on."""
    if session.settings.storage != "aws":
        if keeps:
            raise click.UsageError("--keep is for a stage in AWS; here the index is built at once")
        done = session.run(_here(session, as_json))
        _print(session, done, {}, as_json, {"documents": done})
        return
    ordered = session.run(_through_jobs(session, keeps, as_json))
    _print(session, ordered.back, ordered.failed, as_json, {"documents": ordered.back, "failed": ordered.failed})
    if ordered.failed:
        raise click.exceptions.Exit(cli.SOMETHING_FAILED)


def _print(
    session: cli.CommandSession, done: int, failed: dict[str, str], as_json: bool, told: dict[str, object]
) -> None:
    if as_json:
        session.print_json(told)
        return
    session.console.print(f"{done} documents of {session.settings.tenant} are back in the index.")
    for doc_key, why in failed.items():
        session.console.print(f"{doc_key}: {why}", soft_wrap=True, markup=False)


async def _here(session: cli.CommandSession, quiet: bool) -> int:
    engines, tenant = session.installation.engines, session.settings.tenant
    live = [1 async for one in catalogue.documents(engines.table, tenant) if one.state is DocumentState.LIVE]
    done = 0
    with Progress(console=session.progress_console, disable=quiet) as progress:
        bar = progress.add_task("reindexing", total=len(live))
        async for _ in reindex(tenant, engines):
            done += 1
            progress.advance(bar)
    return done


async def _through_jobs(session: cli.CommandSession, keeps: bool, quiet: bool) -> Ordered:
    engines, tenant = session.installation.engines, session.settings.tenant
    with Progress(console=session.progress_console, disable=quiet) as progress:
        bar = progress.add_task("reindexing", total=None)
        ordered = Ordered(engines, lambda: progress.advance(bar))
        async for document, job in order_reindex(tenant, engines, keeps=keeps):
            if isinstance(job, CarelineError):
                ordered.failed[document.doc_key] = job.message
                continue
            ordered.waiting[job.job_id] = job
            await ordered.fewer_than(AT_ONCE)
        await ordered.fewer_than(1)
    return ordered
