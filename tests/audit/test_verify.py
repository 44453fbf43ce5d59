"""Whatever somebody does to the stored chain without the key is found, and the first entry that does not fit named."""

from __future__ import annotations

import asyncio
import json
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from careline.audit import chain as audit
from careline.audit.chain import Link
from careline.audit.verify import read_anchor, verify
from careline.errors import BadRequest, CarelineError
from careline.ports import Engines
from careline.records import keys
from careline.records.record_table import Item, Put
from tests.builders import some_engines
from tests.fakes import SettableClock
from tests.telemetry.chains import DAY, TENANT, Behind, a_chain, engines_on

LENGTH = 4


class Victim:
    """A chain in a file that stays, whose records are put back after each attack."""

    def __init__(self, folder: Path) -> None:
        self.engines = engines_on(folder / "table.sqlite")
        self.behind = Behind(folder / "table.sqlite")
        asyncio.run(a_chain(LENGTH, self.engines))
        partitions = (f"{TENANT}/audit", f"{TENANT}/audit_head")
        self.stored = [row for partition in partitions for row in self.behind.stored(partition)]
        self.rows = self.behind.run("SELECT * FROM items")

    def restore(self) -> None:
        self.behind.run("DELETE FROM items")
        for row in self.rows:
            self.behind.run("INSERT INTO items VALUES (?, ?, ?, ?, ?)", *row)

    def fault(self) -> str | None:
        verdict = asyncio.run(verify(self.engines, TENANT))
        return f"{verdict.fault.seq} {verdict.fault.why}" if verdict.fault else None


@pytest.fixture(scope="module")
def victim() -> Any:
    with tempfile.TemporaryDirectory() as folder:
        made = Victim(Path(folder))
        assert made.fault() is None
        yield made


@given(st.data())
@settings(max_examples=400, deadline=None)
def test_any_one_changed_byte_of_any_stored_body_is_found(victim: Victim, data: st.DataObject) -> None:
    partition, sort, body = data.draw(st.sampled_from(victim.stored))
    place = data.draw(st.integers(0, len(body) - 1))
    changed = data.draw(st.integers(0, 255).filter(lambda byte: byte != body[place]))
    victim.behind.put_body(sort, body[:place] + bytes([changed]) + body[place + 1 :], partition)
    fault = victim.fault()
    victim.behind.put_body(sort, body, partition)
    assert fault is not None
    if partition.endswith("/audit"):
        assert fault.startswith(f"{int(sort)} "), "the entry that was changed is the first that does not fit"


def test_every_flipped_bit_of_every_byte_of_an_entry_and_of_the_head_is_found(victim: Victim) -> None:
    for partition, sort, body in (victim.stored[1], victim.stored[-1]):
        for place in range(len(body)):
            flipped = body[:place] + bytes([body[place] ^ (1 << place % 8)]) + body[place + 1 :]
            victim.behind.put_body(sort, flipped, partition)
            assert victim.fault() is not None, (sort, place)
        victim.behind.put_body(sort, body, partition)
    assert victim.fault() is None


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_any_one_changed_byte_of_any_sort_key_is_found(victim: Victim, data: st.DataObject) -> None:
    partition, sort, _ = data.draw(st.sampled_from(victim.stored))
    key = sort.encode()
    place = data.draw(st.integers(0, len(key) - 1))
    changed = data.draw(st.integers(0, 255).filter(lambda byte: byte != key[place]))
    moved = key[:place] + bytes([changed]) + key[place + 1 :]
    victim.behind.run(
        "UPDATE OR REPLACE items SET sort = CAST(? AS TEXT) WHERE partition = ? AND sort = ?", moved, partition, sort
    )
    fault = victim.fault()
    victim.restore()
    assert fault is not None


HERE, HEAD = f"partition = '{TENANT}/audit'", f"partition = '{TENANT}/audit_head'"
PUT = f"INSERT INTO items SELECT partition, '{{}}', {{}}, 1, expires_at FROM items WHERE {HERE} AND sort LIKE '%4'"
OTHER = f"(SELECT body FROM items WHERE {HERE} AND sort LIKE '%{{}}')"
ATTACKS = {
    "the first entry is removed": (f"DELETE FROM items WHERE {HERE} AND sort LIKE '%1'", "1 is missing although"),
    "one in the middle is removed": (f"DELETE FROM items WHERE {HERE} AND sort LIKE '%3'", "3 is missing"),
    "the last is removed": (f"DELETE FROM items WHERE {HERE} AND sort LIKE '%4'", "4 is missing"),
    "all entries are removed": (f"DELETE FROM items WHERE {HERE}", "None is missing"),
    "the head is removed": (f"DELETE FROM items WHERE {HEAD}", "4 has no head"),
    "the head is made to expire": (f"UPDATE items SET expires_at = 1 WHERE {HEAD}", "4 has no head"),
    "one goes to another tenant": (f"UPDATE items SET partition = 'x' WHERE {HERE} AND sort LIKE '%2'", "2 is missing"),
    "the first is made to expire": (f"UPDATE items SET expires_at = 1 WHERE {HERE} AND sort LIKE '%1'", "1 is missing"),
    "another is made to expire": (f"UPDATE items SET expires_at = 1 WHERE {HERE} AND sort LIKE '%2'", "2 is missing"),
    "the last is made to expire": (f"UPDATE items SET expires_at = 1 WHERE {HERE} AND sort LIKE '%4'", "4 is missing"),
    "one is kept for ever": (f"UPDATE items SET expires_at = NULL WHERE {HERE} AND sort LIKE '%2'", "2 has another"),
    "all are kept longer": (f"UPDATE items SET expires_at = expires_at + 86400 WHERE {HERE}", "1 has another expiry"),
    "one was written again": (f"UPDATE items SET revision = 2 WHERE {HERE} AND sort LIKE '%3'", "3 was written again"),
    "one is put over another": (
        f"UPDATE items SET body = {OTHER.format(3)} WHERE {HERE} AND sort LIKE '%2'", "2 stands where another",
    ),
    "a copy is added at the end": (PUT.format("000000000005", "body"), "5 stands where another"),
    "something else is put between": (PUT.format("000000000002x", "'{}'"), "3 is missing"),
    "something else is put before": (PUT.format(" ", "'{}'"), "None "),
}  # fmt: skip


@pytest.mark.parametrize("attack", ATTACKS)
def test_what_is_done_behind_the_port_is_found_and_the_entry_named(victim: Victim, attack: str) -> None:
    sql, expected = ATTACKS[attack]
    victim.behind.run(sql)
    fault = victim.fault()
    victim.restore()
    assert fault is not None
    assert fault.startswith(expected), fault
    assert victim.fault() is None


async def test_whoever_can_write_the_database_cannot_seal_a_chain_of_their_own() -> None:
    engines = some_engines()
    await a_chain(3, engines)
    forger = replace(engines, read_key=lambda: bytes(32))
    table: Any = engines.table
    forged = some_engines(clock=engines.clock, read_key=lambda: bytes(32))
    await a_chain(3, forged)
    for partition, sort in [(keys.audit(TENANT), keys.audit_number(n)) for n in (1, 2, 3)]:
        item = await forged.table.get(partition, sort)
        assert item is not None
        table.spoil(partition, sort, json.dumps(item.body))
    assert (await verify(forger, TENANT)).intact is False, "the head is still the true one"
    verdict = await verify(engines, TENANT)
    assert verdict.fault is not None
    assert (verdict.fault.seq, "sealed" in verdict.fault.why) == (1, True)


async def test_entries_of_one_tenant_do_not_pass_for_those_of_another() -> None:
    engines = some_engines()
    await a_chain(2, engines, "a")
    await a_chain(2, engines, "b")
    table: Any = engines.table
    item = await engines.table.get("a/audit", keys.audit_number(1))
    assert item is not None
    table.spoil("b/audit", keys.audit_number(1), json.dumps(item.body))
    verdict = await verify(engines, "b")
    assert verdict.fault is not None
    assert verdict.fault.seq == 1


async def test_a_chain_that_was_removed_whole_is_missed_because_turns_are_recorded(tmp_path: Path) -> None:
    engines = some_engines()
    await engines.table.write(Put(Item(f"{TENANT}/turns", "turn-1", {})))
    verdict = await verify(engines, TENANT)
    assert verdict.fault is not None
    assert "whole chain" in verdict.fault.why


async def test_an_empty_chain_has_nothing_to_verify_and_is_not_called_intact() -> None:
    verdict = await verify(some_engines(), TENANT)
    assert (verdict.nothing, verdict.entries, verdict.head) == ("there are no entries yet", 0, None)
    told = verdict.to_json()
    assert (told["intact"], told["nothing"], told["first"]) == (None, "there are no entries yet", None)


async def test_a_chain_with_an_entry_is_called_intact() -> None:
    engines = some_engines()
    await a_chain(1, engines)
    told = (await verify(engines, TENANT)).to_json()
    assert (told["intact"], told["nothing"], told["entries"]) == (True, None, 1)


@pytest.mark.parametrize("expired", [0, 1, 2, 3])
async def test_a_chain_whose_beginning_has_expired_is_intact(expired: int, tmp_path: Path) -> None:
    engines = engines_on(tmp_path / "table.sqlite")
    clock: Any = engines.clock
    links = []
    for _ in range(3):
        link = await audit.append(engines, TENANT, "turn", {})
        assert link is not None
        links.append(link)
        clock.move(DAY)
    clock.move((3650 - 3 + expired - 1) * DAY + 1)
    for purged in (False, True):
        if purged:
            await engines.table.purge()
        verdict = await verify(engines, TENANT)
        assert (verdict.intact, verdict.entries, verdict.fault) == (True, 3 - expired, None)
        assert verdict.head == links[-1]
    following = await audit.append(engines, TENANT, "turn", {})
    assert following is not None
    assert following.seq == 4, "numbers go on"
    assert (await verify(engines, TENANT)).intact


async def test_a_hole_after_an_expired_beginning_is_found(tmp_path: Path) -> None:
    engines, behind = engines_on(tmp_path / "table.sqlite"), Behind(tmp_path / "table.sqlite")
    clock: Any = engines.clock
    for _ in range(5):
        await audit.append(engines, TENANT, "turn", {})
        clock.move(DAY)
    clock.move(3646 * DAY)
    verdict = await verify(engines, TENANT)
    assert (verdict.intact, verdict.first) == (True, 3)
    behind.run("DELETE FROM items WHERE partition = ? AND sort = ?", f"{TENANT}/audit", keys.audit_number(3))
    verdict = await verify(engines, TENANT)
    assert verdict.fault is not None
    assert verdict.fault.seq == 3


async def a_truncated_chain(folder: Path) -> tuple[Engines, list[Link]]:
    """A chain of five whose last two entries were removed, with the head put back as it was then."""
    engines, behind = engines_on(folder / "table.sqlite"), Behind(folder / "table.sqlite")
    links = await a_chain(3, engines)
    ((_, _, head),) = behind.stored(f"{TENANT}/audit_head")
    for _ in range(2):
        link = await audit.append(engines, TENANT, "turn", {})
        assert link is not None
        links.append(link)
    behind.run("DELETE FROM items WHERE partition = ? AND sort > ?", f"{TENANT}/audit", keys.audit_number(3))
    behind.put_body("head", head, f"{TENANT}/audit_head")
    return engines, links


async def test_a_chain_that_was_cut_back_to_an_older_head_is_found_with_a_head_noted_elsewhere(tmp_path: Path) -> None:
    engines, links = await a_truncated_chain(tmp_path)
    assert (await verify(engines, TENANT)).intact, "by itself it looks whole"
    verdict = await verify(engines, TENANT, links[4])
    assert verdict.fault is not None
    assert verdict.fault.seq == 4
    assert (await verify(engines, TENANT, links[1])).anchor == "found"


async def test_a_chain_that_was_begun_anew_is_found_with_a_head_noted_elsewhere(tmp_path: Path) -> None:
    engines, behind = engines_on(tmp_path / "table.sqlite"), Behind(tmp_path / "table.sqlite")
    links = await a_chain(3, engines)
    behind.run("DELETE FROM items")
    assert (await verify(engines, TENANT, links[2])).fault is not None
    for n in range(4):
        await audit.append(engines, TENANT, "turn", {"other": n})
    verdict = await verify(engines, TENANT, links[2])
    assert verdict.fault is not None
    assert verdict.fault.seq == 3


async def test_a_noted_head_that_has_expired_since_is_said_to_have(tmp_path: Path) -> None:
    engines = some_engines(clock=(clock := SettableClock()))
    links = await a_chain(2, engines)
    clock.move(3600 * DAY)
    await audit.append(engines, TENANT, "turn", {})
    clock.move(100 * DAY)
    assert (await verify(engines, TENANT, links[1])).anchor == "found", "the entry after it names it"
    assert (await verify(engines, TENANT, links[0])).anchor == "expired"
    wrong = await verify(engines, TENANT, replace(links[1], hash="0" * 64))
    assert wrong.fault is not None


async def test_a_chain_that_grows_while_it_is_read_is_intact() -> None:
    engines = some_engines()
    await a_chain(30, engines)
    more = [audit.append(engines, TENANT, "turn", {}) for _ in range(10)]
    verdicts = await asyncio.gather(verify(engines, TENANT), *more, verify(engines, TENANT))
    assert verdicts[0].fault is None  # type: ignore[union-attr]
    assert verdicts[-1].fault is None  # type: ignore[union-attr]


async def test_with_another_key_nothing_fits_and_that_is_said() -> None:
    engines = some_engines()
    await a_chain(2, engines)
    verdict = await verify(replace(engines, read_key=lambda: bytes(32)), TENANT)
    assert verdict.fault is not None
    assert "another key" in verdict.fault.why


def test_a_head_is_read_as_it_is_printed() -> None:
    link = Link(17, "0f" * 32)
    assert read_anchor(str(link)) == link


@pytest.mark.parametrize(
    "wrong", ["", "17", "17:", ":" + "0" * 64, "0:" + "0" * 64, "x:" + "0" * 64, "1:" + "0" * 63, "²:" + "0" * 64]
)
def test_what_is_no_head_is_refused(wrong: str) -> None:
    with pytest.raises(BadRequest):
        read_anchor(wrong)


def test_a_flipped_byte_in_the_database_file_itself_is_never_passed_over(tmp_path: Path) -> None:
    """Whatever the file's format makes of it: the chain does not fit, or the file cannot be read."""
    file = tmp_path / "table.sqlite"

    async def made() -> None:
        engines = engines_on(file)
        await a_chain(3, engines)
        await engines.table.scrub()
        engines.table.close()  # type: ignore[attr-defined]

    asyncio.run(made())
    content = file.read_bytes()
    # The lowest of the cells that count is the head's: its keys, its body, then the entries up to the page's end.
    start = content.index(b'{"sealed"') - len(f"{TENANT}/audit_headhead")
    passed = []
    for place in range(start, start + content[start:].rindex(b'{"sealed"') + 300, 5):
        (tmp_path / "table.sqlite-wal").unlink(missing_ok=True)
        (tmp_path / "table.sqlite-shm").unlink(missing_ok=True)
        file.write_bytes(content[:place] + bytes([content[place] ^ 0x21]) + content[place + 1 :])
        if _passes(file):
            passed.append(place)
    assert passed == []


def _passes(file: Path) -> bool:
    """Whether the chain in a file is called intact; a file that cannot be read is not."""
    engines = engines_on(file)
    try:
        return asyncio.run(verify(engines, TENANT)).intact
    except CarelineError:
        return False
    finally:
        engines.table.close()  # type: ignore[attr-defined]
