"""What is tried again, how often and after which pauses, on the laptop and in the cloud alike."""

from __future__ import annotations

import pytest

from careline import errors
from careline.errors import (
    BadRequest,
    Conflict,
    Contended,
    DocumentRejected,
    EmbedderRefused,
    EmbedderUnavailable,
    RecordDamaged,
)
from careline.knowledge.ingestion import retry_policy
from careline.knowledge.ingestion.retry_policy import INGESTION


class Failing:
    """Fails as often as it is told to, and remembers the pauses in between."""

    def __init__(self, *failures: Exception) -> None:
        self.failures, self.pauses = list(failures), list[float]()

    async def work(self) -> str:
        if self.failures:
            raise self.failures.pop(0)
        return "done"

    async def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)

    async def run(self) -> str:
        return await INGESTION.run(self.work, self.sleep)


@pytest.fixture
def longest(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every pause is as long as it may be."""
    monkeypatch.setattr(retry_policy.random, "uniform", lambda least, most: most)


@pytest.mark.usefixtures("longest")
async def test_an_engine_that_comes_back_is_asked_again_after_pauses_that_double() -> None:
    failing = Failing(EmbedderUnavailable("down"), RecordDamaged("1"), Contended("late"))
    assert (await failing.run(), failing.pauses) == ("done", [2, 4, 8])


@pytest.mark.usefixtures("longest")
async def test_the_last_error_is_raised_when_the_tries_are_used_up() -> None:
    failing = Failing(*(EmbedderUnavailable(f"{n}") for n in range(9)))
    with pytest.raises(EmbedderUnavailable, match="4"):
        await failing.run()
    assert failing.pauses == [2, 4, 8, 16]


@pytest.mark.parametrize(
    "error",
    [
        DocumentRejected("empty", "empty"), BadRequest("no"), Conflict("it is finished"), ValueError("a defect"),
        EmbedderRefused("its key is wrong", answered=401),
    ],
)  # fmt: skip
async def test_what_will_not_pass_is_not_tried_again(error: Exception) -> None:
    failing = Failing(error)
    with pytest.raises(type(error)):
        await failing.run()
    assert failing.pauses == []


async def test_a_pause_lies_anywhere_up_to_its_longest() -> None:
    pauses = []
    for _ in range(50):
        failing = Failing(Contended("late"))
        await failing.run()
        pauses += failing.pauses
    assert all(0 <= pause <= INGESTION.longest_pause(1) for pause in pauses)
    assert len(set(pauses)) > 1


def test_its_names_are_those_of_every_engine_that_may_not_answer_and_of_contention() -> None:
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, BaseException)]
    transient = {kind.__name__ for kind in kinds if issubclass(kind, errors.EngineUnavailable)} | {"Contended"}
    assert set(INGESTION.error_names()) == transient - {"EmbedderRefused"}
