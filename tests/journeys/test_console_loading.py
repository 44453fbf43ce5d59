"""What the console shows while the server still loads documents."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.journeys.browser import Console, console
from tests.journeys.console_servers import the_address as the_address
from tests.journeys.console_servers import the_browser as the_browser
from tests.journeys.console_servers import the_library as the_library
from tests.journeys.console_servers import the_own_home as the_own_home

HEALTH = re.compile("/health$")


def says(status: str, **parts: str) -> str:
    return json.dumps({"status": status, "parts": parts})


def tell(page: Page, bodies: Sequence[str]) -> list[str]:
    """Let the server say this of itself, the last of it for good; what is added later is said then."""
    left = list(bodies)

    def answer(route: Route) -> None:
        route.fulfill(body=left.pop(0) if len(left) > 1 else left[0], content_type="application/json")

    page.route(HEALTH, answer)
    return left


@pytest.fixture
def opened(browser: Browser, address: str) -> Iterator[Console]:
    with console(browser, address) as window:
        yield window
        assert window.complaints == []


def test_a_server_that_has_loaded_everything_shows_no_line(opened: Console) -> None:
    expect(opened.at("question")).to_be_visible()
    expect(opened.at("loading")).to_be_hidden()


def test_a_quiet_line_counts_the_documents_and_goes_away_and_begin_and_end_are_read_aloud(opened: Console) -> None:
    begun = says("loading", models="loading", documents="loading")
    left = tell(opened.page, [begun, says("loading", models="ok", documents="loading 37 of 140")])
    opened.page.reload()
    aloud = opened.page.locator("#announce")
    expect(aloud).to_have_text("De documenten worden geladen.")
    expect(opened.at("loading")).to_contain_text("37 van 140 documenten zijn geladen")
    assert opened.at("loading-bar").evaluate("bar => [bar.value, bar.max]") == [37, 140]
    expect(opened.page.get_by_role("progressbar", name="Laden")).to_be_visible()
    assert opened.focused() != "loading", "it takes the keyboard from nobody"
    left[:] = [says("ok", models="ok", documents="ok")]
    expect(opened.at("loading")).to_be_hidden()
    expect(aloud).to_have_text("Alle documenten zijn geladen.")


def test_what_could_not_be_loaded_stays_on_the_page(opened: Console) -> None:
    left = tell(opened.page, [says("loading", models="ok", documents="loading 1 of 140")])
    opened.page.reload()
    expect(opened.at("loading")).to_contain_text("1 van 140")
    left[:] = [says("degraded", models="ok", documents="failed: the index is damaged")]
    expect(opened.page.locator("#alarm")).to_contain_text("niet worden geladen")
    expect(opened.at("loading")).to_contain_text("in de terminal staat waarom")
    expect(opened.at("loading-bar")).to_have_count(0)


def test_a_phone_shows_the_line_without_scrolling_sideways(browser: Browser, address: str) -> None:
    with console(browser, address, viewport={"width": 360, "height": 640}) as window:
        tell(window.page, [says("loading", models="ok", documents="loading 37 of 140")])
        window.page.reload()
        expect(window.at("loading")).to_be_visible()
        assert window.beyond_the_edge() == []


def test_an_address_without_health_shows_no_line(opened: Console) -> None:
    opened.page.route(HEALTH, lambda route: route.fulfill(body="<!doctype html>", content_type="text/html"))
    opened.page.reload()
    expect(opened.at("pack")).to_be_visible()
    expect(opened.at("loading")).to_be_hidden()
