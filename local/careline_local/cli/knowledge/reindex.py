"""`careline reindex`: the index is a cache of the documents; this builds it again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import click
from rich.progress import Progress

from careline.knowledge import catalogue
from careline.knowledge.reindex import order_reindex, reindex
from careline.model import DocumentState, IndexingJob, JobState
from careline.ports import Engines
from careline_local.cli import session as cli

GOING_ON = frozenset({JobState.PENDING, JobState.RUNNING})
LOOKED_EVERY = 5.0
"""Seconds between two looks at jobs that run in the cloud; each takes a minute or so."""


@click.command(name="reindex")
@cli.json_option
@click.pass_obj
@cli.command
def command(session: cli.CommandSession, as_json: bool) -> None:
    """Build the index again from the documents; what is there is taken away first, and nothing is found until it is
    back. In AWS each document's own job runs again, and goes on when this command is stopped."""
    in_the_cloud = session.settings.storage == "aws"
    done, failed = session.run((_through_jobs if in_the_cloud else _here)(session, as_json))
    if as_json:
        session.print_json({"documents": done, **({"failed": failed} if in_the_cloud else {})})
    else:
        session.console.print(f"{done} documents are back in the index.")
        for job_id in failed:
            session.console.print(f"Job {job_id} failed: `careline jobs show {job_id}` says why.", soft_wrap=True)
    if failed:
        raise click.exceptions.Exit(cli.SOMETHING_FAILED)


async def _here(session: cli.CommandSession, quiet: bool) -> tuple[int, list[str]]:
    engines, tenant = session.installation.engines, session.settings.tenant
    live = [1 async for one in catalogue.documents(engines.table, tenant) if one.state is DocumentState.LIVE]
    done = 0
    with Progress(console=session.progress_console, disable=quiet) as progress:
        bar = progress.add_task("reindexing", total=len(live))
        async for _ in reindex(tenant, engines):
            done += 1
            progress.advance(bar)
    return done, []


async def _through_jobs(session: cli.CommandSession, quiet: bool) -> tuple[int, list[str]]:
    engines, tenant = session.installation.engines, session.settings.tenant
    ordered = [job async for job in order_reindex(tenant, engines)]
    with Progress(console=session.progress_console, disable=quiet) as progress:
        bar = progress.add_task("reindexing", total=len(ordered))
        return await _ended(ordered, engines, lambda: progress.advance(bar))


async def _ended(ordered: Sequence[IndexingJob], engines: Engines, done: Callable[[], None]) -> tuple[int, list[str]]:
    """Wait for the jobs; how many brought their document back, and those that failed."""
    waiting, failed = {job.job_id: job for job in ordered}, []
    while waiting:
        for job in list(waiting.values()):
            state = (await catalogue.job(engines.table, job.tenant, job.job_id)).job.state
            if state in GOING_ON:
                continue
            del waiting[job.job_id]
            done()
            if state is JobState.FAILED:
                failed.append(job.job_id)
        if waiting:
            await asyncio.sleep(LOOKED_EVERY)
    return len(ordered) - len(failed), failed
