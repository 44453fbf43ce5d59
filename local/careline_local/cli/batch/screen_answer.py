"""`careline screen-answer`: whether an answer may be shown on a public line."""

from __future__ import annotations

import sys
from typing import Any

import click

from careline.errors import BadRequest
from careline.packs.packs import Pack
from careline.safety.in_context import sentences
from careline_local.cli import session as cli
from careline_local.cli.batch.language import LANGUAGE
from careline_local.cli.batch.lines import answer_lines
from careline_local.cli.batch.screen import AT_ONCE, SentenceEmbeddings, language_of


@click.command(name="screen-answer")
@click.argument("answer", nargs=-1)
@click.option("--lang", type=LANGUAGE, help="Language of the answer; all are tried when absent.")
@click.option("--pack", help="Pack whose screens are used; the installation's own when absent.")
@cli.json_option
@click.pass_obj
@cli.command
def command(
    session: cli.CommandSession, answer: tuple[str, ...], lang: str | None, pack: str | None, as_json: bool
) -> None:
    """Say whether an answer advises; without one, answer {id, lang, text} lines from standard input."""
    chosen, sentence_embeddings = (
        cli.pack_of(session, pack),
        SentenceEmbeddings(session.installation.engines.sentence_embedder),
    )

    async def judged(line: dict[str, Any]) -> dict[str, Any]:
        language = language_of(line) or lang or chosen.default_language
        return await screened(line["text"], language, chosen, sentence_embeddings)

    if not answer:
        well = session.run(answer_lines(judged, at_once=AT_ONCE))
        sys.exit(cli.ALL_DONE if well else cli.SOMETHING_FAILED)
    found = session.run(judged({"text": " ".join(answer)}))
    if as_json:
        session.print_json(found)
        return
    medical = "medical content" if found["medical_content"] else "no medical content"
    session.console.print(f"[bold]{found['verdict']}[/], {medical}")
    for reason in found["reasons"]:
        session.console.print(f"  {reason}")


async def screened(text: str, language: str, pack: Pack, sentence_embeddings: SentenceEmbeddings) -> dict[str, Any]:
    """The verdict on one answer, as JSON.

    Raises: BadRequest when the pack lets answers advise, EmbedderUnavailable.
    """
    if pack.advice is None or pack.disclaimers is None:
        raise BadRequest(f"pack: {pack.name} has no screen on advice in answers")
    reasons: tuple[str, ...] = ()
    for sentence, said in sentences(text, language):
        look = pack.advice.first_look(said, language)
        if reasons := look.verdict(await sentence_embeddings.of(sentence) if look.in_doubt else None).reasons:
            break
    return {
        "verdict": "ADVICE" if reasons else "SAFE",
        "medical_content": bool(reasons) or pack.disclaimers.medical(text, language),
        "reasons": list(reasons),
    }
