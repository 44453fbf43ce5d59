"""Logging in to the console with a token, logging out, and who is logged in."""

from __future__ import annotations

from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from careline.access import sessions
from careline.access.authentication import access_of
from careline.access.credentials import check_session
from careline.access.origin import check_own_page, comes_encrypted, is_local
from careline.errors import BadRequest
from careline.identity import MAX_TOKEN, Identity
from careline.schemas import wire
from careline.schemas.questions import Session
from careline.web import http
from careline.web.handlers import routes_of
from careline.web.operation import COOKIE, URL_ENCODED

MAX_LOGIN = 4096
"""Bytes of a login."""


async def login(request: Request) -> Response:
    """POST /login: a session cookie for a token, which is sent as JSON or as a form. 429 after too many wrong ones."""
    check_own_page(request)
    form = request.headers.get("content-type", "").partition(";")[0].strip().lower() == URL_ENCODED
    content = await http.body(request, MAX_LOGIN)
    shown = _form_token(content) if form else wire.read_body(wire.Login, content).token
    access = access_of(request.app)
    identity, credential = await access.credentials.check(shown, request, at_login=True)
    if not credential:
        raise BadRequest("token: this one cannot begin a session; send it with every request")
    engines, hours = access.installation.engines, access.installation.settings.access.session_hours
    await sessions.end(engines, request.cookies.get(COOKIE, ""))
    session_id, session = await sessions.begin(engines, identity, credential, hours)
    response: Response = RedirectResponse("/", 303) if form else http.json_response(_shown(identity, session.csrf))
    secure = comes_encrypted(request) or not (is_local(request) or access.installation.settings.access.plain_http)
    response.set_cookie(
        COOKIE, session_id, max_age=hours * 3600, path="/", secure=secure, httponly=True, samesite="strict"
    )
    response.headers["cache-control"] = "no-store"
    return response


async def logout(request: Request) -> Response:
    """POST /logout: end the session. Without one there is nothing to end, and that is well."""
    access = access_of(request.app)
    session = await access.credentials.session(request)
    if session is not None:
        check_session(request, session)
        await sessions.end(access.installation.engines, request.cookies.get(COOKIE, ""))
    response = Response(status_code=204)
    response.delete_cookie(COOKIE, path="/", httponly=True, samesite="strict")
    return response


async def who(request: Request) -> Response:
    """GET /v1/session: who is logged in, and the CSRF token that every change with the cookie must carry."""
    access = access_of(request.app)
    session = None
    if "authorization" not in request.headers and access.installation.settings.access.login != "gateway":
        session = await access.credentials.session(request)
    response = http.json_response(_shown(http.installation(request).asker, session.csrf if session else None))
    response.headers["cache-control"] = "no-store"
    return response


def _shown(identity: Identity, csrf: str | None) -> Session:
    return {
        "subject": identity.subject,
        "role": identity.role,
        "tenant": identity.tenant,
        "audiences": list(identity.audiences),
        "csrf": csrf,
    }


def _form_token(content: bytes) -> str:
    try:
        found = parse_qs(content.decode("utf-8"), max_num_fields=5).get("token", [""])[0]
    except ValueError:
        raise BadRequest("the form cannot be read") from None
    if not 0 < len(found) <= MAX_TOKEN:
        raise BadRequest("token: the token of your role is needed")
    return found


ROUTES = routes_of("local", {"login": login, "logout": logout})
