"""What every outbox does, whatever is behind it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from careline.engines.embedded.outbox import SqliteOutbox
from careline.errors import Conflict, TableUnavailable
from careline.ports import Outbox
from careline.records.outbox_message import OutboxEntry
from tests.engines.storage.test_table import files_with
from tests.fakes import SettableClock


def an_entry(entry_id: str = "turn-1", tenant: str = "sint-anna") -> OutboxEntry:
    return OutboxEntry(entry_id, tenant, {"cost": 0.0012, "text": "crème", "messages": [{"role": "user"}]})


async def drained(outbox: Outbox) -> list[OutboxEntry]:
    taken: list[OutboxEntry] = []
    while entries := await outbox.take():
        for entry in entries:
            await outbox.settle(entry)
            taken.append(entry)
    return taken


async def test_an_entry_comes_out_as_it_went_in(outbox: Outbox) -> None:
    await outbox.put(an_entry())
    assert await drained(outbox) == [an_entry()]


async def test_an_empty_outbox_gives_nothing(outbox: Outbox) -> None:
    assert list(await outbox.take()) == []


async def test_entries_of_a_tenant_come_in_the_order_they_were_put(outbox: Outbox) -> None:
    for n in range(12):
        await outbox.put(an_entry(f"turn-{n}"))
    assert [entry.entry_id for entry in await drained(outbox)] == [f"turn-{n}" for n in range(12)]


async def test_the_same_entry_put_twice_is_one_entry(outbox: Outbox) -> None:
    await outbox.put(an_entry())
    await outbox.put(an_entry())
    assert len(await drained(outbox)) == 1


async def test_an_entry_that_was_not_settled_is_taken_again(outbox: Outbox) -> None:
    await outbox.put(an_entry())
    first = await outbox.take()
    assert await outbox.take() == first


async def test_no_more_than_asked_are_taken(outbox: Outbox) -> None:
    for n in range(5):
        await outbox.put(an_entry(f"turn-{n}"))
    assert [entry.entry_id for entry in await outbox.take(2)] == ["turn-0", "turn-1"]


async def test_sqs_gets_the_tenant_as_the_group_and_the_entry_as_its_own_duplicate_mark(aws: Any) -> None:
    from careline.engines.aws.outbox import SqsOutbox
    from careline.records.outbox_message import from_message

    sqs = aws.client("sqs", region_name="eu-west-1")
    url = sqs.create_queue(QueueName="turns.fifo", Attributes={"FifoQueue": "true"})["QueueUrl"]
    await SqsOutbox(url, sqs).put(an_entry())
    (message,) = sqs.receive_message(QueueUrl=url, MessageSystemAttributeNames=["All"])["Messages"]
    assert message["Attributes"]["MessageGroupId"] == "sint-anna"
    assert message["Attributes"]["MessageDeduplicationId"] == "turn-1"
    assert from_message(message["Body"]) == an_entry()


async def test_an_entry_another_process_took_cannot_be_settled_here(aws: Any) -> None:
    from careline.engines.aws.outbox import SqsOutbox

    sqs = aws.client("sqs", region_name="eu-west-1")
    url = sqs.create_queue(QueueName="turns.fifo", Attributes={"FifoQueue": "true"})["QueueUrl"]
    with pytest.raises(Conflict):
        await SqsOutbox(url, sqs).settle(an_entry())


async def test_a_queue_that_is_not_there_is_unavailable(aws: Any) -> None:
    from careline.engines.aws.outbox import SqsOutbox

    outbox = SqsOutbox(
        "https://sqs.eu-west-1.amazonaws.com/123456789012/absent.fifo", aws.client("sqs", region_name="eu-west-1")
    )
    with pytest.raises(TableUnavailable, match=r"NonExistentQueue|QueueDoesNotExist"):
        await outbox.put(an_entry())


async def test_no_byte_of_a_settled_entry_is_in_the_files_after_a_scrub(tmp_path: Path) -> None:
    outbox = SqliteOutbox(tmp_path / "outbox.sqlite", SettableClock())
    for n in range(40):
        await outbox.put(OutboxEntry(f"turn-{n}", "sint-anna", {"text": "Godelieve " * n}))
    assert len(await drained(outbox)) == 40
    await outbox.put(an_entry("turn-after"))
    await outbox.scrub()
    assert files_with(tmp_path, b"Godelieve") == []
    assert [entry.entry_id for entry in await drained(outbox)] == ["turn-after"]
    outbox.close()


async def test_an_outbox_that_was_scrubbed_holds_what_it_held(outbox: Outbox) -> None:
    await outbox.put(an_entry())
    await outbox.scrub()
    assert await drained(outbox) == [an_entry()]
