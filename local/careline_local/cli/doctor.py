"""`careline doctor`: whether this installation can work, and what to do where it cannot."""

from __future__ import annotations

import asyncio
from dataclasses import asdict

import click
from rich.markup import escape

from careline.errors import SettingsInvalid
from careline_local.cli import session as cli
from careline_local.doctor import Finding, library, machine, python

STYLES = {"ok": "green", "warn": "yellow", "fail": "red"}


@click.command(name="doctor")
@click.option("--port", type=click.IntRange(0, 65535), default=8080, show_default=True, help="Port to be served on.")
@cli.json_option
@click.pass_obj
@cli.command
def command(session: cli.CommandSession, port: int, as_json: bool) -> None:
    """Check that this installation can work, and say what to do where it cannot; ends with 1 where something fails."""
    found = _found(session, port)
    fails = any(one.state == "fail" for one in found)
    if as_json:
        session.print_json({"ok": not fails, "checks": [asdict(one) for one in found]})
    else:
        for one in found:
            _show(one, session)
    if fails:
        raise click.exceptions.Exit(cli.SOMETHING_FAILED)


def _found(session: cli.CommandSession, port: int) -> list[Finding]:
    try:
        settings = session.settings
    except SettingsInvalid as error:
        return [
            python(),
            Finding("settings", "fail", error.message, "`careline settings --markdown` explains them all"),
        ]
    found = [Finding("settings", "ok", "valid"), *machine(settings, port)]
    if any(one.state == "fail" and one.name in {"home", "key", "packs", "cloud model"} for one in found):
        return [*found, Finding("library", "warn", "not looked at", "mend what fails above first")]
    # Not as other commands run: nothing is settled or deleted by looking.
    return [*found, *asyncio.run(library(settings, lambda: session.installation))]


def _show(one: Finding, session: cli.CommandSession) -> None:
    advice = f"; {one.advice}" if one.advice else ""
    style = STYLES[one.state]
    line = f"[{style}]{one.state:<4}[/] {escape(f'{one.name}: {one.found}{advice}')}"
    session.console.print(line, soft_wrap=True)
