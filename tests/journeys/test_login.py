"""The console where people must log in, in Chromium: with a token, for what its role may do, until they log out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.journeys.browser import Console, console
from tests.journeys.console_servers import VISIT, address_of
from tests.journeys.console_servers import the_browser as the_browser
from tests.journeys.console_servers import the_library as the_library
from tests.journeys.console_servers import the_own_home as the_own_home
from tests.journeys.process import Careline

OWNERS = "an-owner's-token-of-the-tests"


@pytest.fixture(scope="module", name="careline")
def the_careline(own_home: Callable[[], Path]) -> Careline:
    return Careline(own_home(), {"CARELINE_TOKEN": OWNERS})


@pytest.fixture(scope="module", name="address")
def the_address(careline: Careline) -> Iterator[str]:
    with careline.served() as server:
        yield address_of(server)


@pytest.fixture(scope="module", name="tokens")
def the_tokens(careline: Careline, address: str) -> dict[str, str]:
    """A token of each role, made while the server runs."""
    roles = ("caller", "user", "manager", "admin")
    return {role: careline.json("token", "new", "--role", role)["token"] for role in roles} | {"owner": OWNERS}


def unexpected(opened: Console) -> list[str]:
    """What the window complained of, beside the answers that nobody was logged in."""
    return [said for said in opened.complaints if "401" not in said]


def test_a_person_logs_in_asks_reads_the_source_and_logs_out(
    browser: Browser, address: str, tokens: dict[str, str]
) -> None:
    with console(browser, address, tokens["manager"]) as opened:
        expect(opened.at("login")).to_be_hidden()
        expect(opened.at("role")).to_have_text("verantwoordelijke")
        reply = opened.ask(VISIT)
        assert "van 14 tot 20 uur" in opened.text_of(reply)
        reply.get_by_test_id("marker").click()
        expect(opened.at("passage")).to_be_in_viewport()
        opened.at("tab-documents").click()
        opened.drop("kapel.md", b"# Kapel\n\nDe kapel is elke dag open van 9 tot 19 uur.\n")
        opened.job("kapel.md", "completed")
        expect(opened.explanation()).to_contain_text("Sources with enough evidence")
        opened.page.reload()
        expect(opened.at("role")).to_be_visible()
        (cookie,) = opened.page.context.cookies()
        assert (cookie["httpOnly"], cookie["sameSite"], cookie["path"]) == (True, "Strict", "/")
        opened.at("logout").click()
        expect(opened.at("login")).to_be_visible()
        assert opened.page.context.cookies() == []
        assert opened.page.locator("article.reply").count() == 0
        assert (unexpected(opened), opened.foreign()) == ([], [])


def test_a_wrong_token_is_told_in_the_readers_language_and_may_be_tried_again(
    browser: Browser, address: str, tokens: dict[str, str]
) -> None:
    with console(browser, address, "careline_wrong", locale="fr-BE") as opened:
        trouble = opened.at("login-trouble")
        expect(trouble).to_contain_text("Ce jeton n'est pas connu ici.")
        assert opened.focused() == "login-token"
        opened.page.keyboard.press("Escape")
        opened.log_in(tokens["user"])
        expect(opened.at("login")).to_be_hidden()
        assert "?" not in opened.page.url


@pytest.mark.parametrize(
    ("role", "documents", "clinical"),
    [("caller", False, False), ("user", False, True), ("manager", True, True), ("owner", True, True)],
)
def test_what_a_role_may_not_do_is_not_offered(
    browser: Browser, address: str, tokens: dict[str, str], role: str, documents: bool, clinical: bool
) -> None:
    with console(browser, address, tokens[role]) as opened:
        expect(opened.at("login")).to_be_hidden()
        expect(opened.at("logout")).to_be_visible()
        expect(opened.at("tab-documents")).to_be_visible(visible=documents)
        expect(opened.at("pack")).to_be_visible(visible=clinical)
        reply = opened.ask(VISIT)
        reply.get_by_test_id("marker").click()
        expect(opened.at("citation")).to_contain_text("van 14 tot 20 uur")
        expect(opened.page.locator("#reader")).to_be_visible(visible=role != "caller")
        opened.at("tab-turn").click()
        expect(opened.at("why")).to_be_visible(visible=documents)
        assert unexpected(opened) == []


def test_a_session_that_ends_asks_for_a_login_and_the_conversation_goes_on(
    browser: Browser, address: str, tokens: dict[str, str]
) -> None:
    with console(browser, address, tokens["user"]) as opened:
        expect(opened.at("login")).to_be_hidden()
        opened.ask(VISIT)
        opened.page.context.clear_cookies()
        opened.send(VISIT)
        opened.log_in(tokens["user"])
        expect(opened.at("login")).to_be_hidden()
        assert "van 14 tot 20 uur" in opened.text_of(opened.ask(VISIT))
        assert opened.page.locator("article.reply").count() == 3


def test_whoever_comes_after_another_sees_nothing_of_their_conversation(
    browser: Browser, careline: Careline, address: str, tokens: dict[str, str]
) -> None:
    made = careline.json("token", "new", "--role", "user")
    with console(browser, address, made["token"]) as opened:
        expect(opened.at("login")).to_be_hidden()
        opened.ask(VISIT)
        careline.json("token", "revoke", made["id"])
        opened.send(VISIT)
        opened.log_in(tokens["user"])
        expect(opened.page.locator("article.reply")).to_have_count(0)
        assert "van 14 tot 20 uur" in opened.text_of(opened.ask(VISIT))


def test_a_question_right_after_a_reload_waits_for_who_is_here(
    browser: Browser, address: str, tokens: dict[str, str]
) -> None:
    waiting: list[Route] = []
    with console(browser, address, tokens["user"]) as opened:
        expect(opened.at("login")).to_be_hidden()
        opened.page.route("**/v1/session", lambda route: waiting.append(route))
        opened.page.reload()
        opened.send(VISIT)
        expect(opened.page.locator("article.reply")).to_have_count(1)
        waiting[0].continue_()
        expect(opened.page.locator("article.reply")).to_contain_text("van 14 tot 20 uur")


def test_where_nobody_must_log_in_nobody_is_asked_to(browser: Browser, careline: Careline) -> None:
    with (
        replace(careline, environment={}).served("--no-announce") as server,
        console(browser, address_of(server)) as opened,
    ):
        expect(opened.at("pack")).to_be_visible()
        expect(opened.at("login")).to_be_hidden()
        expect(opened.at("logout")).to_be_hidden()
        assert opened.complaints == []


@pytest.mark.parametrize("language", ["nl-BE", "en-GB", "fr-BE", "it-IT"])
def test_a_phone_of_360_pixels_shows_the_login_and_what_comes_after_it(
    browser: Browser, address: str, tokens: dict[str, str], language: str
) -> None:
    narrow = {"width": 360, "height": 740}
    with console(browser, address, "careline_wrong", viewport=narrow, has_touch=True, locale=language) as phone:
        expect(phone.at("login-trouble")).not_to_be_empty()
        assert phone.beyond_the_edge() == []
        phone.log_in(tokens["admin"])
        expect(phone.at("logout")).to_be_visible()
        assert phone.beyond_the_edge() == []


def test_a_login_that_breaks_is_told_and_may_be_tried_again(
    browser: Browser, address: str, tokens: dict[str, str]
) -> None:
    with console(browser, address, "careline_wrong") as opened:
        expect(opened.at("login-trouble")).to_contain_text("niet bekend")
        # As a proxy answers that has no word about who is here.
        nothing = {"status": 200, "content_type": "application/json", "body": "null"}
        opened.page.route("**/v1/session", lambda route: route.fulfill(**nothing))
        opened.log_in(tokens["user"])
        expect(opened.at("login-trouble")).to_contain_text("niet gelukt")
        expect(opened.at("login-enter")).to_be_enabled()
        opened.page.unroute("**/v1/session")
        opened.at("login-enter").click()
        expect(opened.at("login")).to_be_hidden()


def test_a_browser_that_does_not_keep_the_login_is_told_why(
    browser: Browser, address: str, tokens: dict[str, str]
) -> None:
    with console(browser, address, "careline_wrong") as opened:
        expect(opened.at("login-trouble")).to_contain_text("niet bekend")
        opened.page.route("**/login", lambda route: route.fulfill(status=200, json={}))
        opened.log_in(tokens["user"])
        expect(opened.at("login-trouble")).to_contain_text("https")
        expect(opened.at("login")).to_be_visible()
