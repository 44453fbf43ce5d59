"""`careline jobs`: how the work on documents goes."""

from __future__ import annotations

from functools import partial

import click
from rich.markup import escape
from rich.table import Column, Table

from careline.knowledge import catalogue, library, pipeline
from careline.model import JobState
from careline.schemas.library import JobBody
from careline_local.cli import session as cli
from careline_local.cli.batch.identifiers import JOB, meant

state_option = click.option(
    "--state", type=click.Choice([state.value for state in JobState]), help="Only jobs in this state."
)
limit_option = click.option("--limit", type=click.IntRange(1, 100_000), default=50, show_default=True)


@click.group(name="jobs", invoke_without_command=True)
@state_option
@limit_option
@cli.json_option
@click.pass_context
@cli.command
def command(ctx: click.Context, state: str | None, limit: int, as_json: bool) -> None:
    """List, show and retry indexing jobs."""
    if ctx.invoked_subcommand is None:
        _list(ctx.obj, state, limit, as_json)
    ctx.default_map = {"list": ctx.params}


@command.command(name="list")
@state_option
@limit_option
@cli.json_option
@click.pass_obj
@cli.command
def list_all(session: cli.CommandSession, state: str | None, limit: int, as_json: bool) -> None:
    """What `careline jobs` alone lists."""
    _list(session, state, limit, as_json)


def _list(session: cli.CommandSession, state: str | None, limit: int, as_json: bool) -> None:
    found = session.run(library.jobs(session.settings.tenant, session.installation.engines, state=state, limit=limit))
    if as_json:
        session.print_json(found)
        return
    if not found["jobs"]:
        session.console.print(_none(state), soft_wrap=True)
        return
    table = Table(Column("job", no_wrap=True), Column("document", no_wrap=True), "version", "state", "progress", "why")
    for one in found["jobs"]:
        progress = f"{one['processed_chunks']}/{one['total_chunks'] or '?'}"
        why = f"{one['error_type']}: {one['error_message']}" if one["error_type"] else _held(one)
        table.add_row(one["job_id"], one["doc_key"], str(one["version"]), one["state"], progress, escape(why))
    session.console.print(table)


def _none(state: str | None) -> str:
    if state:
        return f"No job is {state}; `careline jobs` lists them all."
    return "There are no jobs yet: each document that `careline ingest FOLDER` takes in makes one."


async def _meant(session: cli.CommandSession, given: str) -> str:
    ids = partial(catalogue.job_ids, session.installation.engines.table, session.settings.tenant)
    return await meant(given, JOB, ids)


async def _job(session: cli.CommandSession, given: str) -> JobBody:
    job_id = await _meant(session, given)
    return await library.job(session.settings.tenant, job_id, session.installation.engines)


def _held(job: JobBody) -> str:
    reasons = dict.fromkeys(reason for one in job["held"] for reason in one["reasons"])
    return f"{job['held_back']} passages held back: {', '.join(reasons)}" if job["held_back"] else ""


@command.command()
@click.argument("job_id")
@cli.json_option
@click.pass_obj
@cli.command
def show(session: cli.CommandSession, job_id: str, as_json: bool) -> None:
    """One job, by its id or the beginning of it."""
    found = session.run(_job(session, job_id))
    if as_json:
        session.print_json(found)
    else:
        shown = "\n".join(f"{name}: {value}" for name, value in found.items() if value is not None)
        session.console.print(shown, markup=False)


@command.command()
@click.argument("job_id")
@cli.json_option
@click.pass_obj
@cli.command
def retry(session: cli.CommandSession, job_id: str, as_json: bool) -> None:
    """Run a failed job again and wait for it."""
    job = session.run(_retry(session, job_id))
    if as_json:
        session.print_json(job)
    else:
        session.console.print(f"{job['doc_key']}: {job['state']} {job['error_message'] or ''}", markup=False)
    if job["state"] == JobState.FAILED:
        raise click.exceptions.Exit(cli.SOMETHING_FAILED)


async def _retry(session: cli.CommandSession, given: str) -> JobBody:
    from careline import bootstrap

    job_id = await _meant(session, given)
    engines, tenant = session.installation.engines, session.settings.tenant
    await pipeline.retry(tenant, job_id, engines)
    await bootstrap.finish(engines)
    return await library.job(tenant, job_id, engines)
