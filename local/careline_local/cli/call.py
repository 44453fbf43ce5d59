"""`careline call --text`: a phone conversation in text, with what the caller hears and how long each stage took."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

import click
from rich.text import Text

from careline import wire
from careline.errors import BadRequest
from careline.installation import Installation
from careline.tenants import directory
from careline_local.cli import session as cli
from careline_local.cli.ask import answered, read


@click.command(name="call")
@click.option(
    "--text", "said", multiple=True, help="What the caller says, once per utterance; standard input when absent."
)
@click.option(
    "--lang",
    type=click.Choice(["nl", "en", "fr", "it"]),
    help="Language of the line; the first utterance decides when absent.",
)
@click.option("--pack", help="Pack that answers.")
@cli.json_option
@click.pass_obj
@cli.command
def command(
    session: cli.CommandSession, said: tuple[str, ...], lang: str | None, pack: str | None, as_json: bool
) -> None:
    """Hold a phone conversation in text."""
    utterances: Iterable[str] = said or _listened(session)
    session.run(_call(utterances, lang, pack, session, as_json))


def _listened(session: cli.CommandSession) -> Iterable[str]:
    while True:
        if sys.stdin.isatty():
            session.progress_console.print("caller> ", end="")
        line = sys.stdin.readline()
        if not line:
            return
        if line.strip():
            yield line.strip()


async def _call(
    utterances: Iterable[str], lang: str | None, pack: str | None, session: cli.CommandSession, as_json: bool
) -> None:
    installation = session.installation
    conversation = installation.engines.new_id()
    if not as_json:
        session.console.print(Text(f"careline: {await opening(installation, lang, pack)}", style="green"))
    for utterance in utterances:
        asked = read(
            {"text": utterance, "language": lang, "pack": pack, "channel": "voice", "conversation_id": conversation}
        )
        answer = await answered(asked, installation)
        if as_json:
            session.print_json(_said(utterance, answer))
        else:
            _show(utterance, answer, session)
        if answer.disposition == "farewelled":
            return


async def opening(installation: Installation, lang: str | None, pack: str | None) -> str:
    """What the line says first; it says that it is a machine (AI Act, article 50)."""
    settings = installation.settings
    tenant = await directory.tenant(installation.engines.table, settings.tenant, settings)
    name = pack or settings.pack
    if name not in installation.packs:
        raise BadRequest(f"pack: there is no pack of this name; known: {', '.join(sorted(installation.packs))}")
    chosen = installation.packs[name]
    language = lang or tenant.default_language or chosen.default_language
    return chosen.say("call_opening", language, hospital=tenant.name_in(language) or "")


def _said(utterance: str, answer: wire.Answer) -> dict[str, Any]:
    return {
        "caller": utterance,
        "spoken": answer.text,
        "language": answer.language,
        "disposition": answer.disposition,
        "reason": answer.reason,
        "model": answer.model,
        "timings": [timing.model_dump() for timing in answer.timings],
        "citations": [citation.doc_key for citation in answer.citations],
    }


def _show(utterance: str, answer: wire.Answer, session: cli.CommandSession) -> None:
    session.console.print(Text(f"caller:   {utterance}", style="bold"))
    session.console.print(Text(f"careline: {answer.text}", style="green"))
    stages = " · ".join(f"{timing.stage} {timing.ms:.0f}" for timing in answer.timings)
    session.console.print(Text(f"          {answer.language} · {answer.disposition} · ms: {stages}", style="dim"))
