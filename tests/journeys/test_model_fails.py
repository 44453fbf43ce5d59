"""A real server whose language models fail on the wire, in every way they can, for JSON clients and for streams."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from careline.schemas import wire
from tests.emulators.openai import KEY, Break, Endpoint, Refusal, serving
from tests.journeys.process import TIMEOUT, Careline, Served

QUESTION = "Tot hoe laat mag ik op bezoek?"
PHONE = "03 555 12 12"
LOCAL = "llama-house"
CLOUD_SAYS = ("Bezoek ", "mag ", "tot ", "20 uur [1].")
LOCAL_SAYS = ("Bezoek is ", "welkom ", "tot 20 uur [1].")
SENTENCES = ("Bezoek mag tot 20 uur [1]. ", "Op zondag ", "mag u langer ", "blijven.")

Ask = Callable[[str], wire.Answer]


@pytest.fixture(scope="module")
def cloud() -> Iterator[Endpoint]:
    with serving() as endpoint:
        yield endpoint


@pytest.fixture(scope="module")
def local() -> Iterator[Endpoint]:
    with serving() as endpoint:
        yield endpoint


@pytest.fixture(autouse=True)
def _as_new(cloud: Endpoint, local: Endpoint) -> None:
    cloud.words, local.words = CLOUD_SAYS, LOCAL_SAYS
    for endpoint in (cloud, local):
        endpoint.faults.clear()
        endpoint.requests.clear()


@pytest.fixture(scope="module")
def served(home_of_their_own: Callable[[], Careline], cloud: Endpoint, local: Endpoint) -> Iterator[Served]:
    chosen = {
        "MODEL": "openai", "OPENAI_BASE_URL": cloud.url, "OPENAI_API_KEY": KEY, "HELPDESK_PHONE": PHONE,
        "LOCAL_MODEL": "openai", "LOCAL_BASE_URL": local.url, "LOCAL_MODEL_NAME": LOCAL,
        "MODEL_FIRST_TOKEN_SECONDS": "1.5", "MODEL_STALL_SECONDS": "60",
        # Each failure is met by itself here; `test_circuit` has those in a row.
        "CIRCUIT_BREAKER": "off",
    }  # fmt: skip
    environment = {f"CARELINE_{name}": value for name, value in chosen.items()}
    with replace(home_of_their_own(), environment=environment).served() as server:
        yield server


@pytest.fixture(params=["JSON", "SSE"])
def ask(request: pytest.FixtureRequest, served: Served) -> Ask:
    """Asks as a client of either kind does."""

    def as_json(text: str) -> wire.Answer:
        return wire.Answer.model_validate_json(json.dumps(served.ask(text)))

    def as_stream(text: str) -> wire.Answer:
        events = served.stream(text)
        assert isinstance(events[-1], wire.Done)
        assert "".join(event.text for event in events if isinstance(event, wire.Token)) == events[-1].answer.text
        return events[-1].answer

    return as_json if request.param == "JSON" else as_stream


FAILURES: dict[str, list[Refusal | Break]] = {
    **{f"status {status}": [Refusal(status)] for status in (401, 403, 404)},
    **{f"status {status}": [Refusal(status)] * 2 for status in (429, 500, 503)},
    "slow first word": [Break("stall")],
    **{how: [Break(how)] * 2 for how in ("malformed", "empty", "error", "cut")},
}
rows = pytest.mark.parametrize("faults", FAILURES.values(), ids=FAILURES)


@rows
def test_the_local_model_takes_over_from_the_cloud(
    ask: Ask, cloud: Endpoint, local: Endpoint, faults: list[Refusal | Break]
) -> None:
    cloud.faults.extend(faults)
    answer = ask(QUESTION)
    assert (answer.disposition, answer.model) == ("answered", LOCAL)
    assert answer.text.startswith("Bezoek is welkom tot 20 uur")
    assert [warning.code for warning in answer.warnings] == ["MODEL_UNAVAILABLE"]
    assert (len(cloud.requests), len(local.requests)) == (len(faults), 1)


@rows
def test_the_documents_are_quoted_when_both_fail(
    ask: Ask, cloud: Endpoint, local: Endpoint, faults: list[Refusal | Break]
) -> None:
    cloud.faults.extend(faults)
    local.faults.extend(faults)
    answer = ask(QUESTION)
    assert (answer.disposition, answer.model) == ("answered", "extractive")
    assert "14 tot 20 uur" in answer.text
    assert answer.citations
    assert [warning.code for warning in answer.warnings] == ["MODEL_UNAVAILABLE"]


def test_one_failure_that_passes_is_not_noticed(ask: Ask, cloud: Endpoint, local: Endpoint) -> None:
    cloud.faults.append(Refusal(503))
    answer = ask(QUESTION)
    assert (answer.model, answer.warnings) == ("gpt-4.1-mini", [])
    assert (len(cloud.requests), len(local.requests)) == (2, 0)


def test_a_model_that_says_nothing_is_replaced(ask: Ask, cloud: Endpoint) -> None:
    cloud.words = ()
    assert ask(QUESTION).model == LOCAL


@pytest.mark.parametrize("how", ["cut", "malformed", "empty", "error"])
def test_a_stream_that_breaks_keeps_what_was_said_and_gives_the_number(ask: Ask, cloud: Endpoint, how: str) -> None:
    cloud.words = SENTENCES
    cloud.faults.append(Break(how, after=2))
    answer = ask(QUESTION)
    assert answer.text.startswith("Bezoek mag tot 20 uur")
    assert "zondag" not in answer.text
    assert PHONE in answer.text
    assert (answer.disposition, answer.reason) == ("failed", "MODEL_STALLED")
    assert [warning.code for warning in answer.warnings] == ["MODEL_STALLED"]


def test_personal_data_does_not_leave_because_the_local_model_failed(
    ask: Ask, cloud: Endpoint, local: Endpoint
) -> None:
    local.faults.append(Refusal(401))
    answer = ask("Mijn rijksregisternummer is 85.07.30-033.28, tot hoe laat mag ik op bezoek?")
    assert (cloud.requests, len(local.requests)) == ([], 1)
    assert answer.model == "extractive"


@pytest.mark.parametrize("accept", ["application/json", "text/event-stream"])
def test_a_client_that_hangs_up_stops_the_model(served: Served, cloud: Endpoint, accept: str) -> None:
    cloud.words = SENTENCES
    cloud.faults.append(Break("stall", after=2))
    host, port = served.client.base_url.host, served.client.base_url.port
    body = json.dumps({"text": QUESTION}).encode()
    head = f"POST /v1/query HTTP/1.1\r\nhost: {host}:{port}\r\naccept: {accept}\r\ncontent-type: application/json\r\n"
    with socket.create_connection((host, port)) as client:
        client.sendall(f"{head}content-length: {len(body)}\r\n\r\n".encode() + body)
        served.eventually("/health", lambda _: len(cloud.requests) == 1)
        if accept.startswith("text"):
            assert b"event: meta" in _until(client, b"event: token")
    # The server's own patience is a minute.
    assert cloud.left.acquire(timeout=TIMEOUT / 2)
    assert served.ask(QUESTION)["model"] == "gpt-4.1-mini"


def test_what_a_client_saw_before_it_hung_up_is_recorded(served: Served, cloud: Endpoint) -> None:
    cloud.words = SENTENCES
    cloud.faults.append(Break("stall", after=2))
    events: list[Any] = []
    headers = {"accept": "text/event-stream"}
    with served.client.stream("POST", "/v1/query", json={"text": QUESTION}, headers=headers) as response:
        lines: list[str] = []
        for line in response.iter_lines():
            lines.append(line)
            events = list(wire.read_events(lines))
            if any(isinstance(event, wire.Token) for event in events):
                break
    record = served.record(events[0].turn_id)
    assert (record["disposition"], record["reason"], record["model"]) == ("failed", "CLIENT_LEFT", "gpt-4.1-mini")
    assert cloud.left.acquire(timeout=TIMEOUT / 2)


def _until(client: socket.socket, wanted: bytes) -> bytes:
    client.settimeout(TIMEOUT)
    read = b""
    while wanted not in read:
        more = client.recv(4096)
        assert more, read
        read += more
    return read
