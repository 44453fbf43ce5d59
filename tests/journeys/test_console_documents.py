"""The list of documents in a real browser: newest first, by state, what is told of each, and what was not taken in."""

from __future__ import annotations

import time

from playwright.sync_api import expect

from tests.journeys.browser import Console
from tests.journeys.console_documents import pdf
from tests.journeys.console_servers import the_address as the_address
from tests.journeys.console_servers import the_browser as the_browser
from tests.journeys.console_servers import the_desk as the_desk
from tests.journeys.console_servers import the_library as the_library
from tests.journeys.console_servers import the_own_home as the_own_home

CHAPEL = b"""<html lang="nl"><title>Kapel</title><nav><a href="/">Start</a></nav><h1>Kapel</h1>
<p>De kapel is elke dag open van 9 tot 19 uur.</p><p hidden>De sleutel van de kapel ligt bij de nachtwaker.</p></html>
"""
BETWEEN_SECONDS = 5
"""After which the list is loaded again while files are still on their way (`infra/web/uploads.js`)."""


def test_the_newest_document_stands_first_and_shows_what_is_told_and_what_is_left_out(desk: Console) -> None:
    desk.at("tab-documents").click()
    desk.drop("kapel.html", CHAPEL)
    desk.job("kapel.html", "completed")
    row = desk.at("documents").get_by_test_id("document").first
    expect(row).to_have_attribute("data-key", "document-kapel")
    row.get_by_test_id("left-out-counts").locator("summary").click()
    expect(row.get_by_test_id("left-out-counts")).to_contain_text("Verborgen voor lezers")
    row.get_by_test_id("told").click()
    expect(desk.at("told-passage")).to_contain_text("open van 9 tot 19 uur")
    expect(desk.at("left-out").filter(has_text="nachtwaker")).to_contain_text("Verborgen voor lezers")


def test_a_list_shows_one_state_and_an_expired_document_is_not_among_the_live_ones(desk: Console) -> None:
    desk.at("tab-documents").click()
    expired = b"---\nvalid_until: 2020-01-01\n---\n# Oud tarief\n\nEen kamer kostte 20 euro.\n"
    desk.drop("tarief.md", expired)
    desk.job("tarief.md", "completed")
    row = desk.at("documents").get_by_test_id("document").filter(has_text="Oud tarief")
    expect(row).to_contain_text("verlopen")
    desk.at("filter-state").select_option("live")
    expect(row).to_have_count(0)
    desk.at("filter-state").select_option("expired")
    expect(row).to_have_count(1)


def test_a_document_that_was_not_taken_in_stands_apart_with_why_and_is_tried_again(desk: Console) -> None:
    desk.at("tab-documents").click()
    desk.drop("slot.pdf", pdf("Slot", "Geheim.", password="sleutel"))
    desk.job("slot.pdf", "failed")
    failed = desk.at("failed").get_by_test_id("document").filter(has_text="slot")
    expect(failed).to_contain_text("wachtwoord")
    expect(desk.at("documents").get_by_test_id("document").filter(has_text="slot")).to_have_count(0)
    failed.get_by_test_id("retry-failed").click()
    expect(desk.at("job").filter(has_text="slot.pdf")).to_contain_text("1")


def test_a_new_version_says_whose_place_it_takes(desk: Console) -> None:
    desk.at("tab-documents").click()
    desk.drop("winkel.md", b"# Winkel\n\nDe winkel opent elke dag om 9 uur.\n")
    desk.job("winkel.md", "completed")
    desk.drop("winkel.md", b"# Winkel\n\nDe winkel opent elke dag om 10 uur.\n")
    expect(desk.at("job").filter(has_text="komt in de plaats van versie 1")).to_be_visible()


def test_the_list_is_loaded_for_a_batch_of_files_and_not_for_each(desk: Console) -> None:
    desk.at("tab-documents").click()
    expect(desk.at("document").first).to_be_visible()
    names = [f"dienst-{number}.md" for number in range(8)]
    files = [{"name": name, "mimeType": "text/markdown", "buffer": f"# Over {name}".encode()} for name in names]
    del desk.requests[:]
    began = time.monotonic()
    desk.at("file-input").set_input_files(files)  # type: ignore[arg-type]
    for name in names:
        desk.job(name, "completed")
    expect(desk.at("document").filter(has_text=names[-1])).to_have_count(1)
    loaded = [url for url in desk.requests if "/v1/documents?" in url]
    # Now and then while others are on their way, and when all have arrived.
    assert len(loaded) <= 2 + (time.monotonic() - began) / BETWEEN_SECONDS
