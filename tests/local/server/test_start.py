"""What a server does that serves before everything is loaded."""

from __future__ import annotations

import asyncio
import gc
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from careline.errors import IndexUnavailable
from careline.installation import DOCUMENTS, MODELS, Part, Readiness
from careline.knowledge.extract.bulk_records import Refused
from careline_local import server
from careline_local.ingest import Report
from careline_local.start import Start
from tests.turn.turns import a_hospital

LONGEST = 60.0
"""Seconds after which something has gone wrong."""


@pytest.fixture(autouse=True)
def collected_again() -> Iterator[None]:
    """What a server sets aside when it is warm is looked through again in the tests that follow."""
    yield
    gc.unfreeze()


class Loading:
    """Documents of which 37 of 140 are there until the test says that it may end."""

    def __init__(self, fails: Exception | None = None, refused: Refused | None = None, held_back: int = 0) -> None:
        self._fails, self._refused, self._held_back = fails, refused, held_back
        self.may_end = threading.Event()
        self.was_stopped = False

    async def __call__(self, *, tell: Callable[[int, int], None], after: Callable[[], Awaitable[object]]) -> Report:
        await after()
        tell(37, 140)
        try:
            await asyncio.to_thread(self.may_end.wait, LONGEST)
        except asyncio.CancelledError:
            self.was_stopped = True
            self.may_end.set()
            raise
        if self._fails is not None:
            raise self._fails
        return Report(live=140, held_back=self._held_back, refused=[self._refused] if self._refused else [])


class Served:
    """A server of a hospital that loads documents meanwhile; `notes` are what the terminal is told."""

    def __init__(self, client: TestClient, loading: Loading, notes: list[str]) -> None:
        self.client, self.loading, self.notes = client, loading, notes

    def health_when(self, holds: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        until = time.monotonic() + LONGEST
        while not holds(said := self.client.get("/health").json()):
            assert time.monotonic() < until, said
            time.sleep(0.02)
        return said

    def ask(self) -> dict[str, Any]:
        answer: dict[str, Any] = self.client.post("/v1/query", json={"text": "wanneer is er bezoek"}).json()
        return answer


async def a_server(loading: Loading) -> Served:
    installation = await a_hospital(["Bezoek is welkom van 14 tot 20 uur [1]."], ["Om 14 uur [1]."])
    notes: list[str] = []
    app = server.application(installation, None, Start(installation, notes.append, loading))
    return Served(TestClient(app, base_url="http://127.0.0.1"), loading, notes)


async def test_it_says_at_once_that_it_loads_and_how_far_it_is() -> None:
    served = await a_server(Loading())
    with served.client:
        first = served.client.get("/health").json()
        assert (first["status"], first["parts"]["models"]) == ("loading", "loading")
        said = served.health_when(lambda said: "37" in said["parts"]["documents"])
        assert said == {"status": "loading", "parts": {"models": "ok", "documents": "loading 37 of 140"}}
        served.loading.may_end.set()
        said = served.health_when(lambda said: said["status"] != "loading")
        assert said == {"status": "ok", "parts": {"models": "ok", "documents": "ok"}}
    assert served.notes == ["All 140 documents are loaded."]


@pytest.mark.parametrize(("held_back", "told"), [(1, "1 passage was held back"), (3, "3 passages were held back")])
async def test_passages_that_are_held_back_are_told_with_how_to_see_them(held_back: int, told: str) -> None:
    served = await a_server(Loading(held_back=held_back))
    with served.client:
        served.loading.may_end.set()
        served.health_when(lambda said: said["status"] != "loading")
    (note,) = served.notes
    assert told in note
    assert "`careline quarantine list`" in note


async def test_a_question_waits_for_the_models_and_not_for_documents_of_which_it_warns() -> None:
    served = await a_server(Loading())
    with served.client:
        early = served.ask()
        assert early["disposition"] == "answered"
        assert [one["code"] for one in early["warnings"]] == ["DOCUMENTS_LOADING"]
        assert served.client.get("/health").json()["parts"]["models"] == "ok"
        served.loading.may_end.set()
        served.health_when(lambda said: said["status"] == "ok")
        assert served.ask()["warnings"] == []


@pytest.mark.parametrize(
    ("loading", "told"),
    [
        (Loading(fails=IndexUnavailable("the index is damaged")), "the index is damaged"),
        (Loading(fails=ZeroDivisionError("a name")), "ZeroDivisionError; see the log"),
        (
            Loading(refused=Refused("nl/mri.pdf", "no_text", "no text was found")),
            "1 were refused, nl/mri.pdf first: no text was found",
        ),
    ],
)
async def test_what_cannot_be_loaded_is_told_and_the_server_goes_on(loading: Loading, told: str) -> None:
    served = await a_server(loading)
    with served.client:
        loading.may_end.set()
        said = served.health_when(lambda said: said["status"] != "loading")
        assert (said["status"], said["parts"]["documents"]) == ("degraded", f"failed: {told}")
        answer = served.ask()
        assert (answer["disposition"], answer["warnings"]) == ("answered", [])
    assert served.notes == [f"careline: documents could not be loaded: {told}"]


async def test_a_server_that_stops_while_it_loads_stops_loading() -> None:
    served = await a_server(Loading())
    with served.client:
        served.health_when(lambda said: "37" in said["parts"]["documents"])
    assert served.loading.was_stopped
    assert served.notes == []


def test_a_process_that_loads_nothing_while_it_serves_says_ok() -> None:
    assert Readiness().to_json() == {"status": "ok"}


def test_one_part_that_has_failed_is_told_while_another_is_still_loaded() -> None:
    readiness = Readiness()
    readiness.note(MODELS, Part(failed="no weights"))
    readiness.note(DOCUMENTS, Part())
    said = {"status": "loading", "parts": {"models": "failed: no weights", "documents": "loading"}}
    assert readiness.to_json() == said
