"""The authentication middleware: finds out who asks, compares their role with the route's, and counts what they do."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Receive, Scope, Send

from careline.access.credentials import Credentials
from careline.access.origin import check_own_page, check_this_machine
from careline.access.routes import operation_of
from careline.access.shared_rate_limit import Outage, SharedRateLimit, take_together
from careline.errors import CarelineError, NotAllowed
from careline.identity import Identity
from careline.installation import Installation
from careline.log import context
from careline.web.http import ADMITTED, HEALTH, careline_error
from careline.web.operation import Operation


class Access:
    """What the middleware and the login share: the credentials that are accepted, and the counts."""

    def __init__(self, installation: Installation) -> None:
        settings, engines = installation.settings, installation.engines
        self.installation = installation
        self.credentials = Credentials(engines, settings)
        outage, most = Outage(), settings.access
        self._questions = SharedRateLimit("questions", most.questions_per_minute, engines, outage)
        self._tenant_questions = SharedRateLimit("tenant", most.tenant_questions_per_minute, engines, outage)
        self._writes = SharedRateLimit("writes", most.writes_per_minute, engines, outage)
        self._has_key, self._fetching = False, asyncio.Lock()

    async def fetch_key(self) -> None:
        """Have the installation's key at hand before it is used on the event loop, as reading it may take seconds.

        Where it cannot be had, whoever needs it says so.
        """
        if self._has_key:
            return
        # One at a time: a thread for each request that waits would leave none to read records in.
        async with self._fetching:
            if self._has_key:
                return
            with suppress(CarelineError):
                await asyncio.to_thread(self.installation.engines.read_key)
                self._has_key = True

    async def count(self, operation: Operation, identity: Identity) -> None:
        """Count a question or a change. Raises: TooManyRequests, SettingsInvalid, SecretUnavailable.

        Whoever needs no login is alone with this machine, so nothing of theirs is counted.
        """
        if not self.credentials.login_needed:
            return
        if operation.counted == "question":
            tenant, subject = identity.tenant, identity.subject
            await take_together(
                self._questions.share(tenant, subject, "too many questions from this login; wait, then ask again"),
                self._tenant_questions.share(tenant, "", "too many questions at once; wait, then ask again"),
            )
        elif operation.counted == "change":
            await self._writes.take(identity.tenant, identity.subject, "too many changes; wait, then try again")


def access_of(app: Starlette) -> Access:
    """The access of an app, made when its first request comes. Raises: SettingsInvalid."""
    if not hasattr(app.state, "access"):
        app.state.access = Access(app.state.installation)
    made: Access = app.state.access
    return made


class Authentication:
    """Lets a request on to its route when whoever sends it may use that; else it ends here as a problem document."""

    def __init__(self, app: ASGIApp, routes: Sequence[BaseRoute]) -> None:
        self.app = app
        self._routes = routes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        try:
            await self._admit(request)
        except CarelineError as refusal:
            response = await careline_error(request, refusal)
            await response(scope, receive, send)
            return
        await self.app(scope, receive, send)

    async def _admit(self, request: Request) -> None:
        """Put the installation as whoever asks may see it where handlers look for it, and count what they do; nothing
        for a route that nobody needs to be known for."""
        access = access_of(request.app)
        if request.url.path != HEALTH:
            # Not for the health check: it comes before a snapshot is taken, which must hold no key.
            await access.fetch_key()
        if not access.credentials.login_needed:
            check_this_machine(request)
        operation = operation_of(request, self._routes)
        least = operation.least
        if least is None:
            return
        if not access.credentials.login_needed:
            check_own_page(request)
        identity = await access.credentials.of(request)
        if not identity.role.covers(least):
            raise NotAllowed(f"this needs the role {least} or a higher one")
        # Before it is counted: an emergency that is one question too many still gets the number of its own hospital.
        request.scope[ADMITTED] = access.installation.seen_by(identity)
        context.add(tenant=identity.tenant)
        await access.count(operation, identity)
