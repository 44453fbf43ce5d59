"""Who comes in: this machine's own pages without a token, everybody else with one, nobody by a trick."""

from __future__ import annotations

from collections.abc import Iterator

import httpx2
import pytest
from starlette.testclient import TestClient

from careline.errors import CarelineError
from careline_local import server
from careline_local.server import check_address
from tests.turn.turns import an_installation

HERE = "http://127.0.0.1"


@pytest.fixture
def client() -> Iterator[TestClient]:
    with TestClient(server.application(an_installation()), base_url=HERE) as made:
        yield made


def refused(response: httpx2.Response, status: int, code: str) -> bool:
    """Whether a response is this refusal."""
    return (response.status_code, response.json()["error_code"]) == (status, code)


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "127.0.0.1:8080", "localhost", "localhost:8080", "[::1]:8080", "LOCALHOST"]
)
def test_this_machine_is_answered_under_any_of_its_names(client: TestClient, host: str) -> None:
    assert client.get("/health", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "careline.example",
        "127.0.0.1.careline.example",
        "192.0.2.7",
        "localhost.example",
        "",
        "[::1",
        "[",
        "a b",
        "0.0.0.0",
    ],
)
def test_a_name_that_somebody_elses_page_could_use_is_refused(client: TestClient, host: str) -> None:
    assert refused(client.get("/health", headers={"host": host}), 403, "NOT_ALLOWED")


@pytest.mark.parametrize(
    "origin", ["https://elsewhere.example", "null", "http://127.0.0.1:9999", "http://localhost", "http://[::1", ""]
)
def test_a_page_of_another_origin_is_refused(client: TestClient, origin: str) -> None:
    assert refused(client.post("/v1/query", json={"text": "hallo"}, headers={"origin": origin}), 403, "NOT_ALLOWED")


def test_our_own_page_is_answered(client: TestClient) -> None:
    headers = {"host": "localhost:8080", "origin": "http://localhost:8080"}
    assert client.post("/v1/query", json={"text": "goeiedag"}, headers=headers).status_code == 200


def test_with_a_token_its_bearer_comes_in_from_anywhere_and_nobody_else() -> None:
    far = {"host": "careline.example"}
    opened = server.application(an_installation(settings={"access": {"token": "open-sesame-0001"}}))
    with TestClient(opened, base_url=HERE) as client:
        good = {**far, "authorization": "Bearer open-sesame-0001"}
        assert client.get("/v1/packs", headers=good).status_code == 200
        for wrong in (
            {},
            {"authorization": "Bearer open"},
            {"authorization": "Bearer"},
            {"authorization": "Basic open-sesame-0001"},
        ):
            assert refused(client.get("/v1/packs", headers={**far, **wrong}), 401, "UNAUTHORISED")
        assert refused(client.get("/v1/packs"), 401, "UNAUTHORISED")
        assert client.get("/health", headers=far).status_code == 200


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost"])
def test_loopback_needs_no_token(host: str) -> None:
    check_address(host, an_installation())


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "careline.example"])
def test_any_other_address_needs_one(host: str) -> None:
    with pytest.raises(CarelineError, match="CARELINE_TOKEN"):
        check_address(host, an_installation())
    check_address(host, an_installation(settings={"access": {"token": "open-sesame-0001"}}))
