"""Serves the deployed handlers and the console from one process on this machine."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from careline import bootstrap, http
from careline.access import login, tokens
from careline.access.authentication import Authentication
from careline.access.origin import is_loopback
from careline.errors import EngineUnavailable, SettingsInvalid
from careline.installation import Installation
from careline.telemetry import retention
from careline.telemetry.turns import relay
from careline_functions.admin import app as admin
from careline_functions.orchestrator import app as orchestrator
from careline_local import malloc_arenas
from careline_local.serving import Serving, forget
from careline_local.terminal import TerminalQuestions
from careline_local.watchdog import Watchdog

CONSOLE = Path(__file__).with_name("console")
RELAY_SECONDS = 0.5
PURGE_SECONDS = 86_400.0
"""How often what has expired is deleted; it is hidden from the moment it expires."""
POLICY = (
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
    "frame-ancestors 'none'; form-action 'self'"
)
GIVE_BACK_SECONDS = 5.0
"""How often memory that nothing uses is given back to the system: what a document took while it was taken in is some
fifty megabytes, and the next one may come before a minute has passed."""
logger = logging.getLogger(__name__)


class BrowserPolicy:
    """Headers that keep the console's page to its own origin."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_policy(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [
                    *message["headers"],
                    (b"content-security-policy", POLICY.encode()),
                    (b"x-content-type-options", b"nosniff"),
                    (b"referrer-policy", b"no-referrer"),
                ]
            await send(message)

        await self.app(scope, receive, send_with_policy if scope["type"] == "http" else send)


def application(installation: Installation, serving: Serving | None = None) -> Starlette:
    """Questions, documents, the login and the console; with `serving` also the questions of this home's commands.

    Interrupted jobs are taken up, and the outbox is worked off while it serves and once more when it stops.
    """

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        app.state.installation = installation
        for tenant in await _tenants(installation):
            await bootstrap.take_up(installation.engines, tenant)
        working = [asyncio.create_task(always(installation)) for always in (_relay_always, _purge_always)]
        working.append(asyncio.create_task(_give_back_always()))
        async with Watchdog().watching():
            yield
        # Here, as a process that is asked to terminate ends as soon as the server has stopped.
        if serving is not None:
            forget(installation.settings.home, serving)
        for task in working:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        await bootstrap.finish(installation.engines)
        await _relay(installation)

    routes = [*orchestrator.ROUTES, *admin.ROUTES, *login.ROUTES]
    middleware = [
        Middleware(http.TraceIds),
        Middleware(BrowserPolicy),
        Middleware(http.ErrorMiddleware),
        *([Middleware(TerminalQuestions, installation=installation, serving=serving)] if serving else []),
        Middleware(Authentication, routes=routes),
    ]
    app = Starlette(routes=routes, lifespan=lifespan, middleware=middleware, exception_handlers=http.HANDLERS)
    # As the default and not as a route: a mount on "/" would take wrong methods on the API's paths for files.
    app.router.default = StaticFiles(directory=CONSOLE, html=True)
    return app


async def _tenants(installation: Installation) -> set[str]:
    """Whose jobs there may be: the installation's own tenant, and every one that a token was made for."""
    return {installation.settings.tenant} | {one.tenant for one in await tokens.listing(installation.engines)}


async def _relay_always(installation: Installation) -> None:
    while True:
        await _relay(installation)
        await asyncio.sleep(RELAY_SECONDS)


async def _relay(installation: Installation) -> None:
    try:
        await relay(installation.engines)
    except EngineUnavailable as error:
        logger.warning("turn records wait in the outbox", extra={"code": error.code})


async def _purge_always(installation: Installation) -> None:
    while True:
        try:
            await retention.purge(installation.engines)
        except EngineUnavailable as error:
            logger.warning("expired records wait for the next purge", extra={"code": error.code})
        await asyncio.sleep(PURGE_SECONDS)


async def _give_back_always() -> None:
    while True:
        await asyncio.to_thread(malloc_arenas.give_back)
        await asyncio.sleep(GIVE_BACK_SECONDS)


def check_address(host: str, installation: Installation) -> None:
    """Raises: SettingsInvalid for an address that others can reach while nobody must log in, and for a gateway's word
    where there is no gateway."""
    settings = installation.settings
    if settings.login == "gateway":
        raise SettingsInvalid("CARELINE_LOGIN: gateway is for functions behind API Gateway; use required here")
    if not is_loopback(host) and settings.token is None and settings.login == "auto":
        raise SettingsInvalid(
            f"{host} can be reached by others; set CARELINE_TOKEN to a secret of your own first, or listen on 127.0.0.1"
        )
