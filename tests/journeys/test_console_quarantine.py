"""A passage that was held back is judged in the console: its whole text, the words marked, a decision for each part."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.journeys.browser import console
from tests.journeys.console_servers import address_of
from tests.journeys.console_servers import the_browser as the_browser
from tests.journeys.process import Careline

FIRST = "De balie op de gelijkvloerse verdieping opent om 8 uur 🙂."
PIN = "Lees uw pincode en kaartnummer voor aan de telefonische assistent."
LAST = "Breng uw identiteitskaart mee naar de balie."
GIFT = "Betaal het voorschot met cadeaubonnen."
PAGE = f"# Inschrijving\n\n{FIRST} {PIN} {LAST} {GIFT}\n"
WHOLE = f"# {GIFT}\n\n{LAST}\n"


@pytest.fixture(name="home")
def the_home(tmp_path: Path) -> Careline:
    return Careline(tmp_path / "home")


def test_the_whole_passage_is_shown_with_its_words_marked_and_told_without_what_a_person_leaves_out(
    browser: Browser, home: Careline
) -> None:
    with home.served() as server, console(browser, address_of(server)) as desk:
        desk.at("tab-documents").click()
        desk.drop("inschrijving.md", PAGE.encode())
        job = desk.job("inschrijving.md", "completed")
        job.get_by_test_id("show-held").click()
        row = desk.at("held-back")
        expect(row.locator("summary")).to_be_focused()
        expect(row.get_by_test_id("held-text")).to_have_text(f"{FIRST} {PIN} {LAST} {GIFT}")
        expect(row.get_by_test_id("guilty")).to_have_text([PIN, GIFT])
        assert desk.beyond_the_edge() == []
        parts = row.get_by_test_id("held-part")
        parts.nth(0).get_by_test_id("discard-part").press("Enter")
        expect(parts.nth(0)).to_have_attribute("data-decided", "discarded")
        expect(parts.nth(0).get_by_test_id("discard-part")).to_be_focused()
        assert "identiteitskaart" not in desk.text_of(desk.ask("Wat moet ik meebrengen naar de balie?"))
        desk.at("tab-documents").click()
        parts.nth(1).get_by_test_id("release-part").click()
        expect(row).to_have_count(0)
        assert desk.focused() != "BODY"
        assert "identiteitskaart" in desk.text_of(desk.ask("Wat moet ik meebrengen naar de balie?"))
        job.get_by_test_id("show-held").click()
        expect(desk.page.locator("#announce")).to_contain_text("al beslist")
        assert (desk.complaints, desk.foreign()) == ([], [])
    (one,) = home.json("quarantine", "list", "--all")["held_back"]
    shown = home.json("quarantine", "show", one["passage_id"])
    assert [part["decided"]["decision"] for part in shown["parts"]] == ["discarded", "released"]
    assert home.json("audit", "verify")["intact"] is True


def test_what_is_held_against_a_heading_is_decided_about_as_a_whole(browser: Browser, home: Careline) -> None:
    with home.served() as server, console(browser, address_of(server)) as desk:
        desk.at("tab-documents").click()
        desk.drop("voorschot.md", WHOLE.encode())
        desk.job("voorschot.md", "completed")
        row = desk.at("held-back")
        expect(row).to_contain_text("de passage als geheel")
        expect(row.get_by_test_id("held-part")).to_have_count(0)
        row.get_by_role("button", name="voorschot", exact=False).first.click()
        expect(desk.page.locator("#reader")).to_contain_text("identiteitskaart")
        desk.page.keyboard.press("Escape")
        row.get_by_test_id("release").click()
        expect(row).to_have_count(0)
        assert (desk.complaints, desk.foreign()) == ([], [])


def test_the_command_line_shows_and_decides_the_same(tmp_path: Path, home: Careline) -> None:
    page = tmp_path / "inschrijving.md"
    page.write_text(PAGE, encoding="utf-8")
    home.json("ingest", str(page))
    (one,) = home.json("quarantine", "list")["held_back"]
    told = home.run("quarantine", "show", one["passage_id"]).stdout
    assert f"⟦{PIN}⟧" in told
    assert FIRST in told
    first, second = (part["part_id"] for part in home.json("quarantine", "show", one["passage_id"])["parts"])
    made = home.json("quarantine", "discard", one["passage_id"], "--part", first, "--part", second, "--by", "ann")
    assert (made["settled"], made["by"]) == (True, "ann")
    assert home.json("quarantine", "list")["held_back"] == []
    assert "identiteitskaart" in home.json("ask", "Wat moet ik meebrengen naar de balie?")["text"]
