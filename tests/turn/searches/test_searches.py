"""Whatever a turn searches for it searches for in `retrieve`, and the answer says where it looked."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from careline.errors import IndexUnavailable
from careline.installation import Installation
from careline.ports import PlannedSearch
from careline.turn import pipeline
from careline.turn.stages.search.retrieve import CANDIDATES, retrieve
from careline.turn.turn import Turn
from tests.builders import a_passage
from tests.fake_index import FakeIndex
from tests.fakes import FakeDetector, FakeSource
from tests.turn.turns import (
    TENANT,
    WatchedIndex,
    a_hit,
    a_hospital,
    a_turn,
    an_installation,
    answer,
    ask,
    with_passages,
)


class CountingIndex:
    """An index that notes in which stage each of its methods is called; none is named outside of a turn's stages."""

    def __init__(self) -> None:
        self._inner = FakeIndex()
        self.stage: str | None = None
        self.called: list[tuple[str, str | None]] = []
        self.is_watching = False

    def __getattr__(self, name: str) -> Any:
        called = getattr(self._inner, name)
        if not callable(called):
            return called

        def counted(*given: Any, **named: Any) -> Any:
            if self.is_watching:
                self.called.append((name, self.stage))
            return called(*given, **named)

        return counted


def watched(monkeypatch: pytest.MonkeyPatch, index: CountingIndex) -> None:
    """Has the index know which stage runs."""

    def noted(stage: pipeline.Stage) -> pipeline.Stage:
        async def run(turn: Turn, installation: Installation) -> Turn:
            index.stage = stage.__name__
            try:
                return await stage(turn, installation)
            finally:
                index.stage = None

        run.__name__ = stage.__name__
        return run

    monkeypatch.setattr(pipeline, "STAGES", tuple(noted(stage) for stage in pipeline.STAGES))
    index.is_watching = True


TURNS: dict[str, tuple[dict[str, Any], list[str]]] = {
    "a question": ({}, ["wanneer is er bezoek"]),
    "a question by a language model": (
        {"answers": ["Bezoek is welkom van 14 tot 20 uur [1]."]},
        ["wanneer is er bezoek"],
    ),
    "one whose model fails": ({"answers": [""]}, ["wanneer is er bezoek"]),
    "one on the phone": ({"channel": "voice"}, ["wanneer is er bezoek"]),
    "a follow-up": ({}, ["wanneer is er bezoek", "en op zondag"]),
    "one with a name that is published": ({"names": ["De Vlasgaard"]}, ["hoeveel bedden heeft De Vlasgaard"]),
    "one with a name that is not": ({"names": ["Jan Peeters"]}, ["wanneer mag Jan Peeters bezoek krijgen"]),
    "one that no document answers": ({}, ["zingt de kapper graag"]),
    "a request that is refused": ({}, ["hoeveel paracetamol mag ik nemen"]),
    "one for what is published alone": ({}, ["wanneer mag mijn gips weer nat worden"]),
    "of a clinician": ({"pack": "clinical_assistant"}, ["wat kost parkeren"]),
}


@pytest.mark.parametrize("kind", TURNS)
async def test_every_call_of_the_index_in_a_turn_is_made_by_retrieve(
    monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    chosen, questions = TURNS[kind]
    chosen, index = dict(chosen), CountingIndex()
    detector, said = FakeDetector(*chosen.pop("names", ())), chosen.pop("answers", None)
    installation = await a_hospital(*([said] * len(questions) if said else ()), detector=detector, index=index)
    if said is None:
        installation = replace(installation, engines=replace(installation.engines, model=None))
    await with_passages(
        installation,
        a_passage("Campus De Vlasgaard heeft 30 bedden.", tenant=TENANT, doc_key="brochure-campus"),
        a_passage("Houd het gips droog; het mag nooit nat worden.", tenant=TENANT, doc_key="brochure-gips"),
    )
    watched(monkeypatch, index)
    for question in questions:
        made = answer(await ask(installation, question, conversation_id="talk", **chosen))
        assert made.disposition
    assert {stage for _, stage in index.called} <= {"retrieve"}
    assert bool(index.called) is (kind != "a request that is refused")


async def test_names_are_looked_for_at_once_and_before_the_question() -> None:
    index = WatchedIndex()
    names = ("Jan Peeters", "Els Claes")
    installation = an_installation(index=index, detector=FakeDetector(*names))
    await ask(installation, "mogen Jan Peeters en Els Claes samen op bezoek komen")
    *first, last = index.asked
    assert [query.text for query in first] == list(names)
    assert all(query.vector is None for query in first)
    assert not any(name in last.text for name in names)
    assert last.limit == CANDIDATES


async def test_what_was_planned_before_is_searched_with_the_question_and_told_in_the_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    guidelines = FakeSource("guidelines", a_hit(text="Bezoek is welkom volgens de richtlijn.", doc_key="richtlijn"))
    search = PlannedSearch("guidelines", "bezoek", filters={"audience": ("public",)}, limit=3)

    async def plan(turn: Turn, installation: Installation) -> Turn:
        return replace(turn, searches=(search,))

    stages = list(pipeline.STAGES)
    stages.insert(stages.index(retrieve), plan)
    monkeypatch.setattr(pipeline, "STAGES", tuple(stages))
    installation = await a_hospital(["Bezoek is welkom van 14 tot 20 uur [1]."], sources=(guidelines,))
    made = answer(await ask(installation, "wanneer is er bezoek"))
    assert guidelines.asked == [search]
    assert made.sources_searched == ["knowledge_base", "guidelines"]


async def test_a_source_that_fails_is_named_and_what_the_others_found_is_kept() -> None:
    down = IndexUnavailable("down")
    guidelines = FakeSource("guidelines", faults=[down, down])
    installation = await with_passages(an_installation(sources=(guidelines,)), a_passage("Bezoek.", tenant=TENANT))
    turn = await retrieve(a_turn("bezoek", searches=(PlannedSearch("guidelines", "bezoek"),)), installation)
    assert len(turn.hits) == 1
    assert not turn.is_decided
    assert [(one.code, one.message) for one in turn.warnings] == [
        ("SOURCE_UNAVAILABLE", "The guidelines could not be searched.")
    ]
    assert turn.searched == ("knowledge_base", "guidelines")
    assert [search.source for search in turn.searches] == ["knowledge_base", "guidelines"]


async def test_a_turn_that_ends_before_the_search_has_searched_nothing() -> None:
    made = answer(await ask(await a_hospital(), "hoeveel paracetamol mag ik nemen"))
    assert made.sources_searched == []
