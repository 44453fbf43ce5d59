"""What the canary sees of an orchestrator that answers, and of one that does not; nothing of it is kept."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from careline.errors import BadRequest
from careline.installation import Installation
from careline.runtime.lambda_handler import IN_LAMBDA, TRACE
from careline.schemas import wire
from careline_functions.canary import app
from careline_functions.canary.app import KnownQuestion, Seen
from careline_functions.canary.signed_stream import SignedStream
from careline_local.server import application
from tests.source_roots import PYTHONPATH
from tests.turn.turns import a_hospital

EVENT = Path(__file__).resolve().parents[2] / "events" / "schedule_canary.json"
VISITS = KnownQuestion(language="nl", text="wanneer is er bezoek")
TURN = "turn-1"


@contextmanager
def orchestrator(installation: Installation) -> Iterator[str]:
    """The real server on a free port of loopback."""
    server = uvicorn.Server(uvicorn.Config(application(installation), port=0, log_level="critical", lifespan="on"))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started:
            time.sleep(0.01)
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()


class Answering(BaseHTTPRequestHandler):
    """Answers a question with these bytes and notes what was asked."""

    answer: bytes = b""
    status = 200
    asked: list[tuple[str, dict[str, str], Any]]

    def do_POST(self) -> None:
        """One request."""
        body = self.rfile.read(int(self.headers["content-length"]))
        self.asked.append((self.path, {name.lower(): value for name, value in self.headers.items()}, json.loads(body)))
        if self.path.endswith("/decision"):
            self.send_response(204)
            self.end_headers()
            return
        self.send_response(self.status)
        self.end_headers()
        self.wfile.write(self.answer)

    def log_message(self, *told: Any) -> None:
        """Nothing."""


@contextmanager
def answering(*events: wire.Event, status: int = 200, cut: int | None = None) -> Iterator[tuple[str, list[Any]]]:
    """A server that sends these events, or so many of their bytes."""
    said = b"".join(event.to_sse() for event in events)[:cut]
    handler = type("Handler", (Answering,), {"answer": said, "status": status, "asked": []})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", handler.asked
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


META = wire.Meta(turn_id=TURN, trace_id="t", conversation_id="c", pack="hospital_line", channel="chat")
TOKEN = wire.Token.model_validate_json('{"text": "Van 14 tot 20 uur [1]."}')
FAILED = wire.Failed(
    problem=wire.Problem(
        title="t", status=503, detail="d", error="e", error_code="X", message="m", trace_id="t",
        timestamp="2026-03-02T09:30:15Z", component="c",  # type: ignore[arg-type]
    )
)  # fmt: skip


def cited(document: str = "brochure-bezoek") -> wire.Cited:
    return wire.Cited(
        citation=wire.Citation(
            number=1, doc_key=document, version=1, title="Bezoek", source="bezoek.md", source_type="brochure",
            language="nl", chunk_id="c", excerpt="e", score=1.0, reference="r",
        )
    )  # fmt: skip


def seen(url: str, question: KnownQuestion = VISITS) -> Seen:
    return app.ask(question, SignedStream(url, "eu-west-1"), "0af7651916cd43dd")


async def test_a_real_orchestrator_answers_with_a_source_and_keeps_nothing_of_the_turn() -> None:
    installation = await a_hospital(["Van 14 tot 20 uur [1]."])
    with orchestrator(installation) as url:
        found = await asyncio.to_thread(seen, url)
    assert (found.fault, found.citations) == (None, 1)
    assert found.first_token is not None
    assert found.first_token > 0
    assert await installation.engines.outbox.take() == []


async def test_a_real_orchestrator_without_documents_is_told_of() -> None:
    installation = await a_hospital(["NO_ANSWER"])
    with orchestrator(installation) as url:
        assert (await asyncio.to_thread(seen, url)).fault == "no_source"


@pytest.mark.parametrize(
    ("events", "fault"),
    [
        ((META, TOKEN, cited(), wire.Dropped()), None),
        ((META, TOKEN, wire.Dropped()), "no_source"),
        ((META, wire.Dropped()), "no_words"),
        ((FAILED,), "refused"),
        ((META, TOKEN, FAILED), "refused"),
    ],
)
def test_what_a_caller_would_miss_is_a_fault(events: Sequence[wire.Event], fault: str | None) -> None:
    with answering(*events) as (url, asked):
        assert seen(url).fault == fault
    path, headers, body = asked[0]
    assert (path, body["speculative"]) == ("/v1/query", True)
    assert headers["x-trace-id"] == "0af7651916cd43dd"


def test_the_turn_is_dropped_as_soon_as_its_first_words_are_there() -> None:
    with answering(META, TOKEN, cited(), wire.Dropped()) as (url, asked):
        seen(url)
    assert [(path, body) for path, _, body in asked[1:]] == [(f"/v1/turns/{TURN}/decision", {"commit": False})]


def test_an_answer_from_another_document_than_the_known_one_is_a_fault() -> None:
    known = KnownQuestion(language="nl", text="wanneer is er bezoek", document="brochure-bezoek")
    for document, fault in (("brochure-bezoek", None), ("brochure-parkeren", "other_source")):
        with answering(META, TOKEN, cited(document), wire.Dropped()) as (url, _):
            assert seen(url, known).fault == fault


def test_words_that_come_late_are_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "FIRST_TOKEN_SECONDS", 0.0)
    with answering(META, TOKEN, cited(), wire.Dropped()) as (url, _):
        assert seen(url).fault == "late"


@pytest.mark.parametrize("status", [403, 500, 502])
def test_an_orchestrator_that_refuses_is_not_reached(status: int, caplog: pytest.LogCaptureFixture) -> None:
    with answering(status=status) as (url, _), caplog.at_level(logging.INFO):
        assert seen(url).fault == "unreachable"
    (line,) = caplog.records
    assert (getattr(line, "event_code", ""), getattr(line, "status", None)) == ("canary_unreachable", status)


def test_an_orchestrator_that_is_not_there_is_not_reached() -> None:
    with answering() as (url, _):
        pass
    assert seen(url).fault == "unreachable"


def run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], url: str, event: dict[str, Any]
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The handler's answer, and the lines of metrics."""
    monkeypatch.setenv("CARELINE_STAGE", "prod")
    monkeypatch.setenv("CARELINE_ORCHESTRATOR_URL", url)
    answer = app.handler(event, None)
    return answer, [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_each_question_of_the_sample_event_is_a_line_of_metrics_with_a_trace_and_no_words(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    event = json.loads(EVENT.read_text())
    with answering(META, TOKEN, cited(), wire.Dropped()) as (url, _), caplog.at_level(logging.INFO):
        answer, lines = run(monkeypatch, capsys, url, event)
    assert answer == {"asked": 4, "failed": 0}
    assert [line["language"] for line in lines] == ["nl", "fr", "en", "it"]
    for line in lines:
        assert (line["stage"], line["canary_runs"], line["canary_failures"]) == ("prod", [1.0], [0.0])
        assert line["canary_first_token_ms"][0] > 0
        assert line["trace_id"]
    said = caplog.text + json.dumps(lines)
    assert not any(question["text"] in said for question in event["questions"])
    assert "14 tot 20" not in said


def test_a_question_that_goes_wrong_is_counted_and_told_with_its_reason(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    with answering(META, TOKEN, wire.Dropped()) as (url, _), caplog.at_level(logging.ERROR):
        answer, (line,) = run(monkeypatch, capsys, url, {"questions": [VISITS.model_dump()]})
    assert (answer, line["canary_failures"]) == ({"asked": 1, "failed": 1}, [1.0])
    (told,) = caplog.records
    assert (getattr(told, "event_code", ""), getattr(told, "reason", "")) == ("canary_failed", "no_source")


@pytest.mark.parametrize("event", [{}, {"questions": []}, {"questions": [{"language": "nl", "text": ""}]}])
def test_an_event_that_is_no_round_is_refused_without_its_words(event: dict[str, Any]) -> None:
    with pytest.raises(BadRequest, match="no round of questions: questions"):
        app.handler(event, None)


def signature(headers: dict[str, str]) -> str:
    return headers.get("authorization", "")


def test_requests_to_a_real_url_are_signed_for_lambda_and_those_to_a_laptop_are_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"):
        monkeypatch.setenv(name, "testing")

    def made(url: str) -> dict[str, str]:
        return SignedStream(url, "eu-west-1").signature("/v1/query", b"{}")

    signed = {name.lower(): value for name, value in made("https://x.lambda-url.eu-west-1.on.aws/").items()}
    assert "/eu-west-1/lambda/aws4_request, SignedHeaders=content-type;host;" in signature(signed)
    assert signed["x-amz-security-token"] == "testing"
    assert made("http://127.0.0.1:8080") == {}


PROGRAM = """
import json, sys
from careline_functions.canary.app import handler

class Invocation:
    function_name, memory_limit_in_mb, invoked_function_arn = "careline-prod-canary", 512, "arn:aws:lambda"
    aws_request_id = "c1f0b6cf"

handler(json.load(open(sys.argv[1])), Invocation())
"""


def test_in_lambda_every_line_is_json_with_a_trace() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as daemon, answering(META, TOKEN, wire.Dropped()) as (url, _):
        daemon.bind(("127.0.0.1", 0))
        environment = {
            **os.environ, "PYTHONPATH": PYTHONPATH, IN_LAMBDA: "127.0.0.1:9001", "CARELINE_ORCHESTRATOR_URL": url,
            "CARELINE_STAGE": "prod", TRACE: "Root=1-67c42a37-3f1b2c4d5e6f708192a3b4c5;Sampled=1",
            "AWS_XRAY_DAEMON_ADDRESS": f"127.0.0.1:{daemon.getsockname()[1]}",
        }  # fmt: skip
        command = [sys.executable, "-c", PROGRAM, str(EVENT)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert {line.get("code") for line in lines} == {"canary_asked", "canary_failed", None}
    assert all(line.get("trace") or line.get("trace_id") for line in lines)
