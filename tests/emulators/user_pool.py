"""The managed login of a Cognito user pool, as far as the console uses it: authorize, token with PKCE, revoke, logout.

It signs tokens with a key of its own, which `gateway` verifies in front of our functions as API Gateway does.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa
from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

CLIENT = "console-client"
CONTEXT = b"x-amzn-request-context"


@dataclass
class UserPool:
    """People by name, with the attributes that an administrator gave them. What was asked of it is written down."""

    people: dict[str, dict[str, str]]
    home: str = ""
    """The one address that people are sent back to."""
    lifetime: float = 900.0
    issuer: str = "https://pool.example"
    is_away: bool = False
    """Whether it answers that it cannot answer."""
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    renewing: dict[str, str] = field(default_factory=dict)
    """The person of each token that renews. A used one holds on, as a page may be left before it has the next."""
    seen: list[str] = field(default_factory=list)
    key: rsa.RSAPrivateKey = field(default_factory=lambda: rsa.generate_private_key(65537, 2048))

    def application(self) -> Starlette:
        """The pool's own pages and endpoints."""
        paths: dict[str, tuple[Callable[..., Any], str]] = {
            "/oauth2/authorize": (self._authorize, "GET"),
            "/enter": (self._enter, "GET"),
            "/oauth2/token": (self._token, "POST"),
            "/oauth2/revoke": (self._revoke, "POST"),
            "/logout": (self._logout, "GET"),
        }
        return Starlette(routes=[Route(path, run, methods=[method]) for path, (run, method) in paths.items()])

    def claims(self, token: str) -> dict[str, Any]:
        """What a token says, when it is one of ours and holds. Raises: jwt.PyJWTError."""
        found: dict[str, Any] = jwt.decode(token, self.key.public_key(), ["RS256"], audience=CLIENT, issuer=self.issuer)
        return found

    async def _authorize(self, request: Request) -> Response:
        asked = dict(request.query_params)
        wanted = {"response_type": "code", "client_id": CLIENT, "redirect_uri": self.home}
        wanted |= {"code_challenge_method": "S256"}
        if any(asked.get(name) != value for name, value in wanted.items()) or not asked.get("code_challenge"):
            return HTMLResponse("this client may not do that", 400)
        self.seen.append("authorize")
        links = [("Cancel", {"cancel": "1"})] + [(name, {"person": name}) for name in self.people]
        page = "".join(
            f'<p><a href="/enter?{html.escape(urlencode({**asked, **more}))}">{name}</a></p>' for name, more in links
        )
        return HTMLResponse(f"<title>Log in</title><link rel='icon' href='data:,'>{page}")

    async def _enter(self, request: Request) -> Response:
        asked = dict(request.query_params)
        if asked.pop("cancel", None):
            return RedirectResponse(f"{self.home}?{urlencode({'error': 'access_denied', 'state': asked['state']})}")
        code = secrets.token_urlsafe(16)
        self.codes[code] = asked
        return RedirectResponse(f"{self.home}?{urlencode({'code': code, 'state': asked['state']})}")

    async def _token(self, request: Request) -> Response:
        if self.is_away:
            return self._open(Response(status_code=503))
        form = {name: str(value) for name, value in (await request.form()).items()}
        self.seen.append(form.get("grant_type", ""))
        asked = self._asked(form)
        if asked is None or form.get("client_id") != CLIENT:
            return self._open(JSONResponse({"error": "invalid_grant"}, 400))
        person, now = asked["person"], time.time()
        told = {"sub": f"sub-{person}", "iss": self.issuer, "aud": CLIENT, "exp": now + self.lifetime}
        told |= self.people[person]
        if "nonce" in asked:
            told["nonce"] = asked["nonce"]
        renewing = secrets.token_urlsafe(16)
        self.renewing[renewing] = person
        token = jwt.encode(told, self.key, "RS256")
        return self._open(JSONResponse({"id_token": token, "access_token": "a", "refresh_token": renewing}))

    def _asked(self, form: dict[str, str]) -> dict[str, str] | None:
        """What a code or a token that renews stands for; a code is taken once."""
        if form.get("grant_type") == "refresh_token":
            person = self.renewing.get(form.get("refresh_token", ""))
            return None if person is None else {"person": person}
        asked = self.codes.pop(form.get("code", ""), None)
        proof = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        proven = base64.urlsafe_b64encode(proof).rstrip(b"=").decode()
        return asked if asked and asked["code_challenge"] == proven and form.get("redirect_uri") == self.home else None

    async def _revoke(self, request: Request) -> Response:
        person = self.renewing.get(str((await request.form()).get("token")))
        self.renewing = {token: other for token, other in self.renewing.items() if other != person}
        self.seen.append("revoke")
        return self._open(Response())

    async def _logout(self, request: Request) -> Response:
        self.seen.append("logout")
        fits = dict(request.query_params) == {"client_id": CLIENT, "logout_uri": self.home}
        return RedirectResponse(self.home) if fits else HTMLResponse("no such address", 400)

    def _open(self, response: Response) -> Response:
        """Pages of other origins may read it, as those of Cognito may be."""
        response.headers["access-control-allow-origin"] = self.home.rstrip("/")
        return response


def gateway(app: ASGIApp, pool: UserPool, login: str, policy: str) -> ASGIApp:
    """CloudFront and API Gateway in front of our functions: below `/v1/` nobody gets in without a token that holds, and
    its claims take the place of what the client says of itself. Page policy and `login.json` are those of the cloud."""

    async def served(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        path = scope["path"]
        if path == "/login.json":
            await JSONResponse({"kind": "oidc", "address": login, "client_id": CLIENT})(scope, receive, send)
            return
        if path.startswith("/v1/"):
            headers = MutableHeaders(scope=scope)
            try:
                claims = pool.claims(headers.get("authorization", "").removeprefix("Bearer "))
            except jwt.PyJWTError:
                await JSONResponse({"message": "Unauthorized"}, 401)(scope, receive, send)
                return
            said = json.dumps({"authorizer": {"claims": {name: str(value) for name, value in claims.items()}}})
            others = [(name, value) for name, value in scope["headers"] if name not in {CONTEXT, b"cookie"}]
            scope = {**scope, "headers": [*others, (CONTEXT, said.encode())]}
        await app(scope, receive, _with(send, policy))

    return served


def _with(send: Send, policy: str) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message)["content-security-policy"] = policy
        await send(message)

    return sending
