"""Makes an identity of what somebody shows: a token, a provider's JWT, a session's cookie, or the gateway's word."""

from __future__ import annotations

import hmac

from starlette.requests import Request

from careline.access import claims, openid, sessions, tokens
from careline.access.origin import SAFE, check_own_page
from careline.access.rate_limit import RateLimit
from careline.errors import NotAllowed
from careline.identity import Identity, Role, identity
from careline.ports import Engines
from careline.privacy.redaction.keyed_digest import digest
from careline.settings import Settings
from careline.web.http import Unauthorised
from careline.web.operation import COOKIE, CSRF_HEADER

OWNER_SETTING = "setting"
FAILURES_PER_MINUTE, ALL_FAILURES_PER_MINUTE = 10, 100
"""Wrong tokens from one address, and from all together."""
TOO_MANY = "too many wrong tokens; wait, then try again"
EVERYBODY = "everybody"


class Credentials:
    """What is accepted where these settings hold."""

    def __init__(self, engines: Engines, settings: Settings) -> None:
        self._engines, self.settings = engines, settings
        self._provider = openid.provider(settings.oidc)
        self._failures = RateLimit(FAILURES_PER_MINUTE, engines.clock)
        self._all_failures = RateLimit(ALL_FAILURES_PER_MINUTE, engines.clock)

    @property
    def login_needed(self) -> bool:
        """Whether somebody who shows nothing is refused."""
        return self.settings.access.login != "auto" or self.settings.access.token is not None

    async def of(self, request: Request) -> Identity:
        """Who sends a request. Raises: Unauthorised, NotAllowed, TooManyRequests, TableUnavailable."""
        if self.settings.access.login == "gateway":
            found = claims.from_gateway(request, self.settings)
            if found is None:
                raise Unauthorised("the gateway names nobody; sign the request or log in")
            return found
        scheme, _, shown = request.headers.get("authorization", "").partition(" ")
        if scheme:
            if scheme.lower() != "bearer":
                raise Unauthorised("send the token as `Authorization: Bearer ...`")
            return (await self.check(shown.strip(), request))[0]
        session = await self.session(request)
        if session is not None:
            check_session(request, session)
            return session.identity
        if self.login_needed:
            raise Unauthorised("log in, or send a token as `Authorization: Bearer ...`")
        return identity("loopback", Role.OWNER, self.settings.tenant)

    async def check(self, shown: str, request: Request, *, at_login: bool = False) -> tuple[Identity, str]:
        """Whose token this is, and the name of the credential. Raises: Unauthorised, TooManyRequests, TableUnavailable.

        Too many wrong ones close this way for their address; too many from everywhere close the login, not the API.
        """
        address = request.client.host if request.client else ""
        self._failures.check(address, TOO_MANY)
        if at_login:
            self._all_failures.check(EVERYBODY, TOO_MANY)
        try:
            found = await self._bearer(shown)
        except Unauthorised:
            self._failures.count(address)
            self._all_failures.count(EVERYBODY)
            raise
        return found

    async def session(self, request: Request) -> sessions.Session | None:
        """The login of the request's cookie, while the credential it began with holds. Raises: TableUnavailable."""
        session = await sessions.find(self._engines, request.cookies.get(COOKIE, ""))
        if session is None or not await self._still_holds(session.credential):
            return None
        return session

    async def _bearer(self, shown: str) -> tuple[Identity, str]:
        if self._is_owners(shown):
            return identity("owner", Role.OWNER, self.settings.tenant), self._owner_credential()
        if self._provider is not None and shown.count(".") == 2:
            return claims.from_claims(await self._provider.claims(shown), self.settings), ""
        token = await tokens.find(self._engines, shown)
        if token is None:
            raise Unauthorised("the token is not known here")
        return token.identity, f"token:{token.record}"

    def _is_owners(self, shown: str) -> bool:
        wanted = self.settings.access.token
        if wanted is None:
            return False
        # Digests are of one length, so that the time it takes tells nothing of the token's.
        sent, held = (digest(text, self._engines.key, "owner") for text in (shown, wanted.get_secret_value()))
        return hmac.compare_digest(sent, held)

    def _owner_credential(self) -> str:
        wanted = self.settings.access.token
        return f"{OWNER_SETTING}:{digest(wanted.get_secret_value(), self._engines.key, 'owner') if wanted else ''}"

    async def _still_holds(self, credential: str) -> bool:
        kind, _, record = credential.partition(":")
        if kind == OWNER_SETTING:
            return self.settings.access.token is not None and hmac.compare_digest(credential, self._owner_credential())
        return kind == "token" and await tokens.kept(self._engines, record) is not None


def check_session(request: Request, session: sessions.Session) -> None:
    """Refuse what another site's page made a browser send with our cookie. Raises: NotAllowed.

    Each request must come from our own page, and a change must carry the session's CSRF token.
    """
    check_own_page(request)
    sent = request.headers.get(CSRF_HEADER, "")
    if request.method not in SAFE and not hmac.compare_digest(sent.encode(), session.csrf.encode()):
        raise NotAllowed(f"a change needs the header {CSRF_HEADER}; reload the page and try again")
