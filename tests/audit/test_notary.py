"""Heads that are noted elsewhere find what a chain cannot tell of itself: that it was cut back, or written anew."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from careline.audit import chain as audit
from careline.audit.notary import HeadNotary, verify_noted
from careline.audit.verify import verify
from careline.errors import RecordDamaged
from careline.ports import Engines, NotedHead
from careline.records import keys
from careline.records.record_table import Item, Put
from careline.tenants import tenant_records
from careline.tenants.tenant_records import Tenant
from tests.builders import some_engines
from tests.fakes import FakeNotedHeads, SettableClock
from tests.telemetry.chains import DAY, TENANT, a_chain, engines_on


@pytest.fixture
def engines() -> Engines:
    return some_engines(clock=SettableClock(), noted_heads=FakeNotedHeads())


def notary_of(engines: Engines) -> HeadNotary:
    assert engines.noted_heads is not None
    return HeadNotary(engines.table, engines.key, engines.noted_heads)


async def test_the_newest_entry_is_what_is_noted(engines: Engines) -> None:
    *_, last = await a_chain(3, engines)
    assert await notary_of(engines).note(TENANT) == last
    assert [str(link) for link in await notary_of(engines).noted(TENANT)] == [str(last)]


async def test_an_empty_chain_has_nothing_to_note(engines: Engines) -> None:
    assert await notary_of(engines).note(TENANT) is None
    assert await notary_of(engines).noted(TENANT) == []


async def test_every_hospital_is_noted_and_one_without_a_record_too(engines: Engines) -> None:
    await tenant_records.save(engines.table, Tenant("sint-jan"))
    for tenant in ("sint-jan", "default"):
        await a_chain(1, engines, tenant)
    assert await notary_of(engines).note_all(["default", "sint-jan"]) == 2


async def test_a_damaged_head_is_told_after_the_others_were_noted_and_is_noted_nowhere(engines: Engines) -> None:
    for tenant in ("sint-anna", "sint-jan"):
        await tenant_records.save(engines.table, Tenant(tenant))
        await a_chain(1, engines, tenant)
    await engines.table.write(Put(Item(*keys.audit_head("sint-anna"), {"sealed": "{}", "hash": "0"})))
    with pytest.raises(RecordDamaged):
        await notary_of(engines).note_all([])
    assert await notary_of(engines).noted("sint-anna") == []
    assert len(await notary_of(engines).noted("sint-jan")) == 1


async def test_verification_compares_with_every_head_and_notes_a_newer_one(engines: Engines) -> None:
    await a_chain(2, engines)
    first = await verify_noted(engines, TENANT)
    assert (first.intact, first.noted) == (True, 0)
    await audit.append(engines, TENANT, "turn", {})
    second = await verify_noted(engines, TENANT)
    assert (second.intact, second.noted, second.to_json()["noted"]) == (True, 1, 1)
    assert [link.seq for link in await notary_of(engines).noted(TENANT)] == [2, 3]


async def test_a_database_that_was_put_back_is_intact_by_itself_and_found_by_a_noted_head(tmp_path: Path) -> None:
    file = tmp_path / "table.sqlite"
    engines = replace(engines_on(file), noted_heads=FakeNotedHeads())
    await a_chain(2, engines)
    before = [item async for item in engines.table.query(keys.audit(TENANT))]
    head = await engines.table.get(*keys.audit_head(TENANT))
    assert head is not None
    await audit.append(engines, TENANT, "erase", {})
    await notary_of(engines).note(TENANT)
    other = replace(some_engines(clock=engines.clock), noted_heads=engines.noted_heads, read_key=engines.read_key)
    for item in (*before, head):
        await other.table.write(Put(Item(item.partition, item.sort, item.body, expires_at=item.expires_at)))
    assert (await verify(other, TENANT)).intact
    verdict = await verify_noted(other, TENANT)
    assert not verdict.intact
    assert verdict.fault is not None
    assert verdict.fault.seq == 3


async def test_a_chain_that_was_written_anew_with_the_key_does_not_fit_what_was_noted(engines: Engines) -> None:
    await a_chain(3, engines)
    await notary_of(engines).note(TENANT)
    anew = replace(some_engines(clock=engines.clock), noted_heads=engines.noted_heads, read_key=engines.read_key)
    for n in range(3):
        await audit.append(anew, TENANT, "turn", {"n": -n}, entry_id=f"turn-{n:03d}")
    assert (await verify(anew, TENANT)).intact
    verdict = await verify_noted(anew, TENANT)
    assert verdict.fault is not None
    assert (verdict.fault.seq, verdict.noted) == (3, None)


async def test_a_chain_that_does_not_fit_is_not_noted(engines: Engines) -> None:
    await a_chain(2, engines)
    assert engines.noted_heads is not None
    await engines.noted_heads.note(TENANT, NotedHead(1, "0" * 64))
    assert not (await verify_noted(engines, TENANT)).intact
    assert [link.seq for link in await notary_of(engines).noted(TENANT)] == [1]


async def test_heads_of_entries_that_expired_do_no_harm(engines: Engines) -> None:
    clock = engines.clock
    assert isinstance(clock, SettableClock)
    await a_chain(2, engines)
    await notary_of(engines).note(TENANT)
    clock.move(4000 * DAY)
    await a_chain(0, engines)
    await audit.append(engines, TENANT, "turn", {})
    verdict = await verify_noted(engines, TENANT)
    assert (verdict.intact, verdict.noted) == (True, 1)


async def test_where_heads_are_noted_nowhere_the_chain_is_verified_by_itself() -> None:
    engines = some_engines()
    await a_chain(1, engines)
    verdict = await verify_noted(engines, TENANT)
    assert (verdict.intact, verdict.noted) == (True, None)
