"""What every command shares: the installation in `--home`, JSON or rich output, and errors as exit codes.

Exit codes: 0 all done, 1 something failed or was refused, 2 wrong usage or configuration, 3 an engine does not answer.
"""

from __future__ import annotations

import asyncio
import errno
import json
import os
import shlex
import sys
from collections.abc import Callable, Coroutine, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, wraps
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import click
from rich.console import Console

from careline.errors import BadRequest, CarelineError, EngineUnavailable, NotFound, PackInvalid, SettingsInvalid
from careline.settings import Settings
from careline_local.cli.batch.identifiers import nearest

if TYPE_CHECKING:
    from careline.installation import Installation
    from careline.packs.packs import Pack

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")
SUBJECT = (
    "User id, telephone, national, record or account number, e-mail address, name with date of birth "
    '("Jan Peeters 1960-03-12"), or `pseudonym:` and its 16 digits.'
)
"""How a person is named to the commands that look for one."""
EMPTY_LIBRARY = (
    "The library is empty. Take documents in with `careline ingest FOLDER`, or load the demo with `careline up`."
)
NO_HOME = (
    "--home: there is no folder {home}; look for a slip, or make it: `careline --home {home} up`, "
    "`careline --home {home} ingest FOLDER` or `careline --home {home} directory import FILE`"
)
WIDE = 1000
"""Columns where nobody looks: what another program reads is not broken to fit a screen."""
ALL_DONE, SOMETHING_FAILED, WRONG_USAGE, ENGINE_DOWN = 0, 1, 2, 3


@dataclass
class CommandSession:
    """One run of the command."""

    home: Path | None
    json: bool = False
    given: Settings | None = None
    """Settings that are used in place of those of the home."""
    stack: str | None = None
    """A stage in AWS that is worked on in place of the home, in `region`."""
    region: str | None = None
    tenant: str | None = None
    """Hospital that is meant, which must be set up; the installation's own when None."""
    answers: bool = True
    """Whether questions may be answered: what reads records alone needs no embedding model that was measured."""
    must_exist: bool = False
    """Whether a home that was named and is not there is refused: it is a slip more often than a new one."""

    @cached_property
    def settings(self) -> Settings:
        """The settings of the chosen stage or home. Raises: SettingsInvalid, also for a home that had to exist."""
        if self.given is not None:
            return self.given
        if self.tenant is None:
            return self._own_settings
        from careline.access.tokens import checked_tenant

        return self._own_settings.with_changes(tenant=checked_tenant(self.tenant))

    @cached_property
    def _own_settings(self) -> Settings:
        """Those of the home or stage itself, whichever hospital is meant."""
        return self._of_home() if self.stack is None else self._of_stack(self.stack)

    def _of_home(self) -> Settings:
        if self.must_exist and self.home is not None and not self.home.expanduser().exists():
            raise SettingsInvalid(NO_HOME.format(home=shlex.quote(str(self.home))))
        return Settings.load(home=self.home)

    def _of_stack(self, stack: str) -> Settings:
        from careline_local.settings.stack_settings import settings_of

        return settings_of(stack, self.region)

    @cached_property
    def installation(self) -> Installation:
        """The installation of the chosen home. Raises: SettingsInvalid, PackInvalid."""
        # Here and below: half a second that a command does without which asks the running server.
        from careline import bootstrap

        return bootstrap.installation(self.settings, answers=self.answers)

    @cached_property
    def console(self) -> Console:
        """Where people read."""
        return Console(highlight=False, width=None if sys.stdout.isatty() else WIDE)

    @cached_property
    def progress_console(self) -> Console:
        """Where progress is drawn, so that it never mixes with output."""
        return Console(stderr=True, highlight=False)

    def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Run a command's work, then finish its jobs, settle what its turns left and delete what has expired."""
        return asyncio.run(self._run(work))

    async def _run(self, work: Coroutine[Any, Any, Result]) -> Result:
        try:
            if self.tenant is not None:
                await self._check_tenant(work)
            return await work
        finally:
            if "installation" in self.__dict__:
                from careline import bootstrap
                from careline.telemetry import retention
                from careline.telemetry.turns import relay

                await bootstrap.finish(self.installation.engines)
                if self.settings.storage != "aws":
                    # There the telemetry function settles what turns left, and expired records go by themselves.
                    await relay(self.installation.engines)
                    await retention.purge(self.installation.engines)

    async def _check_tenant(self, work: Coroutine[Any, Any, Any]) -> None:
        """A slip is no hospital: an erasure there would be noted, and a chain verified, of nobody. Raises: NotFound."""
        from careline.tenants import tenant_records

        if self.given is None and self.tenant != self._own_settings.tenant:
            known = {one.tenant_id for one in await tenant_records.listing(self.installation.engines.table)}
            if self.tenant not in known:
                work.close()
                told = f"no hospital {self.tenant} is set up{nearest(str(self.tenant), known)}"
                raise NotFound(f"--tenant: {told}; `careline tenant list` shows those that are")

    def note(self, text: str) -> None:
        """Something a person should know that is no part of what was asked for."""
        self.progress_console.print(text, markup=False, soft_wrap=True)

    async def is_empty(self) -> bool:
        """Whether the library holds no document. Raises: TableUnavailable."""
        from careline.knowledge import catalogue

        documents = catalogue.documents(self.installation.engines.table, self.settings.tenant)
        return await anext(aiter(documents), None) is None

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
        except OSError as error:
            if (told := _unwritten(error)) is None:
                raise
            raise _exit(told, SOMETHING_FAILED) from None

    return wrapped


def _unwritten(error: OSError) -> CarelineError | None:
    """That a file cannot be written, which one, and what to do; None of an error of another kind."""
    place = error.filename2 or error.filename
    what = str(place) if isinstance(place, str | os.PathLike) else "a file"
    reason = _UNWRITTEN.get(error.errno or 0)
    return None if reason is None else SettingsInvalid(f"{what} cannot be written: {reason}")


_UNWRITTEN: Mapping[int, str] = MappingProxyType(
    {
        errno.ENOSPC: "the disk is full; make room on it, then try again",
        errno.EDQUOT: "your share of the disk is used up; make room on it, then try again",
        errno.EROFS: "it lies on a read-only disk; choose another folder, or make this one writable",
        errno.EACCES: "its rights do not let you; choose another folder, or run as its owner",
        errno.EPERM: "its rights do not let you; choose another folder, or run as its owner",
    }
)
"""What to do where a file cannot be written, by the system's code."""


def _exit(error: CarelineError, code: int) -> click.exceptions.Exit:
    click.echo(f"careline: {error.message}", err=True)
    return click.exceptions.Exit(code)


json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")


def pack_of(session: CommandSession, name: str | None) -> Pack:
    """The pack of this name, else the installation's own. Raises: BadRequest."""
    packs = session.installation.packs
    chosen = name or session.settings.pack
    if chosen not in packs:
        raise no_pack(chosen, packs)
    return packs[chosen]


def no_pack(name: str, known: Iterable[str]) -> BadRequest:
    """The error that there is no pack of this name, with those there are and the one that was perhaps meant."""
    return BadRequest(f"pack: there is no pack of this name{nearest(name, known)}; known: {', '.join(sorted(known))}")


def check_pack(session: CommandSession, name: str | None) -> None:
    """Refuse the name of no pack before anything is loaded. Raises: BadRequest."""
    known = [each.parent.name for each in session.settings.packs.glob("*/pack.yaml")]
    if name is not None and known and name not in known:
        raise no_pack(name, known)
