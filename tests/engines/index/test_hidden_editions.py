"""What a search leaves out is exactly what was not live at one change, however a process comes to know of it."""

from __future__ import annotations

import asyncio
import copy
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from careline.engines.aws.passage_index.hidden_editions import KEPT, Change, Hidden, hidden, written
from careline.engines.aws.passage_index.index_query import PER_CLAUSE, filters, live_clauses
from careline.errors import IndexUnavailable, TableUnavailable
from careline.ports import PassageQuery
from careline.records import keys
from careline.records.record_table import Delete, Item, Put
from tests.emulators.opensearch import Collection, serving
from tests.engines.index.test_opensearch_wire import Rig, some
from tests.fakes import FakeTable

NAMES = ("a", "b", "c", "d")


class Watched(FakeTable):
    """A table that says what it was asked for, and lets somebody write before it answers."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []
        self.meanwhile: Callable[[str], Awaitable[None]] | None = None

    async def query(
        self, partition: str, prefix: str = "", *, after: str = "", descending: bool = False
    ) -> AsyncIterator[Item]:
        self.asked.append(prefix)
        async for item in super().query(partition, prefix, after=after, descending=descending):
            if self.meanwhile is not None:
                await self.meanwhile(prefix)
            yield item


class Log:
    """Changes of one generation, and what is hidden after each."""

    def __init__(self, table: FakeTable) -> None:
        self.table = table
        self.after: list[frozenset[str]] = [frozenset()]

    async def change(self, hides: tuple[str, ...] = (), shows: tuple[str, ...] = ()) -> None:
        await self.table.write(*written("h", 0, self.number + 1, Change(hides, shows)))
        self.after.append((self.after[-1] | set(hides)) - set(shows))

    @property
    def number(self) -> int:
        return len(self.after) - 1


async def test_what_changed_since_is_read_and_the_rest_is_remembered() -> None:
    table = Watched()
    log = Log(table)
    await log.change(hides=("a", "b"))
    first = await hidden(table, "h", 0, log.number, None)
    await log.change(hides=("c",), shows=("a",))
    table.asked.clear()
    second = await hidden(table, "h", 0, log.number, first)
    assert (second.change, second.editions) == (2, {"b", "c"})
    assert table.asked == [keys.CHANGES]
    assert await hidden(table, "h", 0, log.number, second) is second
    assert await hidden(table, "h", 0, 1, second) is second, "what is known is never older than what was asked for"


async def test_after_a_long_silence_the_records_are_read_again_and_the_log_does_not_grow() -> None:
    table = Watched()
    log = Log(table)
    await log.change(hides=("a",))
    held = await hidden(table, "h", 0, log.number, None)
    for _ in range(KEPT):
        await log.change(hides=("b",))
        await log.change(shows=("b",))
    found = await hidden(table, "h", 0, log.number, held)
    assert found == Hidden(0, log.number, frozenset("a"))
    assert keys.HIDDEN in table.asked
    assert len([one async for one in table.query(keys.editions("h", 0), keys.CHANGES)]) == KEPT


async def test_changes_while_the_records_are_read_are_followed_to_one_moment() -> None:
    """"a" was read as hidden, "z" is read after it took the place of "m"."""
    table = Watched()
    log = Log(table)
    await log.change(hides=("a", "m"))

    async def swap(prefix: str) -> None:
        if prefix == keys.HIDDEN:
            table.meanwhile = None
            await log.change(hides=("z",), shows=("m",))

    table.meanwhile = swap
    found = await hidden(table, "h", 0, 1, None)
    assert (found.change, found.editions) == (2, {"a", "z"})


@pytest.mark.parametrize("begins", ["at first", "from memory"])
async def test_a_change_that_the_table_does_not_show_yet_is_waited_for(begins: str) -> None:
    """DynamoDB may show the corpus of a transaction before its other items."""
    table = Watched()
    log = Log(table)
    await log.change(hides=("a",))
    held = await hidden(table, "h", 0, 1, None) if begins == "from memory" else None
    looked = 0

    async def late(_: str) -> None:
        nonlocal looked
        looked += 1
        if looked == 3:
            table.meanwhile = None
            await log.change(hides=("z",), shows=("a",))

    table.meanwhile = late
    again = asyncio.create_task(_asking_on(table))
    found = await hidden(table, "h", 0, 2, held)
    again.cancel()
    assert (found.change, found.editions) == (2, {"z"})


async def _asking_on(table: Watched) -> None:
    """Others that ask the table, too."""
    while True:
        async for _ in table.query(keys.editions("h", 0), keys.CHANGES):
            pass
        await asyncio.sleep(0.02)


async def test_a_set_is_never_that_of_a_change_which_the_log_does_not_have() -> None:
    table = FakeTable()
    log = Log(table)
    await log.change(hides=("a",))
    with pytest.raises(TableUnavailable, match="cannot be told"):
        await hidden(table, "h", 0, 2, None)
    with pytest.raises(TableUnavailable, match="cannot be told"):
        await hidden(table, "h", 0, 2, await hidden(table, "h", 0, 1, None))


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from(NAMES), st.booleans(), st.booleans()), max_size=30))
async def test_whoever_follows_knows_at_each_change_what_is_hidden(steps: list[tuple[str, bool, bool]]) -> None:
    table = FakeTable()
    log, held = Log(table), None
    for name, hides, looks in steps:
        await log.change(**{"hides" if hides else "shows": (name,)})
        if looks:
            held = await hidden(table, "h", 0, log.number, held)
            assert held.editions == log.after[held.change]
            assert (await hidden(table, "h", 0, log.number, None)).editions == held.editions


def test_more_editions_than_a_clause_takes_stand_in_several() -> None:
    names = frozenset(f"{number:06d}" for number in range(2 * PER_CLAUSE + 1))
    clauses = filters(PassageQuery("h", "x", None), live_clauses("h", Hidden(0, 7, names)))["must_not"]
    assert [len(one["terms"]["edition"]) for one in clauses] == [PER_CLAUSE, PER_CLAUSE, 1]


@pytest.fixture(name="collection")
def a_collection() -> Iterator[Collection]:
    pytest.importorskip("opensearchpy")
    with serving() as collection:
        yield collection


async def test_a_search_that_began_before_a_document_came_sees_none_of_it(collection: Collection) -> None:
    """The table as it was when the search began, and the collection as it is by then."""
    table = FakeTable()
    writer = Rig(collection, table)
    await writer.live("brochure-1", 1, "oud")
    began = Rig(collection, copy.deepcopy(table))
    assert await began.find("oud") == ["oud"]
    await writer.live("brochure-1", 2, "nieuw")
    await writer.live("faq-1", 1, "ander")
    await writer.index.add(*some("faq-2", 1, "nog niet"))
    assert await began.find("oud nieuw ander") == ["oud"]
    assert sorted(await writer.find("oud nieuw ander nog niet")) == ["ander", "nieuw"]


async def test_a_passage_that_was_lost_and_added_again_belongs_to_its_live_version(collection: Collection) -> None:
    rig = Rig(collection, FakeTable())
    await rig.live("brochure-1", 1, "een", "twee")
    before = await rig.index.corpus_version("a")
    collection.visible.popitem()
    await rig.index.add(*some("brochure-1", 1, "een", "twee"))
    assert sorted(await rig.find("een twee")) == ["een", "twee"]
    assert await rig.index.corpus_version("a") == before


async def test_a_corpus_of_an_earlier_version_is_told_and_mended_by_building_it_again(collection: Collection) -> None:
    table = FakeTable()
    rig = Rig(collection, table)
    await rig.live("brochure-1", 1, "een")
    item = await table.get(*keys.corpus("a"))
    assert item is not None
    earlier: dict[str, Any] = {name: value for name, value in item.body.items() if name != "changes"}
    await table.write(Put(replace(item, body=earlier)))
    with pytest.raises(IndexUnavailable, match="careline reindex"):
        await rig.find("een")
    assert await rig.index.corpus_version("a") == item.body["version"]
    await rig.index.clear("a")
    await rig.live("brochure-1", 1, "een")
    assert await rig.find("een") == ["een"]


async def test_what_began_before_a_clear_begins_again_after_it(collection: Collection) -> None:
    rig = Rig(collection, FakeTable())
    passages, vectors = some("brochure-1", 1, "een")
    collection.refresh_at_once = False
    await rig.index.add(passages, vectors)

    async def clear() -> None:
        rig.before_refresh = None
        await rig.index.clear("a")

    rig.before_refresh = clear
    with pytest.raises(IndexUnavailable, match="cleared meanwhile"):
        await rig.index.activate("a", "brochure-1", 1)
    collection.refresh_at_once = True
    collection.refresh()
    await rig.live("brochure-1", 1, "een")
    assert await rig.find("een") == ["een"]


async def test_a_search_that_meets_a_clear_finds_nothing_that_was_hidden(collection: Collection) -> None:
    table = FakeTable()
    rig = Rig(collection, table)
    await rig.live("brochure-1", 1, "oud")
    await rig.live("brochure-1", 2, "nieuw")
    assert await rig.find("oud nieuw") == ["nieuw"]
    await rig.index.add(*some("faq-1", 1, "nog niet"))
    place = keys.editions("a", 0)
    gone = [item.sort async for item in table.query(place) if item.sort.startswith((keys.HIDDEN, keys.CHANGES))]
    await table.write(*(Delete(place, sort) for sort in gone))
    with pytest.raises(IndexUnavailable):
        await rig.find("oud nieuw nog niet")


async def test_where_the_index_is_out_of_reach_it_is_cleared_all_the_same_and_swept_by_later_activations(
    collection: Collection,
) -> None:
    """As by whoever runs a command from outside of the network."""
    table = FakeTable()
    rig = Rig(collection, table)
    await rig.live("brochure-1", 1, "oud")
    collection.refuse_requests = [403]
    await rig.index.clear("a")
    assert await rig.find("oud") == []
    assert len(collection.visible) == 1
    await rig.live("brochure-1", 1, "nieuw")
    await rig.live("faq-1", 1, "ander")
    assert sorted(one["text"] for one in collection.visible.values()) == ["ander", "nieuw"]
    assert not (await table.get(*keys.corpus("a"))).body["has_earlier"]  # type: ignore[union-attr]


async def test_a_table_of_yesterday_is_refused_and_begins_a_generation_that_the_index_has_not_seen(
    collection: Collection,
) -> None:
    table = FakeTable()
    rig = Rig(collection, table)
    await rig.live("brochure-1", 1, "oud")
    yesterday = copy.deepcopy(table)
    await rig.live("brochure-1", 2, "nieuw")
    await rig.live("faq-1", 1, "later")
    restored = Rig(collection, yesterday)
    with pytest.raises(IndexUnavailable, match="not of one time"):
        await restored.find("oud nieuw later")
    with pytest.raises(IndexUnavailable, match="not of one time"):
        await restored.live("page-0", 1, "blad 0")
    await restored.index.clear("a")
    await restored.live("brochure-1", 1, "oud")
    for number in range(4):
        await restored.live(f"page-{number}", 1, f"blad {number}")
    assert {"oud", "nieuw", "later"} & set(await restored.find("oud nieuw later")) == {"oud"}


async def test_a_table_from_before_the_index_was_built_again_is_refused(collection: Collection) -> None:
    table = FakeTable()
    rig = Rig(collection, table)
    await rig.live("brochure-1", 1, "oud")
    before = copy.deepcopy(table)
    await rig.index.clear("a")
    await rig.live("brochure-1", 1, "oud")
    with pytest.raises(IndexUnavailable, match="not of one time"):
        await Rig(collection, before).find("oud")


async def test_what_cannot_be_swept_is_found_all_the_same(collection: Collection) -> None:
    rig = Rig(collection, FakeTable())
    await rig.live("brochure-1", 1, "oud")
    collection.refuse_requests = [403]
    await rig.index.clear("a")
    await rig.index.add(*some("brochure-1", 1, "nieuw"))
    answer = collection.answer

    def refusing(method: str, path: str, body: bytes) -> Any:
        return (429, {"error": {"type": "busy"}}) if b"must_not" in body else answer(method, path, body)

    collection.answer = refusing  # type: ignore[method-assign]
    await rig.index.activate("a", "brochure-1", 1)
    collection.answer = answer  # type: ignore[method-assign]
    assert await rig.find("nieuw") == ["nieuw"]


async def test_an_edition_that_went_live_meanwhile_is_not_hidden_again(collection: Collection) -> None:
    """Two runs of one stage at once, of which one reads before the other's activation is shown whole."""
    table = Stale()
    rig = Rig(collection, table)
    await rig.live("brochure-1", 1, "een")
    table.without = {keys.live_edition("a", 0, "brochure-1")}
    await rig.index.add(*some("brochure-1", 1, "een"))
    await rig.index.activate("a", "brochure-1", 1)
    assert await rig.find("een") == ["een"]


class Stale(FakeTable):
    """A table that once does not show what was written."""

    def __init__(self) -> None:
        super().__init__()
        self.without: set[tuple[str, str]] = set()

    async def get(self, partition: str, sort: str) -> Item | None:
        if (partition, sort) in self.without:
            self.without.discard((partition, sort))
            return None
        return await super().get(partition, sort)
