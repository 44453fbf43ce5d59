"""`careline phi`: which stretches of a text are personal data."""

from __future__ import annotations

import sys
from typing import Any

import click
from rich.text import Text

from careline.curation.hospital import hospital
from careline_local.cli import session as cli
from careline_local.cli.batch.language import LANGUAGE
from careline_local.cli.batch.lines import answer_lines
from careline_local.cli.batch.screen import language_of


@click.command(name="phi")
@click.argument("words", nargs=-1)
@click.option("--lang", type=LANGUAGE, help="Language of the text; all are tried when absent.")
@cli.json_option
@click.pass_obj
@cli.command
def command(session: cli.CommandSession, words: tuple[str, ...], lang: str | None, as_json: bool) -> None:
    """Find personal data in a text; without one, answer {id, lang, text} lines from standard input."""
    if not words:
        well = session.run(_lines(session))
        sys.exit(cli.ALL_DONE if well else cli.SOMETHING_FAILED)
    text = " ".join(words)
    found = session.run(_spans(text, lang, session))
    if as_json:
        session.print_json({"spans": found})
        return
    shown = Text(text)
    for span in found:
        shown.stylize("reverse", span["start"], span["end"])
    session.console.print(shown)
    for span in found:
        session.console.print(f"  {span['start']}-{span['end']} {span['type']}")


async def _lines(session: cli.CommandSession) -> bool:
    async def answer(line: dict[str, Any]) -> dict[str, Any]:
        return {"spans": await _spans(line["text"], language_of(line), session)}

    return await answer_lines(answer)


async def _spans(text: str, language: str | None, session: cli.CommandSession) -> list[dict[str, Any]]:
    engines, settings = session.installation.engines, session.settings
    tenant, edition = await hospital(engines, settings.tenant, settings)
    found = edition.directory.published.without(engines.detector.find(text, language, tenant.staff), text)
    return [{"start": span.start, "end": span.end, "type": span.type.value} for span in found]
