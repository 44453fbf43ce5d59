"""What an utterance is, where words leave a doubt and its turn cannot go the usual way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from careline.safety.terminal import Terminal, TerminalScreen
from careline.turn.emergencies.words_in_doubt import words_in_doubt
from tests.turn.turns import an_installation

PATIENCE = 0.1


class Doubtful:
    """A model of words that doubts of everything whether it is something, and has a word for one class alone."""

    def __init__(self, open_to: frozenset[str]) -> None:
        self._open_to = open_to

    def read(self, *arguments: object) -> Doubtful:
        return self

    def may_be(self, labels: Any) -> bool:
        return not self._open_to.isdisjoint(labels)

    def may_not_be(self, labels: Any) -> bool:
        return True

    def find(self, language: str | None, sentence_embedding: object = None) -> None:
        return None


class Asked:
    """An embedder that counts what it is asked, and never answers."""

    def __init__(self) -> None:
        self.times = 0

    async def sentence_embeddings(self, texts: Sequence[str]) -> Any:
        self.times += 1
        raise TimeoutError


def doubting(*open_to: str) -> TerminalScreen:
    terminal = an_installation().packs["hospital_line"].terminal
    return replace(terminal, learned=Doubtful(frozenset(open_to)))  # type: ignore[arg-type]


@pytest.mark.parametrize(("open_to", "times"), [(Terminal.EMERGENCY, 1), (Terminal.SAFETY_REFUSAL, 0)])
async def test_the_embedder_is_asked_only_where_words_leave_an_emergency_open(open_to: str, times: int) -> None:
    embedder = Asked()
    verdict = await words_in_doubt("er is iets met vader", "nl", doubting(open_to), embedder, PATIENCE)  # type: ignore[arg-type]
    assert embedder.times == times
    assert (verdict is None) is (times == 1)


async def test_a_model_of_words_that_breaks_at_its_second_look_leaves_an_emergency_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def breaks(*arguments: object) -> bool:
        raise RuntimeError("a defect")

    monkeypatch.setattr(TerminalScreen, "may_be_emergency", breaks)
    screen = doubting(Terminal.EMERGENCY)
    assert await words_in_doubt("er is iets met vader", "nl", screen, Asked(), PATIENCE) is None  # type: ignore[arg-type]
