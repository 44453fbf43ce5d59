"""The authentication middleware: finds out who asks, compares their role with the route's, and counts what they do."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Receive, Scope, Send

from careline.access.credentials import Credentials
from careline.access.origin import SAFE, check_own_page, check_this_machine
from careline.access.rate_limit import RateLimit
from careline.access.routes import QUESTIONS, least_role, route_of
from careline.errors import CarelineError, NotAllowed
from careline.http import ADMITTED, careline_error
from careline.identity import Identity
from careline.installation import Installation


class Access:
    """What the middleware and the login share: the credentials that are accepted, and the counts."""

    def __init__(self, installation: Installation) -> None:
        settings, clock = installation.settings, installation.engines.clock
        self.installation = installation
        self.credentials = Credentials(installation.engines, settings)
        self._questions = RateLimit(settings.questions_per_minute, clock)
        self._tenant_questions = RateLimit(settings.tenant_questions_per_minute, clock)
        self._writes = RateLimit(settings.writes_per_minute, clock)

    def count(self, route: tuple[str, str], identity: Identity) -> None:
        """Count a question or a write. Raises: TooManyRequests.

        Whoever needs no login is alone with this machine, so nothing of theirs is counted.
        """
        if not self.credentials.login_needed:
            return
        if route in QUESTIONS:
            who = f"{identity.tenant}/{identity.subject}"
            self._questions.check(who, "too many questions from this login; wait, then ask again")
            self._tenant_questions.take(identity.tenant, "too many questions at once; wait, then ask again")
            self._questions.count(who)
        elif route[0] not in SAFE:
            self._writes.take(f"{identity.tenant}/{identity.subject}", "too many changes; wait, then try again")


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
            admitted = await self._admit(request)
        except CarelineError as refusal:
            response = await careline_error(request, refusal)
            await response(scope, receive, send)
            return
        if admitted is not None:
            scope[ADMITTED] = admitted
        await self.app(scope, receive, send)

    async def _admit(self, request: Request) -> Installation | None:
        """The installation as whoever asks may see it; None for a route that nobody needs to be known for."""
        access = access_of(request.app)
        if not access.credentials.login_needed:
            check_this_machine(request)
        route = route_of(request, self._routes)
        least = least_role(route)
        if least is None:
            return None
        if not access.credentials.login_needed:
            check_own_page(request)
        identity = await access.credentials.of(request)
        if not identity.role.covers(least):
            raise NotAllowed(f"this needs the role {least} or a higher one")
        access.count(route, identity)
        return access.installation.seen_by(identity)
