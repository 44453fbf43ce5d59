"""The `careline` command: the whole installation from a terminal."""

from __future__ import annotations

import os
import tempfile
from importlib import import_module
from pathlib import Path

import click

from careline.log.configure import begin

COMMANDS = {
    "up": "Serve everything on this machine.",
    "ingest": "Take folders, files and JSON Lines into the library.",
    "ask": "Ask a question and watch the answer come.",
    "search": "Find passages without an answer.",
    "call": "Hold a phone conversation in text or from WAV files.",
    "phone": "Make a telephone number ring at the line, and see whether it does.",
    "screen": "Say what an utterance is before any model is asked.",
    "screen-answer": "Say whether an answer advises.",
    "phi": "Find personal data in a text.",
    "documents": "List, show and delete documents.",
    "answer": "Write, list, edit and retire what questions are answered with, one by one or from a file.",
    "directory": "Show, change, take in and write out a hospital's directory: numbers, hours, doctors, prices.",
    "jobs": "List, show and retry indexing jobs.",
    "quarantine": "List, show, release and discard passages that were held back.",
    "proposals": "Decide about what documents propose for the directory, and see where they contradict it.",
    "turns": "Show what is recorded about turns.",
    "explain": "Say why a turn went the way it did.",
    "audit": "Read and verify the audit chain.",
    "export": "Print everything that is held about a person, as JSON.",
    "erase": "Delete everything that is held about a person.",
    "retention": "Show or decide how long records are kept.",
    "tenant": "Show and change what is known about a hospital: names, numbers, languages, pack, budget.",
    "compliance": "Write the record of processing and a draft impact assessment from the settings.",
    "token": "Make, list and revoke tokens, each of one role.",
    "reindex": "Build the index again from the documents.",
    "pack": "Check packs.",
    "doctor": "Check that this installation can work, and say what to do where it cannot.",
    "settings": "Show every setting: its value, where it came from, its default and meaning.",
    "routes": "Show every route of the HTTP API and the least role that may use it.",
    "records": "Show every kind of record: what is encrypted, when it expires, what erases it.",
    "bench": "Measure speed and relevance.",
    "calibrate": "Measure an embedding model of your own, before it answers anything.",
    "cloud": "Check an account of AWS before a stage is deployed, and the stage after.",
    "cost": "Say what a hospital costs a month in the cloud.",
}
FOLDERS = {
    "knowledge": ("ingest", "search", "documents", "answer", "jobs", "quarantine", "proposals", "reindex"),
    "oversight": ("turns", "explain", "audit", "export", "erase", "retention", "compliance", "tenant", "token"),
    "directory": ("directory",),
    "batch": ("screen", "screen-answer", "phi"),
    "benches": ("bench", "calibrate"),
    "cloud": ("cloud", "cost"),
}
"""In which folder a command stands; the others stand beside this file."""
USE_A_MISSING_HOME = frozenset(
    {"up", "ingest", "bench", "calibrate", "cloud", "cost", "doctor", "settings", "pack", "routes", "records", "phone"}
)
"""Commands that make the folder of `--home` where it is missing, or leave nothing in it."""
READ_RECORDS = frozenset(
    "documents answer directory jobs quarantine proposals turns explain audit export erase retention tenant compliance "
    "reindex".split()
)
"""Commands that work on a stage in AWS as on a home: on its table and its bucket."""
ANSWER_NOTHING = READ_RECORDS | {"token", "calibrate"}
"""Commands that no hit is weighed for, so that they work before an embedding model was measured."""
READ_TEXT_ALONE = frozenset({"screen", "screen-answer", "phi"})
"""Commands to which a home is nothing; where that of `--home` is missing, they work in one that is gone afterwards."""


def module_of(command: str) -> str:
    """The module in which a command stands."""
    folder = next((f"{folder}." for folder, names in FOLDERS.items() if command in names), "")
    return f"careline_local.cli.{folder}{command.replace('-', '_')}"


class Commands(click.Group):
    """Imports a subcommand only when it is used: `careline ask` should not wait for what `up` needs."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order of a newcomer's path."""
        return list(COMMANDS)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is meant; for one that does not exist the message names the nearest."""
        try:
            return super().resolve_command(ctx, args)
        except click.exceptions.NoSuchCommand as error:
            raise click.exceptions.NoSuchCommand(error.command_name, possibilities=COMMANDS, ctx=ctx) from None

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command in the module of its name."""
        if cmd_name not in COMMANDS:
            return None
        found: click.Command = import_module(module_of(cmd_name)).command
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--home",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of this installation's data; `up`, `ingest` and `directory import` make it, others need it.",
)
@click.option("--stack", metavar="NAME", help="A stage in AWS in place of a home, such as careline-prod, as you.")
@click.option("--region", metavar="NAME", help="Region of that stage; the one of your AWS configuration when absent.")
@click.option("--tenant", metavar="ID", help="Hospital that is meant; the installation's own when absent.")
@click.version_option(package_name="careline", prog_name="careline")
@click.pass_context
def main(ctx: click.Context, home: Path | None, stack: str | None, region: str | None, tenant: str | None) -> None:
    """Careline answers hospital questions from the hospital's own documents, with citations."""
    from careline_local.cli.session import CommandSession

    # What is written from here on, by SQLite and by libraries too, is for the owner alone.
    os.umask(0o077)
    begin("careline")
    if home is not None and ctx.invoked_subcommand in READ_TEXT_ALONE and not home.expanduser().exists():
        home = Path(ctx.with_resource(tempfile.TemporaryDirectory(prefix="careline-")))
    if stack is not None and ctx.invoked_subcommand not in READ_RECORDS:
        raise click.UsageError(f"--stack is of these commands: {', '.join(sorted(READ_RECORDS))}")
    if stack is not None and home is not None:
        raise click.UsageError("one of --home and --stack says what is worked on")
    if region is not None and stack is None:
        raise click.UsageError("--region is that of a --stack")
    ctx.obj = CommandSession(
        home, stack=stack, region=region, tenant=tenant, answers=ctx.invoked_subcommand not in ANSWER_NOTHING,
        must_exist=ctx.invoked_subcommand not in USE_A_MISSING_HOME,
    )  # fmt: skip


if __name__ == "__main__":
    main()
