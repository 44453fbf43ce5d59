"""`careline records`: what an installation keeps in its table of records, and for how long."""

from __future__ import annotations

import inspect

import click

from careline.records.keys import Key
from careline.records.record_kind import KINDS, RecordKind
from careline_local.cli import session as cli
from careline_local.cli.printed_list import markdown_option, print_list
from careline_local.markdown_table import table

HEADS = ("record", "partition", "sort", "what", "encrypted", "expires", "written by", "erased by")


@click.command(name="records")
@markdown_option
@cli.json_option
@click.pass_obj
@cli.command
def command(session: cli.CommandSession, as_markdown: bool, as_json: bool) -> None:
    """Show every kind of record: where it stands, what is encrypted, when it expires, what writes and erases it."""
    rows = list(map(_cells, KINDS.values()))
    print_list(session, "records", HEADS, rows, markdown() if as_markdown else None, as_json)


def markdown() -> str:
    """The page docs/records.md."""
    cells = map(_cells, KINDS.values())
    rows = ((name, f"`{partition}`", f"`{sort}`", *others) for name, partition, sort, *others in cells)
    return _HEAD + table(HEADS, rows)


def form(kind: RecordKind) -> Key:
    """The key of a kind with the names of its parts in braces; a number shows as its digits."""
    parts = inspect.signature(kind.key).parameters
    return Key(*kind.key(*(0 if part.annotation == "int" else f"{{{name}}}" for name, part in parts.items())))


def _cells(kind: RecordKind) -> tuple[str, ...]:
    told = (kind.what, kind.encrypted, kind.expires, kind.written_by, kind.erased_by)
    return (kind.name.replace("_", " "), *form(kind), *told)


_HEAD = """# Records

What an installation keeps in its table of records: DynamoDB in the cloud, `records.sqlite` in the home on one machine.
Documents themselves, their pages and vectors are files beside it, and turns that wait to be written are in the outbox.

A key has names in braces where a value stands, and zeros where a number does. `days` are those of `careline retention`.
What nobody erases goes when it expires, and not before. This page is made by `careline records --markdown` from
`layers/careline/records/keys.py`, the only place where keys are written.

"""
