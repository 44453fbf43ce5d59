"""`careline jobs`: how the work on documents goes."""

from __future__ import annotations

from typing import Any

import click
from rich.markup import escape
from rich.table import Table

from careline.knowledge import library, pipeline
from careline.model import JobState
from careline_local.cli import session as cli


@click.group(name="jobs", invoke_without_command=True)
@click.option("--state", type=click.Choice([state.value for state in JobState]), help="Only jobs in this state.")
@click.option("--limit", type=click.IntRange(1, 100_000), default=50, show_default=True)
@cli.json_option
@click.pass_context
@cli.command
def command(ctx: click.Context, state: str | None, limit: int, as_json: bool) -> None:
    """List, show and retry indexing jobs."""
    if ctx.invoked_subcommand is not None:
        return
    session: cli.CommandSession = ctx.obj
    found = session.run(library.jobs(session.settings.tenant, session.installation.engines, state=state, limit=limit))
    if as_json:
        session.print_json(found)
        return
    table = Table("job", "document", "version", "state", "progress", "why")
    for one in found["jobs"]:
        progress = f"{one['processed_chunks']}/{one['total_chunks'] or '?'}"
        why = f"{one['error_type']}: {one['error_message']}" if one["error_type"] else _held(one)
        table.add_row(one["job_id"], one["doc_key"], str(one["version"]), one["state"], progress, escape(why))
    session.console.print(table)


def _held(job: dict[str, Any]) -> str:
    reasons = dict.fromkeys(reason for one in job["held"] for reason in one["reasons"])
    return f"{job['held_back']} passages held back: {', '.join(reasons)}" if job["held_back"] else ""


@command.command()
@click.argument("job_id")
@cli.json_option
@click.pass_obj
@cli.command
def show(session: cli.CommandSession, job_id: str, as_json: bool) -> None:
    """One job."""
    found = session.run(library.job(session.settings.tenant, job_id, session.installation.engines))
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


async def _retry(session: cli.CommandSession, job_id: str) -> dict[str, object]:
    from careline import bootstrap

    engines, tenant = session.installation.engines, session.settings.tenant
    await pipeline.retry(tenant, job_id, engines)
    await bootstrap.finish(engines)
    return await library.job(tenant, job_id, engines)
