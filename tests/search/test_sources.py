"""Sources are searched at once, each in a time of its own, and one that fails spoils nothing of the others."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

import pytest

from careline.errors import BadRequest, IndexUnavailable, SourceUnavailable
from careline.model import Hit
from careline.ports import KnowledgeSource, PlannedSearch
from careline.search import retrieval, sources
from careline.search.sources import AT_ONCE, Searches
from tests.fakes import FakeSource
from tests.turn.turns import a_hit

DOWN = IndexUnavailable("down")


@pytest.fixture(autouse=True)
def without_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "GRACE_SECONDS", 0.0)
    monkeypatch.setattr(retrieval, "PAUSE_BEFORE_RETRY", 0.0)


def searches(*given: FakeSource, seconds: float = 5.0) -> Searches:
    held: Mapping[str, KnowledgeSource] = {one.name: one for one in given}
    return Searches(held, seconds)


def for_all(text: str, *given: FakeSource) -> list[PlannedSearch]:
    return [PlannedSearch(one.name, text) for one in given]


async def test_each_search_gets_what_its_source_finds_in_the_order_of_the_plan() -> None:
    guidelines, files = FakeSource("guidelines", a_hit(text="Een.")), FakeSource("files", a_hit(text="Twee."))
    run = searches(files, guidelines)
    found = await run.run(for_all("bezoek", guidelines, files))
    assert [[hit.passage.chunk.text for hit in hits] for hits in found] == [["Een."], ["Twee."]]
    assert run.searched == ("guidelines", "files")
    assert (run.failed, run.nothing_answered) == ({}, False)


async def test_sources_are_asked_at_once_and_no_more_than_five_at_a_time() -> None:
    running = most = 0

    class Counting(FakeSource):
        async def find(self, search: PlannedSearch) -> Sequence[Hit]:
            nonlocal running, most
            running += 1
            most = max(most, running)
            await asyncio.sleep(0.005)
            running -= 1
            return ()

    many = [Counting(f"source-{n}") for n in range(AT_ONCE + 3)]
    await searches(*many).run(for_all("bezoek", *many))
    assert most == AT_ONCE


async def test_a_source_that_fails_once_is_asked_once_more() -> None:
    source = FakeSource("files", a_hit(), faults=[DOWN])
    run = searches(source)
    assert [len(hits) for hits in await run.run(for_all("bezoek", source))] == [1]
    assert (len(source.asked), run.failed) == (2, {})


async def test_a_source_that_fails_twice_is_named_and_the_others_answer() -> None:
    broken, whole = FakeSource("files", faults=[DOWN, DOWN]), FakeSource("guidelines", a_hit())
    run = searches(broken, whole)
    assert [len(hits) for hits in await run.run(for_all("bezoek", broken, whole))] == [0, 1]
    assert (run.failed, run.nothing_answered) == ({"files": DOWN}, False)
    await run.run(for_all("nog iets", broken, whole))
    assert (len(broken.asked), len(whole.asked)) == (2, 2), "who failed is asked no more in the turn"


async def test_where_every_source_fails_nothing_answered() -> None:
    broken = FakeSource("files", faults=[DOWN] * 2)
    run = searches(broken)
    await run.run(for_all("bezoek", broken))
    assert run.nothing_answered


async def test_a_source_that_keeps_no_time_is_given_up_without_waiting_for_it_and_the_others_are_not() -> None:
    slow, quick = FakeSource("slow", is_endless=True), FakeSource("quick", a_hit())
    run = searches(slow, quick, seconds=0.02)
    nothing, found = await asyncio.wait_for(run.run(for_all("bezoek", slow, quick)), 5)
    assert (len(nothing), len(found), len(slow.asked)) == (0, 1, 2)
    assert isinstance(run.failed["slow"], SourceUnavailable)


async def test_a_filter_that_a_source_does_not_have_is_a_mistake_and_no_failure() -> None:
    source = FakeSource("files", faults=[BadRequest("there is no such field")])
    with pytest.raises(BadRequest):
        await searches(source).run(for_all("bezoek", source))
