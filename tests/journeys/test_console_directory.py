"""The hospital's directory in the console: an entry is found, changed, added, removed, imported, and taken back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from playwright.sync_api import Browser, Locator, expect

from tests.journeys.browser import Console, console
from tests.journeys.console_servers import address_of
from tests.journeys.console_servers import the_browser as the_browser
from tests.journeys.process import Careline

WEEK = {"monday": [{"from": "08:00", "to": "12:00"}, {"from": "13:00", "to": "17:00"}], "holiday": []}
WRITTEN: dict[str, Any] = {
    "hospital": {"names": {"nl": "Ziekenhuis Noord"}, "phones": {"main": "011 90 10 00"}},
    "campuses": [
        {"id": "noord", "names": {"nl": "Campus Noord"}},
        {"id": "zuid", "names": {"nl": "Campus Zuid"}},
    ],
    "departments": [
        {
            "id": "cardiologie", "names": {"nl": "Cardiologie", "fr": "Cardiologie"}, "phone": "011 90 11 00",
            "campuses": ["noord"], "opening_hours": [{"weekly": WEEK}],
            "locations": [{"campus": "noord", "floor": 2, "route": "45"}],
        },
        {"id": "neus-keel-oren", "names": {"nl": "Neus-, keel- en oorziekten"}, "phone": "011 90 12 00"},
    ],
    "doctors": [{"id": "byron-ada", "first_name": "Ada", "last_name": "Byron", "department": "cardiologie"}],
    "tariffs": [{"id": "parkeren", "subject": {"nl": "Parkeren"}, "amount": "2.50", "unit": "hour"}],
    "lay_words": [{"department": "cardiologie", "terms": {"nl": ["hart", "hartkloppingen"]}}],
}  # fmt: skip


@pytest.fixture(name="home")
def the_home(tmp_path: Path) -> Careline:
    home = Careline(tmp_path / "home")
    home.json("ingest", str(page(tmp_path)))
    home.json("directory", "import", str(file(tmp_path, WRITTEN)))
    return home


def page(folder: Path) -> Path:
    path = folder / "bezoek.md"
    path.write_text("# Bezoek\n\nBezoek is welkom van 14 tot 20 uur.\n", encoding="utf-8")
    return path


def file(folder: Path, written: dict[str, Any]) -> Path:
    path = folder / "gegevens.yaml"
    path.write_text(yaml.safe_dump(written, allow_unicode=True), encoding="utf-8")
    return path


def opened(desk: Console) -> Console:
    desk.at("tab-directory").click()
    expect(desk.at("directory-row").first).to_be_visible()
    return desk


def row(desk: Console, name: str) -> Locator:
    return desk.page.locator(f'[data-testid="directory-row"][data-entry="{name}"]')


def form(desk: Console) -> Locator:
    shown = desk.at("directory-form")
    expect(shown).to_be_visible()
    return shown


def saved(desk: Console) -> None:
    desk.at("directory-save").click()
    expect(desk.at("directory-form")).to_be_hidden()


def entry(home: Careline, section: str, name: str) -> dict[str, Any]:
    found: dict[str, Any] = home.json("directory", "show", section, name)["entry"]
    return found


def test_a_number_is_changed_told_and_taken_back(browser: Browser, home: Careline) -> None:
    with home.served() as server, console(browser, address_of(server)) as desk:
        opened(desk)
        expect(row(desk, "cardiologie")).to_contain_text("011 90 11 00")
        row(desk, "cardiologie").get_by_test_id("directory-edit").click()
        form(desk).locator('[data-field="phone"]').first.fill("bel ons")
        desk.at("directory-save").click()
        wrong = form(desk).locator('[aria-invalid="true"]')
        expect(wrong).to_be_focused()
        expect(wrong).to_have_value("bel ons")
        expect(form(desk).locator(".directory-problem")).to_have_count(1)
        wrong.fill("011 90 11 99")
        saved(desk)
        expect(row(desk, "cardiologie")).to_contain_text("011 90 11 99")
        assert desk.focused() != "BODY"
        held = server.client.get("/v1/admin/directory/departments/cardiologie").json()
        written = WRITTEN["departments"][0]
        assert {name: held[name] for name in written} == {**written, "phone": "011 90 11 99"}
        asked = "wat is het rechtstreekse telefoonnummer van jullie cardiologie"
        assert "011 90 11 99" in desk.text_of(desk.ask(asked))
        desk.at("tab-directory").click()
        desk.at("directory-history-open").click()
        newest = desk.at("directory-change").first
        expect(newest).to_contain_text("Telefoon")
        newest.get_by_test_id("directory-undo").click()
        expect(desk.at("directory-change")).to_have_count(3)
        desk.page.keyboard.press("Escape")
        expect(row(desk, "cardiologie")).to_contain_text("011 90 11 00")
        assert "011 90 11 00" in desk.text_of(desk.ask(asked))
        # The server says no to the number that is none, and Chromium writes that down.
        assert [one for one in desk.complaints if "422" not in one] == []
        assert desk.foreign() == []
    assert entry(home, "departments", "cardiologie")["phone"] == "011 90 11 00"


def test_entries_are_searched_added_confirmed_and_removed(browser: Browser, home: Careline) -> None:
    with home.served() as server, console(browser, address_of(server)) as desk:
        opened(desk)
        desk.at("directory-search").fill("bÿron")
        expect(desk.at("directory-row")).to_have_count(1)
        desk.at("directory-section-doctors").click()
        desk.at("directory-add").click()
        new = form(desk)
        new.locator('[data-field="last_name"]').fill("Noether")
        new.locator('[data-field="first_name"]').fill("Émmy")
        expect(new.locator('[data-field="id"]')).to_have_value("noether-emmy")
        new.locator('[data-field="department"]').first.select_option("neus-keel-oren")
        new.get_by_test_id("add-consultations").click()
        new.locator('[data-field="weekday"]').select_option("tuesday")
        new.locator('.directory-item [data-field="from"]').fill("09:00")
        new.locator('.directory-item [data-field="to"]').fill("12:00")
        saved(desk)
        expect(row(desk, "noether-emmy")).to_be_visible()
        held = entry(home, "doctors", "noether-emmy")
        assert held["consultations"] == [{"weekday": "tuesday", "from": "09:00", "to": "12:00"}]
        row(desk, "noether-emmy").get_by_test_id("directory-remove").click()
        desk.at("confirm-directory-remove").click()
        expect(row(desk, "noether-emmy")).to_have_count(0)
        desk.at("directory-section-campuses").click()
        expect(row(desk, "noord")).to_contain_text("Adres")
        row(desk, "noord").get_by_test_id("directory-confirm").click()
        expect(desk.page.locator("#announce")).to_contain_text("Campus Noord")
        assert (desk.complaints, desk.foreign()) == ([], [])


def test_every_kind_of_entry_is_saved_as_it_was(browser: Browser, home: Careline) -> None:
    """Opening an entry and saving it changes nothing, whatever stands in it."""
    with home.served() as server, console(browser, address_of(server)) as desk:
        opened(desk)
        for section in ("hospital", "campuses", "departments", "doctors", "tariffs", "lay_words"):
            desk.at(f"directory-section-{section}").click()
            desk.at("directory-open").first.click()
            form(desk)
            saved(desk)
            expect(desk.page.locator("#announce")).to_have_text("Dat staat er al.")
        assert (desk.complaints, desk.foreign()) == ([], [])
    assert home.json("directory", "show")["edition"] == 1


def test_hours_of_a_week_are_written_with_the_keyboard(browser: Browser, home: Careline) -> None:
    with home.served() as server, console(browser, address_of(server)) as desk:
        opened(desk)
        row(desk, "cardiologie").get_by_test_id("directory-open").press("Enter")
        tuesday = form(desk).locator('[data-day="tuesday"]').first
        tuesday.get_by_role("combobox").select_option("open")
        opens, closes = tuesday.locator("input").all()
        opens.fill("9")
        closes.fill("16.30")
        closes.press("Enter")
        expect(desk.at("directory-form")).to_be_hidden()
        hours = entry(home, "departments", "cardiologie")["opening_hours"]
        assert hours == [{"weekly": {**WEEK, "tuesday": [{"from": "09:00", "to": "16:30"}]}}]
        assert (desk.complaints, desk.foreign()) == ([], [])


def test_a_file_is_looked_at_before_it_is_taken_in(browser: Browser, home: Careline) -> None:
    wrong = {**WRITTEN, "doctors": [{"id": "byron-ada", "last_name": "Byron", "department": "heelkunde"}]}
    fits = {**WRITTEN, "doctors": []}
    with home.served() as server, console(browser, address_of(server)) as desk:
        opened(desk)
        choose = desk.at("directory-file-input")
        choose.set_input_files({"name": "fout.yaml", "mimeType": "", "buffer": yaml.safe_dump(wrong).encode()})
        problems = desk.at("directory-file").get_by_test_id("directory-problems")
        expect(problems).to_contain_text("heelkunde")
        expect(desk.at("directory-take")).to_be_hidden()
        desk.page.keyboard.press("Escape")
        choose.set_input_files({"name": "goed.yaml", "mimeType": "", "buffer": yaml.safe_dump(fits).encode()})
        expect(desk.at("directory-changes")).to_contain_text("byron-ada")
        expect(desk.at("directory-take")).to_be_focused()
        assert home.json("directory", "show")["edition"] == 1
        desk.page.keyboard.press("Enter")
        expect(desk.at("directory-file")).to_be_hidden()
        desk.at("directory-section-doctors").click()
        expect(desk.at("directory-row")).to_have_count(0)
        for form_ in ("xlsx", "yaml"):
            with desk.page.expect_download() as handed:
                desk.at(f"directory-save-{form_}").click()
            assert handed.value.suggested_filename == f"directory-2.{form_}"
        with desk.page.expect_download() as handed:
            desk.at("directory-template").click()
        assert handed.value.suggested_filename == "directory-nl.xlsx"
        assert [one for one in desk.complaints if "422" not in one] == []
        assert desk.foreign() == []


def test_a_phone_shows_form_history_and_list_without_scrolling_sideways(browser: Browser, home: Careline) -> None:
    narrow = {"width": 360, "height": 740}
    with home.served() as server, console(browser, address_of(server), viewport=narrow, locale="fr-BE") as phone:
        opened(phone)
        assert phone.beyond_the_edge() == []
        row(phone, "cardiologie").get_by_test_id("directory-edit").click()
        form(phone)
        assert phone.beyond_the_edge() == []
        phone.page.keyboard.press("Escape")
        phone.at("directory-history-open").click()
        expect(phone.at("directory-change").first).to_be_visible()
        assert phone.beyond_the_edge() == []
        assert (phone.complaints, phone.foreign()) == ([], [])
