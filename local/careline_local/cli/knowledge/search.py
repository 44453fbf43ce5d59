"""`careline search`: passages for one text, or for many as JSON Lines."""

from __future__ import annotations

import json
import sys
from typing import Any

import click
from rich.markup import escape
from rich.table import Column, Table

from careline.document_search import search
from careline.installation import Installation
from careline.schemas import wire
from careline.schemas.questions import SearchResult
from careline_local.cli import session as cli
from careline_local.cli.batch.lines import answer_lines


@click.command(name="search")
@click.argument("text", nargs=-1)
@click.option("--top", type=click.IntRange(1, 100), default=10, show_default=True, help="Hits to show.")
@click.option(
    "--filter",
    "filters",
    multiple=True,
    metavar="FIELD=VALUE",
    help="Only passages whose document has this; numbers and days also as a range: year=2020..",
)
@click.option("--min-score", type=click.FloatRange(0, 1), default=0.0, help="Leaves out hits that score less.")
@cli.json_option
@click.pass_obj
@cli.command
def command(
    session: cli.CommandSession,
    text: tuple[str, ...],
    top: int,
    filters: tuple[str, ...],
    min_score: float,
    as_json: bool,
) -> None:
    """Find passages. Without TEXT, read {id, text, filters?} lines from standard input."""
    if not text:
        installation = session.installation
        well = session.run(answer_lines(lambda line: _line(line, top, min_score, installation)))
        sys.exit(cli.ALL_DONE if well else cli.SOMETHING_FAILED)
    asked = _request(" ".join(text), top, _read_filters(filters), min_score)
    found, is_empty = session.run(_found(asked, session))
    if as_json:
        session.print_json(found)
        return
    if not found["hits"]:
        session.console.print(cli.EMPTY_LIBRARY if is_empty else "No passage was found.", soft_wrap=True)
        return
    table = Table("score", Column("document", no_wrap=True), "section", "text", show_lines=False)
    for hit in found["hits"]:
        shown = escape(hit["text"][:120].replace("\n", " "))
        table.add_row(f"{hit['score']:.2f}", hit["doc_key"], escape(hit["section"] or ""), shown)
    session.console.print(table)


async def _found(asked: wire.SearchRequest, session: cli.CommandSession) -> tuple[SearchResult, bool]:
    found = await search(asked, session.installation)
    return found, not found["hits"] and await session.is_empty()


def _read_filters(filters: tuple[str, ...]) -> dict[str, list[str]]:
    read: dict[str, list[str]] = {}
    for one in filters:
        name, equals, value = one.partition("=")
        if not equals:
            raise click.UsageError("--filter takes FIELD=VALUE, for example --filter language=nl")
        read.setdefault(name, []).append(value)
    return read


def _request(text: object, top: int, filters: object, min_score: float) -> wire.SearchRequest:
    body = {"text": text, "limit": top, "filters": filters, "min_score": min_score}
    return wire.read_body(wire.SearchRequest, json.dumps(body).encode())


async def _line(
    line: dict[str, Any], top: int, min_score: float, installation: Installation
) -> dict[str, Any]:
    filters = line.get("filters") or {}
    if isinstance(filters, dict):
        filters = {name: value if isinstance(value, list) else [value] for name, value in filters.items()}
    found = await search(_request(line["text"], top, filters, min_score), installation)
    return {"hits": [{name: hit[name] for name in ("doc_key", "chunk_id", "score")} for hit in found["hits"]]}
