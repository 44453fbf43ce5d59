"""A conversation in the console: a question back by mouse and keyboard, and the patient whom a clinician asks about."""

from __future__ import annotations

import json

from playwright.sync_api import Request, expect

from tests.journeys.browser import ARTEFACTS, Console
from tests.journeys.console_servers import the_address as the_address
from tests.journeys.console_servers import the_browser as the_browser
from tests.journeys.console_servers import the_desk as the_desk
from tests.journeys.console_servers import the_library as the_library
from tests.journeys.console_servers import the_own_home as the_own_home

AMBIGUOUS = "aanpak van diabetes"
DOSE = "hoeveel paracetamol krijgt een volwassene"


def asked(desk: Console) -> list[dict[str, object]]:
    """The bodies of the questions that the page sends from now on."""
    sent: list[dict[str, object]] = []

    def note(request: Request) -> None:
        if request.url.endswith("/v1/query"):
            sent.append(json.loads(request.post_data or "{}"))

    desk.page.on("request", note)
    return sent


def test_a_question_back_is_answered_by_a_button(desk: Console) -> None:
    desk.at("pack").select_option("clinical_assistant")
    sent = asked(desk)
    reply = desk.ask(AMBIGUOUS)
    expect(reply).to_have_attribute("data-kind", "clarified")
    expect(reply.get_by_test_id("choice")).to_have_text(["diabetes type 1", "diabetes type 2", "zwangerschapsdiabetes"])
    ARTEFACTS.mkdir(exist_ok=True)
    desk.page.screenshot(path=ARTEFACTS / "question_back.png")
    reply.get_by_test_id("choice").nth(1).click()
    expect(desk.page.locator("article.reply")).to_have_count(2)
    expect(desk.page.locator("article.reply").nth(1)).to_have_attribute("aria-busy", "false")
    assert sent[-1]["text"] == "diabetes type 2"
    assert str(sent[-1]["choice"]).endswith(".2")
    assert desk.page.locator("article.reply").nth(1).get_attribute("data-kind") != "clarified"


def test_a_question_back_is_answered_with_the_keyboard(desk: Console) -> None:
    desk.at("pack").select_option("clinical_assistant")
    sent = asked(desk)
    desk.ask(AMBIGUOUS)
    desk.press_until("Shift+Tab", "choice")
    desk.page.keyboard.press("ArrowRight")
    desk.page.keyboard.press("ArrowRight")
    expect(desk.page.locator(":focus")).to_have_text("diabetes type 2")
    desk.page.keyboard.press("1")
    expect(desk.page.locator("article.reply")).to_have_count(2)
    expect(desk.page.locator("article.reply").nth(1)).to_have_attribute("aria-busy", "false")
    assert str(sent[-1]["choice"]).endswith(".1")


def test_the_patient_is_sent_with_each_question_and_is_there_again_after_a_reload(desk: Console) -> None:
    expect(desk.at("case")).to_be_hidden()
    desk.at("pack").select_option("clinical_assistant")
    sent = asked(desk)
    desk.ask(DOSE)
    assert "clinical_context" not in sent[-1], "nothing was said of a patient"
    desk.at("case").locator("summary").click()
    desk.at("case-age").fill("72")
    desk.at("case-egfr").fill("41.5")
    desk.at("case-sex").select_option("female")
    desk.at("case-pregnant").select_option("false")
    desk.at("case-medications").fill("ramipril 5 mg\nbisoprolol")
    expect(desk.at("case-said")).to_contain_text("eGFR (ml/min/1,73 m²): 41.5")
    desk.page.screenshot(path=ARTEFACTS / "case.png")
    desk.ask(DOSE)
    case = {"age": 72, "sex": "female", "egfr": 41.5, "pregnant": False, "medications": ["ramipril 5 mg", "bisoprolol"]}
    assert sent[-1]["clinical_context"] == case
    desk.page.reload()
    expect(desk.at("case-egfr")).to_have_value("41.5")
    expect(desk.at("case-sex")).to_have_value("female")
    desk.at("new-conversation").click()
    expect(desk.at("case-egfr")).to_have_value("")


def test_a_figure_that_cannot_be_is_not_sent(desk: Console) -> None:
    desk.at("pack").select_option("clinical_assistant")
    sent = asked(desk)
    desk.at("case").locator("summary").click()
    desk.at("case-age").fill("720")
    desk.at("case-weight_kg").fill("64")
    expect(desk.ask(DOSE)).not_to_have_attribute("data-kind", "failed")
    assert sent[-1]["clinical_context"] == {"weight_kg": 64}


def test_an_emptied_case_is_empty_for_the_next_question(desk: Console) -> None:
    desk.at("pack").select_option("clinical_assistant")
    sent = asked(desk)
    desk.at("case").locator("summary").click()
    desk.at("case-age").fill("72")
    desk.ask(DOSE)
    desk.at("case-clear").click()
    desk.ask(DOSE)
    assert sent[-1]["clinical_context"] == {}
