"""`careline routes`: every route of the HTTP API and the least role that may use it."""

from __future__ import annotations

import click

from careline.web.routes import CONSOLE_FILES, OPERATIONS
from careline_local.cli import session as cli
from careline_local.cli.printed_list import markdown_option, print_list
from careline_local.markdown_table import table

HEADS = ("route", "least role", "what", "served by")


@click.command(name="routes")
@markdown_option
@cli.json_option
@click.pass_obj
@cli.command
def command(session: cli.CommandSession, as_markdown: bool, as_json: bool) -> None:
    """Show every route of the HTTP API: who may use it, what it is for, and what serves it."""
    print_list(session, "routes", HEADS, rows(), markdown() if as_markdown else None, as_json)


def rows() -> list[tuple[str, ...]]:
    """Method and path, least role, summary and server of each operation."""
    return [
        (f"{one.method} {one.path}", one.least.value if one.least else "nobody", one.summary, one.server)
        for one in (CONSOLE_FILES, *OPERATIONS)
    ]


def markdown() -> str:
    """The table of docs/api.md."""
    return table(HEADS, ((f"`{route}`", *others) for route, *others in rows()))
