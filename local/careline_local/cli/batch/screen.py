"""`careline screen`: what the screens make of an utterance before any search or language model."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import click
import numpy as np

from careline.errors import BadRequest
from careline.model import LANGUAGES
from careline.packs.packs import Pack
from careline.ports import SentenceEmbedder, Vector
from careline.safety.terminal import Terminal
from careline.safety.utterance import Utterance
from careline_local.cli import session as cli
from careline_local.cli.batch.language import LANGUAGE
from careline_local.cli.batch.lines import answer_lines

AT_ONCE = 256
"""Lines that are worked on at once: while one waits for its sentence embedding, the words of others are screened."""


@click.command(name="screen")
@click.argument("utterance", nargs=-1)
@click.option("--lang", type=LANGUAGE, help="Language of the utterance; all are tried when absent.")
@click.option("--pack", help="Pack whose screens are used; the installation's own when absent.")
@cli.json_option
@click.pass_obj
@cli.command
def command(
    session: cli.CommandSession, utterance: tuple[str, ...], lang: str | None, pack: str | None, as_json: bool
) -> None:
    """Say what an utterance is and why; without one, answer {id, lang, text} lines from standard input."""
    chosen, sentence_embeddings = (
        cli.pack_of(session, pack),
        SentenceEmbeddings(session.installation.engines.sentence_embedder),
    )

    async def answer(line: dict[str, Any]) -> dict[str, Any]:
        return await screened(line["text"], language_of(line) or lang, chosen, sentence_embeddings)

    if not utterance:
        well = session.run(answer_lines(answer, at_once=AT_ONCE))
        sys.exit(cli.ALL_DONE if well else cli.SOMETHING_FAILED)
    found = session.run(answer({"text": " ".join(utterance)}))
    if as_json:
        session.print_json(found)
        return
    session.console.print(f"[bold]{_told(found)}[/]")
    for reason in found["reasons"]:
        session.console.print(f"  {reason}")


def _told(found: dict[str, Any]) -> str:
    """The verdicts in a line, for people; programs read the codes."""
    ended = [] if found["terminal"] == Terminal.FALLTHROUGH else [found["terminal"]]
    attempted = ["INJECTION"] if found["injection"] else []
    return "  ".join([*ended, *attempted]) or "No screen found anything: this would be searched for and answered."


def language_of(line: dict[str, Any]) -> str | None:
    """The language that a line names, if any. Raises: BadRequest for one that is not spoken here."""
    language = line.get("lang")
    if language is not None and language not in LANGUAGES:
        raise BadRequest(f"lang: must be one of {', '.join(LANGUAGES)}")
    return language


async def screened(
    text: str, language: str | None, pack: Pack, sentence_embeddings: SentenceEmbeddings
) -> dict[str, Any]:
    """The verdicts on one utterance, as JSON. Raises: EmbedderUnavailable."""
    said = Utterance(text)
    first, attempt = pack.terminal.first_look(said, language), pack.injection.first_look(said, language)
    sentence_embedding = await sentence_embeddings.of(text) if first.in_doubt or attempt.in_doubt else None
    verdict, injection = first.verdict(sentence_embedding), attempt.verdict(sentence_embedding)
    return {
        "terminal": verdict.before_search.value,
        "injection": injection.injection,
        "reasons": [*verdict.reasons, *injection.reasons],
    }


class SentenceEmbeddings:
    """Sentence embeddings of texts, however long they take. Texts that wait at once are looked at together."""

    def __init__(self, embedder: SentenceEmbedder | None) -> None:
        self._embedder = embedder
        self._waiting: list[tuple[str, asyncio.Future[Vector]]] = []
        self._working: asyncio.Task[None] | None = None

    async def of(self, text: str) -> Vector | None:
        """A text's sentence embedding; None where the installation makes none. Raises: EmbedderUnavailable."""
        if self._embedder is None:
            return None
        future: asyncio.Future[Vector] = asyncio.get_running_loop().create_future()
        self._waiting.append((text, future))
        if self._working is None or self._working.done():
            self._working = asyncio.create_task(self._work_off(self._embedder))
        return await future

    async def _work_off(self, embedder: SentenceEmbedder) -> None:
        while self._waiting:
            taken, self._waiting = self._waiting, []
            try:
                rows = await embedder.sentence_embeddings([text for text, _ in taken])
            except Exception as error:
                # Whatever failed, nobody is left waiting.
                for _, future in taken:
                    future.set_exception(error)
                continue
            for (_, future), row in zip(taken, rows, strict=True):
                future.set_result(np.asarray(row, np.float32))
