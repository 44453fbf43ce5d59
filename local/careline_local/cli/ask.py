"""`careline ask`: one question with its answer as it streams, or many as JSON Lines."""

from __future__ import annotations

import sys
from contextlib import aclosing, closing
from typing import TYPE_CHECKING, Any

import click
from rich.markdown import Markdown
from rich.panel import Panel
from rich.text import Text

from careline.errors import BadRequest, CarelineError, EngineUnavailable
from careline.schemas import wire
from careline_local.cli import session as cli
from careline_local.cli.batch.language import LANGUAGE
from careline_local.cli.batch.lines import answer_lines
from careline_local.cli.remote import Remote, running

if TYPE_CHECKING:
    from careline.installation import Installation

NO_EVIDENCE = "NO_EVIDENCE"

STYLES = {"refused": "yellow", "escalated": "yellow", "failed": "red"}


@click.command(name="ask")
@click.argument("question", nargs=-1)
@click.option("--lang", type=LANGUAGE, help="Language of the answer; detected when absent.")
@click.option("--pack", help="Pack to ask; the installation's own when absent.")
@click.option("--channel", type=click.Choice(["chat", "voice"]), default="chat", show_default=True)
@click.option("--conversation", help="Conversation to go on with.")
@click.option("--jsonl", is_flag=True, help="Read {id, text, lang?, channel?, history?} lines from standard input.")
@click.option("--local", "is_local", is_flag=True, help="Answer in this process, also while `careline up` runs.")
@cli.json_option
@click.pass_obj
@cli.command
def command(
    session: cli.CommandSession,
    question: tuple[str, ...],
    lang: str | None,
    pack: str | None,
    channel: str,
    conversation: str | None,
    jsonl: bool,
    is_local: bool,
    as_json: bool,
) -> None:
    """Ask a question and watch the answer come; the server that runs on this home answers, where there is one."""
    if jsonl:
        installation = session.installation
        well = session.run(answer_lines(lambda line: _line(line, pack, installation)))
        sys.exit(cli.ALL_DONE if well else cli.SOMETHING_FAILED)
    if not question:
        raise click.UsageError("ask what? For example: careline ask hoeveel kost parkeren")
    asked = read(
        {
            "text": " ".join(question),
            "language": lang,
            "pack": pack,
            "channel": channel,
            "conversation_id": conversation,
        }
    )
    cli.check_pack(session, pack)
    here = None if is_local else running(session.settings)
    answer = _asked_there(asked, here, session, as_json) if here else session.run(_asked_here(asked, session, as_json))
    if answer.disposition == "failed":
        raise click.exceptions.Exit(cli.ENGINE_DOWN)


def _tell(answer: wire.Answer, session: cli.CommandSession, as_json: bool, *, is_new: bool, is_empty: bool) -> None:
    """The answer; `is_new` when a conversation was named that nobody knew, `is_empty` when there are no documents."""
    if as_json:
        session.print_json(answer.model_dump(mode="json"))
    else:
        show(answer, session)
    if is_new:
        session.note(
            f"No conversation of this id was known, or it was deleted; a new one has begun: {answer.conversation_id}"
        )
    if is_empty:
        session.note(cli.EMPTY_LIBRARY)


def read(values: dict[str, Any]) -> wire.QueryRequest:
    """A request from plain values. Raises: BadRequest."""
    import json

    return wire.read_body(wire.QueryRequest, json.dumps({k: v for k, v in values.items() if v is not None}).encode())


class TurnFailed(CarelineError):
    """A turn ended in a problem."""

    def __init__(self, problem: wire.Problem) -> None:
        super().__init__(f"{problem.message} (trace {problem.trace_id})")
        self.code = problem.error_code
        self.status = problem.status


async def answered(asked: wire.QueryRequest, installation: Installation) -> wire.Answer:
    """The whole answer. Raises: TurnFailed."""
    last: wire.Event | None = None
    from careline.turn import pipeline

    async for event in pipeline.run(asked, installation, installation.engines.new_id()):
        last = event
    return _answer(last)


def _answer(last: wire.Event | None) -> wire.Answer:
    if isinstance(last, wire.Failed):
        raise TurnFailed(last.problem)
    assert isinstance(last, wire.Done)
    return last.answer


async def _line(line: dict[str, Any], pack: str | None, installation: Installation) -> dict[str, Any]:
    known = {"id", "lang", "text", "channel", "history", "pack"}
    if set(line) - known:
        raise BadRequest(f"known fields of a line: {', '.join(sorted(known))}")
    asked = read(
        {
            "text": line["text"],
            "language": line.get("lang"),
            "channel": line.get("channel"),
            "history": line.get("history"),
            "pack": line.get("pack", pack),
        }
    )
    answer = await answered(asked, installation)
    keep = ("doc_key", "source", "title", "page", "excerpt")
    return {
        "text": answer.text,
        "language": answer.language,
        "disposition": answer.disposition,
        "reason": answer.reason,
        "citations": [{name: getattr(one, name) for name in keep} for one in answer.citations],
        "warnings": [one.code for one in answer.warnings],
    }


def _asked_there(asked: wire.QueryRequest, server: Remote, session: cli.CommandSession, as_json: bool) -> wire.Answer:
    """Ask the server that runs on this home. Raises: ServerGone, TurnFailed."""
    named, last = asked.conversation_id, None
    is_new = named is not None and not server.knows(named)
    with closing(server.ask(asked)) as events:
        for last in events:
            _see(last, session, as_json)
    answer = _answer(last)
    _tell(answer, session, as_json, is_new=is_new, is_empty=answer.reason == NO_EVIDENCE and server.is_empty())
    return answer


async def _asked_here(asked: wire.QueryRequest, session: cli.CommandSession, as_json: bool) -> wire.Answer:
    """Ask in this process. Raises: TurnFailed, and what the conversation's record raises."""
    from careline.turn import pipeline

    installation, named, last = session.installation, asked.conversation_id, None
    is_new = named is not None and await _is_new(named, installation)
    async with aclosing(pipeline.run(asked, installation, installation.engines.new_id())) as events:
        async for last in events:
            _see(last, session, as_json)
    answer = _answer(last)
    is_empty = answer.reason == NO_EVIDENCE and await session.is_empty()
    _tell(answer, session, as_json, is_new=is_new, is_empty=is_empty)
    return answer


async def _is_new(named: str, installation: Installation) -> bool:
    """Whether nobody knows the conversation. Where its record cannot be read, the turn tells what is wrong."""
    from careline.conversation.ownership import check_owner

    try:
        return await check_owner(named, installation) is None
    except EngineUnavailable:
        return False


def _see(event: wire.Event, session: cli.CommandSession, as_json: bool) -> None:
    """Text goes out as it comes where a program reads; a person sees the whole answer, laid out."""
    if isinstance(event, wire.Token) and not as_json and not session.console.is_terminal:
        sys.stdout.write(event.text)
        sys.stdout.flush()


def show(answer: wire.Answer, session: cli.CommandSession) -> None:
    """The answer with its sources for a reader."""
    console = session.console
    if console.is_terminal:
        style = STYLES.get(answer.disposition, "green")
        console.print(Panel(Markdown(answer.text), title=answer.disposition, border_style=style, title_align="left"))
    else:
        sys.stdout.write("\n")
    for citation in answer.citations:
        place = f", p. {citation.page}" if citation.page else ""
        if (note := citation.curated) is not None:
            place = f", answer of {note.owner or 'a person'}" + (f", {note.written_on}" if note.written_on else "")
        console.print(
            Text(f"[{citation.number}] {citation.title}{place} ({citation.source}, {citation.language})", style="cyan")
        )
    for warning in answer.warnings:
        console.print(Text(f"! {warning.message}", style="yellow"))
    total = sum(timing.ms for timing in answer.timings)
    model = answer.model or "no model"
    ids = (f"turn {answer.id}", f"conversation {answer.conversation_id}")
    facts = (answer.language, answer.disposition, model, f"{total:.0f} ms", *ids)
    console.print(Text(" · ".join(facts), style="dim"), soft_wrap=True)
