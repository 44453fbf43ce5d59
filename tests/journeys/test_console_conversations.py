"""Conversations in the console: they survive a reload, are listed, opened again, copied, saved and deleted."""

from __future__ import annotations

import json

from playwright.sync_api import Browser, expect

from tests.journeys.browser import Console, console
from tests.journeys.console_servers import VISIT
from tests.journeys.console_servers import the_address as the_address
from tests.journeys.console_servers import the_browser as the_browser
from tests.journeys.console_servers import the_desk as the_desk
from tests.journeys.console_servers import the_library as the_library
from tests.journeys.console_servers import the_own_home as the_own_home

ANSWER = "van 14 tot 20 uur"
STORED = "() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }])"
STAGES = ("detect_phi", "detect phi", "rewrite query", "rerank")


def saved(desk: Console, test_id: str) -> str:
    with desk.page.expect_download() as download:
        desk.at("conversation-now").get_by_test_id(test_id).click()
    return download.value.path().read_text(encoding="utf-8")


def test_a_conversation_goes_on_after_a_reload_and_the_browser_keeps_nothing_that_was_said(desk: Console) -> None:
    desk.ask(VISIT)
    assert not any(word in desk.page.evaluate(STORED) for word in ("kraamafdeling", "bezoek", "14 tot 20"))
    desk.page.reload()
    reply = desk.page.locator("article.reply")
    expect(reply).to_have_count(1)
    assert ANSWER in desk.text_of(reply)
    assert "[1]" not in desk.text_of(reply), "a marker leads nowhere without its source"
    expect(desk.page.locator("#welcome")).to_be_hidden()
    desk.ask("En op de kinderafdeling?")
    expect(desk.page.locator("article.reply")).to_have_count(2)
    desk.at("new-conversation").click()
    desk.page.reload()
    expect(desk.page.locator("#welcome")).to_be_visible()
    expect(desk.page.locator("article.reply")).to_have_count(0)


def test_an_emergency_and_a_refusal_are_shown_as_such_after_a_reload(desk: Console) -> None:
    desk.ask("Hij ligt hier op de grond en ademt niet meer")
    desk.ask("Mag ik de pijnstillers van mijn buurvrouw nemen?")
    kinds = [reply.get_attribute("data-kind") for reply in desk.page.locator("article.reply").all()]
    assert kinds == ["emergency", "refused"]
    desk.page.reload()
    replies = desk.page.locator("article.reply")
    expect(replies).to_have_count(2)
    for place, kind in enumerate(kinds):
        expect(replies.nth(place)).to_have_attribute("data-kind", kind)


def test_ones_own_conversations_are_listed_opened_and_deleted(desk: Console) -> None:
    desk.ask(VISIT)
    desk.at("new-conversation").click()
    desk.ask("Hoeveel kost een rolstoel lenen?")
    desk.at("conversations").press("Enter")
    row = desk.at("conversation").filter(has_text=VISIT).first
    row.get_by_test_id("open-conversation").click()
    expect(desk.page.locator("#conversations")).to_be_hidden()
    expect(desk.page.locator("article.asked")).to_have_text([VISIT])
    before = desk.page.locator("article.reply").count()
    assert before == 1
    desk.at("conversations").click()
    other = desk.at("conversation").filter(has_text="rolstoel").first
    expect(other).to_be_visible()
    rows = desk.at("conversation").filter(has_text="rolstoel").count()
    other.get_by_test_id("delete-conversation").click()
    expect(desk.at("conversation").filter(has_text="rolstoel")).to_have_count(rows - 1)
    desk.page.keyboard.press("Escape")
    expect(desk.page.locator("#conversations")).to_be_hidden()


def test_a_conversation_is_saved_with_its_sources_as_markdown_and_as_json(desk: Console) -> None:
    desk.ask(VISIT)
    desk.at("conversations").click()
    written = saved(desk, "save-markdown")
    assert f"## {VISIT}" in written
    assert ANSWER in written
    assert "[1] Bezoekuren" in written
    (turn,) = json.loads(saved(desk, "save-json"))["turns"]
    assert (turn["question"], turn["disposition"]) == (VISIT, "answered")
    assert turn["citations"][0]["title"] == "Bezoekuren"
    desk.page.keyboard.press("Escape")
    assert desk.beyond_the_edge() == []


def test_names_of_stages_are_for_those_who_look_behind_the_answer(desk: Console) -> None:
    reply = desk.send(VISIT)
    expect(reply).to_have_attribute("aria-busy", "false")
    assert not any(name in reply.inner_text() for name in STAGES)
    reply.get_by_test_id("why-button").click()
    stages = desk.at("stages")
    expect(stages.locator(".waterfall")).to_be_hidden()
    stages.locator("summary").press("Enter")
    expect(stages.locator(".waterfall")).to_contain_text("rerank")


def test_a_source_that_is_a_table_is_shown_as_one(browser: Browser, address: str) -> None:
    rows = (b"| Wat | Prijs | Duur |", b"|---|---|---|", b"| Knippen | 19 euro | 20 |", b"| Kleuren | 45 euro | 90 |")
    prices = b"# Kapper\n\n" + b"\n".join(rows) + b"\n"
    with console(browser, address) as desk:
        desk.at("tab-documents").click()
        desk.drop("kapper.md", prices)
        desk.job("kapper.md", "completed")
        desk.ask("Wat kost kleuren bij de kapper?")
        desk.at("tab-sources").click()
        excerpt = desk.at("citation").first.get_by_test_id("excerpt")
        expect(excerpt.locator("table")).to_be_visible()
        assert "|" not in excerpt.inner_text()
        expect(excerpt.get_by_role("cell", name="45 euro")).to_be_visible()
        assert (desk.complaints, desk.foreign()) == ([], [])


def test_on_a_telephone_the_list_fits(browser: Browser, address: str) -> None:
    with console(browser, address, viewport={"width": 360, "height": 740}) as desk:
        desk.ask(VISIT)
        desk.at("conversations").click()
        expect(desk.at("conversation-now")).to_be_visible()
        assert desk.beyond_the_edge() == []
        assert desk.complaints == []
