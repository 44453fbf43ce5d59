"""`careline cloud check` against a server that is there: the same routes a deployed stage has."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterator

import pytest
from click.testing import CliRunner

from careline_local.cli.main import main
from careline_local.cloud.check import Check, Probe
from careline_local.cloud.http_client import Api, bearer
from tests.journeys.process import Careline

TOKEN = "an-owner-s-token-of-32-characters"


@pytest.fixture(scope="module")
def address(home_of_their_own: Callable[[], Careline]) -> Iterator[str]:
    home = dataclasses.replace(home_of_their_own(), environment={"CARELINE_TOKEN": TOKEN})
    with home.served() as server:
        yield str(server.client.base_url).rstrip("/")


def test_every_check_passes_and_nothing_stays(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLOUD_CHECK_TOKEN", TOKEN)
    api = Api(address, bearer(TOKEN))
    before = api.get("/v1/documents").body["documents"]
    done = CliRunner().invoke(main, ["cloud", "check", "--api", address, "--json"])
    said = json.loads(done.stdout)
    assert [one for one in said["checks"] if one["state"] != "ok"] == []
    assert (done.exit_code, said["ok"]) == (0, True)
    live = [one["doc_key"] for one in api.get("/v1/documents").body["documents"]]
    assert [key for key in live if "careline-check" in key] == []
    assert len(live) == len(before)


@pytest.mark.parametrize("language", ["en", "fr", "it"])
def test_the_page_is_found_and_cited_in_each_language(address: str, language: str) -> None:
    check = Check(Api(address, bearer(TOKEN)), Api(address))
    probe = Probe.made(language)
    assert check.uploaded(probe).state == "ok"
    asked, answer = check.asked(probe, "hospital_line")
    assert asked.state == "ok", asked
    assert answer is not None
    assert check.cleaned(probe, answer.conversation_id).state == "ok"


def test_a_login_that_is_not_taken_is_told_with_what_to_give(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLOUD_CHECK_TOKEN", "nobody-s-token-of-32-characters-long")
    done = CliRunner().invoke(main, ["cloud", "check", "--api", address])
    assert done.exit_code == 1
    assert "CLOUD_CHECK_TOKEN" in done.stdout
