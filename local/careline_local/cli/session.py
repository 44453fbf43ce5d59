"""What every command shares: the installation in `--home`, JSON or rich output, and errors as exit codes.

Exit codes: 0 all done, 1 something failed or was refused, 2 wrong usage or configuration, 3 an engine does not answer.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from functools import cached_property, wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import click
from rich.console import Console

from careline import bootstrap
from careline.errors import BadRequest, CarelineError, EngineUnavailable, PackInvalid, SettingsInvalid
from careline.installation import Installation
from careline.packs.packs import Pack
from careline.settings import Settings
from careline.telemetry import retention
from careline.telemetry.turns import relay

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")
SUBJECT = (
    "User id, telephone, national, record or account number, e-mail address, name with date of birth "
    '("Jan Peeters 1960-03-12"), or `pseudonym:` and its 16 digits.'
)
"""How a person is named to the commands that look for one."""
ALL_DONE, SOMETHING_FAILED, WRONG_USAGE, ENGINE_DOWN = 0, 1, 2, 3


@dataclass
class CommandSession:
    """One run of the command."""

    home: Path | None
    json: bool = False

    @cached_property
    def settings(self) -> Settings:
        """The settings of the chosen home. Raises: SettingsInvalid."""
        return Settings.load(home=self.home)

    @cached_property
    def installation(self) -> Installation:
        """The installation of the chosen home. Raises: SettingsInvalid, PackInvalid."""
        return bootstrap.installation(self.settings)

    @cached_property
    def console(self) -> Console:
        """Where people read."""
        return Console(highlight=False)

    @cached_property
    def progress_console(self) -> Console:
        """Where progress is drawn, so that it never mixes with output."""
        return Console(stderr=True, highlight=False)

    def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Run a command's work, then finish its jobs, settle what its turns left and delete what has expired."""
        return asyncio.run(self._run(work))

    async def _run(self, work: Coroutine[Any, Any, Result]) -> Result:
        try:
            return await work
        finally:
            if "installation" in self.__dict__:
                await bootstrap.finish(self.installation.engines)
                await relay(self.installation.engines)
                await retention.purge(self.installation.engines)

    def print_json(self, value: Any) -> None:
        """One JSON document on one line of standard output."""
        sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")
        sys.stdout.flush()


def command(work: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Turn Careline's errors into one line on standard error and an exit code."""

    @wraps(work)
    def wrapped(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
        try:
            return work(*args, **kwargs)
        except (SettingsInvalid, PackInvalid) as error:
            raise _exit(error, WRONG_USAGE) from None
        except CarelineError as error:
            # A turn that failed carries the status of what failed, wherever that was.
            code = ENGINE_DOWN if error.status == EngineUnavailable.status else SOMETHING_FAILED
            raise _exit(error, code) from None

    return wrapped


def _exit(error: CarelineError, code: int) -> click.exceptions.Exit:
    click.echo(f"careline: {error.message}", err=True)
    return click.exceptions.Exit(code)


json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")


def pack_of(session: CommandSession, name: str | None) -> Pack:
    """The pack of this name, else the installation's own. Raises: BadRequest."""
    packs = session.installation.packs
    chosen = name or session.settings.pack
    if chosen not in packs:
        raise BadRequest(f"pack: there is no pack {chosen}; known: {', '.join(sorted(packs))}")
    return packs[chosen]
