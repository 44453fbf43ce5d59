"""Proposals of documents for the directory in the console: confirmed, corrected, rejected; and contradictions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml
from playwright.sync_api import Browser, Locator, expect

from tests.journeys.browser import Console, console
from tests.journeys.console_servers import address_of
from tests.journeys.console_servers import the_browser as the_browser
from tests.journeys.process import Careline, Served

WRITTEN: dict[str, Any] = {
    "hospital": {"names": {"nl": "Ziekenhuis Noord"}, "phones": {"main": "011 90 10 00"}},
    "campuses": [{"id": "noord", "names": {"nl": "Campus Noord"}}],
    "departments": [
        {
            "id": "cardiologie", "names": {"nl": "Cardiologie"}, "campuses": ["noord"],
            "locations": [{"campus": "noord", "phone": "011 90 11 00"}],
        },
    ],
}  # fmt: skip
PRICES = """# Tarieven Campus Noord

| Prestatie | Prijs (EUR) |
|---|---|
| Kamertelevisie, per dag | 3,20 |
| Koelkast, per dag | {} |
| Kopie van het dossier | 7,50 |
"""
NUMBERS = """# Nummers Campus Noord

| Dienst | Telefoon |
|---|---|
| Cardiologie | 011 90 11 77 |
| Nachtbalie | 011 90 19 00 |
"""


@pytest.fixture(name="home")
def the_home(tmp_path: Path) -> Careline:
    home = Careline(tmp_path / "home")
    page = tmp_path / "bezoek.md"
    page.write_text("# Bezoek\n\nBezoek is welkom van 14 tot 20 uur.\n", encoding="utf-8")
    written = tmp_path / "gegevens.yaml"
    written.write_text(yaml.safe_dump(WRITTEN, allow_unicode=True), encoding="utf-8")
    home.json("ingest", str(page))
    home.json("directory", "import", str(written))
    return home


@pytest.fixture(name="server")
def the_server(home: Careline) -> Iterator[Served]:
    with home.served() as server:
        yield server


@pytest.fixture(name="desk")
def the_desk(browser: Browser, server: Served) -> Iterator[Console]:
    with console(browser, address_of(server)) as desk:
        yield desk
        assert desk.foreign() == []


def taken_in(desk: Console, name: str, text: str, count: int = 1) -> None:
    desk.at("tab-documents").click()
    desk.drop(name, text.encode())
    expect(desk.at("job").filter(has_text=name)).to_have_count(count)
    expect(desk.at("job").filter(has_text=name).first).to_have_attribute("data-state", "completed")


def proposals(desk: Console) -> Locator:
    desk.at("tab-directory").click()
    desk.at("directory-view-proposals").click()
    return desk.at("proposal")


def row(desk: Console, text: str) -> Locator:
    return desk.at("proposal").filter(has_text=text)


def corrected(desk: Console, fridge: Locator, *, wrong: str, amount: str, subject: str) -> None:
    """Correct the amount and the subject of a price; an amount that is none is refused first."""
    fridge.get_by_test_id("proposal-correct").click()
    form = desk.at("proposal-form")
    form.locator('[data-field="amount"]').fill(wrong)
    desk.at("proposal-save").click()
    expect(form.locator('[aria-invalid="true"]')).to_be_focused()
    form.locator('[data-field="amount"]').fill(amount)
    form.locator('[data-field="nl"]').first.fill(subject)
    desk.at("proposal-save").click()
    expect(form).to_be_hidden()
    expect(fridge).to_have_count(0)


def test_rows_of_a_table_are_confirmed_corrected_and_rejected_and_only_the_confirmed_answer(
    desk: Console, server: Served
) -> None:
    taken_in(desk, "tarieven.md", PRICES.format("1,60"))
    expect(desk.page.locator("#proposals-waiting")).to_be_visible()
    expect(proposals(desk)).to_have_count(3)
    expect(desk.at("directory-view-proposals")).to_contain_text("3")
    television = row(desk, "televisie")
    expect(television).to_contain_text("3.20 EUR")
    expect(television).to_contain_text("rij 1")
    assert "per dag" in desk.text_of(desk.ask("Hoeveel kost de kamertelevisie per dag?"))
    desk.at("tab-sources").click()
    expect(desk.at("citation").first).to_contain_text("document-tarieven")
    proposals(desk)
    television.get_by_test_id("proposal-confirm").press("Enter")
    expect(television).to_have_count(0)
    assert desk.focused() == "proposal-choose"
    corrected(desk, row(desk, "Koelkast"), wrong="veel", amount="1.80", subject="Koelkast op de kamer")
    row(desk, "dossier").get_by_test_id("proposal-reject").click()
    expect(desk.at("proposal")).to_have_count(0)
    assert desk.focused() != "BODY"
    assert "3,20 per dag" in desk.text_of(desk.ask("Hoeveel kost de kamertelevisie per dag?"))
    desk.at("tab-sources").click()
    year = datetime.now(UTC).strftime("%Y")
    expect(desk.at("citation").first).to_contain_text(re.compile(rf"bevestigd op .* {year}"))
    assert "1,80" in desk.text_of(desk.ask("Hoeveel kost een koelkast op de kamer?"))
    desk.at("new-conversation").click()
    desk.ask("Hoeveel kost een kopie van het dossier?")
    expect(desk.at("citation").first).to_contain_text("document-tarieven")
    tariffs = server.client.get("/v1/admin/directory").json()["tariffs"]
    assert sorted(one["amount"] for one in tariffs) == ["1.80", "3.20"]
    assert [one for one in desk.complaints if "422" not in one] == []


def test_a_rejected_price_is_not_told_from_the_directory_and_may_be_asked_again(desk: Console) -> None:
    taken_in(desk, "tarieven.md", PRICES.format("1,60"))
    proposals(desk)
    row(desk, "Koelkast").get_by_test_id("proposal-reject").click()
    expect(row(desk, "Koelkast")).to_have_count(0)
    desk.at("proposals-state").select_option("rejected")
    expect(desk.at("proposal")).to_have_count(1)
    expect(desk.at("proposal-decided")).to_contain_text("Verworpen door")
    desk.at("proposal-reopen").click()
    expect(desk.at("proposal")).to_have_count(0)
    desk.at("proposals-state").select_option("open")
    expect(desk.at("proposal")).to_have_count(3)
    assert desk.complaints == []


def test_several_are_decided_at_once_and_a_new_version_proposes_the_difference_alone(
    desk: Console, home: Careline
) -> None:
    taken_in(desk, "tarieven.md", PRICES.format("1,60"))
    proposals(desk)
    desk.at("proposals-all").check()
    expect(desk.at("proposals-confirm")).to_have_text("3 bevestigen")
    desk.at("proposals-confirm").click()
    expect(desk.at("proposal")).to_have_count(0)
    assert home.json("directory", "show")["edition"] == 2
    taken_in(desk, "tarieven.md", PRICES.format("1,75"), count=2)
    expect(proposals(desk)).to_have_count(1)
    line = row(desk, "Koelkast").locator('[data-line="amount"]')
    expect(line.locator("del")).to_have_text("1.60 EUR")
    expect(line.locator("ins")).to_have_text("1.75 EUR")
    assert desk.complaints == []


def test_the_passage_of_a_proposal_is_opened_where_the_document_says_it(desk: Console) -> None:
    taken_in(desk, "tarieven.md", PRICES.format("1,60"))
    proposals(desk)
    row(desk, "Koelkast").get_by_test_id("proposal-source").press("Enter")
    expect(desk.page.locator("#reader")).to_contain_text("Kopie van het dossier")
    expect(desk.page.locator("#reader").get_by_test_id("passage")).to_be_visible()
    desk.page.keyboard.press("Escape")
    assert desk.focused() == "proposal-source"
    assert desk.complaints == []


def test_proposals_are_narrowed_by_document_and_section(desk: Console) -> None:
    taken_in(desk, "tarieven.md", PRICES.format("1,60"))
    taken_in(desk, "nummers.md", NUMBERS)
    expect(proposals(desk)).to_have_count(5)
    desk.at("proposals-section").select_option("contacts")
    expect(desk.at("proposal")).to_have_count(1)
    desk.at("proposals-section").select_option("")
    desk.at("proposals-document").select_option(label="Tarieven Campus Noord")
    expect(desk.at("proposal")).to_have_count(3)
    desk.at("proposals-search").fill("KOELKAST")
    expect(desk.at("proposal")).to_have_count(1)
    assert desk.complaints == []


def test_a_contradiction_shows_both_values_and_the_document_or_the_directory_is_taken(
    desk: Console, home: Careline
) -> None:
    taken_in(desk, "nummers.md", NUMBERS)
    desk.at("tab-directory").click()
    desk.at("directory-view-contradictions").click()
    one = desk.at("contradiction")
    expect(one).to_contain_text("011 90 11 00")
    expect(one).to_contain_text("011 90 11 77")
    one.get_by_test_id("contradiction-reject").click()
    expect(desk.at("contradiction-left")).to_be_visible()
    assert desk.focused() == "contradiction-reopen"
    assert "011 90 11 00" in desk.text_of(desk.ask("Wat is het nummer van cardiologie?"))
    desk.at("contradiction-reopen").click()
    one.get_by_test_id("contradiction-confirm").click()
    expect(one).to_have_count(0)
    assert "011 90 11 77" in desk.text_of(desk.ask("Wat is het nummer van cardiologie?"))
    assert desk.complaints == []
    held = home.json("directory", "show", "departments", "cardiologie")["entry"]
    assert held["locations"] == [{"campus": "noord", "phone": "011 90 11 77"}]


def test_what_became_unclear_since_it_was_shown_is_not_confirmed_but_told(desk: Console, server: Served) -> None:
    taken_in(desk, "nummers.md", NUMBERS)
    proposals(desk)
    desk.at("proposals-all").check()
    both = {**WRITTEN, "departments": [{**WRITTEN["departments"][0], "id": "hart", "phone": "011 90 11 01"}]}
    twice = {**both, "departments": [*WRITTEN["departments"], *both["departments"]]}
    etag = server.client.get("/v1/admin/directory").headers["etag"]
    made = server.client.put("/v1/admin/directory", json=twice, headers={"If-Match": etag})
    assert made.status_code == 200, made.text
    desk.at("proposals-confirm").click()
    expect(desk.at("problem")).to_be_visible()
    expect(row(desk, "Cardiologie").get_by_test_id("proposal-missing")).to_contain_text("over welk gegeven het gaat")
    expect(row(desk, "Nachtbalie").get_by_test_id("proposal-choose")).to_be_checked()
    desk.at("proposals-confirm").click()
    expect(row(desk, "Nachtbalie")).to_have_count(0)
    assert [one for one in desk.complaints if "400" not in one] == []


def test_a_phone_shows_proposals_form_and_contradictions_without_scrolling_sideways(
    browser: Browser, server: Served
) -> None:
    narrow = {"width": 360, "height": 740}
    with console(browser, address_of(server), viewport=narrow, locale="fr-BE") as phone:
        phone.at("tab-documents").click()
        phone.drop("nummers.md", NUMBERS.encode())
        phone.job("nummers.md", "completed")
        expect(proposals(phone)).to_have_count(2)
        assert phone.beyond_the_edge() == []
        phone.at("proposals-all").check()
        assert phone.beyond_the_edge() == []
        phone.at("proposal-correct").first.click()
        expect(phone.at("proposal-form")).to_be_visible()
        assert phone.beyond_the_edge() == []
        phone.page.keyboard.press("Escape")
        phone.at("directory-view-contradictions").click()
        expect(phone.at("contradiction")).to_have_count(1)
        assert phone.beyond_the_edge() == []
        assert (phone.complaints, phone.foreign()) == ([], [])


CONSULTATIONS = """# Raadplegingen Cardiologie, Campus Noord

| Arts | Maandag | Donderdag |
|---|---|---|
| Dr. Lien Byron | 9-12 u | {} |
| Dr. Ivo Hopper | 14-17 u | 9-11 u, niet in juli |

# Bereikbaarheid Campus Noord

| Lijn | Halte | Te voet |
|---|---|---|
| Bus 12 | Hoofdingang | 2 min. |
"""


def test_consultations_and_lines_of_transport_are_confirmed_and_a_new_version_proposes_what_changed(
    desk: Console, home: Careline
) -> None:
    taken_in(desk, "artsen.md", CONSULTATIONS.format("namiddag (even weken)"))
    expect(proposals(desk)).to_have_count(3)
    byron = row(desk, "Byron")
    expect(byron).to_contain_text("maandag 09:00–12:00, Campus Noord")
    expect(byron).to_contain_text("donderdag namiddag, Campus Noord, even weken")
    expect(row(desk, "Hoofdingang")).to_contain_text("2 min te voet")
    hopper = row(desk, "Hopper")
    expect(hopper.get_by_test_id("proposal-missing")).to_contain_text("aadpleging")
    expect(hopper.get_by_test_id("proposal-confirm")).to_have_count(0)
    hopper.get_by_test_id("proposal-correct").click()
    form = desk.at("proposal-form")
    expect(form.locator('[data-field="weekday"]')).to_have_value("monday")
    desk.at("proposal-save").click()
    expect(hopper).to_have_count(0)
    byron.get_by_test_id("proposal-confirm").click()
    expect(byron).to_have_count(0)
    row(desk, "Hoofdingang").get_by_test_id("proposal-confirm").click()
    expect(desk.at("proposal")).to_have_count(0)
    assert "09:00" in desk.text_of(desk.ask("Wanneer heeft dokter Byron raadpleging?")).replace("9 uur", "09:00")
    taken_in(desk, "artsen.md", CONSULTATIONS.format("voormiddag"), count=2)
    expect(proposals(desk)).to_have_count(1)
    changed = row(desk, "Byron").locator('[data-line="consultations"]')
    expect(changed.locator("del")).to_contain_text("even weken")
    expect(changed.locator("ins")).to_contain_text("donderdag voormiddag")
    assert desk.complaints == []
    campus = home.json("directory", "show", "campuses", "noord")["entry"]
    assert [one["line"] for one in campus["public_transport"]] == ["12"]
