"""The console's login: a cookie that only our own page can use, for a while, and that ends when it should."""

from __future__ import annotations

from http.cookies import Morsel, SimpleCookie
from typing import Any

import httpx2
import pytest

from careline.access.credentials import ALL_FAILURES_PER_MINUTE
from careline.identity import Role
from careline.web.operation import COOKIE, CSRF_HEADER
from tests.access.doors import OWNERS, Door, code, door

FAR = "http://careline.example"
FORM = {"content-type": "application/x-www-form-urlencoded"}


def cookie_of(response: httpx2.Response) -> Morsel[str]:
    """The session cookie that a response sets."""
    return SimpleCookie(response.headers["set-cookie"])[COOKIE]


def test_a_session_asks_reads_and_changes_what_its_role_may_and_ends() -> None:
    with door() as at:
        csrf = {CSRF_HEADER: at.log_in(Role.USER)["csrf"]}
        shown = at.client.get("/v1/session").json()
        assert (shown["role"], shown["csrf"]) == ("user", csrf[CSRF_HEADER])
        assert at.client.post("/v1/query", json={"text": "goeiedag"}, headers=csrf).status_code == 200
        assert at.client.get("/v1/jobs").status_code == 403
        cookie = at.client.cookies[COOKIE]
        assert at.client.post("/logout", headers=csrf).status_code == 204
        assert COOKIE not in at.client.cookies
        at.client.cookies.set(COOKIE, cookie)
        assert code(at.client.get("/v1/session")) == (401, "UNAUTHORISED"), "the id itself has ended"


def test_the_stream_of_an_answer_is_read_with_the_cookie() -> None:
    with door() as at:
        headers = {CSRF_HEADER: at.log_in(Role.CALLER)["csrf"], "accept": "text/event-stream"}
        streamed = at.client.post("/v1/query", json={"text": "goeiedag"}, headers=headers)
        assert streamed.text.startswith("event: meta")


def test_a_form_logs_in_and_leads_to_the_console() -> None:
    with door() as at:
        response = at.client.post("/login", content=f"token={at.tokens[Role.ADMIN]}".encode(), headers=FORM)
        assert (response.status_code, response.headers["location"]) == (303, "/")
        assert at.client.get("/v1/session").json()["role"] == "admin"


@pytest.mark.parametrize(
    ("base_url", "settings", "headers", "secure"),
    [
        ("http://127.0.0.1", {}, {}, False),
        ("http://localhost", {}, {}, False),
        ("https://127.0.0.1", {}, {}, True),
        (FAR, {}, {}, True),
        (FAR, {}, {"x-forwarded-proto": "https"}, True),
        (FAR, {"plain_http": True}, {}, False),
        (FAR, {"plain_http": True}, {"x-forwarded-proto": "https"}, True),
    ],
)
def test_the_cookie_is_for_this_site_no_script_and_encrypted_ways_alone(
    base_url: str, settings: dict[str, Any], headers: dict[str, str], secure: bool
) -> None:
    with door(base_url, session_hours=3, **settings) as at:
        response = at.client.post("/login", json={"token": at.tokens[Role.USER]}, headers=headers)
        cookie = cookie_of(response)
        assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "strict", "/")
        assert (cookie["max-age"], bool(cookie["secure"])) == ("10800", secure)
        assert response.headers["cache-control"] == "no-store"


def test_a_session_ends_after_its_hours() -> None:
    with door(session_hours=3) as at:
        at.log_in(Role.USER)
        at.installation.engines.clock.move(3 * 3600 - 10)  # type: ignore[attr-defined]
        assert at.client.get("/v1/session").status_code == 200
        at.installation.engines.clock.move(20)  # type: ignore[attr-defined]
        assert at.client.get("/v1/session").status_code == 401


def test_a_second_login_has_a_new_id_and_ends_the_first() -> None:
    with door() as at:
        at.log_in(Role.USER)
        first = at.client.cookies[COOKIE]
        at.log_in(Role.MANAGER)
        assert at.client.cookies[COOKIE] != first
        at.client.cookies.clear()
        at.client.cookies.set(COOKIE, first)
        assert at.client.get("/v1/session").status_code == 401


def test_the_id_of_a_session_is_kept_nowhere() -> None:
    with door() as at:
        shown = at.log_in(Role.USER)
        held = str(vars(at.installation.engines.table)["_held"])
        assert at.client.cookies[COOKIE] not in held
        assert shown["csrf"] not in held


def test_another_owners_token_in_the_settings_ends_sessions_that_began_with_the_old_one() -> None:
    with door(token=OWNERS) as at:
        assert at.client.post("/login", json={"token": OWNERS}).status_code == 200
        assert at.client.get("/v1/session").json()["role"] == "owner"
        changed = at.installation.settings.with_changes(access={"token": None})
        at.client.app.state.access.credentials.settings = changed  # type: ignore[attr-defined]
        assert at.client.get("/v1/session").status_code == 401


CHANGES = [
    ("POST", "/v1/query", {"json": {"text": "hallo"}}),
    ("POST", "/v1/documents", {"files": {"file": ("a.md", b"a")}}),
    ("DELETE", "/v1/documents/none", {}),
    ("POST", "/v1/jobs/none/retry", {}),
    ("DELETE", "/v1/conversations/none", {}),
    ("DELETE", "/v1/admin/subjects/none", {}),
    ("POST", "/logout", {}),
]


@pytest.mark.parametrize(("method", "path", "sent"), CHANGES)
@pytest.mark.parametrize("token", [None, "", "0" * 64, "é"])
def test_a_change_with_the_cookie_and_without_its_csrf_token_is_refused(
    method: str, path: str, sent: dict[str, Any], token: str | None
) -> None:
    with door() as at:
        at.log_in(Role.OWNER)
        headers = {} if token is None else {CSRF_HEADER.encode(): token.encode()}
        assert code(at.client.request(method, path, headers=headers, **sent)) == (403, "NOT_ALLOWED")
        assert at.client.get("/v1/session").status_code == 200


FOREIGN = [
    {"sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "same-site"},
    {"sec-fetch-site": "nonsense", "origin": "http://127.0.0.1"},
    {"origin": "https://elsewhere.example"},
    {"origin": "null"},
    {"origin": "http://127.0.0.1:9999"},
    {"referer": "https://elsewhere.example/page"},
]


def read(at: Door, headers: dict[str, str]) -> httpx2.Response:
    return at.client.get("/v1/documents", headers=headers)


@pytest.mark.parametrize("headers", FOREIGN)
def test_a_page_of_another_site_reads_and_changes_nothing_with_the_cookie(headers: dict[str, str]) -> None:
    with door() as at:
        csrf = at.log_in(Role.OWNER)["csrf"]
        assert code(read(at, headers)) == (403, "NOT_ALLOWED")
        changed = at.client.post("/v1/query", json={"text": "hallo"}, headers={**headers, CSRF_HEADER: csrf})
        assert code(changed) == (403, "NOT_ALLOWED")


@pytest.mark.parametrize("headers", FOREIGN)
def test_a_page_of_another_site_logs_nobody_in(headers: dict[str, str]) -> None:
    with door() as at:
        response = at.client.post("/login", json={"token": at.tokens[Role.CALLER]}, headers=headers)
        assert code(response) == (403, "NOT_ALLOWED")
        assert "set-cookie" not in response.headers


@pytest.mark.parametrize("headers", FOREIGN)
def test_where_nobody_logs_in_a_page_of_another_site_reads_nothing_either(headers: dict[str, str]) -> None:
    with door(login="auto") as at:
        assert code(read(at, headers)) == (403, "NOT_ALLOWED")


@pytest.mark.parametrize(
    "headers",
    [
        {"sec-fetch-site": "same-origin"},
        {"sec-fetch-site": "none"},
        {"sec-fetch-site": "same-origin", "origin": "http://127.0.0.1"},
        {"origin": "http://127.0.0.1"},
        {"referer": "http://127.0.0.1/"},
        {},
    ],
)
def test_our_own_page_and_a_program_are_answered(headers: dict[str, str]) -> None:
    with door() as at:
        at.log_in(Role.OWNER)
        assert read(at, headers).status_code == 200
    with door(login="auto") as at:
        assert read(at, headers).status_code == 200


def test_a_link_from_another_site_opens_the_console() -> None:
    headers = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "referer": "https://intranet.example/"}
    for settings in ({}, {"login": "auto"}):
        with door(**settings) as at:
            assert at.client.get("/", headers=headers).status_code == 200


@pytest.mark.parametrize("name", ["x-forwarded-for", "forwarded", "x-real-ip", "x-forwarded-host"])
def test_behind_a_proxy_nobody_is_the_owner_for_being_on_this_machine(name: str) -> None:
    with door(login="auto") as at:
        assert code(at.client.get("/v1/packs", headers={name: "192.0.2.7"})) == (403, "NOT_ALLOWED")


def test_where_nobody_must_log_in_whoever_does_has_the_role_of_their_token() -> None:
    with door(login="auto") as at:
        assert at.client.get("/v1/session").json() == {
            "subject": "loopback", "role": "owner", "tenant": "default",
            "audiences": ["public", "clinician"], "csrf": None,
        }  # fmt: skip
        assert at.as_(at.tokens[Role.CALLER], "GET", "/v1/jobs").status_code == 403
        assert at.as_("careline_wrong", "GET", "/v1/packs").status_code == 401
        at.log_in(Role.USER)
        assert at.client.get("/v1/session").json()["role"] == "user"


BROKEN = [
    ({"content": b"{"}, 400),
    ({"content": b""}, 400),
    ({"json": {"token": 5}}, 400),
    ({"json": {"token": "x" * 300}}, 413),
    ({"json": {"token": "x", "role": "owner"}}, 400),
    ({"content": b"x" * 5000}, 413),
    ({"content": b"token=", "headers": FORM}, 400),
    ({"content": b"\xff=\xff", "headers": FORM}, 400),
    ({"content": b"&".join([b"a=b"] * 9), "headers": FORM}, 400),
    ({"json": {"token": "careline_unknown"}}, 401),
]


@pytest.mark.parametrize(("sent", "status"), BROKEN)
def test_a_login_that_cannot_be_is_refused_and_no_token_is_repeated(sent: dict[str, Any], status: int) -> None:
    with door() as at:
        response = at.client.post("/login", **sent)
        assert response.status_code == status
        assert "careline_unknown" not in response.text
        assert "set-cookie" not in response.headers


def test_wrong_tokens_from_everywhere_close_the_login_for_a_while_and_no_session_and_no_other_way() -> None:
    with door() as at:
        at.log_in(Role.USER)
        credentials = at.client.app.state.access.credentials  # type: ignore[attr-defined]
        for _ in range(ALL_FAILURES_PER_MINUTE):
            credentials._all_failures.count("everybody")
        assert code(at.client.post("/login", json={"token": at.tokens[Role.USER]})) == (429, "TOO_MANY_REQUESTS")
        assert at.client.get("/v1/session").status_code == 200
        assert at.as_(at.tokens[Role.USER], "GET", "/v1/session").status_code == 200
