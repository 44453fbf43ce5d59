"""What every HTTP client may rely on: trace ids, problem documents, limits, and a door that is shut to others."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import httpx2
import pytest
from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient

from careline.errors import CarelineError, IndexUnavailable, TableUnavailable
from careline.installation import Installation
from careline.log.formatters import JsonLines, Stamp
from careline.schemas import wire
from careline.schemas.problem import MEDIA_TYPE
from careline.web import http
from careline_local import server
from tests.fakes import FakeEmbedder, FakeTable
from tests.turn.turns import BrokenIndex, a_hospital, an_installation

HERE = "http://127.0.0.1"
SECRET = "godelieve-janssens"
UPLOADS = 4096
"""Bytes of the largest upload in these tests."""


def client_of(installation: Installation) -> TestClient:
    """A client of the laptop's app, beside which nothing may be raised."""
    return TestClient(server.application(installation), base_url=HERE)


@pytest.fixture
def client() -> Iterator[TestClient]:
    with client_of(an_installation(settings={"limits": {"max_upload_bytes": UPLOADS}})) as made:
        yield made


def problem(response: httpx2.Response, status: int, code: str) -> wire.Problem:
    """The problem of a response that must be one, complete and with its trace id in body and header."""
    assert (response.status_code, response.headers["content-type"]) == (status, MEDIA_TYPE)
    found = wire.Problem.model_validate_json(response.content)
    assert (found.status, found.error_code, found.detail) == (status, code, found.message)
    assert found.trace_id == response.headers[http.TRACE_HEADER]
    return found


def test_a_plausible_trace_id_of_the_client_is_kept(client: TestClient) -> None:
    response = client.get("/health", headers={"x-trace-id": "0af7651916cd43dd"})
    assert response.headers["x-trace-id"] == "0af7651916cd43dd"


@pytest.mark.parametrize("sent", ["short", "a" * 65, "with space 12", "näive-trace", "<script>alert"])
def test_any_other_trace_id_is_replaced_by_one_of_ours(client: TestClient, sent: str) -> None:
    given = client.get("/health", headers={b"x-trace-id": sent.encode("latin-1")}).headers["x-trace-id"]
    assert given != sent
    assert len(given) == 16


def test_the_trace_id_is_in_the_answer_and_in_every_event(client: TestClient) -> None:
    trace = {"x-trace-id": "0af7651916cd43dd"}
    assert client.post("/v1/query", json={"text": "goeiedag"}, headers=trace).json()["trace_id"] == trace["x-trace-id"]
    streamed = client.post("/v1/query", json={"text": "goeiedag"}, headers={**trace, "accept": "text/event-stream"})
    meta = next(wire.read_events(streamed.text.splitlines()))
    assert isinstance(meta, wire.Meta)
    assert meta.trace_id == trace["x-trace-id"]


MALFORMED: list[tuple[str, str, dict[str, Any], int, str]] = [
    ("POST", "/v1/query", {"content": b"{"}, 400, "BAD_REQUEST"),
    ("POST", "/v1/query", {"content": b""}, 400, "BAD_REQUEST"),
    ("POST", "/v1/query", {"json": {"text": 1}}, 400, "BAD_REQUEST"),
    ("POST", "/v1/query", {"json": {"text": "a", "channel": "fax"}}, 400, "BAD_REQUEST"),
    ("POST", "/v1/query", {"json": {"text": "a" * 5000}}, 413, "TOO_LARGE"),
    ("POST", "/v1/query", {"json": {"text": "a", "pack": "none"}}, 400, "BAD_REQUEST"),
    ("POST", "/v1/query", {"content": b" " * (http.MAX_JSON + 1)}, 413, "TOO_LARGE"),
    ("POST", "/v1/search", {"json": {"text": "a", "filters": {"colour": ["blue"]}}}, 400, "BAD_REQUEST"),
    ("POST", "/v1/search", {"json": {"text": "a", "filters": {"language": "nl"}}}, 400, "BAD_REQUEST"),
    ("POST", "/v1/search", {"json": {"text": "a", "filters": {"year": ["veel"]}}}, 400, "BAD_REQUEST"),
    ("POST", "/v1/search", {"json": {"text": "a", "filters": {"valid_from": [2026]}}}, 400, "BAD_REQUEST"),
    ("GET", "/v1/conversations/none", {}, 404, "NOT_FOUND"),
    ("GET", "/v1/turns/none", {}, 404, "NOT_FOUND"),
    ("GET", "/v1/documents/none", {}, 404, "NOT_FOUND"),
    ("GET", "/v1/documents/none/text", {}, 404, "NOT_FOUND"),
    ("GET", "/v1/documents/none/original?version=7", {}, 404, "NOT_FOUND"),
    ("GET", "/v1/documents/none/text?version=0", {}, 400, "BAD_REQUEST"),
    ("GET", "/v1/documents/none/text?version=one", {}, 400, "BAD_REQUEST"),
    ("GET", "/v1/documents?limit=1001", {}, 400, "BAD_REQUEST"),
    ("GET", "/v1/jobs?state=asleep", {}, 400, "BAD_REQUEST"),
    ("POST", "/v1/jobs/none/retry", {}, 404, "NOT_FOUND"),
    ("DELETE", "/v1/documents/none", {}, 404, "NOT_FOUND"),
    ("GET", "/v1/none", {}, 404, "NOT_FOUND"),
    ("GET", "/v1/query", {}, 405, "METHOD_NOT_ALLOWED"),
    ("PUT", "/v1/documents", {}, 405, "METHOD_NOT_ALLOWED"),
    ("POST", "/index.html", {}, 405, "METHOD_NOT_ALLOWED"),
    ("POST", "/v1/documents", {"json": {"file": "x"}}, 415, "UNSUPPORTED_MEDIA"),
    ("POST", "/v1/documents", {"files": {"other": ("a.md", b"a")}}, 400, "BAD_REQUEST"),
    ("POST", "/v1/documents", {"files": {"file": ("a.md", b"a")}, "data": {"colour": "blue"}}, 400, "BAD_REQUEST"),
    ("POST", "/v1/documents", {"files": {"file": ("a.md", b"a")}, "data": {"doc_key": "a b"}}, 400, "BAD_REQUEST"),
    ("POST", "/v1/documents", {"files": {"file": ("a.md", b"a")}, "data": {"year": "long ago"}}, 400, "BAD_REQUEST"),
    ("POST", "/v1/documents", {"files": {"file": ("../a.md", b"a")}}, 422, "DOCUMENT_REJECTED"),
    ("POST", "/v1/documents", {"files": {"file": ("a.md", b"a" * (UPLOADS + 1))}}, 413, "TOO_LARGE"),
    ("POST", "/v1/documents", {"files": {"file": ("a.md", b"a" * 100_000)}}, 413, "TOO_LARGE"),
    (
        "POST",
        "/v1/documents",
        {"content": b"x", "headers": {"content-type": "multipart/form-data"}},
        400,
        "BAD_REQUEST",
    ),
    (
        "POST",
        "/v1/documents",
        {"content": b"--x\r\nnonsense", "headers": {"content-type": "multipart/form-data; boundary=x"}},
        400,
        "BAD_REQUEST",
    ),
]


@pytest.mark.parametrize(("method", "path", "sent", "status", "code"), MALFORMED)
def test_what_cannot_be_done_is_a_problem_document_of_its_own_status(
    client: TestClient, method: str, path: str, sent: dict[str, Any], status: int, code: str
) -> None:
    assert problem(client.request(method, path, **sent), status, code).title


def test_a_wrong_method_names_the_right_ones(client: TestClient) -> None:
    assert client.get("/v1/query").headers["allow"] == "POST"


async def test_a_refused_question_changes_nothing() -> None:
    installation = an_installation()
    with client_of(installation) as client:
        client.post("/v1/query", json={"text": "hallo", "conversation_id": "talk", "colour": "blue"})
        client.post("/v1/query", json={"text": "hallo", "conversation_id": "talk", "pack": "none"})
    assert await installation.engines.table.get("default/conversations", "talk") is None


class TableThatIsDown(FakeTable):
    async def get(self, partition: str, sort: str) -> Any:
        raise TableUnavailable("the table does not answer", retry_after=7)


@pytest.mark.parametrize("accept", ["application/json", "text/event-stream"])
def test_an_engine_that_is_down_is_a_503_that_says_when_to_come_back(accept: str) -> None:
    with client_of(an_installation(table=TableThatIsDown())) as client:
        response = client.post("/v1/query", json={"text": "hallo"}, headers={"accept": accept})
    assert problem(response, 503, "TABLE_UNAVAILABLE").retry_after == 7
    assert response.headers["retry-after"] == "7"


def test_a_search_without_an_index_is_a_503() -> None:
    with client_of(an_installation(index=BrokenIndex(9, IndexUnavailable("gone")))) as client:
        response = client.post("/v1/search", json={"text": "bezoek"})
    assert problem(response, 503, "INDEX_UNAVAILABLE").component


class Shy(BaseModel):
    """A model whose errors quote what was wrong."""

    age: int


class Defective(FakeEmbedder):
    """A defect of ours whose message holds a caller's words."""

    async def embed_query(self, text: str) -> Any:
        if text.endswith("modelled"):
            Shy.model_validate({"age": SECRET})
        raise KeyError(f"no such word: {SECRET}")


@pytest.mark.parametrize("text", [f"waar is {SECRET}", f"waar is {SECRET} modelled"])
def test_an_unexpected_exception_hides_its_message_in_the_response_and_in_the_log(
    caplog: pytest.LogCaptureFixture, text: str
) -> None:
    caplog.handler.addFilter(Stamp())
    with client_of(an_installation(embedder=Defective())) as client, caplog.at_level(logging.DEBUG):
        response = client.post("/v1/query", json={"text": text})
    found = problem(response, 500, "INTERNAL")
    assert "trace id" in found.message
    (logged,) = [record for record in caplog.records if record.levelno >= logging.ERROR]
    line = JsonLines("orchestrator").format(logged)
    told = json.loads(line)
    assert (told["code"], told["trace"]) == ("unexpected_error", found.trace_id)
    assert SECRET not in response.text + caplog.text + line
    assert any(place.startswith("embed_query ") for place in told["raised"]["at"]), "the place is in the log"


def test_a_defect_in_the_middle_of_a_stream_is_an_error_event(caplog: pytest.LogCaptureFixture) -> None:
    with client_of(an_installation(embedder=Defective())) as client:
        response = client.post("/v1/query", json={"text": f"waar is {SECRET}"}, headers={"accept": "text/event-stream"})
    last = list(wire.read_events(response.text.splitlines()))[-1]
    assert isinstance(last, wire.Failed)
    assert (last.problem.status, last.problem.trace_id) == (500, response.headers[http.TRACE_HEADER])
    assert SECRET not in response.text + caplog.text


async def read_app(scope: Any, receive: Any, send: Any) -> None:
    """Reads a body of a hundred bytes at most."""
    content = await http.body(Request(scope, receive), 100)
    await PlainTextResponse(str(len(content)))(scope, receive, send)


async def pieces(
    app: Callable[..., Awaitable[None]], headers: list[tuple[bytes, bytes]], size: int, most: int
) -> tuple[int, BaseException | None]:
    """How many pieces of a body are asked for before the app has had enough, and what it raised."""
    asked = 0

    async def receive() -> dict[str, Any]:
        nonlocal asked
        asked += 1
        return {"type": "http.request", "body": b"x" * size, "more_body": asked < most}

    async def send(message: dict[str, Any]) -> None:
        return None

    scope = {"type": "http", "method": "POST", "path": "/", "headers": headers, "query_string": b""}
    try:
        await app(scope, receive, send)
    except CarelineError as error:
        return asked, error
    return asked, None


async def test_a_body_that_says_it_is_too_large_is_not_read_at_all() -> None:
    asked, error = await pieces(read_app, [(b"content-length", b"101")], 10, 100)
    assert (asked, type(error).__name__) == (0, "TooLarge")


async def test_a_body_that_does_not_say_is_read_up_to_the_limit_and_no_further() -> None:
    asked, error = await pieces(read_app, [], 30, 1000)
    assert (asked, type(error).__name__) == (4, "TooLarge")


async def test_a_body_of_exactly_the_limit_is_read() -> None:
    assert await pieces(read_app, [(b"content-length", b"100")], 20, 5) == (5, None)


@pytest.mark.parametrize("length", [b"", b"-1", b"1e9", b"\xb2\xb2", b"9" * 5000])
async def test_a_length_that_is_no_number_is_not_believed(length: bytes) -> None:
    assert (await pieces(read_app, [(b"content-length", length)], 10, 3))[1] is None


async def test_the_original_of_a_document_is_saved_and_never_shown_in_our_origin() -> None:
    response = http.download('nl/é "x"\r\nset-cookie: a.html', b"<script>")
    assert response.headers["content-type"] == "application/octet-stream"
    assert response.headers["content-disposition"].startswith('attachment; filename="_x_set-cookie_a.html"')
    assert response.headers["x-content-type-options"] == "nosniff"
    assert "set-cookie" not in response.headers


async def test_the_outbox_is_worked_off_again_after_the_table_was_away() -> None:
    class Recovering(FakeTable):
        down = True

        async def write(self, *changes: Any) -> None:
            if self.down and any(change.item.partition.endswith("/turns") for change in changes):
                self.down = False
                raise TableUnavailable("away for a moment")
            await super().write(*changes)

    installation = await a_hospital(table=Recovering())
    with client_of(installation) as client:
        turn = client.post("/v1/query", json={"text": "goeiedag"}).json()["id"]
        until = time.monotonic() + 10
        while client.get(f"/v1/turns/{turn}").status_code == 404:
            assert time.monotonic() < until
            await asyncio.sleep(0.05)
    assert not installation.engines.table.down


async def test_a_server_stops_in_order_while_records_wait_for_a_table_that_is_away() -> None:
    class Away(FakeTable):
        async def write(self, *changes: Any) -> None:
            if any(change.item.partition.endswith("/turns") for change in changes):
                raise TableUnavailable("away")
            await super().write(*changes)

    installation = await a_hospital(table=Away())
    with client_of(installation) as client:
        assert client.post("/v1/query", json={"text": "goeiedag"}).status_code == 200
    assert len(installation.engines.outbox.waiting) == 1


def test_every_response_of_the_laptop_keeps_a_page_to_its_own_origin(client: TestClient) -> None:
    for path in ("/", "/health", "/v1/none"):
        headers = client.get(path).headers
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
