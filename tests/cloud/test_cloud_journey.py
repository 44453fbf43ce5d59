"""One journey through the emulated cloud, every function in its built package: upload, index, sign in, ask, record."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.cloud.account import EVENTS, TENANT, Account
from tests.cloud.chat_client import Client
from tests.cloud.documents import Asked, documents
from tests.cloud.gateway import Gateway

pytestmark = [
    pytest.mark.timeout(1200),
    # moto's Step Functions leave the connections to their own Lambda open.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
DOCUMENTS = {one.name: one for one in documents()}
WORKER = "arn:aws:sts::111111111111:assumed-role/careline-dev-voice/worker"


class Stage:
    """The stage's addresses, and who may come."""

    def __init__(self, account: Account, gateway: Gateway, api: str, url: str) -> None:
        self.account, self._gateway, self._api, self._url = account, gateway, api, url

    def voice(self) -> Client:
        """The phone worker at the function URL, which signs with its role."""
        self._gateway.signers["VOICE"] = WORKER
        return Client(self._url, key="VOICE")

    def somebody(self, role: str) -> Client:
        """Somebody of the hospital at the API, with the token of a login."""
        self._gateway.users[role] = {"sub": f"id-of-{role}", "custom:role": role, "custom:tenant": TENANT}
        return Client(self._api, token=role)

    def nobody(self) -> Client:
        """Somebody whom nobody knows, at the API."""
        return Client(self._api, token="made up")


@pytest.fixture(scope="module")
def stage(account: Account) -> Iterator[Stage]:
    with account.gateway() as (gateway, api, url):
        yield Stage(account, gateway, api, url)


@pytest.fixture(scope="module")
def indexed(stage: Stage) -> Stage:
    """Every document uploaded and live."""
    for one in DOCUMENTS.values():
        event = stage.account.upload(one.name, one.content)
        assert stage.account.takes(event), one.name
        ended = stage.account.run(event)
        assert ended["status"] == "SUCCEEDED", (one.name, ended.get("cause"))
    return stage


@pytest.fixture(scope="module")
def told(indexed: Stage) -> dict[str, Any]:
    """The answer to a question asked over the streaming URL, its turn recorded."""
    answer, _ = indexed.voice().ask(DOCUMENTS["parkeren.html"].question)
    assert indexed.account.settle() >= 1
    return answer


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_document_that_is_uploaded_answers_a_question(indexed: Stage, name: str) -> None:
    one: Asked = DOCUMENTS[name]
    answer, kinds = indexed.voice().ask(one.question)
    assert (answer["disposition"], kinds[-1]) == ("answered", "done"), answer
    assert one.said in answer["text"]
    assert not answer["warnings"]


def test_the_answer_is_the_same_through_the_api_and_comes_in_pieces(indexed: Stage) -> None:
    one = DOCUMENTS["parkeren.html"]
    answer, kinds = indexed.somebody("user").ask(one.question, pack="hospital_line")
    assert one.said in answer["text"]
    assert {"token", "citation", "done"} <= set(kinds)


def test_who_is_not_known_is_not_let_in(stage: Stage) -> None:
    assert stage.nobody().request("GET", "/v1/jobs")[0] == 401
    assert stage.somebody("user").request("GET", "/v1/jobs")[0] == 403


def test_a_turn_is_recorded_audited_and_measured(indexed: Stage, told: dict[str, Any]) -> None:
    record = indexed.somebody("manager").json("GET", f"/v1/turns/{told['id']}")
    assert record["disposition"] == "answered"
    verdict = indexed.somebody("owner").json("GET", "/v1/admin/audit/verification")
    assert verdict["intact"] is True
    figures = [json.loads(line) for line in _log(indexed.account, "telemetry") if '"_aws"' in line]
    assert figures


def test_the_heads_of_audit_chains_are_noted_each_hour(indexed: Stage, told: dict[str, Any]) -> None:
    hour = json.loads((EVENTS / "eventbridge_hour.json").read_text())
    assert indexed.account.function("notary").invoke(hour) == (True, {"noted": 1})
    verdict = indexed.somebody("owner").json("GET", "/v1/admin/audit/verification")
    assert (verdict["intact"], verdict["noted"] >= 1) == (True, True)


def test_a_file_in_a_request_arrives_byte_for_byte(indexed: Stage) -> None:
    manager = indexed.somebody("manager")
    content = DOCUMENTS["ombudsdienst.pdf"].content
    boundary = "a-boundary"
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="ombuds 2.pdf"\r\n'
    body = f"{head}Content-Type: application/pdf\r\n\r\n".encode() + content + f"\r\n--{boundary}--\r\n".encode()
    status, said = manager.request("POST", "/v1/documents", body, f"multipart/form-data; boundary={boundary}")
    assert status == 202, said
    document = json.loads(said)["job"]["doc_key"]
    status, original = manager.request("GET", f"/v1/documents/{document}/original", accept="application/octet-stream")
    assert (status, original == content) == (200, True)


def test_no_word_of_a_caller_is_in_any_log(indexed: Stage, told: dict[str, Any]) -> None:
    words = ("prikken", "kraamafdeling", "viering", DOCUMENTS["parkeren.html"].question)
    for name in (*indexed.account.functions, *indexed.account.web):
        for line in _log(indexed.account, name):
            assert not any(word in line for word in words), (name, line[:200])


def test_every_line_of_a_log_is_json_with_an_id(indexed: Stage, told: dict[str, Any]) -> None:
    ids = {"trace", "turn", "job", "xray", "function_request_id"}
    for name in (*indexed.account.functions, *indexed.account.web):
        for line in _log(indexed.account, name):
            said = json.loads(line)
            assert "_aws" in said or ids & set(said) or said["code"] in WITHOUT_REQUEST, (name, line[:300])


WITHOUT_REQUEST = {"library", "server_ready"}
"""Lines of a process that starts or stops; no request belongs to them."""


def _log(account: Account, name: str) -> list[str]:
    log = (account.functions.get(name) or account.web[name]).log
    return [line for line in log.read_text("utf-8").splitlines() if line.strip()] if log.exists() else []
