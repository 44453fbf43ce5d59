"""`careline screen-answer`: whether an answer may be shown on a public line."""

from __future__ import annotations

import sys
from typing import Any

import click

from careline.errors import BadRequest
from careline.model import LANGUAGES
from careline.sentences import split
from careline.tenants.packs import Pack
from infra.local.cli import session as cli
from infra.local.cli.lines import answer_lines
from infra.local.cli.meanings import Meanings
from infra.local.cli.screen import language_of


@click.command(name="screen-answer")
@click.argument("answer", nargs=-1)
@click.option("--lang", type=click.Choice(LANGUAGES), help="Language of the answer; all are tried when absent.")
@click.option("--pack", help="Pack whose screens are used; the installation's own when absent.")
@cli.json_option
@click.pass_obj
@cli.command
def command(session: cli.Session, answer: tuple[str, ...], lang: str | None, pack: str | None, as_json: bool) -> None:
    """Say whether an answer advises; without one, answer {id, lang, text} lines from standard input."""
    chosen, meanings = cli.pack_of(session, pack), Meanings(session.installation.engines.meaning)

    def language_in(line: dict[str, Any]) -> str:
        return language_of(line) or lang or chosen.default_language

    async def see(lines: list[dict[str, Any]]) -> None:
        known = [line for line in lines if line.get("lang") in {None, *LANGUAGES}]
        await meanings.see([sentence for line in known for sentence in split(line["text"], language_in(line))])

    async def judged(line: dict[str, Any]) -> dict[str, Any]:
        return screened(line["text"], language_in(line), chosen, meanings)

    if not answer:
        well = session.run(answer_lines(judged, ahead=see))
        sys.exit(cli.ALL_DONE if well else cli.SOMETHING_FAILED)
    line = {"text": " ".join(answer)}
    session.run(see([line]))
    found = screened(line["text"], language_in(line), chosen, meanings)
    if as_json:
        session.print_json(found)
        return
    medical = "medical content" if found["medical_content"] else "no medical content"
    session.console.print(f"[bold]{found['verdict']}[/], {medical}")
    for reason in found["reasons"]:
        session.console.print(f"  {reason}")


def screened(text: str, language: str, pack: Pack, meanings: Meanings) -> dict[str, Any]:
    """The verdict on one answer, as JSON. Raises: BadRequest when the pack lets answers advise."""
    if pack.advice is None or pack.disclaimers is None:
        raise BadRequest(f"pack: {pack.name} has no screen on advice in answers")
    reasons = pack.advice.reasons(text, language, meanings.of)
    return {
        "verdict": "ADVICE" if reasons else "SAFE",
        "medical_content": bool(reasons) or pack.disclaimers.medical(text, language),
        "reasons": list(reasons),
    }
