"""Curated answers as people write them: in the console, in the terminal, and from a file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.journeys.browser import ARTEFACTS, Console, console
from tests.journeys.console_servers import address_of
from tests.journeys.console_servers import the_address as the_address
from tests.journeys.console_servers import the_browser as the_browser
from tests.journeys.console_servers import the_desk as the_desk
from tests.journeys.console_servers import the_library as the_library
from tests.journeys.console_servers import the_own_home as the_own_home
from tests.journeys.process import Careline

HAIRDRESSER = "Is er een kapper in het ziekenhuis?"
TUESDAY, FRIDAY = "De kapper komt op dinsdag op de kamer.", "De kapper komt op vrijdag op de kamer."


def test_an_answer_is_added_from_a_turn_told_edited_and_retired(desk: Console) -> None:
    reply = desk.ask(HAIRDRESSER)
    assert "dinsdag" not in desk.text_of(reply)
    reply.get_by_test_id("add-answer").click()
    expect(desk.at("answer-questions")).to_have_value(HAIRDRESSER)
    desk.at("answer-text").fill(TUESDAY)
    desk.at("answer-owner").fill("Onthaal")
    ARTEFACTS.mkdir(exist_ok=True)
    desk.page.screenshot(path=ARTEFACTS / "answer-form.png")
    desk.at("answer-save").click()
    row = desk.at("answer-row").filter(has_text=HAIRDRESSER)
    expect(row).to_have_attribute("data-state", "live")
    again = desk.ask("is er hier een kapper in het ziekenhuis")
    assert TUESDAY in desk.text_of(again)
    expect(desk.at("curated")).to_contain_text("Antwoord van Onthaal")
    desk.at("tab-answers").click()
    row.get_by_test_id("answer-edit").click()
    desk.at("answer-text").fill(FRIDAY)
    desk.at("answer-save").click()
    expect(row).to_contain_text(FRIDAY)
    expect(row).to_have_attribute("data-state", "live")
    desk.page.screenshot(path=ARTEFACTS / "answers.png")
    assert FRIDAY in desk.text_of(desk.ask(HAIRDRESSER))
    desk.at("tab-answers").click()
    row.get_by_test_id("answer-retire").click()
    desk.at("confirm-retire").click()
    expect(row).to_have_count(0)
    assert "kapper komt" not in desk.text_of(desk.ask(HAIRDRESSER))
    desk.at("tab-answers").click()
    desk.at("answers-retired").check()
    expect(row).to_have_attribute("data-state", "retired")
    row.get_by_text("Wijzigingen").click()
    assert row.locator("ol li").all_inner_texts()[-1].count("ingetrokken") == 1


def test_a_question_with_somebodys_name_is_refused_in_the_form_and_nothing_is_lost(
    browser: Browser, own_home: Callable[[], Path]
) -> None:
    with Careline(own_home()).served() as server, console(browser, address_of(server)) as opened:
        opened.at("tab-answers").click()
        opened.at("answer-new").click()
        opened.at("answer-questions").fill("Op welke kamer ligt mevrouw Godelieve Vanmarcke?")
        opened.at("answer-text").fill("Dat zeggen wij niet.")
        opened.at("answer-save").click()
        expect(opened.at("answer-trouble")).to_contain_text("personal data")
        expect(opened.at("answer-text")).to_have_value("Dat zeggen wij niet.")
        opened.at("answer-questions").fill("Op welke kamer ligt mijn moeder?")
        opened.at("answer-save").click()
        expect(opened.at("answer-row").filter(has_text="mijn moeder")).to_have_attribute("data-state", "live")


def test_a_file_of_answers_is_imported_in_the_console_and_says_what_was_refused(desk: Console) -> None:
    lines = '{"id": 1, "question": ["Is er een strijkdienst?"], "answer": "Neen.", "owner": "Linnen"}\n\n{"question": '
    desk.at("tab-answers").click()
    file = {"name": "vragen.jsonl", "mimeType": "application/jsonl", "buffer": lines.encode()}
    desk.at("answers-file").set_input_files(file)  # type: ignore[arg-type]
    expect(desk.at("answers-imported")).to_contain_text("1 bewaard, 0 ongewijzigd, 1 geweigerd")
    expect(desk.at("answer-row").filter(has_text="strijkdienst")).to_have_attribute("data-state", "live")
    assert "Neen." in desk.text_of(desk.ask("is er een strijkdienst"))


def test_a_line_that_is_no_record_stops_no_other_of_its_file(desk: Console) -> None:
    lines = 'null\n[1]\n"tekst"\n{"question": "Is er een naaister?", "answer": "Op dinsdag, in de kelder."}\n'
    desk.at("tab-answers").click()
    file = {"name": "vragen.jsonl", "mimeType": "application/jsonl", "buffer": lines.encode()}
    desk.at("answers-file").set_input_files(file)  # type: ignore[arg-type]
    expect(desk.at("answers-imported")).to_contain_text("1 bewaard, 0 ongewijzigd, 3 geweigerd")
    expect(desk.at("answer-row").filter(has_text="naaister")).to_have_attribute("data-state", "live")


def test_while_an_answer_is_on_its_way_it_alone_is_asked_after(desk: Console) -> None:
    desk.at("tab-answers").click()
    expect(desk.at("answer-new")).to_be_visible()
    desk.at("answer-new").click()
    desk.at("answer-questions").fill("Is er een kleermaker?")
    desk.at("answer-text").fill("De kleermaker zit naast de kapel.")
    del desk.requests[:]
    desk.at("answer-save").click()
    expect(desk.at("answer-row").filter(has_text="kleermaker?")).to_have_attribute("data-state", "live")
    assert len([url for url in desk.requests if "/v1/answers?" in url]) == 1


@pytest.fixture(scope="module", name="terminal")
def the_terminal(home_of_their_own: Callable[[], Careline]) -> Careline:
    return home_of_their_own()


def test_the_terminal_adds_shows_edits_lists_and_retires_an_answer(terminal: Careline) -> None:
    question = "Waar kan ik mijn gsm opladen?"
    added = terminal.json("answer", "add", "--question", question, "--text", "Aan de balie.", "--owner", "Onthaal")
    assert (added["state"], added["version"], added["language"]) == ("live", 1, "nl")
    answered = terminal.json("ask", question)
    assert answered["text"] == "Aan de balie. [1]"
    assert answered["citations"][0]["curated"]["owner"] == "Onthaal"
    assert "answer of Onthaal, " in terminal.run("ask", question).stdout
    key = added["doc_key"]
    edited = terminal.json("answer", "edit", key, "--text", "In de hal.", "--by", "anna")
    assert (edited["version"], edited["owner"], edited["questions"]) == (2, "Onthaal", [question])
    assert terminal.json("ask", question)["text"] == "In de hal. [1]"
    assert [one["did"] for one in terminal.json("answer", "show", key)["changes"]] == ["added", "changed"]
    assert question in terminal.run("answer", "list").stdout
    dated = ("--valid-until", "2099-12-31", "--source", "Nota 1", "--source", "Nota 2", "--not-phi", "Hal")
    assert terminal.json("answer", "edit", key, *dated)["valid_until"] == "2099-12-31"
    emptied = ("--valid-until", "", "--owner", "", "--source", "", "--not-phi", "")
    cleared = terminal.json("answer", "edit", key, *emptied)
    assert [cleared[name] for name in ("valid_until", "owner", "sources", "not_phi")] == [None, None, [], []]
    assert (cleared["text"], cleared["questions"], cleared["state"]) == ("In de hal.", [question], "live")
    assert terminal.json("answer", "retire", key) == {"retired": key}
    assert "In de hal" not in terminal.json("ask", question)["text"]
    assert key not in [one["doc_key"] for one in terminal.json("answer", "list")["answers"]]
    (retired,) = [one for one in terminal.json("answer", "list", "--all")["answers"] if one["doc_key"] == key]
    assert (retired["state"], retired["text"]) == ("retired", "In de hal.")


def test_an_answer_is_written_for_the_question_of_a_turn_without_its_personal_data(terminal: Careline) -> None:
    asked = terminal.json("ask", "Mag Jan Peeters zijn kat meebrengen?")
    refused = terminal.run("answer", "add", "--turn", asked["id"], "--text", "Neen.")
    assert (refused.returncode, "Peeters" in refused.stderr) == (1, False)
    assert "personal data" in refused.stderr
    assert "`--not-phi`" in refused.stderr
    said = ("--question", "Mag ik mijn kat meebrengen?", "--text", "Neen.")
    assert terminal.json("answer", "add", "--turn", asked["id"], *said)["state"] == "live"


def test_a_file_of_answers_is_imported_and_each_refusal_says_why(terminal: Careline, tmp_path: Path) -> None:
    records = (
        {"id": "pasfoto", "question": ["Kan ik pasfoto's laten maken?", "pasfoto maken"], "answer": "Neen."},
        {"id": "pagina", "title": "Een pagina", "text": "Tekst."},
        {"id": "lang", "question": "Wat is er te lezen?", "answer": "Veel. " * 300},
    )
    file = tmp_path / "vragen.jsonl"
    file.write_text("".join(json.dumps(one) + "\n" for one in records), encoding="utf-8")
    *told, counts = terminal.lines("answer", "import", str(file), "--language", "nl", "--json", stdin="", code=1)
    assert counts == {"saved": 1, "unchanged": 0, "refused": 2}
    assert [one["doc_key"] for one in told if one["state"] == "saved"] == ["record-pasfoto"]
    assert "careline ingest" in told[1]["message"]
    assert told[2]["reason"] == "too_large"
    assert terminal.json("ask", "pasfoto maken")["text"].endswith("Neen. [1]")
