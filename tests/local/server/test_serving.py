"""How commands of a home find the server that runs on it, and who is believed."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from careline.settings import Settings
from careline_local import server, serving
from careline_local.cli.remote import running
from careline_local.serving import CHALLENGE, PROOF, TERMINAL, Serving
from tests.turn.turns import a_hospital


@pytest.fixture
def home(tmp_path: Path) -> Settings:
    return Settings(home=tmp_path)


def announced(settings: Settings, host: str = "127.0.0.1") -> Serving:
    found = serving.announced(settings, host, 8080)
    assert found is not None
    return found


@pytest.mark.parametrize(("host", "reached"), [("127.0.0.1", "127.0.0.1"), ("0.0.0.0", "127.0.0.1"), ("::", "::1")])
def test_a_server_is_found_by_its_home(home: Settings, host: str, reached: str) -> None:
    made = announced(home, host)
    assert serving.found(home.home) == made
    assert (made.host, made.pid) == (reached, os.getpid())
    assert (home.home / serving.FILE).stat().st_mode & 0o777 == 0o600


def test_a_second_server_of_a_home_finds_the_first(home: Settings) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        made = serving.announced(home, "127.0.0.1", listener.getsockname()[1])
        assert serving.reached(home.home) == made
    assert serving.found(home.home) == made
    assert serving.reached(home.home) is None


def test_a_server_on_an_address_of_others_is_not_announced(home: Settings) -> None:
    assert serving.announced(home, "192.0.2.7", 8080) is None
    assert serving.found(home.home) is None


def test_settings_and_their_secrets_are_told_apart_and_not_told(home: Settings) -> None:
    made = announced(home.with_changes(hospital={"hospital_name": "Sint-Anna"}))
    assert made.installation != serving.fingerprint(home, made.secret)
    assert "Anna" not in (home.home / serving.FILE).read_text()


@pytest.mark.parametrize(
    "changed",
    [{"host": "192.0.2.7"}, {"port": "80"}, {"port": True}, {"pid": -1}, {"secret": "é"}, {"more": 1}],
)  # fmt: skip
def test_a_file_that_says_something_else_names_no_server(home: Settings, changed: dict[str, object]) -> None:
    made = announced(home)
    (home.home / serving.FILE).write_text(json.dumps({**asdict(made), **changed}))
    assert serving.found(home.home) is None


@pytest.mark.parametrize("written", ["", "[]", "null", "{", "[" * 4000])
def test_a_file_that_is_no_record_names_no_server(home: Settings, written: str) -> None:
    (home.home / serving.FILE).touch(0o600)
    (home.home / serving.FILE).write_text(written)
    assert serving.found(home.home) is None


def test_a_file_that_others_could_have_written_is_not_believed(home: Settings) -> None:
    announced(home)
    (home.home / serving.FILE).chmod(0o666)
    assert serving.found(home.home) is None


def test_a_server_forgets_its_own_file_and_not_that_of_the_next_one(home: Settings) -> None:
    first = announced(home)
    second = announced(home)
    serving.forget(home.home, first)
    assert serving.found(home.home) == second
    serving.forget(home.home, second)
    assert serving.found(home.home) is None


def test_the_file_of_a_server_that_was_killed_is_removed(home: Settings) -> None:
    # Nothing listens on port 9.
    gone = replace(announced(home), port=9)
    (home.home / serving.FILE).write_text(json.dumps(asdict(gone)))
    assert running(home) is None
    assert not (home.home / serving.FILE).exists()


def test_a_server_with_other_settings_is_not_asked_and_its_file_stays(home: Settings) -> None:
    announced(home)
    assert running(home.with_changes(engines={"model": "openai"})) is None
    assert (home.home / serving.FILE).exists()


@pytest.fixture
async def known() -> Serving:
    return Serving("127.0.0.1", 8080, 1, "s" * 64, "")


@pytest.fixture
async def client(known: Serving) -> Iterator[TestClient]:
    """A server where everybody else must log in."""
    installation = await a_hospital(settings={"access": {"login": "required"}})
    return TestClient(server.application(installation, known), base_url="http://127.0.0.1")


def test_a_server_proves_that_it_has_the_secret(client: TestClient, known: Serving) -> None:
    with client:
        shown = client.get("/health", headers={CHALLENGE: "abc"}).headers[PROOF]
        assert shown == known.proof("abc") != known.proof("abd")
        assert PROOF not in client.get("/health").headers
        assert PROOF not in client.get("/health", headers={CHALLENGE: "a" * 200}).headers


def test_the_secret_opens_questions_and_nothing_else(client: TestClient, known: Serving) -> None:
    asked, secret = {"text": "hallo"}, {TERMINAL: known.password()}
    with client:
        assert client.post("/v1/query", json=asked).status_code == 401
        assert client.post("/v1/query", json=asked, headers={TERMINAL: "wrong"}).status_code == 401
        assert client.post("/v1/query", json=asked, headers=secret).status_code == 200
        assert client.get("/v1/documents", headers=secret).status_code == 200
        assert client.get("/v1/conversations/there-is-none", headers=secret).status_code == 404
        assert client.delete("/v1/admin/subjects/jan", headers=secret).status_code == 404
        assert client.get("/v1/documents", headers={TERMINAL: known.proof("")}).status_code == 401
