"""A change with an `Idempotency-Key` is made once, however often and by whatever server it is asked for."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from careline.access.idempotency import AGAIN, HEADER, KEPT, LARGEST, IdempotencyKeys
from careline.errors import NotFound, TableUnavailable
from careline.identity import Role
from careline.installation import Installation
from careline.records import keys
from careline.records.record_table import Delete, Put
from careline.web.http import ADMITTED, HANDLERS
from tests.access.doors import OTHER, Door, code, door
from tests.fakes import FakeTable, SettableClock
from tests.turn.turns import TENANT, an_installation

FILE = {"file": ("bezoek.md", b"# Bezoek\n\nBezoek is welkom van 14 tot 20 uur.\n", "text/markdown")}
KEY = "8e03978e-40d5-43dd-bc93-6894a57f9324"


@pytest.fixture
def hospital() -> Iterator[Door]:
    with door() as opened:
        yield opened


def upload(hospital: Door, key: str | None, token: str | None = None, **files: Any) -> httpx2.Response:
    headers = {} if key is None else {HEADER: key}
    token = token or hospital.tokens[Role.MANAGER]
    return hospital.as_(token, "POST", "/v1/documents", headers=headers, files=files or FILE)


def jobs(hospital: Door) -> int:
    listed = hospital.as_(hospital.tokens[Role.MANAGER], "GET", "/v1/jobs")
    return len(listed.json()["jobs"])


def test_an_upload_that_is_sent_again_gets_the_first_answer_and_begins_no_second_job(hospital: Door) -> None:
    first = upload(hospital, KEY)
    changed = ("bezoek.md", b"# Bezoek\n\nAnders.\n", "text/markdown")
    second = upload(hospital, KEY, file=changed)
    assert (first.status_code, second.status_code) == (202, 202)
    assert second.json() == first.json()
    assert (AGAIN in first.headers, second.headers[AGAIN]) == (False, "true")
    assert jobs(hospital) == 1


def test_without_a_key_or_with_another_one_a_change_is_made_each_time(hospital: Door) -> None:
    upload(hospital, "one")
    for number, key in enumerate((None, "two")):
        upload(hospital, key, file=("bezoek.md", f"# Bezoek {number}\n\nAnders.\n".encode(), "text/markdown"))
    assert jobs(hospital) == 3


def test_a_key_is_its_senders_own(hospital: Door) -> None:
    upload(hospital, KEY)
    theirs = upload(hospital, KEY, hospital.others[Role.MANAGER])
    assert (theirs.status_code, AGAIN in theirs.headers) == (202, False)
    colleague = upload(hospital, KEY, hospital.tokens[Role.OWNER])
    assert AGAIN not in colleague.headers


def test_a_key_that_was_used_for_something_else_is_refused(hospital: Door) -> None:
    upload(hospital, KEY)
    manager = hospital.tokens[Role.MANAGER]
    other = hospital.as_(manager, "DELETE", "/v1/documents/bezoek", headers={HEADER: KEY})
    assert code(other) == (400, "BAD_REQUEST")


@pytest.mark.parametrize("key", ["", "two words", "x" * 256])
def test_a_key_that_is_none_is_refused_before_anything_is_done(hospital: Door, key: str) -> None:
    assert code(upload(hospital, key)) == (400, "BAD_REQUEST")
    assert jobs(hospital) == 0


def test_what_failed_may_be_tried_again_under_the_same_key(hospital: Door) -> None:
    manager = hospital.tokens[Role.MANAGER]
    refused = hospital.as_(manager, "POST", "/v1/documents", headers={HEADER: KEY}, files=FILE, data={"unknown": "x"})
    assert refused.status_code == 400
    assert upload(hospital, KEY).status_code == 202


def test_a_question_with_a_key_is_asked_each_time(hospital: Door) -> None:
    caller = hospital.tokens[Role.CALLER]
    answers = [
        hospital.as_(caller, "POST", "/v1/query", headers={HEADER: KEY}, json={"text": "hallo"}).json()["id"]
        for _ in range(2)
    ]
    assert len(set(answers)) == 2


def test_what_is_kept_says_nothing_without_the_key_and_nothing_of_who_sent_it(hospital: Door) -> None:
    upload(hospital, KEY)
    held = hospital.installation.engines.table.held  # type: ignore[attr-defined]
    ((place, kept),) = [(place, kept) for place, kept in held.items() if place[0] == f"{TENANT}/idempotency"]
    assert place == keys.idempotent_change(TENANT, place[1])
    assert KEY not in repr((place, kept))
    assert "bezoek" not in repr(kept)
    assert not [one for one in held if one[0] == f"{OTHER}/idempotency"]


class Slow:
    """An app with one change that goes on until it is let go, and may break."""

    def __init__(self, installation: Installation) -> None:
        self.made, self.breaks, self.long = 0, False, False
        self.go, self.begun = asyncio.Event(), asyncio.Event()
        routes = [Route("/v1/jobs/{job_id}/retry", self.retry, methods=["POST"])]
        self.app = Starlette(
            routes=routes,
            middleware=[Middleware(_Admitted, made=installation), Middleware(IdempotencyKeys, routes=routes)],
            exception_handlers=HANDLERS,
        )

    async def retry(self, request: Request) -> Response:
        self.begun.set()
        await self.go.wait()
        self.made += 1
        if self.breaks:
            raise NotFound("there is no such job")
        if self.long:
            return StreamingResponse(iter([b"x" * LARGEST, b"x"]), 202, media_type="text/plain")
        return JSONResponse({"number": self.made}, 202)


class _Admitted:
    def __init__(self, app: Any, made: Installation) -> None:
        self.app, self.made = app, made

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        scope[ADMITTED] = self.made
        await self.app(scope, receive, send)


async def posted(slow: Slow) -> httpx2.Response:
    transport = httpx2.ASGITransport(app=slow.app)
    async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        return await client.post("/v1/jobs/a/retry", headers={HEADER: KEY})


async def test_two_servers_that_are_asked_at_once_make_a_change_once_and_the_second_says_to_wait() -> None:
    installation = an_installation()
    first, second = Slow(installation), Slow(installation)
    going = asyncio.create_task(posted(first))
    await first.begun.wait()
    early = await posted(second)
    assert (early.status_code, early.headers["retry-after"]) == (409, "2")
    first.go.set()
    assert (await going).json() == {"number": 1}
    again = await posted(second)
    assert (again.json(), again.headers[AGAIN], second.made) == ({"number": 1}, "true", 0)


async def test_a_change_that_breaks_is_made_again_and_an_answer_is_forgotten_after_a_day() -> None:
    clock = SettableClock()
    slow = Slow(an_installation(clock=clock))
    slow.go.set()
    slow.breaks = True
    assert (await posted(slow)).status_code == 404
    slow.breaks = False
    assert (await posted(slow)).json() == {"number": 2}
    clock.move(KEPT.total_seconds() - 1)
    assert (await posted(slow)).json() == {"number": 2}
    clock.move(2)
    assert (await posted(slow)).json() == {"number": 3}


async def test_a_change_whose_process_is_gone_may_be_made_after_five_minutes() -> None:
    clock = SettableClock()
    installation = an_installation(clock=clock)
    killed, other = Slow(installation), Slow(installation)
    going = asyncio.create_task(posted(killed))
    await killed.begun.wait()
    other.go.set()
    assert (await posted(other)).status_code == 409
    clock.move(301)
    assert (await posted(other)).json() == {"number": 1}
    going.cancel()


class Forgetful(FakeTable):
    """A table that takes no answers."""

    async def write(self, *changes: Put | Delete) -> None:
        if any(isinstance(one, Put) and "answer" in one.item.body for one in changes):
            raise TableUnavailable("the table cannot be written")
        await super().write(*changes)


async def test_a_change_whose_answer_cannot_be_kept_is_answered_and_is_not_made_again_at_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    clock = SettableClock()
    slow = Slow(an_installation(clock=clock, table=Forgetful(clock)))
    slow.go.set()
    with caplog.at_level(logging.WARNING):
        assert (await posted(slow)).json() == {"number": 1}
    (line,) = caplog.records
    assert (line.getMessage(), line.__dict__["kind"]) == ("the answer to a change was not kept", "TableUnavailable")
    assert ((await posted(slow)).status_code, slow.made) == (409, 1)


async def test_of_an_answer_that_is_too_long_it_is_kept_that_the_change_was_made(
    caplog: pytest.LogCaptureFixture,
) -> None:
    clock = SettableClock()
    slow = Slow(an_installation(clock=clock))
    slow.go.set()
    slow.long = True
    with caplog.at_level(logging.WARNING):
        assert len((await posted(slow)).content) == LARGEST + 1
    assert [record.__dict__["kind"] for record in caplog.records] == ["TooLarge"]
    clock.move(KEPT.total_seconds() - 1)
    again = await posted(slow)
    assert (code(again), "retry-after" in again.headers, slow.made) == ((409, "CONFLICT"), False, 1)


@pytest.mark.parametrize("breaks", [False, True])
@pytest.mark.parametrize("is_over", [False, True])
async def test_a_change_that_took_too_long_leaves_the_record_of_the_one_that_began_after_it_alone(
    breaks: bool, is_over: bool
) -> None:
    clock = SettableClock()
    installation = an_installation(clock=clock)
    late, other, third = (Slow(installation) for _ in range(3))
    third.go.set()
    going = asyncio.create_task(posted(late))
    await late.begun.wait()
    clock.move(301)
    second = asyncio.create_task(posted(other))
    await other.begun.wait()
    if is_over:
        other.go.set()
        await second
    late.breaks = breaks
    late.go.set()
    assert (await going).status_code == (404 if breaks else 202)
    refused = await posted(third)
    assert (refused.status_code, third.made) == (202 if is_over else 409, 0)
    other.go.set()
    assert (await second).json() == {"number": 1}
    assert (await posted(third)).headers[AGAIN] == "true"


async def test_a_key_that_cannot_be_freed_is_said_and_may_be_sent_again_later(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = SettableClock()
    table = FakeTable(clock)
    slow = Slow(an_installation(clock=clock, table=table))
    slow.breaks = True
    going = asyncio.create_task(posted(slow))
    await slow.begun.wait()
    with monkeypatch.context() as away, caplog.at_level(logging.WARNING):
        away.setattr(table, "write", Forgetful(clock).query)
        slow.go.set()
        assert (await going).status_code == 404
    assert [record.getMessage() for record in caplog.records] == ["the key of a change that failed was not freed"]
    slow.breaks = False
    assert (await posted(slow)).status_code == 409
    clock.move(301)
    assert (await posted(slow)).status_code == 202


def test_the_description_of_the_api_names_the_header_for_every_change() -> None:
    from careline.web.openapi.document import document

    paths = json.loads(json.dumps(document()))["paths"]
    told = {
        operation["operationId"]
        for path in paths.values()
        for operation in path.values()
        if any(one["name"] == "Idempotency-Key" for one in operation.get("parameters", ()))
    }
    assert {"uploadDocument", "deleteDocument", "retryJob", "eraseSubject"} <= told
    assert "query" not in told
