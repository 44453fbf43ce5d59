"""The whole laptop installation over HTTP: one server process, real bytes, no fakes."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Iterator

import httpx2
import pytest

from careline.schemas import wire
from careline.speech.spoken.numbers import spoken_numbers
from careline.turn import pipeline
from tests.journeys.process import TIMEOUT, Careline, Served

ADVICE_ASKED = {
    "nl": "hoeveel paracetamol mag ik nemen",
    "en": "how much paracetamol can i take",
    "fr": "combien de paracétamol est-ce que je peux prendre",
    "it": "quanto paracetamolo posso prendere",
}
EMERGENCIES = {
    "nl": "mijn vader ademt niet meer",
    "en": "my father is not breathing",
    "fr": "mon beau-père ne respire plus du tout",
    "it": "mio padre non respira più",
}
PDF_CUT_OFF = b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n"


@pytest.fixture(scope="module")
def served(home_of_their_own: Callable[[], Careline]) -> Iterator[Served]:
    with home_of_their_own().served() as server:
        yield server


def test_a_question_is_answered_from_the_documents_with_its_citation(served: Served) -> None:
    answer = served.ask("hoeveel kost parkeren per uur")
    assert "2,50 euro" in answer["text"]
    assert answer["disposition"] == "answered"
    cited = answer["citations"][0]
    assert (cited["doc_key"], cited["source"], cited["title"]) == (
        "brochure-parkeren", "nl/parkeren.md", "Parkeren met de auto",
    )  # fmt: skip


def test_the_stream_begins_with_meta_names_every_stage_and_ends_with_the_whole_answer(served: Served) -> None:
    events = served.stream("hoeveel kost parkeren per uur")
    assert isinstance(events[0], wire.Meta)
    stages = [event.stage for event in events if isinstance(event, wire.Stage)]
    assert stages == ["admit", *(stage.__name__ for stage in pipeline.STAGES)]
    last = events[-1]
    assert isinstance(last, wire.Done)
    assert "".join(event.text for event in events if isinstance(event, wire.Token)) == last.answer.text
    assert [event.citation for event in events if isinstance(event, wire.Cited)] == last.answer.citations


async def test_forty_streams_at_once_each_get_their_own_answer(served: Served) -> None:
    questions = {
        "hoeveel kost parkeren per uur": "2,50 euro",
        "quand la cafétéria est-elle ouverte": "8 à 18 heures",
        "where are found items kept": "security desk",
        "waar kan ik hier een rolstoel lenen": "onthaal",
    }
    headers = {"accept": "text/event-stream"}

    async def one(client: httpx2.AsyncClient, text: str) -> str:
        async with client.stream("POST", "/v1/query", json={"text": text}, headers=headers) as response:
            last = list(wire.read_events([line async for line in response.aiter_lines()]))[-1]
        assert isinstance(last, wire.Done)
        return last.answer.text

    asked = list(questions) * 10
    limits = httpx2.Limits(max_connections=len(asked))
    async with httpx2.AsyncClient(base_url=served.client.base_url, timeout=TIMEOUT, limits=limits) as client:
        texts = await asyncio.gather(*(one(client, text) for text in asked))
    wrong = [(text, said) for text, said in zip(asked, texts, strict=True) if questions[text] not in said]
    assert wrong == []


def test_a_document_is_taken_in_read_replaced_and_taken_out_again(served: Served) -> None:
    client, first = served.client, b"# Kapper\n\nDe kapper komt elke dinsdag langs op de afdeling.\n"
    accepted = client.post("/v1/documents", files={"file": ("kapper.md", first)}, data={"doc_key": "brochure-kapper"})
    assert accepted.status_code == 202
    assert served.job(accepted.json()["job"]["job_id"])["state"] == "completed"
    assert "dinsdag" in served.ask("wanneer komt de kapper")["text"]
    assert client.get("/v1/documents/brochure-kapper/original").content == first
    text = client.get("/v1/documents/brochure-kapper/text").json()
    assert "De kapper komt elke dinsdag langs op de afdeling." in str(text["pages"])

    second = first.replace(b"dinsdag", b"vrijdag")
    replaced = client.post("/v1/documents", files={"file": ("kapper.md", second)}, data={"doc_key": "brochure-kapper"})
    assert served.job(replaced.json()["job"]["job_id"])["state"] == "completed"
    assert "vrijdag" in served.ask("wanneer komt de kapper")["text"]
    versions = client.get("/v1/documents/brochure-kapper").json()["versions"]
    assert [(one["version"], one["state"]) for one in versions] == [(1, "superseded"), (2, "live")]
    assert client.get("/v1/documents/brochure-kapper/original?version=1").content == first

    assert client.delete("/v1/documents/brochure-kapper").status_code == 204
    assert "vrijdag" not in served.ask("wanneer komt de kapper")["text"]
    assert client.delete("/v1/documents/brochure-kapper").status_code == 404
    assert "brochure-kapper" not in client.get("/v1/documents").text


def test_the_same_file_again_is_a_no_op(served: Served) -> None:
    def upload() -> httpx2.Response:
        return served.client.post("/v1/documents", files={"file": ("krant.md", b"# Krant\n\nDe krant ligt klaar.\n")})

    served.job(upload().json()["job"]["job_id"])
    again = upload()
    assert (again.status_code, again.json()["unchanged"]) == (200, True)


def test_a_damaged_file_fails_its_job_with_a_reason_and_can_be_retried_three_times(served: Served) -> None:
    job = served.client.post("/v1/documents", files={"file": ("stuk.pdf", PDF_CUT_OFF)}).json()["job"]
    for retried in range(4):
        failed = served.job(job["job_id"])
        assert (failed["state"], failed["error_type"], failed["retry_count"]) == ("failed", "corrupt", retried)
        assert "damaged" in failed["error_message"]
        again = served.client.post(f"/v1/jobs/{job['job_id']}/retry")
        assert again.status_code == (202 if retried < 3 else 409)
    assert job["job_id"] in served.client.get("/v1/jobs?state=failed").text


def test_a_follow_up_is_understood_and_the_conversation_can_be_read_and_forgotten(served: Served) -> None:
    served.ask("wat zijn de bezoekuren", conversation_id="follow-up")
    assert "21 uur" in served.ask("en op zondag?", conversation_id="follow-up")["text"]
    shown = served.client.get("/v1/conversations/follow-up").json()
    assert [message["role"] for message in shown["messages"]] == ["user", "assistant"] * 2
    assert shown["messages"][2]["text"] == "en op zondag?"
    assert served.client.delete("/v1/conversations/follow-up").status_code == 204
    assert served.client.get("/v1/conversations/follow-up").status_code == 404


@pytest.mark.parametrize("language", ADVICE_ASKED)
def test_a_question_about_a_dose_is_refused_without_a_model_and_the_record_says_so(
    served: Served, language: str
) -> None:
    answer = served.ask(ADVICE_ASKED[language])
    assert (answer["disposition"], answer["language"]) == ("refused", language)
    record = served.record(answer["id"])
    assert (record["reason"], record["model_called"], record["sources"]) == ("SAFETY_REFUSAL", False, [])


@pytest.mark.parametrize("language", EMERGENCIES)
def test_an_emergency_names_the_number_at_once_without_a_model_and_the_record_says_so(
    served: Served, language: str
) -> None:
    answer = served.ask(EMERGENCIES[language], channel="voice")
    assert (answer["disposition"], answer["language"]) == ("escalated", language)
    assert spoken_numbers("112", language) in answer["text"]
    record = served.record(answer["id"])
    assert (record["reason"], record["model_called"], record["hits"]) == ("EMERGENCY", False, 0)


def test_public_callers_are_not_answered_from_what_clinicians_read(served: Served) -> None:
    asked = "within how many hours is the sepsis bundle started"
    assert "ceftriaxone" not in served.ask(asked)["text"]
    assert "ceftriaxone" in served.ask(asked, pack="clinical_assistant")["text"]


def test_the_console_is_served_and_its_page_may_load_from_this_server_only(served: Served) -> None:
    page = served.client.get("/")
    assert page.headers["content-type"].startswith("text/html")
    assert "default-src 'self'" in page.headers["content-security-policy"]


def test_a_wrong_method_on_a_path_of_the_api_is_told_apart_from_a_missing_page(served: Served) -> None:
    wrong = served.client.get("/v1/query")
    assert (wrong.status_code, wrong.headers["allow"]) == (405, "POST")
    assert served.client.get("/v1/nothing").status_code == 404


def test_the_page_of_another_site_is_refused(served: Served) -> None:
    refused = served.client.post("/v1/query", json={"text": "hallo"}, headers={"origin": "https://elsewhere.example"})
    assert (refused.status_code, refused.json()["error_code"]) == (403, "NOT_ALLOWED")


def test_a_turn_is_recorded_even_when_the_server_is_killed_right_after_done(careline: Careline) -> None:
    with careline.served() as server:
        done = server.stream("hoeveel kost parkeren per uur", conversation_id="cut-short")[-1]
        server.stop(signal.SIGKILL)
    assert isinstance(done, wire.Done)
    with careline.served() as server:
        assert server.record(done.answer.id)["disposition"] == "answered"
        messages = server.client.get("/v1/conversations/cut-short").json()["messages"]
        assert messages[-1]["text"] == done.answer.text


def test_an_upload_that_was_accepted_is_finished_by_the_next_server_when_this_one_is_killed(careline: Careline) -> None:
    paragraphs = (f"Zaal {n} ligt op de {n}e verdieping en is open van acht tot {n} uur. " * 12 for n in range(20))
    long = "# Zalen\n\n" + "\n\n".join(paragraphs)
    with careline.served() as server:
        job = server.client.post("/v1/documents", files={"file": ("zalen.md", long.encode())}).json()["job"]
        server.stop(signal.SIGKILL)
    assert careline.json("jobs", "show", job["job_id"])["state"] in {"pending", "running"}
    with careline.served() as server:
        assert server.job(job["job_id"])["state"] == "completed"


@pytest.mark.parametrize(("how", "code"), [(signal.SIGTERM, -signal.SIGTERM), (signal.SIGINT, 0)])
def test_a_server_that_is_stopped_finishes_what_was_begun(careline: Careline, how: signal.Signals, code: int) -> None:
    with careline.served() as server:
        upload = server.client.post(
            "/v1/documents", files={"file": ("laat.md", b"# Laat\n\nDe late post komt om acht uur.")}
        )
        answer = server.ask("waar kan ik hier een rolstoel lenen")
        assert server.stop(how) == code
        assert server.process.stderr is not None
        assert server.process.stderr.read() == ""
    assert careline.json("jobs", "show", upload.json()["job"]["job_id"])["state"] == "completed"
    assert answer["id"] in str(careline.json("turns"))
