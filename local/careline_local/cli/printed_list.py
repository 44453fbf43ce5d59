"""How a list that the documentation has as well is printed: as a table, as JSON, or as the documentation has it."""

from __future__ import annotations

from collections.abc import Sequence

import click
from rich.markup import escape
from rich.table import Table

from careline_local.cli import session as cli

markdown_option = click.option("--markdown", "as_markdown", is_flag=True, help="Print it as the documentation has it.")


def print_list(
    session: cli.CommandSession,
    name: str,
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    markdown: str | None,
    as_json: bool,
) -> None:
    """Print `markdown` where it is given; else the rows, as JSON under the list's name or as a table."""
    if markdown is not None:
        click.echo(markdown, nl=False)
    elif as_json:
        session.print_json({name: [dict(zip(heads, cells, strict=True)) for cells in rows]})
    else:
        shown = Table(*heads)
        for cells in rows:
            shown.add_row(*map(escape, cells))
        session.console.print(shown)
