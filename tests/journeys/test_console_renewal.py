"""A list of the console is brought up to date under somebody's hands: what they were at stays, and the keyboard too."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml
from playwright.sync_api import Browser, Locator, Route, expect

from tests.journeys.browser import Console, console
from tests.journeys.console_servers import address_of
from tests.journeys.console_servers import the_browser as the_browser
from tests.journeys.process import Careline, Served

DIRECTORY: dict[str, Any] = {
    "hospital": {"names": {"nl": "Ziekenhuis Noord"}, "phones": {"main": "011 90 10 00"}},
    "campuses": [{"id": "noord", "names": {"nl": "Campus Noord"}}],
    "departments": [
        {
            "id": "cardiologie", "names": {"nl": "Cardiologie"}, "campuses": ["noord"],
            "locations": [{"campus": "noord", "phone": "011 90 11 00"}],
        },
        {"id": "oogheelkunde", "names": {"nl": "Oogheelkunde"}, "phone": "011 90 12 00"},
    ],
}  # fmt: skip
PAGES = {
    "tarieven.md": """# Tarieven Campus Noord

| Prestatie | Prijs (EUR) |
|---|---|
| Kamertelevisie, per dag | 3,20 |
| Koelkast, per dag | 1,60 |
| Kopie van het dossier | 7,50 |
""",
    "nummers.md": """# Nummers Campus Noord

| Dienst | Telefoon |
|---|---|
| Cardiologie | 011 90 11 77 |
""",
    "inschrijving.md": """# Inschrijving

De balie opent om 8 uur. Lees uw pincode en kaartnummer voor aan de telefonische assistent. Breng uw kaart mee.
Betaal het voorschot met cadeaubonnen.
""",
}
ANSWER = {"questions": ["Is er een kapper?"], "text": "Ja, in de inkomhal, van 9 tot 17 uur.", "language": "nl"}

PROPOSALS = re.compile(r"/v1/admin/(proposals\?.*limit=1000|directory$)")
CONTRADICTIONS = re.compile("/v1/admin/(contradictions|directory)$")
ENTRIES = re.compile("/v1/admin/directory(/check)?$")
ANSWERS = re.compile(r"/v1/answers\?")
DOCUMENTS = re.compile(r"/v1/documents\?")
QUARANTINE = re.compile("/v1/admin/quarantine$")

LISTS = {
    "proposals": (("tab-directory", "directory-view-proposals"), PROPOSALS, "proposal-confirm"),
    "contradictions": (("tab-directory", "directory-view-contradictions"), CONTRADICTIONS, "contradiction-reject"),
    "entries": (("tab-directory", "directory-view-entries"), ENTRIES, "directory-edit"),
    "answers": (("tab-answers",), ANSWERS, "answer-retire"),
    "documents": (("tab-documents",), DOCUMENTS, "delete"),
    "passages held back": (("tab-documents",), QUARANTINE, "release"),
}
"""How each list is opened, what it is asked for with, and something in its rows that holds the keyboard."""
WRITE_DOWN = """list => {
    window.written = [];
    new MutationObserver((all) => window.written.push(...all.map(({ type, target }) => `${type} ${target.className}`)))
        .observe(list, { childList: true, subtree: true, characterData: true });
}"""
SHOWN = "() => new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown)))"
"""What an answer of the server changes stands on the page by then."""


@pytest.fixture(scope="module", name="library")
def the_library(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with something in each list; the browser is asked for first, as it may lack."""
    folder = tmp_path_factory.mktemp("pages")
    home = Careline(tmp_path_factory.mktemp("renewal") / "home")
    written = tmp_path_factory.mktemp("written") / "gegevens.yaml"
    written.write_text(yaml.safe_dump(DIRECTORY, allow_unicode=True), encoding="utf-8")
    home.json("directory", "import", str(written))
    for name, text in PAGES.items():
        (folder / name).write_text(text, encoding="utf-8")
    home.json("ingest", str(folder))
    with home.served() as server:
        made = server.client.post("/v1/answers", json=ANSWER)
        assert made.status_code < 300, made.text
        key = made.json()["answer"]["doc_key"]
        server.eventually(f"/v1/answers/{key}", lambda answer: answer.json()["state"] == "live")
    return home.home


@pytest.fixture(scope="module", name="shared")
def the_shared(library: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server of which nothing is changed."""
    with Careline(Path(shutil.copytree(library, tmp_path_factory.mktemp("shared") / "home"))).served() as server:
        yield server


@pytest.fixture(name="server")
def the_server(library: Path, tmp_path: Path) -> Iterator[Served]:
    with Careline(Path(shutil.copytree(library, tmp_path / "home"))).served() as server:
        yield server


@pytest.fixture(name="desk")
def the_desk(browser: Browser, server: Served) -> Iterator[Console]:
    with console(browser, address_of(server)) as opened:
        yield opened
        assert (opened.complaints, opened.foreign()) == ([], [])


@contextmanager
def held_back(desk: Console, address: re.Pattern[str]) -> Iterator[None]:
    """What the page asks for at an address inside the block reaches the server when that is left, and is shown then."""
    held: list[Route] = []
    desk.page.route(address, lambda route: held.append(route))
    with desk.page.expect_request(address):
        yield
    for route in held:
        route.continue_()
    desk.page.unroute(address)
    for route in held:
        response = route.request.response()
        assert response is not None
        response.finished()
    desk.page.evaluate(SHOWN)


def opened(desk: Console, name: str) -> Locator:
    """Open a list; what holds the keyboard in each of its rows, once everything is there."""
    ways, address, control = LISTS[name]
    for way in ways[:-1]:
        desk.at(way).click()
    with held_back(desk, address):
        desk.at(ways[-1]).click()
    expect(desk.at(control).first).to_be_visible()
    return desk.at(control)


@contextmanager
def brought_up_to_date(desk: Console, name: str) -> Iterator[None]:
    """A list that is open is asked for again when the block is entered, and shown when it is left."""
    ways, address, _ = LISTS[name]
    with held_back(desk, address):
        desk.at(ways[-1]).click()
        yield


def row(desk: Console, text: str) -> Locator:
    return desk.at("proposal").filter(has_text=text)


def decided(server: Served, text: str, decision: str) -> None:
    """Somebody else decides about the proposal that says this."""
    found = server.client.get("/v1/admin/proposals", params={"state": "open"}).json()["proposals"]
    (wanted,) = [one["proposal_id"] for one in found if text in one["source"]["text"]]
    made = server.client.post(f"/v1/admin/proposals/{wanted}/decision", json={"decision": decision})
    assert made.status_code == 200, made.text


@pytest.mark.parametrize("name", LISTS)
def test_a_list_in_which_nothing_changed_is_not_written_again(browser: Browser, shared: Served, name: str) -> None:
    with console(browser, address_of(shared)) as desk:
        control = opened(desk, name).last
        with brought_up_to_date(desk, name):
            control.focus()
            control.locator("xpath=ancestor::ul[1]").evaluate(WRITE_DOWN)
        expect(control).to_be_focused()
        assert desk.page.evaluate("window.written") == []
        assert desk.complaints == []


@pytest.mark.parametrize("is_changed", [False, True], ids=["the same", "changed"])
def test_enter_confirms_the_row_that_the_keyboard_was_at_before_the_list_was_brought_up_to_date(
    desk: Console, server: Served, *, is_changed: bool
) -> None:
    opened(desk, "proposals")
    row(desk, "dossier").get_by_test_id("proposal-choose").check()
    with brought_up_to_date(desk, "proposals"):
        row(desk, "televisie").get_by_test_id("proposal-confirm").focus()
        if is_changed:
            decided(server, "Koelkast", "reject")
    expect(row(desk, "Koelkast")).to_have_count(0 if is_changed else 1)
    desk.page.keyboard.press("Enter")
    expect(row(desk, "televisie")).to_have_count(0)
    expect(row(desk, "dossier").get_by_test_id("proposal-choose")).to_be_checked()
    expect(desk.at("proposals-confirm")).to_have_text("1 bevestigen")
    assert [one["amount"] for one in server.client.get("/v1/admin/directory").json()["tariffs"]] == ["3.20"]


def test_where_the_row_of_the_keyboard_is_gone_the_next_one_has_it_and_enter_decides_nothing(
    desk: Console, server: Served
) -> None:
    opened(desk, "proposals")
    expect(desk.at("proposal")).to_have_count(4)
    following = desk.page.locator("[data-testid=proposal]:has-text('Koelkast') + [data-testid=proposal]")
    following.evaluate("row => (window.following = row)")
    with brought_up_to_date(desk, "proposals"):
        row(desk, "Koelkast").get_by_test_id("proposal-reject").focus()
        decided(server, "Koelkast", "confirm")
    expect(row(desk, "Koelkast")).to_have_count(0)
    assert desk.page.evaluate("window.following.contains(document.activeElement)")
    assert desk.focused() == "proposal-choose"
    desk.page.keyboard.press("Enter")
    desk.page.evaluate(SHOWN)
    expect(desk.at("proposal")).to_have_count(3)


def test_a_row_that_says_something_else_keeps_the_keyboard_at_the_same_button(desk: Console, server: Served) -> None:
    opened(desk, "entries")
    entry = desk.page.locator('[data-entry="oogheelkunde"]')
    with brought_up_to_date(desk, "entries"):
        entry.get_by_test_id("directory-edit").focus()
        place = "/v1/admin/directory/departments/oogheelkunde"
        kind = {"Content-Type": "application/merge-patch+json"}
        made = server.client.patch(place, content=b'{"phone": "011 90 12 99"}', headers=kind)
        assert made.status_code == 200, made.text
    expect(entry).to_contain_text("011 90 12 99")
    expect(entry.get_by_test_id("directory-edit")).to_be_focused()
    desk.page.keyboard.press("Enter")
    expect(desk.at("directory-form").locator('[data-field="phone"]').first).to_have_value("011 90 12 99")


def test_a_new_version_leaves_open_what_was_opened_and_the_keyboard_comes_back_from_the_reader(desk: Console) -> None:
    opened(desk, "documents")
    document = desk.page.locator('[data-testid=document][data-key="document-tarieven"]')
    versions = document.locator("button[aria-expanded]")
    versions.click()
    expect(document.locator(".versions li")).to_have_count(1)
    with held_back(desk, DOCUMENTS):
        desk.drop("tarieven.md", PAGES["tarieven.md"].replace("1,60", "1,75").encode())
        desk.job("tarieven.md", "completed")
        document.get_by_test_id("told").press("Enter")
    expect(document.locator(".versions li")).to_have_count(2)
    expect(versions).to_have_attribute("aria-expanded", "true")
    expect(desk.page.locator("#reader")).to_be_visible()
    desk.page.keyboard.press("Escape")
    expect(document.get_by_test_id("told")).to_be_focused()


def test_where_a_failed_upload_was_put_away_the_next_one_has_the_keyboard(desk: Console) -> None:
    desk.at("tab-documents").click()
    for name in ("een.xyz", "twee.xyz"):
        desk.drop(name, b"?")
        desk.job(name, "failed")
    desk.at("job").first.get_by_role("button", name="Verbergen").press("Enter")
    expect(desk.at("job")).to_have_count(1)
    expect(desk.at("job").get_by_role("button", name="Verbergen")).to_be_focused()
    desk.complaints[:] = [said for said in desk.complaints if "status of 4" not in said]
