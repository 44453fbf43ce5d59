"""What a server does while it serves already: loads the models and documents, takes up interrupted jobs.

A question waits for the models, a matter of seconds, and does not wait for documents: it is answered from those that
are there, with a warning. What fails is told in `/health` and on the terminal, and the server goes on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Protocol

from starlette.types import ASGIApp, Receive, Scope, Send

from careline import bootstrap
from careline.access import tokens
from careline.errors import CarelineError, kind_and_place
from careline.installation import DOCUMENTS, MODELS, Installation, Part
from careline.log.event_log import EventLog
from careline.runtime.warm_up import warm
from careline.web.routes import OPERATIONS
from careline_local import malloc_arenas
from careline_local.ingest import Report

IN_NO_LANGUAGE = "qwx " * 60
"""Words that no list of frequent ones holds, and enough of them to be asked about as a document would be."""
JOBS = "jobs"
NEEDS_MODELS = frozenset(one.route for one in OPERATIONS if one.needs_models)
"""Methods and paths."""
LONGEST_WAIT = 30.0
"""Seconds that a question waits for the models; then it loads itself what it needs."""
log = EventLog(__name__)


class Load(Protocol):
    """Takes documents in."""

    async def __call__(self, *, tell: Callable[[int, int], None], after: Callable[[], Awaitable[object]]) -> Report:
        """See `Start`."""


class Start:
    """One start of a server. `run` is over when everything is loaded, or told as failed.

    `load` takes documents in, and is told whom to tell how many are done and what to wait for with the heavy part of
    it; `note` tells the person at the terminal.
    """

    def __init__(self, installation: Installation, note: Callable[[str], None], load: Load | None = None) -> None:
        self._installation, self._note, self._load = installation, note, load
        self._readiness = installation.readiness
        self._models = asyncio.Event()
        self._readiness.note(MODELS, Part())
        if load is not None:
            self._readiness.note(DOCUMENTS, Part())

    @property
    def loads_documents(self) -> bool:
        """Whether documents are to be loaded."""
        return self._load is not None

    async def run(self) -> None:
        """Load the models, then the documents where some are wanted; then take up the jobs of an earlier process."""
        loading = asyncio.create_task(self._step(DOCUMENTS, self._load_documents))
        try:
            await self._step(MODELS, self._load_models)
            self._models.set()
            await loading
        finally:
            loading.cancel()
        malloc_arenas.keep_little_free()
        await self._step(JOBS, self._take_up)

    async def models(self) -> None:
        """Wait until the models are loaded, but not for ever."""
        try:
            await asyncio.wait_for(self._models.wait(), LONGEST_WAIT)
        except TimeoutError:
            log.write("models_waited_for")

    async def _step(self, name: str, work: Callable[[], Awaitable[Part | None]]) -> None:
        try:
            part = await work()
        except CarelineError as error:
            part = Part(failed=error.message)
        except Exception as error:
            # Whatever it is: the server is there, and says so.
            log.write("start_broke", part=name, **kind_and_place(error))
            part = Part(failed=f"{type(error).__name__}; see the log")
        if part is not None:
            self._readiness.note(name, part)
            if part.failed:
                self._note(f"careline: {name} could not be loaded: {part.failed}")

    async def _load_models(self) -> Part:
        await warm(self._installation)
        # Loads the statistics of languages.
        await asyncio.to_thread(self._installation.engines.identify.identify, IN_NO_LANGUAGE)
        return Part(is_ready=True)

    async def _load_documents(self) -> Part | None:
        if self._load is None:
            return None
        report = await self._load(
            tell=lambda done, total: self._readiness.note(DOCUMENTS, Part(done, total)), after=self._models.wait
        )
        if report.refused:
            first = report.refused[0]
            return Part(failed=f"{len(report.refused)} were refused, {first.where} first: {first.message}")
        self._note(_loaded(report))
        return Part(is_ready=True)

    async def _take_up(self) -> None:
        await take_up(self._installation)


def _loaded(report: Report) -> str:
    said = f"All {report.live + report.unchanged} documents are loaded."
    if not report.held_back:
        return said
    passages = "1 passage was" if report.held_back == 1 else f"{report.held_back} passages were"
    return f"{said} {passages} held back until a person decides; `careline quarantine list` shows why."


async def take_up(installation: Installation) -> None:
    """Go on with the jobs of an earlier process: the installation's own tenant's, and those of every tenant that a
    token was made for. Raises: TableUnavailable."""
    engines = installation.engines
    for tenant in {installation.settings.tenant} | {one.tenant for one in await tokens.listing(engines)}:
        await bootstrap.take_up(engines, tenant)


class WaitForModels:
    """Holds questions until the models are loaded; everything else is answered at once."""

    def __init__(self, app: ASGIApp, start: Start) -> None:
        self.app, self._start = app, start

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and (scope["method"], scope["path"]) in NEEDS_MODELS:
            await self._start.models()
        await self.app(scope, receive, send)
