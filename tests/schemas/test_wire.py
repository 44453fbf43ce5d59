"""The wire between Careline and every client: both sides on the same bytes, and refusals that repeat nothing."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from careline.errors import BadRequest, TooLarge
from careline.schemas import wire

CITATION: dict[str, Any] = {
    "number": 1,
    "doc_key": "brochure-1",
    "version": 2,
    "title": "Op bezoek",
    "source": "nl/bezoek.md",
    "section": "Uren",
    "source_type": "brochure",
    "language": "nl",
    "page": 3,
    "last_page": 3,
    "chunk_id": "brochure-1:2:0",
    "excerpt": "Bezoek is\nwelkom « van 14 tot 20 uur ».",
    "score": 0.87,
    "reference": "Op bezoek.",
}
ANSWER: dict[str, Any] = {
    "id": "turn-1",
    "trace_id": "trace-1",
    "conversation_id": "talk",
    "text": "Van 14 uur [1].\n\n- één",
    "language": "nl",
    "spoken": "Van 14 uur.",
    "disposition": "answered",
    "intent": "general",
    "pack": "hospital_line",
    "channel": "chat",
    "citations": [CITATION],
    "warnings": [{"code": "KEYWORDS_ONLY", "message": "Alleen woorden."}],
    "model": "extractive",
    "tokens": {"input": 1, "output": 2, "cached": 0},
    "timings": [{"stage": "admit", "ms": 0.5}],
}
PROBLEM: dict[str, Any] = {
    "title": "BadRequest",
    "status": 400,
    "detail": "text: a string is needed",
    "error": "BadRequest",
    "trace_id": "trace-1",
    "error_code": "BAD_REQUEST",
    "message": "text: a string is needed",
    "component": "request",
    "timestamp": datetime(2026, 3, 2, tzinfo=UTC).isoformat(),
}
SAMPLES: dict[str, dict[str, Any]] = {
    "meta": {"turn_id": "t", "trace_id": "x", "conversation_id": "c", "pack": "hospital_line", "channel": "voice"},
    "stage": {"stage": "retrieve", "ms": 12.5},
    "token": {"text": "Één zin: « 1 €\u2028»\u0085 \r\n\tmet “alles” \\ erin 🙂"},
    "citation": {"citation": CITATION},
    "warning": {"code": "KEYWORDS_ONLY", "message": "event: token\ndata: {}\n\n"},
    "done": {"answer": ANSWER},
    "dropped": {},
    "error": {"problem": PROBLEM},
}


def event(name: str) -> wire.Event:
    """An event as it is received."""
    return wire.EVENTS[name].model_validate_json(json.dumps(SAMPLES[name]))


def test_there_is_a_sample_of_every_event() -> None:
    assert SAMPLES.keys() == wire.EVENTS.keys()


@pytest.mark.parametrize("name", SAMPLES)
def test_what_is_written_is_read_back_from_the_bytes(name: str) -> None:
    sent = event(name)
    assert list(wire.read_events(sent.to_sse().decode().split("\n"))) == [sent]


@pytest.mark.parametrize("name", SAMPLES)
def test_an_event_is_one_event_line_and_one_data_line_however_a_client_breaks_lines(name: str) -> None:
    first, second, *rest = event(name).to_sse().decode().splitlines()
    assert first == f"event: {name}"
    assert second.startswith("data: {")
    assert rest == [""]


def test_a_whole_stream_is_read_back_in_order_whatever_ends_its_lines() -> None:
    events = [event(name) for name in SAMPLES]
    stream = b"".join(one.to_sse() for one in events).decode()
    assert list(wire.read_events(stream.split("\n"))) == events
    assert list(wire.read_events(line + "\r\n" for line in stream.split("\n"))) == events


def test_events_and_comments_of_a_newer_server_are_passed_over() -> None:
    lines = [": keep-alive", "", "event: surprise", 'data: {"a": 1}', "", *event("stage").to_sse().decode().split("\n")]
    assert list(wire.read_events(lines)) == [event("stage")]


def test_an_event_that_was_cut_off_is_not_read() -> None:
    assert list(wire.read_events(event("done").to_sse().decode().split("\n")[:2])) == []


@given(st.text())
def test_any_text_comes_back_as_it_was(text: str) -> None:
    sent = wire.Token.model_validate_json(json.dumps({"text": text}))
    (received,) = wire.read_events(sent.to_sse().decode().splitlines())
    assert received == sent
    assert isinstance(received, wire.Token)
    assert received.text == text


SECRET = "Godelieve-Janssens"
REFUSED: list[tuple[Any, str]] = [
    ({}, "text: is missing"),
    ({"text": ""}, "text"),
    ({"text": " \u200b\n"}, "text"),
    ({"text": 5}, "text"),
    ({"text": ["hallo"]}, "text"),
    ({"text": "hallo", "patient": SECRET}, "patient"),
    ({"text": "hallo", SECRET: 1}, "no such field"),
    ({"text": "hallo", "language": SECRET}, "language"),
    ({"text": "hallo", "channel": SECRET}, "channel"),
    ({"text": "hallo", "conversation_id": f"{SECRET} und"}, "conversation_id"),
    ({"text": "hallo", "conversation_id": "../../etc/passwd"}, "conversation_id"),
    ({"text": "hallo", "tenant": "a/b"}, "tenant"),
    ({"text": "hallo", "user": ""}, "user"),
    ({"text": "hallo", "history": [{"text": SECRET}]}, "history.0"),
    ({"text": "hallo", "clinical_context": {"age": SECRET}}, "clinical_context.age"),
    ({"text": "hallo", "clinical_context": {"age": 131}}, "clinical_context.age"),
    ({"text": "hallo", "preferences": {"citation_style": SECRET}}, "preferences.citation_style"),
    ([SECRET], "body"),
    (None, "body"),
]


@pytest.mark.parametrize(("body", "named"), REFUSED)
def test_a_wrong_field_is_named_and_its_value_is_never_repeated(body: Any, named: str) -> None:
    with pytest.raises(BadRequest) as refused:
        wire.read_body(wire.QueryRequest, json.dumps(body).encode())
    assert named in refused.value.message
    assert SECRET not in refused.value.message
    assert refused.value.status == 400


@pytest.mark.parametrize(
    "body", [b"", b"{", b"\xff\xfe", f'{{"text": "{SECRET}'.encode(), b"[" * 100_000, b'{"text":"\\ud800"}']
)
def test_what_is_not_json_is_refused_without_quoting_it(body: bytes) -> None:
    with pytest.raises(BadRequest, match=r"^body: not valid JSON$"):
        wire.read_body(wire.QueryRequest, body)


@pytest.mark.parametrize(
    "body",
    [
        {"text": "a" * (wire.MAX_QUESTION + 1)},
        {"text": "hallo", "history": ["x"] * 11},
        {"text": "hallo", "history": ["x" * (wire.MAX_QUESTION + 1)]},
        {"text": "hallo", "clinical_context": {"medications": ["x" * 201]}},
    ],
)
def test_what_is_too_long_is_too_large(body: dict[str, Any]) -> None:
    with pytest.raises(TooLarge):
        wire.read_body(wire.QueryRequest, json.dumps(body).encode())


def test_a_text_of_the_longest_length_is_read() -> None:
    text = "é" * wire.MAX_QUESTION
    assert wire.read_body(wire.QueryRequest, json.dumps({"text": text}).encode()).text == text


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("  hallo\n", "hallo"),
        ("quelles\u00a0heures\u202f?", "quelles heures ?"),
        ("een\rtwee\u2028drie", "een twee drie"),
        ("a\u200bb\x00c\x1b", "abc"),
        ("regel één\n\tregel twee", "regel één\n\tregel twee"),
        ("👩‍⚕️", "👩⚕️"),
    ],
)
def test_invisible_characters_go_and_every_kind_of_space_stays_a_space(typed: str, read: str) -> None:
    assert wire.QueryRequest(text=typed).text == read


def test_a_search_takes_a_hundred_hits_at_most() -> None:
    assert wire.read_body(wire.SearchRequest, b'{"text": "a", "limit": 100}').limit == 100
    for limit in (0, 101, -1):
        with pytest.raises(BadRequest, match="limit"):
            wire.read_body(wire.SearchRequest, json.dumps({"text": "a", "limit": limit}).encode())


def test_json_for_files_keeps_accents() -> None:
    assert wire.to_json({"a": "é"}) == '{"a": "é"}'
    assert "é" in wire.to_json(event("token"))
