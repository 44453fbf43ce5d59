"""How the directory, what is wrong with it and what a change did are printed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from typing import Any

import click
from rich.markup import escape
from rich.table import Table

from careline.curation.directory_bodies import problem_bodies
from careline.curation.editions import DirectoryRejected, EntryChange
from careline.directory.directory import Problem
from careline.schemas.directory import DirectorySaved, EntryChangeBody
from careline_local.cli import session as cli

STYLES: Mapping[str, str] = {"added": "green", "removed": "red", "changed": "yellow", "confirmed": "green"}
NAMED_BY = ("names", "subject")
"""Fields that hold what an entry is called, by language."""
HEADS = ("section", "row", "entry", "field", "what is wrong")


def problem_table(problems: Iterable[Problem]) -> Table:
    """What is wrong, place by place; a warning keeps nothing from being used."""
    table = Table(*HEADS)
    for one in problems:
        told = escape(one.message)
        row = str(one.row) if one.row is not None else ""
        style = "yellow" if one.warning else "red"
        table.add_row(one.section, row, escape(one.entry), escape(one.field), f"[{style}]{told}[/]")
    return table


def print_problems(session: cli.CommandSession, problems: Sequence[Problem], as_json: bool) -> None:
    """What keeps a directory from being used, on the way to an exit code that says so."""
    if as_json:
        session.print_json({"kept": False, "problems": problem_bodies(problems)})
        return
    session.console.print(problem_table(problems))
    wrong = sum(not one.warning for one in problems)
    session.note(f"Nothing was kept: {wrong} {'thing is' if wrong == 1 else 'things are'} wrong. Mend and try again.")


def print_saved(session: cli.CommandSession, saved: DirectorySaved, as_json: bool) -> None:
    """What a change did, or would do."""
    if as_json:
        session.print_json(saved)
        return
    out = session.console
    if saved["problems"]:
        out.print(problem_table(Problem(**one) for one in saved["problems"]))
    if not saved["changes"]:
        out.print(f"Nothing to change: edition {saved['edition']} says that already.", markup=False)
        return
    out.print(change_table(saved["changes"]))
    if saved["more_changes"]:
        out.print(f"and {saved['more_changes']} more", markup=False)
    if saved["dry_run"]:
        out.print("Nothing was kept; leave out --dry-run to keep it.", markup=False)
    else:
        number = saved["edition"]
        kept = f"Edition {number} holds. `careline directory undo {number}` takes this change back."
        out.print(kept, markup=False, soft_wrap=True)


def change_table(changes: Iterable[EntryChangeBody]) -> Table:
    """Entries that a change touched."""
    table = Table("section", "entry", "", "fields")
    for one in changes:
        what = f"[{STYLES[one['what']]}]{one['what']}[/]"
        table.add_row(one["section"], escape(one["entry"]), what, escape(", ".join(one["fields"])))
    return table


def in_short(changes: Sequence[EntryChange], more: int) -> str:
    """The entries of a change in a line."""
    named = ", ".join(f"{one.section} {one.entry} {one.what}" for one in changes[:3])
    others = len(changes) - 3 + more
    return f"{named} and {others} more" if others > 0 else named


def title_of(section: str, body: Mapping[str, Any]) -> str:
    """What an entry is called, in the first language that it has; its own name where it has none by language."""
    for field in NAMED_BY:
        if isinstance(body.get(field), Mapping) and body[field]:
            return str(next(iter(body[field].values())))
    if section == "doctors":
        return " ".join(str(body[part]) for part in ("title", "first_name", "last_name") if body.get(part))
    return str(body.get("name", ""))


def refusing(work: Callable[..., Any]) -> Callable[..., Any]:
    """Print what is wrong with a directory as a table, or as JSON, and end with the code of something refused."""

    @wraps(work)
    def wrapped(session: cli.CommandSession, *args: Any, as_json: bool, **kwargs: Any) -> Any:
        try:
            return work(session, *args, as_json=as_json, **kwargs)
        except DirectoryRejected as error:
            print_problems(session, error.problems, as_json)
            raise click.exceptions.Exit(cli.SOMETHING_FAILED) from None

    return wrapped
