"""From the queue's bytes to the table: every turn once, in order within a tenant, whatever is killed or repeated."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from careline.audit.verify import verify
from careline.engines.aws.table import DynamoTable
from careline.errors import BadRequest, TableUnavailable
from careline.ports import Engines
from careline.records.outbox_message import OutboxEntry, from_message, to_message
from careline.telemetry import turns
from careline.tenants import spending, tenant_records
from careline.tenants.tenant_records import Tenant
from careline_functions.telemetry import app
from tests.builders import some_engines
from tests.fakes import NOW
from tests.functions.outbox_queue import Queue
from tests.infra.ingestion_stack import used
from tests.infra.permissions import TELEMETRY

ROOT = Path(__file__).resolve().parents[2]
TENANTS = ("sint-anna", "sint-jan")


class Killed(BaseException):
    """The process ends here: nothing that comes after is done, and nobody is told."""


@pytest.fixture
def queue(aws: Any) -> Queue:
    return Queue(aws)


@pytest.fixture
def engines(dynamo: DynamoTable, clock: Any, monkeypatch: pytest.MonkeyPatch) -> Engines:
    made = some_engines(clock=clock, table=dynamo)
    monkeypatch.setattr(app, "records", lambda: made)
    return made


def a_turn(n: int, tenant: str = "sint-anna", **more: Any) -> OutboxEntry:
    """A turn that cost a hundredth of a euro."""
    name = f"turn-{n:03d}"
    turn = {
        "turn_id": name, "began_at": NOW.isoformat(), "model": "m", "tokens": {}, "cost": 0.01, "channel": "chat",
        "question_redacted": "wanneer is het bezoekuur",
    }  # fmt: skip
    return OutboxEntry(name, tenant, {"turn": turn, "audit": {"turn_id": name}, "subject": "0123456789abcdef", **more})


async def state(engines: Engines, tenant: str = "sint-anna") -> dict[str, Any]:
    """What is kept of a tenant's turns, in the order of the chain."""
    table = engines.table
    chain = [json.loads(item.body["sealed"]) async for item in table.query(f"{tenant}/audit")]
    spent = [item.body["euro"] async for item in table.query(f"{tenant}/spending")]
    verdict = await verify(engines, tenant)
    return {
        "chain": [entry["id"] for entry in chain], "intact": verdict.to_json()["intact"], "euro": spent,
        "turns": [item.sort async for item in table.query(f"{tenant}/turns")],
        "billing": [item.sort async for item in table.query(f"{tenant}/billing")],
        "subject": [item.sort async for item in table.query(f"{tenant}/subjects/0123456789abcdef", "turn/")],
    }  # fmt: skip


def kept(numbers: range | list[int]) -> dict[str, Any]:
    """The state after these turns."""
    names = [f"turn-{n:03d}" for n in numbers]
    turns_of = [f"turn/{name}" for name in sorted(names)]
    return {
        "chain": names, "intact": True if names else None, "euro": [round(0.01 * len(names), 6)] if names else [],
        "turns": sorted(names), "billing": sorted(names), "subject": turns_of,
    }  # fmt: skip


async def test_every_turn_in_the_queue_is_kept_in_order_and_the_queue_is_empty_then(
    queue: Queue, engines: Engines
) -> None:
    for n in range(51):
        await queue.put(a_turn(n, TENANTS[n % 2]))
    await queue.drain()
    assert await state(engines, "sint-anna") == kept(range(0, 51, 2))
    assert await state(engines, "sint-jan") == kept(range(1, 51, 2))
    assert all(answer == {"batchItemFailures": []} for answer in queue.answers)
    assert queue.dead_letters() == []


async def test_a_batch_whose_answer_was_lost_is_kept_once(queue: Queue, engines: Engines) -> None:
    await queue.put(*(a_turn(n, override={"types": {"PERSON": 1}}) for n in range(3)))
    for _ in range(3):
        await queue.deliver(lose_answer=True)
    await queue.drain()
    told = await state(engines)
    assert told.pop("chain") == [name for n in range(3) for name in (f"turn-{n:03d}.override", f"turn-{n:03d}")]
    assert told.items() <= kept(range(3)).items()


async def test_the_same_turn_twice_in_one_batch_is_kept_once(queue: Queue, engines: Engines) -> None:
    await queue.put(a_turn(1))
    queue.put_text(to_message(a_turn(1)), "sint-anna", "sent again after the five minutes that the queue remembers")
    await queue.drain()
    assert await state(engines) == kept([1])


@pytest.mark.parametrize("last_write", range(1, 13))
async def test_a_process_that_is_killed_at_any_write_leaves_what_the_next_one_finishes(
    queue: Queue, engines: Engines, dynamo: Any, last_write: int
) -> None:
    """Killed before a write, and after it: the answer to it never came."""
    await queue.put(*(a_turn(n) for n in range(3)))
    writing, written = dynamo.write, [0]

    async def write(*changes: Any) -> None:
        written[0] += 1
        if written[0] * 2 - 1 == last_write:
            raise Killed
        await writing(*changes)
        if written[0] * 2 == last_write:
            raise Killed

    dynamo.write = write
    with suppress(Killed):
        await queue.deliver()
    dynamo.write = writing
    await queue.drain()
    assert await state(engines) == kept(range(3))
    assert queue.dead_letters() == []


async def test_after_a_failure_the_tenants_later_turns_come_back_too_and_other_tenants_go_on(
    queue: Queue, engines: Engines, monkeypatch: pytest.MonkeyPatch
) -> None:
    await queue.put(*(turn for n in range(4) for turn in (a_turn(n), a_turn(n + 100, "sint-jan"))))
    keeping, down = turns.keep, [True]

    async def keep(entry: OutboxEntry, made: Engines) -> bool:
        if down[0] and (entry.tenant, entry.entry_id) == ("sint-anna", "turn-001"):
            raise TableUnavailable("the table cannot be written: ThrottlingException")
        return await keeping(entry, made)

    monkeypatch.setattr(turns, "keep", keep)
    await queue.deliver()
    assert len(queue.answers[0]["batchItemFailures"]) == 3
    assert await state(engines, "sint-anna") == kept([0])
    assert await state(engines, "sint-jan") == kept(range(100, 104))
    down[0] = False
    await queue.drain()
    assert await state(engines, "sint-anna") == kept(range(4))


@pytest.mark.parametrize(
    "poison", ["", "{", "[]", "null", '{"entry_id": "x"}', '{"entry_id": 1, "tenant": "a", "body": {}}', "\ud83c",
               '{"entry_id": "x", "tenant": "sint-anna", "body": {}}', "[" * 100_000],
)  # fmt: skip
def test_a_batch_with_a_message_that_is_no_turn_ends_and_names_it(
    engines: Engines, poison: str, caplog: pytest.LogCaptureFixture
) -> None:
    records = [a_record(poison, "one", 1), a_record(to_message(a_turn(1)), "two", 1)]
    with caplog.at_level(logging.INFO):
        answer = app.handler({"Records": records}, None)
    assert [one["itemIdentifier"] for one in answer["batchItemFailures"]] == ["one", "two"]
    assert "bezoekuur" not in caplog.text


def a_record(body: str, message_id: str, received: int, tenant: str = "sint-anna") -> dict[str, Any]:
    attributes = {"MessageGroupId": tenant, "ApproximateReceiveCount": str(received)}
    return {"messageId": message_id, "body": body, "attributes": attributes}


async def test_a_message_that_can_never_be_kept_goes_to_the_dead_letters_alone(queue: Queue, engines: Engines) -> None:
    await queue.put(a_turn(0))
    queue.put_text("no turn", "sint-anna", "poison")
    await queue.put(*(a_turn(n) for n in range(1, 6)), a_turn(100, "sint-jan"))
    await queue.drain()
    assert queue.dead_letters() == ["no turn"]
    assert await state(engines) == kept(range(6))
    assert await state(engines, "sint-jan") == kept([100])


async def test_two_bad_messages_one_after_the_other_take_no_good_one_with_them(queue: Queue, engines: Engines) -> None:
    for n in range(3):
        queue.put_text(f"no turn {n}", "sint-anna", f"poison-{n}")
        await queue.put(a_turn(n))
    await queue.drain()
    assert sorted(queue.dead_letters()) == ["no turn 0", "no turn 1", "no turn 2"]
    assert await state(engines) == kept(range(3))


async def test_a_turn_that_comes_back_from_the_dead_letters_is_kept_then(queue: Queue, engines: Engines) -> None:
    """Its place in the chain is when it was kept; the chain stays whole."""
    await queue.put(a_turn(2), a_turn(3), a_turn(1))
    await queue.drain()
    assert await state(engines) == kept([2, 3, 1])


async def test_the_sample_event_is_kept(engines: Engines) -> None:
    event = json.loads((ROOT / "events" / "sqs_outbox_batch.json").read_text())
    for record in event["Records"]:
        assert hashlib.md5(record["body"].encode()).hexdigest() == record["md5OfBody"]
    assert await asyncio.to_thread(app.handler, event, None) == {"batchItemFailures": []}
    first, second = (from_message(record["body"]) for record in event["Records"])
    assert (await state(engines))["chain"] == [first.entry_id, second.entry_id]
    assert (await turns.show(first.entry_id, "sint-anna", engines))["cost"] == 0.0012


async def test_the_key_is_read_beside_the_event_loop(
    queue: Queue, engines: Engines, monkeypatch: pytest.MonkeyPatch
) -> None:
    at: list[bool] = []

    def read_key() -> bytes:
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            at.append(False)
        else:
            at.append(True)
        return engines.key

    monkeypatch.setattr(app, "records", lambda: replace(engines, read_key=read_key))
    await queue.put(a_turn(1))
    assert await asyncio.to_thread(app.handler, queue.batch(), None) == {"batchItemFailures": []}
    assert at[0] is False


async def test_the_function_starts_from_its_environment_and_calls_nothing_that_its_role_does_not_allow(
    queue: Queue, dynamo: DynamoTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    import botocore.client

    names = ("HOME", "TABLE", "BUCKET", "SEARCH_ENDPOINT")
    said = dict(zip(names, ("/nowhere", "careline", "files", "https://search.example"), strict=True))
    for name, value in {**said, "STORAGE": "aws", "SEMANTIC_CLASSIFIERS": "off", "PRIVACY_KEY": "ab" * 32}.items():
        monkeypatch.setenv(f"CARELINE_{name}", value)
    did: set[str] = set()
    calling = botocore.client.BaseClient._make_api_call

    def noted(client: Any, operation: str, request: Any) -> Any:
        did.update(used(client.meta.service_model.service_name, operation, request))
        return calling(client, operation, request)

    await queue.put(a_turn(1), a_turn(2))
    event = queue.batch()
    monkeypatch.setattr(botocore.client.BaseClient, "_make_api_call", noted)
    app.records.cache_clear()
    try:
        assert await asyncio.to_thread(app.handler, event, None) == {"batchItemFailures": []}
    finally:
        app.records.cache_clear()
    assert did == {action for action in TELEMETRY["telemetry"] if action.startswith("dynamodb:")}


async def test_a_hospital_that_goes_past_a_mark_of_its_budget_is_told_of_once(
    queue: Queue, engines: Engines, caplog: pytest.LogCaptureFixture
) -> None:
    """A turn costs a hundredth of a euro, so the fourth and the fifth go past 80 and 100 per cent of five of them."""
    await tenant_records.save(engines.table, Tenant("sint-anna", monthly_budget=0.05))
    await queue.put(*(a_turn(n) for n in range(7)), a_turn(100, "sint-jan"))
    with caplog.at_level(logging.WARNING):
        await queue.deliver(lose_answer=True)
        await queue.drain()
    told = [record for record in caplog.records if getattr(record, "event_code", "") == "budget_crossed"]
    assert [getattr(record, "percent", None) for record in told] == [80, 100]


@pytest.mark.parametrize(
    ("budget", "spent", "euro", "expected"),
    [
        (None, 5.0, 5.0, None), (0.0, 5.0, 5.0, None), (10.0, 7.9, 0.1, None), (10.0, 8.0, 0.1, 80),
        (10.0, 9.0, 0.5, None), (10.0, 10.0, 0.5, 100), (10.0, 11.0, 4.0, 100), (10.0, 12.0, 0.5, None),
    ],
)  # fmt: skip
def test_a_mark_is_told_by_the_turn_that_goes_past_it(
    budget: float | None, spent: float, euro: float, expected: int | None
) -> None:
    assert spending.crossed(budget, spent, euro) == expected


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"entry_id": "a", "tenant": "b", "body": []}'])
def test_a_message_without_an_entry_is_told_without_its_words(text: str) -> None:
    with pytest.raises(BadRequest, match="no outbox entry"):
        from_message(text)
