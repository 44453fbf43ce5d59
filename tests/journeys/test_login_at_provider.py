"""The console as it is hosted in the cloud, in Chromium: people log in at a user pool and a token opens the API.

Its page, page policy and routes are those that are deployed; the pool and what stands before the functions are not.
"""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest
import uvicorn
from playwright.sync_api import Browser, Page, expect

from careline.installation import Installation
from careline.knowledge import pipeline
from careline.knowledge.register import Upload, register
from careline.model import JobState
from careline.web.browser_policy import content_security_policy
from careline_local import server
from tests.emulators.user_pool import UserPool, gateway
from tests.journeys.browser import Console, console
from tests.journeys.console_servers import the_browser as the_browser
from tests.turn.turns import TENANT, a_hospital

PEOPLE = {
    "manager": {"custom:role": "manager", "custom:tenant": "default"},
    "caller": {"custom:role": "caller", "custom:tenant": "default"},
    "nobody": {"custom:tenant": "default"},
}
ASKED = "wanneer is er bezoek"
CHAPEL = b"# Kapel\n\nDe kapel is elke dag open.\n"


@contextmanager
def _served(app: Any, listener: socket.socket) -> Iterator[None]:
    running = uvicorn.Server(uvicorn.Config(app, log_config=None, timeout_graceful_shutdown=1))
    thread = threading.Thread(target=running.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        while not running.started:
            assert thread.is_alive()
            time.sleep(0.01)
        yield
    finally:
        running.should_exit = True
        thread.join()
        listener.close()


def _listener() -> tuple[socket.socket, str]:
    listener = socket.create_server(("127.0.0.1", 0))
    return listener, f"http://127.0.0.1:{listener.getsockname()[1]}"


@dataclass
class Hosted:
    """The hosted console and the pool behind its login."""

    address: str
    pool: UserPool
    login: str


async def _made() -> Installation:
    """A hospital that knows people by its gateway's word alone, with a document that went through every stage."""
    installation = await a_hospital(settings={"access": {"login": "gateway"}})
    upload = Upload(TENANT, "kapel.md", CHAPEL, "kapel", {"language": "nl"})
    job = await pipeline.run(await register(upload, installation.engines), installation.engines)
    assert job.state is JobState.COMPLETED
    return installation


@pytest.fixture(name="hosted")
def the_hosted() -> Iterator[Hosted]:
    # Playwright has a loop of its own in this thread.
    with ThreadPoolExecutor(1) as beside:
        installation = beside.submit(lambda: asyncio.run(_made())).result()
    (own, address), (pools, login) = _listener(), _listener()
    pool = UserPool(PEOPLE, home=f"{address}/")
    policy = content_security_policy([login])
    app = gateway(server.application(installation), pool, login, policy)
    with _served(pool.application(), pools), _served(app, own):
        yield Hosted(address, pool, login)


@contextmanager
def opened(browser: Browser, hosted: Hosted) -> Iterator[Console]:
    """The console's page before anybody has logged in."""
    with console(browser, hosted.address, token="") as window:
        yield window


def enter(window: Console, person: str) -> None:
    """Log in at the pool's own page as somebody."""
    window.at("login-enter").click()
    window.page.get_by_role("link", name=person, exact=True).click()


def storage(page: Page) -> dict[str, str]:
    kept: dict[str, str] = page.evaluate("({ ...sessionStorage })")
    return kept


def refused(window: Console) -> list[str]:
    return [said for said in window.complaints if "401" not in said and "login" not in said]


def test_a_person_logs_in_at_the_pool_asks_and_logs_out(browser: Browser, hosted: Hosted) -> None:
    with opened(browser, hosted) as window:
        expect(window.at("login")).to_be_visible()
        expect(window.at("login")).to_contain_text("op een pagina van uw ziekenhuis")
        enter(window, "manager")
        expect(window.at("role")).to_have_text("verantwoordelijke")
        assert window.page.url == f"{hosted.address}/", "the code is in no address any more"
        reply = window.ask(ASKED)
        assert "14 tot 20 uur" in window.text_of(reply)
        window.at("tab-documents").click()
        window.drop("dropped.md", b"# Winkel\n\nDe winkel is open.\n")
        expect(window.at("job").filter(has_text="dropped.md")).to_be_visible()
        with window.page.expect_download() as saved:
            window.page.locator("#documents").get_by_role("link", name="Origineel").first.click()
        assert saved.value.path().read_bytes() == CHAPEL
        kept = storage(window.page)
        assert set(kept) == {"careline.renew", "careline.conversation"}
        assert window.page.evaluate("localStorage.getItem('careline.renew')") is None
        assert window.page.context.cookies() == []
        window.at("logout").click()
        expect(window.at("login")).to_be_visible()
        assert storage(window.page) == {}
        assert hosted.pool.renewing == {}
        assert hosted.pool.seen == ["authorize", "authorization_code", "revoke", "logout"]
        assert {url.split("/", 3)[2] for url in window.requests} == {
            hosted.address.split("/")[2],
            hosted.login.split("/")[2],
        }
        assert refused(window) == []


def test_a_reload_asks_nobody_and_a_token_that_ends_is_renewed(browser: Browser, hosted: Hosted) -> None:
    # Shorter than what the page leaves before a token's end, so that each request has a new one.
    hosted.pool.lifetime = 50.0
    with opened(browser, hosted) as window:
        enter(window, "caller")
        expect(window.at("role")).to_be_visible()
        expect(window.at("tab-documents")).to_be_hidden()
        window.page.reload()
        expect(window.at("role")).to_be_visible()
        expect(window.at("login")).to_be_hidden()
        assert "14 tot 20 uur" in window.text_of(window.ask(ASKED))
        before = hosted.pool.seen.count("refresh_token")
        window.ask(ASKED)
        assert hosted.pool.seen.count("refresh_token") > before
        assert storage(window.page)["careline.renew"] == list(hosted.pool.renewing)[-1], "it keeps the newest alone"
        hosted.pool.is_away = True
        expect(window.send(ASKED)).to_contain_text("niet bereikbaar")
        expect(window.at("login")).to_be_hidden()
        hosted.pool.is_away = False
        assert "14 tot 20 uur" in window.text_of(window.ask(ASKED)), "a pool that was away ends no login"
        # Whoever runs the pool ends the login.
        hosted.pool.renewing.clear()
        window.send(ASKED)
        expect(window.at("login")).to_be_visible()
        assert set(storage(window.page)) <= {"careline.conversation"}, "its name opens nothing by itself"


def test_what_went_wrong_at_the_pool_is_told_and_may_be_tried_again(browser: Browser, hosted: Hosted) -> None:
    with opened(browser, hosted) as window:
        enter(window, "Cancel")
        expect(window.at("login-trouble")).to_contain_text("niet gelukt")
        assert window.page.url == f"{hosted.address}/"
        # A code that this page did not ask for, as another site would have it log in as somebody else.
        window.page.goto(f"{hosted.address}/?code=stolen&state=other")
        expect(window.at("login-trouble")).to_contain_text("niet gelukt")
        assert "authorization_code" not in hosted.pool.seen
        # A code of ours with another proof is refused by the pool.
        window.at("login-enter").click()
        window.page.get_by_role("link", name="manager", exact=True).wait_for()
        link = window.page.get_by_role("link", name="manager", exact=True).get_attribute("href") or ""
        forged = link.replace("code_challenge=", "code_challenge=x")
        window.page.goto(f"{hosted.login}{forged}")
        expect(window.at("login-trouble")).to_contain_text("niet gelukt")
        enter(window, "manager")
        expect(window.at("role")).to_be_visible()


def test_a_login_that_cannot_begin_is_told_and_may_be_tried_again(browser: Browser, hosted: Hosted) -> None:
    with opened(browser, hosted) as window:
        expect(window.at("login")).to_be_visible()
        # As in a page over http, which has no means to prove who began.
        window.page.evaluate("Object.defineProperty(crypto, 'subtle', { value: undefined, configurable: true })")
        window.at("login-enter").click()
        expect(window.at("login-trouble")).to_contain_text("niet gelukt")
        expect(window.at("login-enter")).to_be_enabled()
        window.page.evaluate("delete crypto.subtle")
        enter(window, "manager")
        expect(window.at("role")).to_be_visible()
        assert refused(window) == []


@pytest.mark.parametrize("answer", ["none", "an error"])
def test_a_page_that_cannot_tell_how_people_log_in_asks_for_no_token(
    browser: Browser, hosted: Hosted, answer: str
) -> None:
    with opened(browser, hosted) as window:
        expect(window.at("login")).to_be_visible()
        window.page.route(
            "**/login.json", lambda route: route.abort() if answer == "none" else route.fulfill(status=503)
        )
        window.page.reload()
        expect(window.at("login-trouble")).to_contain_text("niet bereik")
        expect(window.at("login-token")).to_have_count(0)
        window.page.unroute("**/login.json")
        window.at("login-trouble").get_by_role("button").click()
        enter(window, "manager")
        expect(window.at("role")).to_be_visible()


def test_a_person_without_a_role_is_told_by_the_server_and_sees_nothing(browser: Browser, hosted: Hosted) -> None:
    with opened(browser, hosted) as window:
        enter(window, "nobody")
        reply = window.send(ASKED)
        expect(reply).to_contain_text("names no role")
