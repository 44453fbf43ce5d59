"""`careline settings`: what can be set, what is, and where that came from."""

from __future__ import annotations

from dataclasses import asdict
from itertools import groupby

import click
from rich.markup import escape
from rich.table import Column, Table

from careline.settings import Settings
from careline_local.cli import session as cli
from careline_local.settings.settings_table import described, markdown


@click.command(name="settings")
@click.option("--set", "only_set", is_flag=True, help="Only what is not left at its default.")
@click.option("--markdown", "as_markdown", is_flag=True, help="Print the page of the documentation; no values.")
@cli.json_option
@click.pass_obj
@cli.command
def command(session: cli.CommandSession, only_set: bool, as_markdown: bool, as_json: bool) -> None:
    """Show every setting: its value, where it came from, its default and meaning. Secrets are not shown."""
    if as_markdown:
        click.echo(markdown(described()), nl=False)
        return
    found = described(*Settings.load_with_origins(home=session.home))
    if only_set:
        found = [one for one in found if one.origin is not None]
    if as_json:
        session.print_json({"settings": [asdict(one) for one in found]})
        return
    if not found:
        session.console.print("Everything is left at its default; `careline settings` lists it.", soft_wrap=True)
        return
    table = Table(Column("setting", no_wrap=True), "value", "from", "default", "meaning")
    for _, group in groupby(found, lambda one: one.group):
        for one in group:
            cells = (one.variable, one.value, one.origin or "default", one.default, one.meaning)
            table.add_row(*map(escape, cells), style=None if one.origin else "dim")
        table.add_section()
    session.console.print(table)
