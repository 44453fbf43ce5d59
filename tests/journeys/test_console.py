"""The console as people use it: in Chromium, against the server that `careline up` starts."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.emulators.openai import Endpoint
from tests.journeys.browser import ARTEFACTS, Console, console
from tests.journeys.console_documents import MARKUP, large_pdf, pdf
from tests.journeys.console_servers import FIRST_WORDS, VISIT, address_of, begun
from tests.journeys.console_servers import the_address as the_address
from tests.journeys.console_servers import the_address_with_a_model as the_address_with_a_model
from tests.journeys.console_servers import the_browser as the_browser
from tests.journeys.console_servers import the_desk as the_desk
from tests.journeys.console_servers import the_library as the_library
from tests.journeys.console_servers import the_model as the_model
from tests.journeys.console_servers import the_own_home as the_own_home
from tests.journeys.console_servers import the_with_a_model as the_with_a_model
from tests.journeys.process import TIMEOUT, Careline

VISIT_ANSWER = "van 14 tot 20 uur"
DOSE, CLINICAL_DOSE = "hoeveel paracetamol mag ik nemen", "hoeveel paracetamol krijgt een volwassene"
NAME, EXPLAINED = "Godelieve Vanmarcke", re.compile("/explanation$")
UNKNOWN = "Welke muzikant speelt er zaterdag op het orgel in de kapel van het ziekenhuis?"


def test_a_question_is_answered_and_its_citation_opens_the_document_at_the_marked_passage(desk: Console) -> None:
    reply = desk.ask(VISIT)
    assert VISIT_ANSWER in desk.text_of(reply)
    expect(desk.at("citation")).to_have_count(1)
    reply.get_by_test_id("marker").click()
    expect(desk.at("passage")).to_be_in_viewport()
    marked = desk.page.locator("#reader mark").all_inner_texts()
    assert VISIT_ANSWER in marked[0]
    assert marked[-1].endswith("."), "a passage is marked up to the end of its sentence"
    ARTEFACTS.mkdir(exist_ok=True)
    desk.page.screenshot(path=ARTEFACTS / "console.png")


def test_the_text_of_an_answer_is_there_before_the_answer_has_ended(
    browser: Browser, address_with_a_model: str, model: Endpoint
) -> None:
    with console(browser, address_with_a_model) as opened:
        reply = begun(opened, model)
        expect(reply).to_have_attribute("aria-busy", "true")
        # The model says no more; the server waits its time and ends the answer with a note.
        expect(reply).to_have_attribute("aria-busy", "false")
        assert FIRST_WORDS in opened.text_of(reply)
        expect(reply.locator(".note")).to_be_visible()
        assert model.left.acquire(timeout=TIMEOUT)


@pytest.mark.parametrize(("tab", "control"), [("tab-turn", "#turn summary"), ("tab-sources", "#sources .card-open")])
def test_what_the_keyboard_is_at_beside_an_answer_stays_while_that_grows_and_ends(
    browser: Browser, address_with_a_model: str, model: Endpoint, tab: str, control: str
) -> None:
    with console(browser, address_with_a_model) as opened:
        reply = begun(opened, model)
        opened.at(tab).click()
        beside = opened.page.locator(control).first
        beside.evaluate("node => { node.focus(); node.parentElement.open = true; }")
        expect(reply).to_have_attribute("aria-busy", "true")
        expect(reply).to_have_attribute("aria-busy", "false")
        expect(beside).to_be_focused()
        if tab == "tab-turn":
            expect(opened.at("stages")).to_have_attribute("open", "")
        assert model.left.acquire(timeout=TIMEOUT)


@pytest.mark.parametrize("way", ["button", "key"])
def test_an_answer_that_is_stopped_stays_as_it_is_and_the_model_hears_it(
    browser: Browser, address_with_a_model: str, model: Endpoint, way: str
) -> None:
    with console(browser, address_with_a_model) as opened:
        reply = begun(opened, model)
        expect(opened.at("send")).to_be_hidden()
        if way == "button":
            opened.at("stop").click()
        else:
            opened.page.keyboard.press("Escape")
        expect(reply).to_have_attribute("data-kind", "stopped")
        expect(reply.locator(".verdict")).to_have_text("Gestopt")
        assert FIRST_WORDS in opened.text_of(reply)
        assert model.left.acquire(timeout=TIMEOUT)
        assert "hoogstens drie" in opened.text_of(opened.ask(VISIT)), "the next question is answered in full"
        assert (opened.complaints, opened.foreign()) == ([], [])


def test_a_server_that_stops_during_an_answer_and_one_that_is_gone_are_told_in_words(
    browser: Browser, own_home: Callable[[], Path], with_a_model: Careline, model: Endpoint
) -> None:
    alone = replace(with_a_model, home=own_home())
    with alone.served() as server, console(browser, address_of(server)) as opened:
        reply = begun(opened, model)
        server.process.kill()
        expect(reply).to_have_attribute("data-kind", "cut")
        expect(reply.locator(".verdict")).to_have_text("Verbinding verbroken")
        assert FIRST_WORDS in opened.text_of(reply), "what was said stays"
        assert model.left.acquire(timeout=TIMEOUT)
        again = opened.ask(VISIT)
        expect(again.get_by_test_id("problem")).to_contain_text("De server is niet bereikbaar.")
        expect(again.get_by_role("button", name="Opnieuw proberen")).to_be_visible()
        opened.at("tab-documents").click()
        trouble = opened.at("drop").get_by_test_id("problem")
        expect(trouble).to_have_count(1)
        expect(trouble).to_contain_text("De server is niet bereikbaar.")
        assert not [said for said in opened.complaints if said.startswith("uncaught")]


@pytest.mark.parametrize("way", ["drop", "choose"])
def test_a_pdf_that_is_dropped_or_chosen_is_indexed_and_then_cited(desk: Console, way: str) -> None:
    place, price = {"drop": ("Cafetaria", "9 euro"), "choose": ("Wasserij", "6 euro")}[way]
    content = pdf(f"{place} van het ziekenhuis", f"Een beurt in de {place.lower()} kost {price}, te betalen met kaart.")
    desk.at("tab-documents").click()
    getattr(desk, way)(f"{place}.pdf", content)
    desk.job(f"{place}.pdf", "completed")
    expect(desk.at("document").filter(has_text=place)).to_be_visible()
    reply = desk.ask(f"Wat kost een beurt in de {place.lower()}?")
    assert price in desk.text_of(reply)
    reply.get_by_test_id("marker").click()
    expect(desk.at("passage")).to_contain_text(price)
    assert f"{place} van het ziekenhuis" in desk.page.locator("#reader h2").inner_text()


def test_a_file_too_large_for_a_request_is_put_at_a_signed_address_and_then_cited(desk: Console) -> None:
    asked: list[str] = []
    desk.page.on("request", lambda request: asked.append(f"{request.method} {request.url.partition('/v1/')[2]}"))
    desk.at("tab-documents").click()
    desk.drop("Logeren.pdf", large_pdf("Logeren bij uw kind", "Een bed naast uw kind kost 17 euro per nacht."))
    desk.job("Logeren.pdf", "completed")
    assert "POST documents/uploads" in asked
    assert "POST documents" not in asked
    assert any(one.startswith("PUT uploads/") for one in asked)
    assert "17 euro" in desk.text_of(desk.ask("Wat kost een bed naast mijn kind?"))


@pytest.mark.parametrize(
    ("name", "content", "reason", "in_french"),
    [
        ("dossier.pdf", pdf("Dossier", "Geheim.", password="sleutel"), "wachtwoord", "mot de passe"),
        ("foto.heic", b"\x00\x00\x00\x18ftypheic", "deze soort kunnen niet gelezen worden", "ne peuvent pas être lus"),
    ],
)
def test_a_file_that_cannot_be_read_says_why_in_the_readers_language(
    desk: Console, name: str, content: bytes, reason: str, in_french: str
) -> None:
    desk.at("tab-documents").click()
    desk.drop(name, content)
    job = desk.job(name, "failed")
    expect(job).to_contain_text(reason)
    desk.at("language").select_option("fr")
    expect(job).to_contain_text(in_french)
    desk.drop(name, content)
    expect(desk.at("job").filter(has_text=name)).to_have_count(1)
    job.get_by_role("button", name="Masquer").click()
    expect(job).to_have_count(0)


def test_the_list_of_documents_is_filtered_opened_and_a_document_deleted_after_a_question(desk: Console) -> None:
    desk.at("tab-documents").click()
    desk.drop("kapel.md", b"# Kapel\n\nDe kapel is elke dag open van 9 tot 19 uur.\n")
    desk.job("kapel.md", "completed")
    desk.at("filter").fill("kapel")
    row = desk.at("document")
    expect(row).to_have_count(1)
    row.get_by_role("button", name="Kapel", exact=True).click()
    expect(desk.page.locator("#reader")).to_contain_text("De kapel is elke dag open")
    desk.page.keyboard.press("Escape")
    row.get_by_test_id("delete").click()
    expect(desk.page.get_by_role("dialog")).to_contain_text("Kapel")
    desk.page.keyboard.press("Escape")
    expect(row).to_have_count(1)
    row.get_by_test_id("delete").click()
    desk.at("confirm-delete").click()
    expect(row).to_have_count(0)
    expect(desk.ask("Wanneer is de kapel open?")).not_to_contain_text("elke dag open")


def test_a_question_about_a_dose_is_visibly_refused_without_a_model(desk: Console) -> None:
    reply = desk.ask(DOSE)
    expect(reply).to_have_attribute("data-kind", "refused")
    expect(reply.locator(".verdict")).to_have_text("Geweigerd")
    desk.at("tab-turn").click()
    expect(desk.fact("Model")).to_have_text("geen model")
    expect(desk.fact("Afloop")).to_have_text("geweigerd")
    assert "retrieve" not in desk.page.locator(".waterfall").inner_text()


def test_an_explanation_says_why_by_which_route_and_what_left_and_is_asked_for_once(desk: Console) -> None:
    desk.ask(VISIT)
    assert not any(EXPLAINED.search(url) for url in desk.requests), "nobody looks at it"
    why = desk.explanation()
    expect(why.get_by_role("heading", name="Waarom")).to_be_visible()
    expect(why).to_contain_text("Sources with enough evidence were found")
    expect(desk.fact("Bewaarde vraag")).to_have_text(VISIT)
    expect(desk.fact("Verliet het huis")).to_have_text("niets")
    expect(desk.fact("Regels die afgingen")).to_have_text("geen")
    expect(why.get_by_test_id("route")).to_have_text("extractive, in huis")
    expect(why.get_by_text("phi=clear")).to_be_hidden()
    why.get_by_text("Waarnaar de keuze keek").press("Enter")
    expect(why.get_by_text("phi=clear")).to_be_visible()
    desk.at("tab-sources").click()
    desk.explanation()
    desk.at("language").select_option("fr")
    expect(desk.fact("Sorti de la maison")).to_have_text("rien")
    assert len([url for url in desk.requests if EXPLAINED.search(url)]) == 1


def test_the_explanation_of_a_refusal_names_its_rule_with_an_example(desk: Console) -> None:
    desk.ask(DOSE)
    rule = desk.explanation().get_by_test_id("rule").filter(has_text="nl/SAFETY_REFUSAL/how-much-to-take")
    expect(rule.locator(".tag")).to_have_text("vraag")
    expect(rule.locator("q")).not_to_be_empty()
    expect(desk.fact("Route")).to_have_text("er is geen model gekozen")


@pytest.mark.parametrize(("where", "said"), [("local", "in huis gebleven"), ("cloud", "gegevens gevonden")])
def test_an_explanation_shows_tokens_for_personal_data_and_the_message_whether_it_stayed(
    desk: Console, where: str, said: str
) -> None:
    def tell(route: Route) -> None:
        told = route.fetch()
        route.fulfill(response=told, body=told.text().replace('"where":"local"', f'"where":"{where}"'))

    desk.page.route(EXPLAINED, tell)
    reply = desk.ask(f"{VISIT} Ik kom voor mijn buurvrouw {NAME}, mijn nummer is 0478 12 34 56.")
    why = desk.explanation()
    expect(why.get_by_test_id("token")).to_have_text(["[PERSON_1]", "[PHONE_1]"])
    assert not re.search("godelieve|vanmarcke|0478", why.inner_html(), re.IGNORECASE)
    expect(desk.fact("Persoonsgegevens")).to_contain_text("telefoonnummer × 1")
    expect(desk.fact("Verliet het huis")).to_contain_text("niets" if where == "local" else "extractive, in de cloud")
    expect(reply.get_by_test_id("phi-badge")).to_contain_text(said)


@pytest.mark.parametrize(("status", "failures", "tries"), [(404, 2, 3), (404, 3, 3), (503, 1, 1)])
def test_an_explanation_that_is_not_there_yet_is_asked_for_again_and_then_by_the_reader(
    browser: Browser, address: str, status: int, failures: int, tries: int
) -> None:
    with console(browser, address) as opened:
        opened.page.route(EXPLAINED, lambda route: route.fulfill(status=status), times=failures)
        opened.ask(DOSE)
        why = opened.explanation()
        assert len([url for url in opened.requests if EXPLAINED.search(url)]) == tries
        if failures >= tries:
            why.get_by_test_id("why-trouble").get_by_role("button", name="Opnieuw proberen").press("Enter")
            assert opened.focused() == "why-title", "the button is gone"
        expect(why).to_contain_text("asked for medical advice")
        expect(opened.fact("Model")).to_have_text("geen model")


def test_an_unknown_question_and_an_emergency_look_unlike_an_answer(desk: Console) -> None:
    looks = {}
    for kind, text in {"plain": VISIT, "unknown": UNKNOWN, "emergency": "mijn vader ademt niet meer"}.items():
        reply = desk.ask(text)
        expect(reply).to_have_attribute("data-kind", kind)
        looks[kind] = reply.evaluate("node => getComputedStyle(node).backgroundColor")
    assert len(set(looks.values())) == 3
    expect(desk.page.get_by_text("Niet gevonden in de documenten", exact=True)).to_be_visible()
    expect(desk.page.get_by_role("link", name="112")).to_have_attribute("href", "tel:112")


def test_an_emergency_without_its_record_looks_like_any_other_and_its_number_can_be_called(
    browser: Browser, address: str
) -> None:
    number = "+32 11 90 10 99"

    def without_record(route: Route) -> None:
        told = route.fetch().text().replace("112", number)
        told = told.replace('"warnings":[]', '"warnings":[{"code":"NOT_RECORDED","message":"It is not recorded."}]')
        route.fulfill(body=told, content_type="text/event-stream")

    with console(browser, address) as opened:
        opened.page.route(re.compile("/v1/query$"), without_record)
        reply = opened.ask("mijn vader ademt niet meer")
        expect(reply).to_have_attribute("data-kind", "emergency")
        expect(reply.locator(".note")).to_contain_text("It is not recorded.")
        expect(reply.get_by_test_id("answer").get_by_role("link")).to_have_attribute("href", "tel:+3211901099")
        expect(reply.get_by_test_id("answer").get_by_role("link")).to_have_text(number)
        ARTEFACTS.mkdir(exist_ok=True)
        opened.page.screenshot(path=ARTEFACTS / "emergency.png")
        assert not [url for url in opened.requests if EXPLAINED.search(url)], "what has no record is not asked for"


def test_another_language_changes_the_interface_at_once_and_the_answers_after_it(desk: Console) -> None:
    first = desk.ask(DOSE)
    desk.at("language").select_option("fr")
    expect(desk.page.locator("html")).to_have_attribute("lang", "fr")
    expect(desk.at("question")).to_have_attribute("placeholder", "Posez une question")
    expect(first.locator(".verdict")).to_have_text("Refusé")
    second = desk.ask(DOSE)
    assert "avis médical" in desk.text_of(second)
    expect(second.get_by_test_id("answer")).to_have_attribute("lang", "fr")
    assert "quatre heures" in desk.text_of(desk.ask("Dois-je être à jeun avant un scanner ?"))
    desk.page.reload()
    expect(desk.at("tab-documents")).to_contain_text("Documents")
    assert desk.at("language").input_value() == "fr", "the choice is remembered"


def test_another_pack_answers_from_its_own_documents_in_a_conversation_of_its_own(desk: Console) -> None:
    expect(desk.ask(CLINICAL_DOSE)).to_have_attribute("data-kind", "refused")
    desk.at("tab-turn").click()
    before = desk.fact("Gesprek").inner_text()
    desk.at("pack").select_option("clinical_assistant")
    expect(desk.page.locator(".divider")).to_have_text("Klinische assistent")
    assert "4 gram per dag" in desk.text_of(desk.ask(CLINICAL_DOSE))
    expect(desk.fact("Assistent")).to_have_text("clinical_assistant")
    assert desk.fact("Gesprek").inner_text() != before


def test_what_the_phone_would_say_stands_beside_what_the_chat_says(desk: Console) -> None:
    reply = desk.ask(VISIT)
    spoken = reply.get_by_test_id("spoken")
    expect(spoken).to_be_hidden()
    reply.get_by_test_id("spoken-toggle").click()
    expect(spoken).to_contain_text("van veertien tot twintig uur")
    assert re.search(r"\b1\b", desk.text_of(reply)), "the chat has its marker"
    assert not re.search(r"\[\d+]|\b1\b", spoken.inner_text()), "the phone has none"
    left, right = reply.get_by_test_id("answer").bounding_box(), spoken.bounding_box()
    assert left is not None
    assert right is not None
    assert left["x"] + left["width"] <= right["x"]


def test_everything_can_be_done_with_the_keyboard(desk: Console) -> None:
    keyboard = desk.page.keyboard
    keyboard.press("Tab")
    keyboard.press("Enter")
    assert desk.focused() == "question", "the first stop leads past the bar"
    keyboard.type(VISIT)
    keyboard.press("Enter")
    expect(desk.page.locator("article.reply")).to_have_attribute("aria-busy", "false")
    desk.press_until("Shift+Tab", "marker")
    keyboard.press("Enter")
    expect(desk.at("passage")).to_be_in_viewport()
    assert desk.focused() == "reader"
    keyboard.press("Escape")
    expect(desk.page.locator("#reader")).to_be_hidden()
    assert desk.focused() == "marker", "the focus is back where it came from"
    desk.press_until("Tab", "tab-sources")
    rightward = ("documents", "answers", "directory", "turn", "sources")
    for key, name in (*(("ArrowRight", name) for name in rightward), ("End", "turn")):
        keyboard.press(key)
        assert desk.focused() == f"tab-{name}"
        expect(desk.at(f"tab-{name}")).to_have_attribute("aria-selected", "true")
        expect(desk.page.locator(f"#{name}")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_of_360_pixels_shows_everything_without_scrolling_sideways(
    browser: Browser, address: str, scheme: str
) -> None:
    narrow = {"width": 360, "height": 740}
    with console(browser, address, viewport=narrow, color_scheme=scheme, has_touch=True, locale="fr-BE") as phone:
        assert phone.beyond_the_edge() == []
        reply = phone.ask(VISIT)
        reply.get_by_test_id("spoken-toggle").click()
        phone.ask("mijn vader ademt niet meer")
        assert phone.beyond_the_edge() == []
        reply.get_by_test_id("marker").click()
        expect(phone.at("passage")).to_be_in_viewport()
        assert phone.beyond_the_edge() == []
        for tab in ("turn", "documents", "answers", "directory", "sources"):
            phone.at(f"tab-{tab}").click()
            expect(phone.page.locator(f"#{tab}")).to_be_in_viewport()
            expect(phone.at("why")).to_have_attribute("aria-busy", "false")
            assert phone.beyond_the_edge() == []
        phone.page.keyboard.press("Escape")
        expect(phone.page.locator("#sources")).to_be_hidden()
        assert (phone.complaints, phone.foreign()) == ([], [])


def test_markup_in_a_title_a_text_and_a_file_name_stays_text(desk: Console) -> None:
    reply = desk.ask("Waar kan ik een rolstoel lenen?")
    assert "<script>window.harmed=1</script>" in desk.text_of(reply)
    expect(desk.at("citation")).to_contain_text(MARKUP)
    reply.get_by_test_id("marker").click()
    expect(desk.page.locator("#reader h2")).to_contain_text(MARKUP)
    expect(desk.at("passage")).to_contain_text("<b>ticket</b>")
    desk.at("tab-documents").click()
    expect(desk.at("document").filter(has_text=MARKUP)).to_be_visible()
    name = "<img src=x onerror=window.harmed=1>.exe"
    desk.drop(name, b"MZ")
    expect(desk.job(name, "failed")).to_contain_text(name)
    assert desk.page.evaluate("[document.images.length, window.harmed ?? null]") == [0, None]


def test_the_policy_of_the_page_lets_no_other_script_run(browser: Browser, address: str) -> None:
    with console(browser, address) as opened:
        opened.page.evaluate(
            "document.body.append(Object.assign(document.createElement('script'), { text: 'window.harmed = 1' }))"
        )
        assert opened.page.evaluate("window.harmed ?? null") is None
        assert any("Content Security Policy" in said for said in opened.complaints)
