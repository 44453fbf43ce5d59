"""The chain grows by one entry at a time whoever appends, and keeps each once."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from careline.audit import chain as audit
from careline.audit.verify import verify
from careline.errors import Conflict, RecordDamaged, SettingsInvalid
from careline.ports import Engines
from careline.records import keys
from careline.records.record_table import Delete, Item, Put
from careline.tenants import tenant_records
from careline.tenants.tenant_records import Tenant
from tests.builders import some_engines
from tests.fakes import NOW, SettableClock
from tests.telemetry.chains import DAY, TENANT, Behind, a_chain, engines_on


async def numbers(engines: Engines, tenant: str = TENANT) -> list[int]:
    return [int(item.sort) async for item in engines.table.query(keys.audit(tenant))]


async def test_entries_are_numbered_from_one_and_each_names_the_hash_of_the_one_before() -> None:
    engines = some_engines()
    links = await a_chain(3, engines)
    assert [link.seq for link in links] == [1, 2, 3]
    entries = (await audit.newest(engines, TENANT, 10))[::-1]
    assert [entry.previous.hash for entry in entries] == [audit.BEGINNING, links[0].hash, links[1].hash]
    assert await audit.head(engines, TENANT) == links[-1]


async def test_an_entry_comes_back_as_it_was_appended() -> None:
    engines = some_engines()
    body = {"types": {"PERSON": 2}, "reason": None, "text": "crème \u2028 \ud83d"}
    await audit.append(engines, TENANT, "erase", body, subject="0123456789abcdef")
    (entry,) = await audit.newest(engines, TENANT, 1)
    assert (entry.kind, entry.subject, entry.body, entry.at) == ("erase", "0123456789abcdef", body, NOW)
    assert entry.to_json()["hash"] == entry.hash


async def test_an_entry_that_is_delivered_twice_is_kept_once() -> None:
    engines = some_engines()
    await a_chain(2, engines)
    assert await audit.append(engines, TENANT, "turn", {"n": "again"}, entry_id="turn-000") is None
    assert await numbers(engines) == [1, 2]


async def test_chains_of_tenants_are_apart() -> None:
    engines = some_engines()
    await a_chain(2, engines, "a")
    await a_chain(3, engines, "b")
    assert (await numbers(engines, "a"), await numbers(engines, "b")) == ([1, 2], [1, 2, 3])


@pytest.mark.parametrize("kind", ["fake", "sqlite"])
async def test_many_who_append_at_once_neither_fork_nor_drop(kind: str, tmp_path: Path) -> None:
    engines = some_engines() if kind == "fake" else engines_on(tmp_path / "table.sqlite")
    other = engines if kind == "fake" else engines_on(tmp_path / "table.sqlite")
    both = [
        audit.append(relay, TENANT, "turn", {}, entry_id=f"turn-{n}") for n in range(20) for relay in (engines, other)
    ]
    links = await asyncio.gather(*both)
    assert sorted(link.seq for link in links if link is not None) == list(range(1, 21))
    verdict = await verify(engines, TENANT)
    assert (verdict.intact, verdict.entries) == (True, 20)


async def test_what_is_written_alongside_is_written_with_the_entry_or_not_at_all() -> None:
    engines = some_engines()
    await engines.table.write(Put(Item("a", "old", {})))
    changes: list[Put | Delete] = [Put(Item("a", "new", {})), Delete("a", "old")]
    await audit.append(engines, TENANT, "erase", {}, entry_id="once", alongside=changes)
    assert [item.sort async for item in engines.table.query("a")] == ["new"]
    await engines.table.write(Delete("a", "new"))
    assert await audit.append(engines, TENANT, "erase", {}, entry_id="once", alongside=changes) is None
    assert [item.sort async for item in engines.table.query("a")] == []


async def test_a_person_is_listed_with_the_entries_about_them() -> None:
    engines = some_engines()
    await a_chain(1, engines)
    await audit.append(engines, TENANT, "export", {}, subject="0123456789abcdef")
    listed = [item async for item in engines.table.query(f"{TENANT}/subjects/0123456789abcdef")]
    assert [(item.sort, item.body) for item in listed] == [("audit/000000000002", {"seq": 2})]


async def test_no_entry_expires_before_an_older_one_whatever_is_decided_in_between() -> None:
    engines = some_engines()
    await tenant_records.save(engines.table, Tenant(TENANT, retention_days={"audit": 100}))
    await a_chain(1, engines)
    await tenant_records.save(engines.table, Tenant(TENANT, retention_days={"audit": 10}))
    await audit.append(engines, TENANT, "turn", {})
    expiries = [entry.expires for entry in await audit.newest(engines, TENANT, 10)]
    assert expiries == sorted(expiries, reverse=True)
    assert (expiries[0] - NOW).days in {99, 100}


async def test_an_installation_without_a_key_records_nothing() -> None:
    engines = replace(some_engines(), read_key=bytes)
    with pytest.raises(SettingsInvalid, match="CARELINE_PRIVACY_KEY"):
        await audit.append(engines, TENANT, "turn", {})


@pytest.mark.parametrize("damage", ["{", json.dumps({"sealed": "{}", "hash": "0" * 64}), "[]"])
async def test_nothing_is_added_to_a_chain_whose_head_is_damaged(damage: str) -> None:
    engines = some_engines()
    await a_chain(2, engines)
    table: Any = engines.table
    table.spoil(f"{TENANT}/audit_head", "head", damage)
    with pytest.raises(RecordDamaged, match="audit resume"):
        await audit.append(engines, TENANT, "turn", {})
    assert await numbers(engines) == [1, 2]


@pytest.mark.parametrize("how", ["removed", "older"])
async def test_nothing_is_added_after_a_head_that_is_gone_or_is_an_older_one(how: str, tmp_path: Path) -> None:
    engines, behind = engines_on(tmp_path / "table.sqlite"), Behind(tmp_path / "table.sqlite")
    await a_chain(2, engines)
    (older,) = behind.stored(f"{TENANT}/audit_head")
    await audit.append(engines, TENANT, "turn", {})
    if how == "removed":
        behind.run("DELETE FROM items WHERE partition = ?", f"{TENANT}/audit_head")
    else:
        behind.put_body("head", older[2], f"{TENANT}/audit_head")
    with pytest.raises(RecordDamaged):
        await audit.append(engines, TENANT, "turn", {})
    link = await audit.resume(engines, TENANT)
    assert link.seq == 4
    assert (await verify(engines, TENANT)).intact
    assert (await audit.newest(engines, TENANT, 1))[0].kind == "chain_resumed"


async def test_a_chain_whose_head_fits_is_not_resumed() -> None:
    engines = some_engines()
    with pytest.raises(Conflict):
        await audit.resume(engines, TENANT)
    await a_chain(1, engines)
    with pytest.raises(Conflict):
        await audit.resume(engines, TENANT)


async def test_a_note_that_an_entry_is_kept_is_not_believed_without_the_entry() -> None:
    """Else whoever writes the database could keep a turn out of the chain."""
    engines = some_engines()
    await a_chain(1, engines)
    await engines.table.write(Put(Item(f"{TENANT}/audit_ids", "turn-later", {"seq": 1})))
    with pytest.raises(RecordDamaged):
        await audit.append(engines, TENANT, "turn", {}, entry_id="turn-later")


async def test_entries_are_listed_newest_first_and_by_kind() -> None:
    engines = some_engines()
    for kind in ("turn", "erase", "turn", "export"):
        await audit.append(engines, TENANT, kind, {})
    assert [entry.seq for entry in await audit.newest(engines, TENANT, 2)] == [4, 3]
    assert [entry.seq for entry in await audit.newest(engines, TENANT, 5, "turn")] == [3, 1]


async def test_an_entry_that_was_changed_is_not_shown_as_if_it_were_true() -> None:
    engines = some_engines()
    await a_chain(1, engines)
    table: Any = engines.table
    item = await engines.table.get(keys.audit(TENANT), keys.audit_number(1))
    assert item is not None
    table.spoil(item.partition, item.sort, json.dumps(item.body).replace("turn-000", "turn-001"))
    with pytest.raises(RecordDamaged):
        await audit.newest(engines, TENANT, 1)


async def test_a_chain_on_dynamodb_is_the_same_chain(dynamo: Any, clock: SettableClock) -> None:
    engines = some_engines(clock=clock, table=dynamo)
    await asyncio.gather(*(audit.append(engines, TENANT, "turn", {}, entry_id=f"turn-{n % 6}") for n in range(12)))
    verdict = await verify(engines, TENANT)
    assert (verdict.intact, verdict.entries) == (True, 6)
    clock.move(3651 * DAY)
    await audit.append(engines, TENANT, "turn", {})
    assert (await verify(engines, TENANT)).first == 7
