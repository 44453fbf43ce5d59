"""Each function killed once on the way of a document or a turn: nothing is lost and nothing is there twice."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.cloud.account import TENANT, Account
from tests.cloud.chat_client import Client
from tests.cloud.lambda_process import Kill

pytestmark = [
    pytest.mark.timeout(1200),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
STAGES = ("register", "extract", "clean", "chunk", "embed", "index", "activate")
PAGE = "# Kluisjes\n\nEen kluisje aan de ingang {name} kost {euro} euro per dag.\n"
OWNER = {"sub": "id-of-owner", "custom:role": "owner", "custom:tenant": TENANT}


@pytest.fixture(scope="module")
def owner(account: Account) -> Iterator[Client]:
    with account.gateway() as (gateway, api, _):
        gateway.users["owner"] = OWNER
        yield Client(api, token="owner")


@pytest.mark.parametrize("moment", ["working", "answered"])
@pytest.mark.parametrize("name", STAGES)
def test_a_document_is_live_once_whichever_stage_is_killed(
    account: Account, owner: Client, name: str, moment: Kill
) -> None:
    function = account.function(f"ingestion-{name}")
    function.kill_next.append(moment)
    killed = function.killed
    file = f"kluisjes {name} {moment}.md"
    euro = 100 + 10 * STAGES.index(name) + (moment == "working")
    ended = account.run(account.upload(file, PAGE.format(name=name, euro=euro).encode()))
    assert function.killed == killed + 1
    assert ended["status"] == "SUCCEEDED", ended.get("cause")
    jobs = [job for job in owner.json("GET", "/v1/jobs?limit=1000")["jobs"] if job["file_name"] == file]
    assert [job["state"] for job in jobs if job["state"] != "superseded"] == ["completed"]
    found = owner.json("POST", "/v1/search", {"text": f"kluisje ingang {name} {euro} euro", "limit": 20})["hits"]
    assert [f"{euro} euro" in one["text"] for one in found].count(True) == 1


@pytest.mark.parametrize("moment", ["working", "answered"])
def test_a_turn_is_recorded_once_when_telemetry_is_killed(account: Account, owner: Client, moment: Kill) -> None:
    owner.json("POST", "/v1/query", {"text": "Wat kost een kluisje aan de ingang?"})
    account.settle()
    before = owner.json("GET", "/v1/admin/audit/verification")
    turn = owner.json("POST", "/v1/query", {"text": "Wat kost een kluisje aan de ingang register?"})["id"]
    account.function("telemetry").kill_next.append(moment)
    assert account.settle() == 1
    assert owner.json("GET", f"/v1/turns/{turn}")["turn_id"] == turn
    after = owner.json("GET", "/v1/admin/audit/verification")
    assert (after["intact"], after["entries"]) == (True, before["entries"] + 1)
