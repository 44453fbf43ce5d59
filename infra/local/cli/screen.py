"""`careline screen`: what the screens make of an utterance before any search or language model."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import click

from careline.errors import BadRequest
from careline.model import LANGUAGES
from careline.tenants.packs import Pack
from infra.local.cli import session as cli
from infra.local.cli.lines import answer_lines
from infra.local.cli.meanings import Meanings


@click.command(name="screen")
@click.argument("utterance", nargs=-1)
@click.option("--lang", type=click.Choice(LANGUAGES), help="Language of the utterance; all are tried when absent.")
@click.option("--pack", help="Pack whose screens are used; the installation's own when absent.")
@cli.json_option
@click.pass_obj
@cli.command
def command(
    session: cli.Session, utterance: tuple[str, ...], lang: str | None, pack: str | None, as_json: bool
) -> None:
    """Say what an utterance is and why; without one, answer {id, lang, text} lines from standard input."""
    chosen, meanings = cli.pack_of(session, pack), Meanings(session.installation.engines.meaning)

    async def see(lines: list[dict[str, Any]]) -> None:
        seeing = asyncio.create_task(meanings.see([line["text"] for line in lines]))
        await asyncio.sleep(0)
        # While another thread looks, patterns and models are loaded, which takes time only once.
        screened("warm", None, chosen, Meanings(None))
        await seeing

    async def answer(line: dict[str, Any]) -> dict[str, Any]:
        return screened(line["text"], language_of(line) or lang, chosen, meanings)

    if not utterance:
        well = session.run(answer_lines(answer, ahead=see))
        sys.exit(cli.ALL_DONE if well else cli.SOMETHING_FAILED)
    text = " ".join(utterance)
    session.run(meanings.see([text]))
    found = screened(text, lang, chosen, meanings)
    if as_json:
        session.print_json(found)
        return
    session.console.print(f"[bold]{found['terminal']}[/]{'  INJECTION' if found['injection'] else ''}")
    for reason in found["reasons"]:
        session.console.print(f"  {reason}")


def language_of(line: dict[str, Any]) -> str | None:
    """The language that a line names, if any. Raises: BadRequest for one that is not spoken here."""
    language = line.get("lang")
    if language is not None and language not in LANGUAGES:
        raise BadRequest(f"lang: must be one of {', '.join(LANGUAGES)}")
    return language


def screened(text: str, language: str | None, pack: Pack, meanings: Meanings) -> dict[str, Any]:
    """The verdicts on one utterance, as JSON."""
    verdict = pack.terminal.classify(text, language, meanings.of(text))
    injection = pack.injection.judge(text, language, meanings.of(text))
    return {
        "terminal": verdict.terminal.value,
        "injection": injection.injection,
        "reasons": [*verdict.reasons, *injection.reasons],
    }
