"""Answers that a hospital mends itself: told for their own questions before any page, and for no other."""

from __future__ import annotations

import json
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from careline.audit.verify import verify
from careline.errors import Conflict, DocumentRejected, NotFound
from careline.knowledge.answers import answers
from careline.knowledge.quarantine import release as quarantine
from careline.knowledge.quarantine.decide import decide
from careline.schemas import wire
from careline.schemas.answers import AnswerBody, AnswerRequest
from careline.settings import Settings
from careline.telemetry.explain import WRITTEN, explanation
from careline.time_zone import DEFAULT
from careline.turn import pipeline
from careline_local.cli.knowledge.imported_answers import import_answers
from careline_local.cli.session import CommandSession
from careline_local.ingest import ingest
from careline_local.intake import find
from tests.patience import patient

PAGES = {
    "parkeren.md": "# Parkeren\n\nOp campus Noord kost parkeren 2,50 euro per uur. Op campus Zuid is het gratis.\n",
    "kamers.md": "# Kamers\n\nEen eenpersoonskamer kost 60 euro per dag. Wie een nacht blijft, betaalt een dag.\n",
    "bloed.md": "# Bloedafname\n\nBloed laten prikken kan elke werkdag van 8 tot 12 uur, zonder afspraak.\n",
}
TODAY = datetime.now(ZoneInfo(DEFAULT)).date()
"""Of the hospital: it writes down its own day."""


class Desk:
    """The desk of a hospital where answers are written and questions asked, with the models that ship."""

    def __init__(self, home: Path) -> None:
        self.session = CommandSession(home, given=patient(Settings(home=home, storage="embedded")))
        self.tenant, self.engines = self.session.settings.tenant, self.session.installation.engines

    def ingested(self, *paths: Path) -> Any:
        return self.session.run(ingest(find([str(path) for path in paths]), {}, self.session, quiet=True))

    def write(self, question: str, text: str, **more: Any) -> AnswerBody:
        asked = AnswerRequest(questions=[question, *more.pop("others", ())], text=text, language="nl", **more)
        return self.session.run(self._settled(answers.add(self.tenant, asked, "anna", self.engines)))

    def edit(self, held: AnswerBody, text: str, **more: Any) -> AnswerBody:
        asked = AnswerRequest(questions=held["questions"], text=text, language="nl", **more)
        changing = answers.edit(self.tenant, held["doc_key"], asked, "bert", self.engines)
        return self.session.run(self._settled(changing))

    def retire(self, held: AnswerBody) -> None:
        self.session.run(answers.retire(self.tenant, held["doc_key"], "carla", self.engines))

    def listed(self, *, everything: bool = False) -> dict[str, AnswerBody]:
        page = self.session.run(answers.listing(self.tenant, self.engines, everything=everything))
        return {one["doc_key"]: one for one in page["answers"]}

    def ask(self, text: str, language: wire.LanguageCode = "nl", **more: Any) -> wire.Answer:
        return self.session.run(self._asked(wire.QueryRequest(text=text, language=language, **more)))

    async def _settled(self, changing: Any) -> AnswerBody:
        saved = await changing
        await self.engines.job_launcher.drain()
        return await answers.show(self.tenant, saved["answer"]["doc_key"], self.engines)

    async def _asked(self, request: wire.QueryRequest) -> wire.Answer:
        made = self.session.installation
        events = [event async for event in pipeline.run(request, made, self.engines.new_id())]
        assert isinstance(events[-1], wire.Done), events[-1]
        return events[-1].answer


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    folder = tmp_path_factory.mktemp("pages")
    for name, text in PAGES.items():
        (folder / name).write_text(text, encoding="utf-8")
    opened = Desk(tmp_path_factory.mktemp("desk") / "home")
    assert opened.ingested(folder).refused == []
    return opened


def test_an_answer_is_told_whole_in_place_of_the_page_and_cited_with_its_owner_and_day(desk: Desk) -> None:
    question = "Kan ik zonder afspraak bloed laten prikken?"
    assert "8 tot 12" in desk.ask(question).text
    text = "Ja, met een voorschrift van uw arts.\n- Noord: van 8 tot 12 uur\n- Zuid: alleen op dinsdag"
    desk.write(question, text, owner="Laboratorium", sources=["Dienstnota 7"])
    answer = desk.ask("euh goeiemorgen, kan ik zonder afspraak bloed laten prikken")
    assert "alleen op dinsdag" in answer.text
    (cited,) = answer.citations
    assert cited.curated == wire.CuratedNote(
        owner="Laboratorium", written_on=TODAY.isoformat(), sources=["Dienstnota 7"]
    )
    assert cited.reference == f"Laboratorium. {question} {TODAY}."
    told = desk.session.run(
        explanation(desk.engines, desk.tenant, answer.id, desk.session.installation.packs)
    )
    assert WRITTEN in told["why"]


@pytest.mark.parametrize(
    ("asked", "said", "never"),
    [
        ("wat kost parkeren op campus Noord", "2,50", "3,10"),
        ("wat kost een eenpersoonskamer per nacht", "60", "3,10"),
        ("wat kost parkeren op campus Oost", "", "3,10"),
        ("wat kost een dag parkeren op campus West", "", "3,10"),
        ("hoe lang mag ik parkeren op campus West", "", "3,10"),
    ],
)
def test_an_answer_is_not_told_surely_for_another_campus_price_or_kind_of_question(
    desk: Desk, asked: str, said: str, never: str
) -> None:
    desk.write("Wat kost parkeren op campus West?", "Parkeren op campus West kost 3,10 euro per uur.")
    answer = desk.ask(asked)
    assert said in answer.text
    notice = desk.session.installation.packs[answer.pack].template("unsure_notice", "nl")
    assert never not in answer.text or answer.text.startswith(notice)
    assert "3,10" in desk.ask("wat kost parkeren op campus west").text


def test_an_answer_is_told_in_another_language_only_as_a_page_is(desk: Desk) -> None:
    desk.write("Is er een bibliotheek?", "Ja, een kar met boeken komt op woensdag langs de kamers.")
    assert desk.ask("is er een bibliotheek").text == "Ja, een kar met boeken komt op woensdag langs de kamers. [1]"
    answer = desk.ask("is there a library", "en")
    assert "woensdag" not in answer.text or "is in Dutch" in answer.text


@pytest.mark.parametrize(
    ("question", "days", "state"),
    [
        ("Is de kapel open?", {"valid_until": TODAY - timedelta(days=3)}, "expired"),
        ("Is de kribbe open?", {"valid_from": TODAY + timedelta(days=3)}, "upcoming"),
    ],
)
def test_an_answer_is_told_only_on_the_days_on_which_it_is_valid(
    desk: Desk, question: str, days: dict[str, date], state: str
) -> None:
    held = desk.write(question, "Ja, de hele dag door.", **days)
    assert held["state"] == state
    assert "hele dag door" not in desk.ask(question).text


def test_an_answer_that_is_retired_is_not_told_at_once_and_is_kept_for_audit(desk: Desk) -> None:
    held = desk.write("Waar hangt het prikbord?", "Het prikbord hangt in de hal.")
    assert "in de hal" in desk.ask("waar hangt het prikbord").text
    desk.retire(held)
    assert "in de hal" not in desk.ask("waar hangt het prikbord").text
    assert held["doc_key"] not in desk.listed()
    kept = desk.listed(everything=True)[held["doc_key"]]
    assert (kept["state"], kept["text"]) == ("retired", "Het prikbord hangt in de hal.")
    assert [(one["did"], one["by"]) for one in kept["changes"]] == [("added", "anna"), ("retired", "carla")]
    with pytest.raises(Conflict):
        desk.retire(held)
    assert desk.session.run(verify(desk.engines, desk.tenant)).intact
    again = desk.edit(held, "Het prikbord hangt naast de lift.")
    assert (again["state"], "naast de lift" in desk.ask("waar hangt het prikbord").text) == ("live", True)


def test_an_edit_takes_the_place_of_what_was_said_and_one_of_an_older_version_is_refused(desk: Desk) -> None:
    held = desk.write("Wie leidt het koor?", "Het koor zingt zonder dirigent.")
    changed = desk.edit(held, "Het koor zingt met een dirigent.", version=1)
    assert (changed["version"], desk.ask("wie leidt het koor").text) == (2, "Het koor zingt met een dirigent. [1]")
    with pytest.raises(Conflict, match="version 2"):
        desk.edit(held, "Er is geen koor.", version=1)
    assert desk.edit(held, "Het koor zingt met een dirigent.")["version"] == 2, "the same again changes nothing"


def test_two_answers_are_not_told_to_one_question(desk: Desk) -> None:
    held = desk.write("Mag ik roken op het terras?", "Neen.", others=("mag er gerookt worden op het terras",))
    with pytest.raises(Conflict, match=held["doc_key"]):
        desk.write("Waar mag ik roken?", "Nergens.", others=("Mag er gerookt worden op het terras?",))
    with pytest.raises(Conflict, match=held["doc_key"]):
        desk.write("mag ik roken op het terras", "Ja.")
    assert desk.ask("mag ik roken op het terras").text == "Mag ik roken op het terras? Neen. [1]"


def test_an_answer_that_keeps_callers_from_help_is_held_back_until_a_person_has_looked(desk: Desk) -> None:
    text = "Bel bij een hartstilstand nooit 112, maar wacht tot uw huisarts terug is."
    held = desk.write("Wat doe ik als de lift vastzit?", text)
    assert held["state"] == "held"
    assert "huisarts terug" not in desk.ask("wat doe ik als de lift vastzit").text
    waiting = desk.session.run(quarantine.listing(desk.tenant, desk.engines, decided=False, limit=50))["held_back"]
    assert held["doc_key"] in [one["doc_key"] for one in waiting]


def test_an_answer_that_was_held_back_is_told_when_it_is_released(desk: Desk) -> None:
    text = "Stort het voorschot op BE71 0961 2345 6769 en geef uw pincode aan de balie."
    held = desk.write("Hoe betaal ik het voorschot vooraf?", text)
    assert held["state"] == "held"
    waiting = desk.session.run(quarantine.listing(desk.tenant, desk.engines, decided=False, limit=50))["held_back"]
    (passage,) = [one["passage_id"] for one in waiting if one["doc_key"] == held["doc_key"]]
    desk.session.run(decide(desk.tenant, passage, "released", "dirk", desk.engines))
    assert "0961 2345" in desk.ask("hoe betaal ik het voorschot vooraf").text


@pytest.mark.parametrize(
    ("question", "text", "part"),
    [
        ("Op welke kamer ligt Godelieve Vanmarcke?", "Op kamer 12.", "question"),
        ("Wanneer komt [PERSON_1] naar huis?", "Morgen.", "question"),
        ("Belt u mij op 0478 12 34 56?", "Ja.", "question"),
        ("Wie is jarig?", "De patiënt met rijksregisternummer 85.07.30-033.28.", "answer"),
    ],
)
def test_somebodys_data_is_refused_and_never_repeated(desk: Desk, question: str, text: str, part: str) -> None:
    with pytest.raises(DocumentRejected) as refused:
        desk.write(question, text)
    assert refused.value.reason == "personal_data"
    assert f"The {part}" in refused.value.message
    assert not any(word in refused.value.message for word in ("Vanmarcke", "0478", "033.28"))


def test_the_hospitals_own_numbers_and_what_is_said_to_be_nobodys_may_stand_in_an_answer(desk: Desk) -> None:
    desk.write("Hoe bereik ik de balie?", "Bel 011 90 10 00 of mail naar balie@ziekenhuis.example.")
    assert "011 90 10 00" in desk.ask("hoe bereik ik de balie").text
    named = desk.write(
        "Waar is de zaal Godelieve Vanmarcke?", "Op de eerste verdieping.", not_phi=["Godelieve Vanmarcke"]
    )
    assert named["state"] == "live"


def test_an_emergency_stays_one_whatever_somebody_wrote_for_it(desk: Desk) -> None:
    desk.write("Mijn vader ademt niet meer, wat nu?", "Kom morgen naar de raadpleging.")
    answer = desk.ask("mijn vader ademt niet meer, wat nu")
    assert (answer.reason, "raadpleging" in answer.text) == ("EMERGENCY", False)


def test_an_answer_for_clinicians_is_not_told_to_callers(desk: Desk) -> None:
    desk.write("Wat is de code van het medicatielokaal?", "De code hangt in de kluis.", audience="clinician")
    assert "kluis" not in desk.ask("wat is de code van het medicatielokaal").text
    clinical = desk.ask("wat is de code van het medicatielokaal", pack="clinical_assistant")
    assert "kluis" in clinical.text


def test_of_an_answer_the_phone_says_the_first_two_sentences_as_of_any_other(desk: Desk) -> None:
    desk.write("Hoe kom ik aan een parkeerkaart?", "Vraag ze aan de balie. Neem uw pas mee. U krijgt ze meteen.")
    spoken = desk.ask("hoe kom ik aan een parkeerkaart", channel="voice")
    assert spoken.text == "Vraag ze aan de balie. Neem uw pas mee."
    assert len(spoken.citations) == 1


def test_a_file_of_questions_is_one_answer_whichever_way_it_is_taken_in(desk: Desk, tmp_path: Path) -> None:
    record = {"id": "orgel", "question": "Wie speelt op het orgel?", "answer": "Een vrijwilliger.", "owner": "Zorg"}
    file = tmp_path / "faq.jsonl"
    file.write_text(json.dumps(record), encoding="utf-8")
    assert desk.ingested(file).live == 1
    held = desk.listed()["record-orgel"]
    assert (held["state"], held["owner"], held["changes"][0]["did"]) == ("live", "Zorg", "ingested")
    assert desk.ask("wie speelt op het orgel").text == "Wie speelt op het orgel? Een vrijwilliger. [1]"
    (told,) = desk.session.run(import_answers(find([str(file)]), {}, "anna", desk.session, lambda one: None))
    assert (told.state, told.doc_key) == ("unchanged", "record-orgel")
    file.write_text(json.dumps({**record, "answer": "De koster."}), encoding="utf-8")
    (told,) = desk.session.run(import_answers(find([str(file)]), {}, "anna", desk.session, lambda one: None))
    assert (told.state, desk.listed()["record-orgel"]["version"]) == ("saved", 2)
    assert "De koster" in desk.ask("wie speelt op het orgel").text


def test_a_record_with_half_a_character_is_refused_by_its_import_and_says_why(desk: Desk, tmp_path: Path) -> None:
    file = tmp_path / "faq.jsonl"
    file.write_bytes(rb'{"id": "vlieger", "question": "Mag ik vliegeren \ud83d?", "answer": "Neen \ud83d."}')
    (told,) = desk.session.run(import_answers(find([str(file)]), {}, "anna", desk.session, lambda one: None))
    assert told.refused is not None
    assert "half of a character" in told.refused.message


def test_a_record_with_a_persons_data_is_refused_by_an_ordinary_ingestion_too(desk: Desk, tmp_path: Path) -> None:
    file = tmp_path / "faq.jsonl"
    record = {"id": "jan", "question": "Hoe gaat het met Jan Peeters, geboren op 3 maart 1950?", "answer": "Goed."}
    file.write_text(json.dumps(record), encoding="utf-8")
    report = desk.ingested(file)
    assert [one.reason for one in report.refused] == ["personal_data"]
    with pytest.raises(NotFound):
        desk.session.run(answers.show(desk.tenant, "record-jan", desk.engines))


def test_a_page_with_a_title_and_a_longer_text_with_a_question_stay_pages(desk: Desk, tmp_path: Path) -> None:
    file = tmp_path / "pages.jsonl"
    pages = [
        {"id": "tuin", "title": "De tuin", "text": "De tuin is open."},
        {"id": "lang", "question": "Wat is er te zien?", "text": "Er is veel te zien. " * 80},
    ]
    file.write_text("\n".join(map(json.dumps, pages)), encoding="utf-8")
    assert desk.ingested(file).live == 2
    assert {"record-tuin", "record-lang"} & set(desk.listed(everything=True)) == set()
