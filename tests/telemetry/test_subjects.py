"""What a person may ask for: all that is held, and that it be gone, down to the bytes of the files."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from careline.audit import chain as audit
from careline.audit.verify import verify
from careline.conversation import store
from careline.engines.embedded.outbox import SqliteOutbox
from careline.errors import BadRequest, TableUnavailable
from careline.model import Message
from careline.ports import Engines
from careline.privacy.redaction.pseudonym import pseudonym
from careline.records.outbox_message import OutboxEntry
from careline.records.record_table import Delete, Item, Put
from careline.telemetry import subjects, turns
from tests.builders import some_engines
from tests.engines.storage.test_table import files_with
from tests.fakes import KEY, NOW
from tests.telemetry.chains import TENANT, engines_on
from tests.telemetry.test_retention import an_entry

CALLER = "0470 12 34 56"
NAME = pseudonym(CALLER, KEY)


async def a_conversation(engines: Engines, name: str, user: str | None, messages: int = 2) -> None:
    """What a turn writes of a conversation, and its record in the outbox."""
    about = {"language": "nl", "user": user, "names": [user] if user else []}
    head = store.head_body(about, {"clinical_context": None}, TENANT, name, KEY)
    puts = [Put(Item(f"{TENANT}/conversations", name, head))]
    for n in range(messages):
        message = Message("user", f"Godelieve vraagt {n}", NOW, f"{name}-{n}")
        said = store.message_body(message, TENANT, name, f"{n:04d}", KEY)
        puts.append(Put(Item(f"{TENANT}/messages/{name}", f"{n:04d}", said)))
    if user is not None:
        puts.append(Put(Item(f"{TENANT}/subjects/{user}", f"conversation/{name}", {})))
    for start in range(0, len(puts), 90):
        await engines.table.write(*puts[start : start + 90])
    for n in range(messages):
        await engines.outbox.put(an_entry(f"{name}-{n}", user))


async def everything(engines: Engines) -> str:
    """All records of the tenant that may hold words, as text."""
    partitions = ["conversations", "turns", "messages/talk", "messages/other", f"subjects/{NAME}"]
    items = [item for part in partitions async for item in engines.table.query(f"{TENANT}/{part}")]
    return json.dumps([[item.sort, item.body] for item in items])


@pytest.mark.parametrize("written", [CALLER, "+32470123456", "0032 470 12 34 56", f"pseudonym:{NAME}"])
async def test_a_person_is_erased_however_the_number_is_written(written: str) -> None:
    engines = some_engines()
    await a_conversation(engines, "talk", NAME)
    await turns.relay(engines)
    done = await subjects.erase(engines, TENANT, written)
    assert done["erased"] == {"conversations": 1, "messages": 2, "turns": 2}
    assert "Godelieve" not in await everything(engines)


async def test_an_erasure_leaves_others_alone_and_is_told_in_the_chain_without_the_number() -> None:
    engines = some_engines()
    await a_conversation(engines, "talk", NAME)
    await a_conversation(engines, "other", "f" * 16)
    await turns.relay(engines)
    done = await subjects.erase(engines, TENANT, CALLER)
    assert "other" in await everything(engines)
    assert len(await turns.newest(TENANT, 10, engines)) == 2
    (entry,) = await audit.newest(engines, TENANT, 1)
    assert (entry.kind, entry.subject, entry.body) == ("erase", NAME, done["erased"])
    assert done["audit"] == str(entry.link)
    assert "470" not in json.dumps(entry.to_json() | {"hash": ""})
    assert (await verify(engines, TENANT)).intact


async def test_a_turn_of_the_conversation_that_named_nobody_goes_with_it() -> None:
    engines = some_engines()
    await a_conversation(engines, "talk", NAME)
    await engines.outbox.put(an_entry("talk-9", None))
    said = {"role": "user", "text": "Godelieve", "at": NOW.isoformat(), "turn_id": "talk-9"}
    await engines.table.write(Put(Item(f"{TENANT}/messages/talk", "0009", said)))
    await turns.relay(engines)
    assert (await subjects.erase(engines, TENANT, CALLER))["erased"]["turns"] == 3
    assert await turns.newest(TENANT, 10, engines) == []


async def test_more_than_one_write_can_hold_is_erased_too() -> None:
    engines = some_engines()
    await a_conversation(engines, "talk", NAME, messages=205)
    await turns.relay(engines)
    assert (await subjects.erase(engines, TENANT, CALLER))["erased"]["messages"] == 205
    assert "Godelieve" not in await everything(engines)


async def test_a_record_that_was_still_on_its_way_is_dropped_when_it_arrives() -> None:
    engines = some_engines()
    await a_conversation(engines, "talk", NAME)
    await subjects.erase(engines, TENANT, CALLER)
    assert await turns.relay(engines) == 2
    assert await turns.newest(TENANT, 10, engines) == []
    assert "Godelieve" not in await everything(engines)
    kinds = [entry.kind for entry in await audit.newest(engines, TENANT, 10)]
    assert kinds == ["turn", "turn", "erase"], "that there was a turn is still audited"


async def test_a_record_that_is_delivered_again_after_an_erasure_stays_away() -> None:
    engines = some_engines()
    await turns.keep(an_entry("late", NAME), engines)
    await subjects.erase(engines, TENANT, CALLER)
    await turns.keep(an_entry("late", NAME), engines)
    assert await turns.newest(TENANT, 10, engines) == []


async def test_what_is_said_after_an_erasure_is_kept_again() -> None:
    engines = some_engines()
    await subjects.erase(engines, TENANT, CALLER)
    later = an_entry("after", NAME)
    later.body["turn"]["began_at"] = NOW.replace(hour=23).isoformat()
    await turns.keep(later, engines)
    assert len(await turns.newest(TENANT, 10, engines)) == 1


@pytest.mark.parametrize("failing", [1, 2, 3, 4])
async def test_an_erasure_that_was_interrupted_can_be_asked_for_again(failing: int) -> None:
    engines = some_engines()
    await a_conversation(engines, "talk", NAME)
    said = {"role": "user", "text": "Godelieve", "at": NOW.isoformat(), "turn_id": "unnamed"}
    await engines.table.write(Put(Item(f"{TENANT}/messages/talk", "0009", said)))
    await engines.outbox.put(an_entry("unnamed", None))
    await turns.relay(engines)
    write = engines.table.write
    writes = 0

    async def fails_in_the_middle(*changes: Any) -> None:
        nonlocal writes
        writes += 1
        if writes == failing:
            raise TableUnavailable("away")
        await write(*changes)

    engines.table.write = fails_in_the_middle  # type: ignore[method-assign]
    with pytest.raises(TableUnavailable):
        await subjects.erase(engines, TENANT, CALLER)
    await subjects.erase(engines, TENANT, CALLER)
    assert "Godelieve" not in await everything(engines)
    assert [entry.kind for entry in await audit.newest(engines, TENANT, 1)] == ["erase"]


async def test_somebody_of_whom_nothing_is_held_is_erased_without_an_error_and_with_an_entry() -> None:
    engines = some_engines()
    done = await subjects.erase(engines, TENANT, "nobody")
    assert done["erased"] == {"conversations": 0, "messages": 0, "turns": 0}
    assert len(await audit.newest(engines, TENANT, 5)) == 1


@pytest.mark.parametrize("subject", ["", "  "])
async def test_nobody_is_not_a_person(subject: str) -> None:
    with pytest.raises(BadRequest, match="subject"):
        await subjects.erase(some_engines(), TENANT, subject)


async def test_an_export_holds_what_was_said_recorded_billed_and_audited() -> None:
    engines = some_engines()
    await a_conversation(engines, "talk", NAME)
    await turns.relay(engines)
    held = await subjects.export(engines, TENANT, "+32 470 12 34 56")
    assert held["subject"] == NAME
    assert [one["text"] for one in held["conversations"][0]["messages"]] == ["Godelieve vraagt 0", "Godelieve vraagt 1"]
    assert (len(held["turns"]), len(held["billing"]), [one["kind"] for one in held["audit"]]) == (2, 2, ["turn"] * 2)
    again = await subjects.export(engines, TENANT, CALLER)
    assert [one["kind"] for one in again["audit"]] == ["turn", "turn", "export"]
    json.dumps(again)


async def test_after_an_erasure_an_export_holds_the_audit_alone() -> None:
    engines = some_engines()
    await a_conversation(engines, "talk", NAME)
    await turns.relay(engines)
    await subjects.erase(engines, TENANT, CALLER)
    held = await subjects.export(engines, TENANT, CALLER)
    assert (held["conversations"], held["turns"], held["billing"]) == ([], [], [])
    assert [one["kind"] for one in held["audit"]] == ["turn", "turn", "erase"]


async def test_a_conversation_that_was_forgotten_meanwhile_is_not_counted() -> None:
    engines = some_engines()
    await engines.table.write(Put(Item(f"{TENANT}/subjects/{NAME}", "conversation/gone", {})))
    assert (await subjects.erase(engines, TENANT, CALLER))["erased"]["conversations"] == 0


async def test_no_byte_of_what_a_person_said_is_in_any_file_after_an_erasure(tmp_path: Path) -> None:
    table = engines_on(tmp_path / "records.sqlite")
    engines = replace(table, outbox=SqliteOutbox(tmp_path / "outbox.sqlite", table.clock))
    for n in range(30):
        await a_conversation(engines, f"stays-{n}", "f" * 16, messages=1 + n % 5)
    await a_conversation(engines, "talk", NAME, messages=40)
    await turns.relay(engines)
    await a_conversation(engines, "talk", NAME, messages=60)
    assert sorted(files_with(tmp_path, b"Godelieve")) != []
    for n in range(30):
        for m in range(5):
            await engines.table.write(
                Delete(f"{TENANT}/messages/stays-{n}", f"{m:04d}"), Delete(f"{TENANT}/turns", f"stays-{n}-{m}")
            )
    await subjects.erase(engines, TENANT, CALLER)
    await turns.relay(engines)
    assert files_with(tmp_path, b"Godelieve") == []
    assert files_with(tmp_path, b"470123456") == []
    assert (await verify(engines, TENANT)).intact
    engines.outbox.close()  # type: ignore[attr-defined]


async def test_an_outbox_entry_without_a_person_is_kept_as_ever() -> None:
    engines = some_engines()
    entry = an_entry("anonymous", None)
    await turns.keep(OutboxEntry(entry.entry_id, TENANT, entry.body), engines)
    assert len(await turns.newest(TENANT, 5, engines)) == 1


async def test_a_person_is_erased_from_dynamodb_too(dynamo: Any, clock: Any) -> None:
    engines = some_engines(clock=clock, table=dynamo)
    await a_conversation(engines, "talk", NAME, messages=6)
    await turns.relay(engines)
    assert len((await subjects.export(engines, TENANT, CALLER))["turns"]) == 6
    assert (await subjects.erase(engines, TENANT, CALLER))["erased"]["turns"] == 6
    assert "Godelieve" not in await everything(engines)
    assert (await verify(engines, TENANT)).intact
