"""`careline ingest`: folders, files, globs and JSON Lines into the library, with progress, refusals and a summary."""

from __future__ import annotations

import click
from rich.markup import escape

from careline.knowledge.document_key import SameName
from careline.knowledge.extract.bulk_records import Refused
from careline.knowledge.register import FACTS
from careline.model import LeftOut
from careline_local.cli import session as cli
from careline_local.cli.knowledge.documents import REASONS
from careline_local.ingest import FileOutcome, Report, ingest
from careline_local.intake import find

FOR_WHOM = {
    "public": "callers and patients may be answered from them; --audience clinician keeps them to staff",
    "clinician": "staff alone are answered from them",
}
"""What it means for whom documents were taken in."""
NOTHING = "nothing was taken in: {paths} holds no document; hidden files and careline.yaml are passed over"
SHOWN = 25
"""Refusals that are listed; the rest is counted."""


@click.command(name="ingest")
@click.argument("paths", nargs=-1, required=True)
@click.option("--source-type", help="Kind of document, such as brochure or guideline; part of the document's key.")
@click.option(
    "--audience",
    type=click.Choice(["public", "clinician"]),
    help="Who may be answered from them: everybody, callers and patients too (public, also where neither this nor a "
    "fact of the document says so), or staff alone (clinician).",
)
@click.option("--language", help="Language of the documents; detected when absent.")
@click.option(
    "--same-name",
    type=click.Choice([one.value for one in SameName]),
    default=SameName.ASK.value,
    show_default=True,
    help="What becomes of a file that has the name of a document's file but comes from another folder: it is refused "
    "(ask), is the next version of that document (replace), or is kept as a document of its own (beside).",
)
@click.option("--fact", "said", multiple=True, metavar="NAME=VALUE", help="Any other fact, such as year=2026.")
@cli.json_option
@click.pass_obj
@cli.command
def command(
    session: cli.CommandSession,
    paths: tuple[str, ...],
    source_type: str | None,
    audience: str | None,
    language: str | None,
    same_name: str,
    said: tuple[str, ...],
    as_json: bool,
) -> None:
    """Take folders, files and JSON Lines into the library.

    Callers and patients are answered from every document unless it is taken in for clinicians: guidelines and other
    internal documents need --audience clinician, or `audience: clinician` in the folder's careline.yaml.

    With --json each file is a line as soon as it is done, and the last line is the summary. Where there is nothing to
    take in, the exit code is 1, as where a file is refused.
    """
    given = {"source_type": source_type, "audience": audience, "language": language, **_read_facts(said)}
    facts = {name: value for name, value in given.items() if value}

    def tell(outcome: FileOutcome) -> None:
        if as_json:
            session.print_json(outcome.to_json())

    report = session.run(ingest(find(paths), facts, session, quiet=as_json, tell=tell, same_name=SameName(same_name)))
    if as_json:
        session.print_json(report.to_json())
    elif report.seen:
        _show(report, session)
    if not report.seen:
        session.note(f"careline: {NOTHING.format(paths=', '.join(paths))}")
    if report.refused or not report.seen:
        raise click.exceptions.Exit(cli.SOMETHING_FAILED)


def _read_facts(said: tuple[str, ...]) -> dict[str, str]:
    facts = {}
    for one in said:
        name, equals, value = one.partition("=")
        if not equals or name not in FACTS:
            raise click.UsageError(f"--fact takes NAME=VALUE; known names: {', '.join(sorted(FACTS))}")
        facts[name] = value
    return facts


def _show(report: Report, session: cli.CommandSession) -> None:
    console = session.console
    console.print(
        f"{report.live} live, {report.unchanged} unchanged, {len(report.refused)} refused "
        f"in {report.seconds:.1f} s ({report.chunks} chunks)"
    )
    for held in report.held[:SHOWN]:
        why = f"page {held['page']} held back: {', '.join(held['reasons'])}: {held['excerpt'][:120]}"
        where = f"{_escaped(held['doc_key'])}, {_escaped(why)} ({held['passage_id']})"
        console.print(f"  [yellow]![/] {where}", highlight=False)
    if report.held_back:
        console.print(f"  {report.held_back} passages held back; `careline quarantine list` shows them")
    _show_replaced_and_left_out(report, session)
    for one in report.refused[:SHOWN]:
        console.print(f"  [red]✗[/] {_plain(one)}", highlight=False)
    for warned in report.warned[:SHOWN]:
        for warning in warned.warnings:
            console.print(f"  [yellow]![/] {_escaped(f'{warned.where}: {warning}')}", highlight=False)
    if len(report.refused) > SHOWN:
        console.print(f"  … and {len(report.refused) - SHOWN} more; `careline jobs --state failed` lists them")
    for audience, count in sorted(report.audiences.items(), reverse=True):
        console.print(f"  {audience}: {count} documents; {FOR_WHOM[audience]}", soft_wrap=True)


def _show_replaced_and_left_out(report: Report, session: cli.CommandSession) -> None:
    console = session.console
    for one in report.replaced[:SHOWN]:
        console.print(f"  {_escaped(f'{one.where} takes the place of version {one.replaces} of {one.doc_key}')}")
    if len(report.replaced) > SHOWN:
        console.print(f"  … and {len(report.replaced) - SHOWN} more take the place of an earlier version")
    if report.left_out:
        said = ", ".join(f"{REASONS[LeftOut(name)]} in {count}" for name, count in report.left_out.most_common())
        console.print(f"  not told: {said}; `careline documents show KEY --left-out` prints it", soft_wrap=True)


def _plain(one: Refused) -> str:
    return _escaped(f"{one.where}: {one.message} ({one.reason})")


def _escaped(text: str) -> str:

    return escape(text)
