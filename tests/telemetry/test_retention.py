"""How long records are kept, that a change of it is told in the chain, and that what has expired is really gone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from careline.audit import chain as audit
from careline.audit.verify import verify
from careline.errors import BadRequest
from careline.records import keys
from careline.records.outbox_message import OutboxEntry
from careline.records.record_table import Item, Put
from careline.settings import Settings
from careline.telemetry import retention, turns
from careline.tenants import tenant_records
from careline.tenants.tenant_records import RETENTION_DAYS, Tenant
from tests.builders import some_engines
from tests.engines.storage.test_table import files_with
from tests.fakes import NOW, SettableClock
from tests.telemetry.chains import DAY, TENANT, engines_on

SETTINGS = Settings(home=Path("/nowhere"))


def an_entry(turn_id: str = "turn-1", subject: str | None = "0123456789abcdef") -> OutboxEntry:
    """A turn's record as it waits in the outbox."""
    turn: dict[str, Any] = {
        "turn_id": turn_id, "began_at": NOW.isoformat(), "model": None, "tokens": {}, "cost": 0.0, "channel": "chat",
        "question_redacted": "mag [PERSON_1] bezoek krijgen van Godelieve",
    }  # fmt: skip
    return OutboxEntry(turn_id, TENANT, {"turn": turn, "audit": {"turn_id": turn_id}, "subject": subject})


@pytest.mark.parametrize(("kind", "days"), [("turns", 400), ("billing", 3650), ("audit", 3650)])
async def test_each_record_of_a_turn_is_there_for_its_days_and_then_gone(kind: str, days: int) -> None:
    engines = some_engines(clock=(clock := SettableClock()))
    await turns.keep(an_entry(), engines)
    for day, there in ((days - 1, True), (days, False)):
        clock.time = NOW
        clock.move(day * DAY)
        found = [item async for item in engines.table.query(f"{TENANT}/{kind}")]
        assert (len(found) == 1) is there


async def test_a_tenant_may_keep_records_shorter_or_longer() -> None:
    engines = some_engines(clock=(clock := SettableClock()))
    await retention.change(engines, SETTINGS, TENANT, {"turns": 2})
    await turns.keep(an_entry(), engines)
    clock.move(2 * DAY)
    assert [item async for item in engines.table.query(f"{TENANT}/turns")] == []
    assert len([item async for item in engines.table.query(f"{TENANT}/billing")]) == 1


async def test_a_change_of_retention_keeps_the_rest_of_the_tenant_and_is_told_in_the_chain() -> None:
    engines = some_engines()
    await tenant_records.save(engines.table, Tenant(TENANT, {"nl": "Sint-Anna"}, retention_days={"billing": 2000}))
    await retention.change(engines, SETTINGS, TENANT, {"conversations": 30})
    kept = await tenant_records.tenant(engines.table, TENANT, SETTINGS)
    assert (kept.names, kept.retention_days) == ({"nl": "Sint-Anna"}, {"billing": 2000, "conversations": 30})
    (entry,) = await audit.newest(engines, TENANT, 5)
    assert entry.kind == "retention"
    assert (entry.body["from"]["conversations"], entry.body["to"]) == (90, retention.days(kept))
    assert (await verify(engines, TENANT)).intact


@pytest.mark.parametrize("wrong", [{"visits": 3}, {"turns": 0}, {"audit": -1}, {"audit": 40_000}])
async def test_a_retention_that_cannot_be_meant_is_refused_and_changes_nothing(wrong: dict[str, int]) -> None:
    engines = some_engines()
    with pytest.raises(BadRequest, match="retention"):
        await retention.change(engines, SETTINGS, TENANT, {"turns": 5, **wrong})
    assert await engines.table.get(*keys.tenant(TENANT)) is None
    assert await audit.head(engines, TENANT) is None


def test_a_tenant_that_was_saved_before_there_was_retention_keeps_records_for_the_usual_days() -> None:
    assert retention.days(Tenant("old")) == dict(RETENTION_DAYS)


async def test_a_purge_leaves_no_byte_of_what_has_expired(tmp_path: Path) -> None:
    engines = engines_on(tmp_path / "table.sqlite")
    clock: Any = engines.clock
    await turns.keep(an_entry(), engines)
    assert files_with(tmp_path, b"Godelieve") != []
    clock.move(400 * DAY)
    assert files_with(tmp_path, b"Godelieve") != []
    assert await retention.purge(engines) == 2, "the turn and its place in the person's list"
    assert files_with(tmp_path, b"Godelieve") == []
    assert await retention.purge(engines) == 0
    verdict = await verify(engines, TENANT)
    assert (verdict.intact, verdict.entries) == (True, 1)


async def test_a_purge_is_done_also_when_the_bytes_cannot_be_overwritten_now() -> None:
    engines = some_engines(clock=(clock := SettableClock()))

    async def busy() -> None:
        from careline.errors import TableUnavailable

        raise TableUnavailable("in use")

    engines.table.scrub = busy  # type: ignore[method-assign]
    await engines.table.write(Put(Item("a", "b", {}, expires_at=NOW)))
    clock.move(1)
    assert await retention.purge(engines) == 1


async def test_a_turn_that_is_delivered_twice_is_kept_once_and_not_brought_back_after_an_erasure() -> None:
    engines = some_engines()
    assert await turns.keep(an_entry(), engines)
    assert await turns.keep(an_entry(), engines)
    assert len(await audit.newest(engines, TENANT, 5)) == 1


async def test_an_override_is_an_entry_of_its_own_once() -> None:
    engines = some_engines()
    entry = an_entry()
    entry.body["override"] = {"turn_id": "turn-1", "types": {"PERSON": 1}, "rules": []}
    for _ in range(2):
        await turns.keep(entry, engines)
    assert [one.kind for one in await audit.newest(engines, TENANT, 5)] == ["turn", "phi_override"]
