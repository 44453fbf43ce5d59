"""The servers and windows that the console's tests share: a library, a server with and without a model, a desktop."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.emulators.openai import KEY, Break, Endpoint, serving
from tests.journeys.browser import Console, chromium, console
from tests.journeys.console_documents import write_library
from tests.journeys.process import Careline, Served

VISIT = "Wat zijn de bezoekuren op de kraamafdeling?"
FIRST_WORDS = "Het bezoek eindigt om acht uur"
"""What the model always says first."""


@pytest.fixture(scope="module", name="browser")
def the_browser() -> Iterator[Browser]:
    with chromium() as running:
        yield running


@pytest.fixture(scope="module", name="library")
def the_library(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home that holds the documents. It is copied for each server; the browser is asked for first, as it may lack."""
    folder = tmp_path_factory.mktemp("documents")
    number = write_library(folder)
    home = tmp_path_factory.mktemp("console") / "home"
    report = Careline(home).json("ingest", str(folder))
    assert (report["live"], report["refused"]) == (number, [])
    return home


@pytest.fixture(scope="module", name="own_home")
def the_own_home(library: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Path]:
    return lambda: Path(shutil.copytree(library, tmp_path_factory.mktemp("copy") / "home"))


@pytest.fixture(scope="module", name="address")
def the_address(own_home: Callable[[], Path]) -> Iterator[str]:
    with Careline(own_home()).served() as server:
        yield address_of(server)


@pytest.fixture(scope="module", name="model")
def the_model() -> Iterator[Endpoint]:
    """A language model that says one sentence of the page in other words and begins another, which the page has."""
    with serving() as endpoint:
        endpoint.words = (f"{FIRST_WORDS} [1]. ", "Per kamer ", "zijn er ", "hoogstens drie ", "bezoekers.")
        yield endpoint


@pytest.fixture(name="desk")
def the_desk(browser: Browser, address: str) -> Iterator[Console]:
    """The console on a desktop, in Dutch. It may complain of nothing and reach nothing but its own server."""
    with console(browser, address) as opened:
        yield opened
        assert opened.complaints == []
        assert opened.foreign() == []


@pytest.fixture(scope="module", name="with_a_model")
def the_with_a_model(own_home: Callable[[], Path], model: Endpoint) -> Careline:
    chosen = {"MODEL": "openai", "OPENAI_BASE_URL": model.url, "OPENAI_API_KEY": KEY, "MODEL_STALL_SECONDS": "3"}
    return Careline(own_home(), {f"CARELINE_{name}": value for name, value in chosen.items()})


@pytest.fixture(scope="module", name="address_with_a_model")
def the_address_with_a_model(with_a_model: Careline) -> Iterator[str]:
    with with_a_model.served() as server:
        yield address_of(server)


def address_of(server: Served) -> str:
    return str(server.client.base_url).rstrip("/")


def begun(opened: Console, model: Endpoint) -> Locator:
    """The reply that holds the first sentence of an answer whose second one does not come."""
    model.faults.append(Break("stall", after=2))
    reply = opened.send(VISIT)
    expect(reply.get_by_test_id("answer")).to_contain_text(FIRST_WORDS)
    return reply
