"""Several people who change the directory at once, over a socket: one of them wins, and the others are told."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx2
import pytest
import uvicorn

from careline.identity import Role
from tests.access.doors import Door, door

PLACE = "/v1/admin/directory"
WRITERS = 6
CARDIOLOGY = {"id": "cardiology", "names": {"en": "Cardiology"}, "phone": "011 90 11 00"}
EYES = {"id": "eyes", "names": {"en": "Eye clinic"}, "phone": "011 90 12 00"}


@pytest.fixture(name="at")
def the_door() -> Iterator[Door]:
    with door() as made:
        yield made


@pytest.fixture(name="client")
def a_client_over_a_socket(at: Door) -> Iterator[httpx2.Client]:
    listener = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(at.client.app, log_config=None, lifespan="off", timeout_graceful_shutdown=1)
    running = uvicorn.Server(config)
    thread = threading.Thread(target=running.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        while not running.started:
            assert thread.is_alive()
            time.sleep(0.01)
        sent = {"authorization": f"Bearer {at.tokens[Role.ADMIN]}"}
        address = f"http://127.0.0.1:{listener.getsockname()[1]}"
        with httpx2.Client(base_url=address, headers=sent, timeout=60) as made:
            written = {"departments": [CARDIOLOGY, EYES]}
            first = made.put(PLACE, content=json.dumps(written), headers=as_json({"if-match": '"0"'}))
            assert first.status_code == 200, first.text
            yield made
    finally:
        running.should_exit = True
        thread.join()
        listener.close()


def as_json(headers: dict[str, str]) -> dict[str, str]:
    return {"content-type": "application/json", **headers}


def at_once(client: httpx2.Client, method: str, place: str, tag: str, bodies: list[Any]) -> list[httpx2.Response]:
    """What each is answered who sends one of some bodies with one tag."""
    ready = threading.Barrier(len(bodies))

    def send(body: Any) -> httpx2.Response:
        ready.wait()
        return client.request(method, place, content=json.dumps(body), headers=as_json({"if-match": tag}))

    with ThreadPoolExecutor(len(bodies)) as pool:
        return list(pool.map(send, bodies))


def test_of_those_who_replace_the_whole_one_wins(client: httpx2.Client) -> None:
    phones = [f"011 90 20 0{n}" for n in range(WRITERS)]
    bodies = [{"departments": [{**CARDIOLOGY, "phone": phone}]} for phone in phones]
    answers = at_once(client, "PUT", PLACE, '"1"', bodies)
    won = [one for one, answer in zip(phones, answers, strict=True) if answer.status_code == 200]
    assert len(won) == 1
    assert {one.status_code for one in answers} <= {200, 409, 412}
    held = client.get(PLACE)
    assert (held.headers["etag"], held.json()["departments"][0]["phone"]) == ('"2"', won[0])
    assert len(client.get(f"{PLACE}/changes").json()["changes"]) == 2


@pytest.mark.parametrize("method", ["PUT", "PATCH"])
def test_of_those_who_change_one_entry_one_wins(client: httpx2.Client, method: str) -> None:
    place = f"{PLACE}/departments/cardiology"
    tag = client.get(place).headers["etag"]
    phones = [f"011 90 20 0{n}" for n in range(WRITERS)]
    answers = at_once(client, method, place, tag, [{**CARDIOLOGY, "phone": phone} for phone in phones])
    won = [one for one, answer in zip(phones, answers, strict=True) if answer.status_code == 200]
    assert len(won) == 1
    assert {one.status_code for one in answers} <= {200, 409, 412}
    assert client.get(place).json()["phone"] == won[0]


def test_those_who_change_other_entries_all_win(client: httpx2.Client) -> None:
    places = [f"{PLACE}/departments/{one}" for one in ("cardiology", "eyes")]
    tags = [client.get(place).headers["etag"] for place in places]
    with ThreadPoolExecutor(2) as pool:
        sent = [
            pool.submit(at_once, client, "PATCH", place, tag, [{"phone": "09 1"}])
            for place, tag in zip(places, tags, strict=True)
        ]
        answers = [one.result()[0] for one in sent]
    assert [one.status_code for one in answers] == [200, 200]
    assert [client.get(place).json()["phone"] for place in places] == ["09 1", "09 1"]
