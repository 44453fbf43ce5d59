"""`careline answer`: what a person says that questions are answered with."""

from __future__ import annotations

import getpass
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import click
from rich.markup import escape
from rich.table import Column, Table

from careline.errors import BadRequest, DocumentRejected
from careline.knowledge.answers import answer_file, answers
from careline.knowledge.curated import answer_records
from careline.schemas.answers import AnswerBody, AnswerRequest, AnswerSaved
from careline.telemetry import turns
from careline_local.cli import session as cli
from careline_local.cli.batch.identifiers import ANSWER, Beginning, meant, whole
from careline_local.cli.knowledge.imported_answers import Imported, import_answers
from careline_local.intake import find

STYLES = {"live": "green", "failed": "red", "held": "red", "discarded": "red", "pending": "yellow"}
LANGUAGE = click.Choice(["nl", "en", "fr", "it"])
AUDIENCE = click.Choice(["public", "clinician"])
by_option = click.option("--by", default=getpass.getuser, help="Who it is, for the audit; your user name when absent.")


@click.group(name="answer")
def command() -> None:
    """Write, list, edit and retire what questions are answered with.

    An answer is told whole to whoever asks one of its questions, in its language, before any page. To everybody else it
    is a passage among others.
    """


def _said_by(required: bool) -> Callable[[Any], Any]:
    """The options that say what an answer is."""
    options = (
        click.option("--question", "questions", multiple=True, help="What it answers; again for each wording."),
        click.option("--text", required=required, help="The answer, at most 1,000 characters; - reads the input."),
        click.option("--language", type=LANGUAGE, help="Language of both; told from the words when absent."),
        click.option("--audience", type=AUDIENCE, help="Who is told it; public when absent."),
        click.option("--owner", help="Who answers for it; named where it is cited."),
        click.option("--valid-from", metavar="YYYY-MM-DD", help="First day on which it is told."),
        click.option("--valid-until", metavar="YYYY-MM-DD", help="Last day on which it is told."),
        click.option("--source", "sources", multiple=True, help="A title or address it comes from; again for each."),
        click.option("--not-phi", multiple=True, help="Words in it that look like personal data and are nobody's."),
        by_option,
        cli.json_option,
    )  # fmt: skip

    def added(work: Any) -> Any:
        for option in reversed(options):
            work = option(work)
        return work

    return added


@command.command()
@click.option("--turn", metavar="ID", help="A turn whose question it answers, as it was recorded.")
@_said_by(required=True)
@click.pass_obj
@cli.command
def add(session: cli.CommandSession, /, turn: str | None, by: str, as_json: bool, **said: Any) -> None:
    """Write a new answer."""
    _print_saved(session, session.run(_added(session, turn, by, said)), as_json)


@command.command()
@click.argument("doc_key")
@_said_by(required=False)
@click.pass_obj
@cli.command
def edit(session: cli.CommandSession, /, doc_key: str, by: str, as_json: bool, **said: Any) -> None:
    """Change an answer; what no option names stays, and an empty one ("") takes away. A retired one is told again."""
    _print_saved(session, session.run(_edited(session, doc_key, by, said)), as_json)


@command.command(name="list")
@click.option("--all", "everything", is_flag=True, help="Those that were retired too.")
@cli.json_option
@click.pass_obj
@cli.command
def list_all(session: cli.CommandSession, everything: bool, as_json: bool) -> None:
    """Every answer: how it stands, its first question and its owner."""
    found = session.run(_all(session, everything=everything))
    if as_json:
        session.print_json({"answers": found})
        return
    if not found:
        session.console.print("There is no answer yet. `careline answer add` writes one.", soft_wrap=True)
        return
    table = Table(Column("answer", no_wrap=True), "state", "language", "question", "owner", "valid until")
    for one in found:
        state = f"[{STYLES.get(one['state'], 'dim')}]{one['state']}[/]"
        more = f" (+{len(one['questions']) - 1})" if len(one["questions"]) > 1 else ""
        question = escape(f"{next(iter(one['questions']), '')}{more}")
        owner, until = escape(one["owner"] or ""), one["valid_until"] or ""
        table.add_row(one["doc_key"], state, one["language"], question, owner, until)
    session.console.print(table)


@command.command()
@click.argument("doc_key")
@cli.json_option
@click.pass_obj
@cli.command
def show(session: cli.CommandSession, doc_key: str, as_json: bool) -> None:
    """One answer whole, and who changed it when."""
    _print(session, session.run(_shown(session, doc_key)), as_json)


@command.command()
@click.argument("doc_key")
@by_option
@cli.json_option
@click.pass_obj
@cli.command
def retire(session: cli.CommandSession, doc_key: str, by: str, as_json: bool) -> None:
    """Take an answer out at once; its key must be given whole. What it said is kept for audit."""
    session.run(_retired(session, doc_key, by))
    if as_json:
        session.print_json({"retired": doc_key})
    else:
        session.console.print(f"{doc_key} is retired.", markup=False)


@command.command(name="import")
@click.argument("paths", nargs=-1, required=True)
@click.option("--language", type=LANGUAGE, help="Of answers that do not say; told from the words when absent.")
@click.option("--audience", type=AUDIENCE, help="Of answers that do not say.")
@click.option("--owner", help="Of answers that do not say.")
@by_option
@cli.json_option
@click.pass_obj
@cli.command
def import_files(
    session: cli.CommandSession, /, paths: tuple[str, ...], by: str, as_json: bool, **defaults: Any
) -> None:
    """Take answers from files of JSON Lines.

    A record has a question (one or a list) and an answer, and may have id, language, owner, valid_until, sources.

    An answer whose id is there already is changed. With --json each record is a line.
    """

    def tell(one: Imported) -> None:
        if as_json:
            session.print_json(one.to_json())
        elif one.refused is not None:
            refused = f"{escape(one.refused.where)}: {escape(one.refused.message)}"
            session.console.print(f"  [red]✗[/] {refused}", soft_wrap=True)

    told = session.run(import_answers(find(paths), defaults, by, session, tell))
    counts = {state: sum(one.state == state for one in told) for state in ("saved", "unchanged", "refused")}
    if as_json:
        session.print_json(counts)
    else:
        session.console.print(", ".join(f"{count} {state}" for state, count in counts.items()))
    if counts["refused"]:
        raise click.exceptions.Exit(cli.SOMETHING_FAILED)


async def _added(session: cli.CommandSession, turn: str | None, by: str, said: dict[str, Any]) -> AnswerBody:
    engines, tenant = session.installation.engines, session.settings.tenant
    questions = list(said["questions"])
    if turn is not None:
        asked = (await turns.show(turn, tenant, engines)).get("question_redacted")
        if not asked and not questions:
            raise BadRequest("--turn: nothing is kept of that question; state it with --question")
        questions = questions or [str(asked)]
    if not questions:
        raise BadRequest("state the question with --question, or the turn that asked it with --turn")
    asked = _request(said, questions=questions)
    return await _settled(session, await _by_options(answers.add(tenant, asked, by, engines)))


async def _edited(session: cli.CommandSession, given: str, by: str, said: dict[str, Any]) -> AnswerBody:
    engines, tenant = session.installation.engines, session.settings.tenant
    held = await answers.show(tenant, await meant(given, ANSWER, _keys(session)), engines)
    kept = {name: value for name, value in held.items() if name in AnswerRequest.model_fields}
    saved = answers.edit(tenant, held["doc_key"], _request(said, **kept), by, engines)
    return await _settled(session, await _by_options(saved))


async def _by_options(saving: Awaitable[AnswerSaved]) -> AnswerSaved:
    """What was saved; a refusal names the option of this command, not the field of a program's request."""
    try:
        return await saving
    except DocumentRejected as error:
        message = error.message.replace("`not_phi`", "`--not-phi`")
        raise DocumentRejected(error.reason, message, error.facts) from None


def _request(said: dict[str, Any], **kept: Any) -> AnswerRequest:
    """What is asked to be saved: what was said over what is kept. Raises: BadRequest, TooLarge."""
    given = {
        name: [one for one in value if one] if isinstance(value, tuple) else value
        for name, value in said.items()
        if value not in (None, ())
    }
    if given.get("text") == "-":
        given["text"] = sys.stdin.read()
    # An empty option takes away what is kept; a text and a question there must be.
    asked = {name: value for name, value in {**kept, **given}.items() if value not in (None, "") or name == "text"}
    return answer_file.checked(asked)


async def _settled(session: cli.CommandSession, saved: AnswerSaved) -> AnswerBody:
    """The answer when its job is over, where it runs in this process."""
    engines = session.installation.engines
    await engines.job_launcher.drain()
    return await answers.show(session.settings.tenant, saved["answer"]["doc_key"], engines)


async def _shown(session: cli.CommandSession, given: str) -> AnswerBody:
    doc_key = await meant(given, ANSWER, _keys(session))
    return await answers.show(session.settings.tenant, doc_key, session.installation.engines)


async def _retired(session: cli.CommandSession, given: str, by: str) -> None:
    doc_key = await whole(given, ANSWER, _keys(session))
    await answers.retire(session.settings.tenant, doc_key, by, session.installation.engines)


async def _all(session: cli.CommandSession, *, everything: bool) -> list[AnswerBody]:
    found: list[AnswerBody] = []
    after: str | None = ""
    while after is not None:
        page = await answers.listing(
            session.settings.tenant, session.installation.engines, after=after, everything=everything
        )
        found, after = [*found, *page["answers"]], page["next"]
    return found


def _keys(session: cli.CommandSession) -> Beginning:
    async def keys(prefix: str) -> AsyncIterator[str]:
        held = answer_records.histories(session.installation.engines.table, session.settings.tenant)
        async for one in held:
            if one.doc_key.startswith(prefix):
                yield one.doc_key

    return keys


def _print_saved(session: cli.CommandSession, saved: AnswerBody, as_json: bool) -> None:
    _print(session, saved, as_json)
    if saved["state"] == "failed":
        raise click.exceptions.Exit(cli.SOMETHING_FAILED)


def _print(session: cli.CommandSession, one: AnswerBody, as_json: bool) -> None:
    if as_json:
        session.print_json(one)
        return
    out = session.console
    lines = [f"{one['doc_key']}: {one['state']}, version {one['version']}, {one['language']}, {one['audience']}"]
    lines += [f"  {question}" for question in one["questions"]]
    lines += ["", one["text"], ""]
    told = {
        "owner": one["owner"], "valid from": one["valid_from"], "valid until": one["valid_until"],
        "sources": "; ".join(one["sources"]), "why it failed": one["error_message"],
    }  # fmt: skip
    lines += [f"  {name}: {value}" for name, value in told.items() if value]
    lines += [f"  {change['at'][:16]} {change['did']} {change['by']}".rstrip() for change in one["changes"]]
    if one["state"] == "discarded":
        lines.append("  A person decided that it is not told: `careline quarantine list --all`")
    if one["state"] == "held":
        lines.append("  It is held back until a person has looked: `careline quarantine list`")
    out.print("\n".join(lines), markup=False, soft_wrap=True)
