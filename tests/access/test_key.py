"""The installation's key is read beside the event loop, before a request needs it, and not for a health check."""

from __future__ import annotations

import asyncio
import threading
import time
from dataclasses import replace

from starlette.testclient import TestClient

from careline.access.authentication import Access
from careline.errors import SecretUnavailable
from careline.identity import Role
from careline_local import server
from tests.access.doors import HERE, Door, code, door
from tests.fakes import KEY
from tests.turn.turns import an_installation


class Fetched:
    """A key that has to be fetched: from which threads it was, and whether it cannot be."""

    def __init__(self, key: bytes) -> None:
        self._key, self._is_there = key, False
        self.is_broken = False
        self.by: list[threading.Thread] = []

    def __call__(self) -> bytes:
        if not self._is_there:
            self.by.append(threading.current_thread())
            if self.is_broken:
                raise SecretUnavailable("a secret cannot be read: Throttled", retry_after=5)
            self._is_there = True
        return self._key


def anew(opened: Door) -> tuple[Fetched, TestClient]:
    """A server that has yet to fetch its key."""
    engines = opened.installation.engines
    fetched = Fetched(engines.key)
    made = replace(opened.installation, engines=replace(engines, read_key=fetched))
    return fetched, TestClient(server.application(made), base_url=HERE)


def bearer(opened: Door) -> dict[str, str]:
    return {"authorization": f"Bearer {opened.tokens[Role.CALLER]}"}


def loop_thread(client: TestClient) -> threading.Thread:
    """The thread of the event loop that serves a client within its block."""
    assert client.portal is not None
    return client.portal.call(threading.current_thread)


def test_the_key_is_fetched_once_beside_the_event_loop_and_not_for_a_health_check() -> None:
    with door() as opened:
        fetched, client = anew(opened)
        with client:
            assert (client.get("/health").status_code, fetched.by) == (200, [])
            for _ in range(2):
                assert client.post("/v1/query", json={"text": "hallo"}, headers=bearer(opened)).status_code == 200
            (thread,) = fetched.by
            assert thread is not loop_thread(client)


async def test_requests_that_come_at_once_fetch_the_key_once() -> None:
    fetched: list[bytes] = []

    def read_key() -> bytes:
        time.sleep(0.1)
        fetched.append(KEY)
        return KEY

    access = Access(an_installation(read_key=read_key))
    await asyncio.gather(*(access.fetch_key() for _ in range(4)))
    assert len(fetched) == 1


def test_a_key_that_cannot_be_fetched_is_said_to_whoever_needs_it_and_is_tried_again() -> None:
    with door() as opened:
        fetched, client = anew(opened)
        with client:
            fetched.is_broken = True
            refused = client.post("/v1/query", json={"text": "hallo"}, headers=bearer(opened))
            assert (code(refused), refused.headers["retry-after"]) == ((503, "SECRET_UNAVAILABLE"), "5")
            fetched.is_broken = False
            assert client.post("/v1/query", json={"text": "hallo"}, headers=bearer(opened)).status_code == 200
            assert fetched.by[-1] is not loop_thread(client)
