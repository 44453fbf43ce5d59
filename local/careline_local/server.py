"""Serves the deployed handlers and the console from one process on this machine."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from careline import bootstrap
from careline.access import login
from careline.access.authentication import Authentication
from careline.access.emergencies import EmergenciesFirst
from careline.access.idempotency import IdempotencyKeys
from careline.access.origin import is_loopback
from careline.audit.notary import HeadNotary
from careline.errors import EngineUnavailable, SettingsInvalid
from careline.installation import Installation
from careline.log.event_log import EventLog
from careline.telemetry import retention
from careline.telemetry.turns import relay
from careline.web import http
from careline.web.browser_policy import REFERRER, content_security_policy
from careline_functions.admin import app as admin
from careline_functions.orchestrator import app as orchestrator
from careline_local import malloc_arenas
from careline_local.serving import Serving, forget
from careline_local.start import Start, WaitForModels, take_up
from careline_local.terminal import TerminalQuestions
from careline_local.watchdog import Watchdog

CONSOLE = Path(__file__).with_name("console")
RELAY_SECONDS = 0.5
PURGE_SECONDS = 86_400.0
NOTE_SECONDS = 3_600.0
"""How often what has expired is deleted; it is hidden from the moment it expires."""
GIVE_BACK_SECONDS = 5.0
"""How often memory that nothing uses is given back to the system: what a document took while it was taken in is some
fifty megabytes, and the next one may come before a minute has passed."""
log = EventLog(__name__)


class BrowserPolicy:
    """Headers that keep the console's page to its own origin."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_policy(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [
                    *message["headers"],
                    (b"content-security-policy", content_security_policy().encode()),
                    (b"x-content-type-options", b"nosniff"),
                    (b"referrer-policy", REFERRER.encode()),
                ]
            await send(message)

        await self.app(scope, receive, send_with_policy if scope["type"] == "http" else send)


def application(installation: Installation, serving: Serving | None = None, start: Start | None = None) -> Starlette:
    """Questions, documents, the login and the console; with `serving` also the questions of this home's commands.

    Interrupted jobs are taken up, and the outbox is worked off while it serves and once more when it stops. With
    `start` it serves at once, and what that loads is loaded meanwhile, interrupted jobs last.
    """

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        app.state.installation = installation
        if start is None:
            await take_up(installation)
        async with _beside(installation, start):
            yield
            # Here, as a process that is asked to terminate ends as soon as the server has stopped.
            if serving is not None:
                forget(installation.settings.home, serving)
        await bootstrap.finish(installation.engines)
        await _relay(installation)

    routes = [*orchestrator.ROUTES, *admin.ROUTES, *login.ROUTES]
    middleware = [
        Middleware(http.TraceIds),
        Middleware(BrowserPolicy),
        Middleware(http.ErrorMiddleware),
        Middleware(EmergenciesFirst),
        *([Middleware(WaitForModels, start=start)] if start else []),
        *([Middleware(TerminalQuestions, installation=installation, serving=serving)] if serving else []),
        Middleware(Authentication, routes=routes),
        Middleware(IdempotencyKeys, routes=routes),
    ]
    app = Starlette(routes=routes, lifespan=lifespan, middleware=middleware, exception_handlers=http.HANDLERS)
    # As the default and not as a route: a mount on "/" would take wrong methods on the API's paths for files.
    app.router.default = StaticFiles(directory=CONSOLE, html=True)
    return app


@asynccontextmanager
async def _beside(installation: Installation, start: Start | None) -> AsyncIterator[None]:
    """What goes on beside the requests, for as long as the block runs."""
    loading = [] if start is None else [start.run()]
    kept = (_relay_always(installation), _purge_always(installation), _note_always(installation))
    always = (*kept, _give_back_always(), _watch_always(start))
    working = [asyncio.create_task(one) for one in (*loading, *always)]
    try:
        yield
    finally:
        for task in working:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task


async def _relay_always(installation: Installation) -> None:
    waiting = False
    while True:
        waiting = await _relay(installation, waiting=waiting)
        await asyncio.sleep(RELAY_SECONDS)


async def _relay(installation: Installation, *, waiting: bool = False) -> bool:
    """Whether turns wait in the outbox; told once, and not twice a second to a log that may lie on the same disk."""
    try:
        await relay(installation.engines)
    except EngineUnavailable as error:
        if not waiting:
            log.write("outbox_waiting", error=error.code)
        return True
    return False


async def _purge_always(installation: Installation) -> None:
    while True:
        try:
            await retention.purge(installation.engines)
        except EngineUnavailable as error:
            log.write("purge_waiting", error=error.code)
        await asyncio.sleep(PURGE_SECONDS)


async def _note_always(installation: Installation) -> None:
    engines = installation.engines
    while engines.noted_heads is not None:
        try:
            notary = HeadNotary(engines.table, engines.key, engines.noted_heads)
            await notary.note_all([installation.settings.tenant])
        except EngineUnavailable as error:
            log.write("audit_heads_waiting", error=error.code)
        await asyncio.sleep(NOTE_SECONDS)


async def _watch_always(start: Start | None) -> None:
    """Looks for blocks of the event loop, once models are loaded: what is read with them stops it, and is expected."""
    if start is not None:
        await start.models()
    async with Watchdog().watching():
        await asyncio.Event().wait()


async def _give_back_always() -> None:
    while True:
        await asyncio.to_thread(malloc_arenas.give_back)
        await asyncio.sleep(GIVE_BACK_SECONDS)


def check_address(host: str, installation: Installation) -> None:
    """Raises: SettingsInvalid for an address that others can reach while nobody must log in, and for a gateway's word
    where there is no gateway."""
    settings = installation.settings
    if settings.access.login == "gateway":
        raise SettingsInvalid("CARELINE_LOGIN: gateway is for functions behind API Gateway; use required here")
    if not is_loopback(host) and settings.access.token is None and settings.access.login == "auto":
        raise SettingsInvalid(
            f"{host} can be reached by others; set CARELINE_TOKEN to a secret of your own first, or listen on 127.0.0.1"
        )
