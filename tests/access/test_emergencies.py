"""What stands before everything that may refuse a question: it answers once, waits for nobody for ever, and lets on
what is only slow."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.requests import Request
from starlette.types import Message, Receive, Scope, Send

from careline.access import emergencies
from careline.access.emergencies import EmergenciesFirst
from careline.installation import Installation
from careline.web import http
from tests.cases.strangers.emergency_words import EMERGENCIES, OTHER
from tests.turn.turns import an_installation

App = Callable[[Scope, Receive, Send], Awaitable[None]]
OK: Message = {"type": "http.response.start", "status": 200, "headers": []}
END: Message = {"type": "http.response.body", "body": b"{}"}


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(emergencies, "LONGEST", 0.05)
    monkeypatch.setattr(http, "BODY_SECONDS", 0.1)


def a_scope(installation: Installation) -> Scope:
    app = SimpleNamespace(state=SimpleNamespace(installation=installation))
    return {"type": "http", "method": "POST", "path": "/v1/query", "headers": [], "query_string": b"", "app": app}


async def sent_by(app: App, text: str = EMERGENCIES["en"], receive: Receive | None = None) -> list[Message]:
    """What a client gets of a question that goes through to an app."""
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    body = json.dumps({"text": text}).encode()
    await EmergenciesFirst(app)(a_scope(an_installation()), receive or whole(body), send)
    return sent


def whole(body: bytes) -> Receive:
    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    return receive


async def never_ending() -> Message:
    """A body that comes bit by bit, and has no end."""
    await asyncio.sleep(0.03)
    return {"type": "http.request", "body": b" ", "more_body": True}


def statuses(sent: list[Message]) -> list[int]:
    return [one["status"] for one in sent if one["type"] == "http.response.start"]


async def test_an_answer_that_comes_as_its_time_is_over_is_not_begun_twice() -> None:
    async def late(scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            await send(OK)
            raise

    sent = await sent_by(late)
    assert statuses(sent) == [200]
    assert b"NOT_RECORDED" in sent[-1]["body"]


async def test_a_time_that_ran_out_elsewhere_is_an_error_like_any_other() -> None:
    async def waits_for_another(scope: Scope, receive: Receive, send: Send) -> None:
        raise TimeoutError("a socket")

    assert statuses(await sent_by(waits_for_another)) == [200]
    with pytest.raises(TimeoutError, match="a socket"):
        await sent_by(waits_for_another, OTHER)


@pytest.mark.parametrize("status", [200, 503])
async def test_what_fails_after_its_beginning_is_begun_once(status: int) -> None:
    async def breaks(scope: Scope, receive: Receive, send: Send) -> None:
        await send({**OK, "status": status})
        raise RuntimeError("in the middle")

    if status == 503:
        assert statuses(await sent_by(breaks)) == [200]
    else:
        with pytest.raises(RuntimeError):
            await sent_by(breaks)


async def test_a_question_whose_body_never_ends_is_refused_and_holds_no_place() -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        raise AssertionError("it is not let on")

    async with asyncio.timeout(5):
        sent = await sent_by(app, receive=never_ending)
    assert statuses(sent) == [408]
    assert json.loads(sent[-1]["body"])["error_code"] == "TOO_SLOW"


async def test_no_body_is_waited_for_without_end() -> None:
    request = Request(a_scope(an_installation()), never_ending)
    async with asyncio.timeout(5):
        with pytest.raises(http.TooSlow):
            await http.body(request)


async def test_what_is_in_doubt_and_only_slow_gets_its_own_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    async def found(*arguments: Any) -> emergencies.Emergency:
        return emergencies.Emergency(an_installation().packs["hospital_line"], "en", is_certain=False)

    monkeypatch.setattr(emergencies, "emergency_in", found)

    async def slow(scope: Scope, receive: Receive, send: Send) -> None:
        await asyncio.sleep(0.3)
        await send(OK)
        await send(END)

    assert await sent_by(slow, OTHER) == [OK, END]
