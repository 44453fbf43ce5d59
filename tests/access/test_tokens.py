"""Tokens: one role each, never kept in clear, gone when they are revoked; and what wrong ones are answered."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from careline.access import tokens
from careline.access.credentials import FAILURES_PER_MINUTE
from careline.audit import chain as audit
from careline.identity import Role
from careline_local.cli.main import main
from tests.access.doors import OWNERS, code, door
from tests.builders import some_engines
from tests.journeys.process import Careline


async def test_a_token_is_found_by_its_text_and_by_no_other() -> None:
    engines = some_engines()
    token, text = await tokens.issue(engines, Role.USER, "default", name="ward 3")
    assert await tokens.find(engines, text) == token
    for wrong in ("", text[:-1], text + "a", text.upper(), token.record, token.token_id, "careline_", "careline_" * 99):
        assert await tokens.find(engines, wrong) is None


async def test_the_text_of_a_token_is_kept_nowhere_and_the_chain_tells_of_it() -> None:
    engines = some_engines()
    token, text = await tokens.issue(engines, Role.ADMIN, "default", name="audit office")
    await tokens.revoke(engines, token.token_id)
    held = json.dumps([(await audit.entry_of(engines, "default", seq)).to_json() for seq in (1, 2)])  # type: ignore[union-attr]
    assert [word in held for word in ("issued", "revoked", token.token_id)] == [True] * 3
    assert text not in held + str(vars(engines.table)["_held"])
    assert "audit office" not in held


def test_a_command_makes_lists_and_revokes_tokens_and_no_file_holds_one_in_clear(tmp_path: Path) -> None:
    careline = Careline(tmp_path / "home")
    careline.home.mkdir(mode=0o700)
    made = careline.json("token", "new", "--role", "manager", "--name", "desk", "--tenant", "sint-anna")
    assert (made["role"], made["tenant"], made["audiences"]) == ("manager", "sint-anna", ["public", "clinician"])
    listed = careline.json("token", "list")["tokens"]
    assert [(one["id"], one["name"]) for one in listed] == [(made["id"], "desk")]
    assert "token" not in listed[0]
    for file in careline.home.rglob("*"):
        assert not file.is_file() or made["token"].encode() not in file.read_bytes(), file
    assert careline.json("token", "revoke", made["id"]) == {"revoked": made["id"]}
    assert careline.json("token", "list") == {"tokens": []}
    assert careline.run("token", "revoke", made["id"]).returncode == 1
    assert "tenant:" in careline.run("token", "new", "--role", "user", "--tenant", "a/b").stderr


def test_a_role_that_does_not_exist_is_no_role() -> None:
    assert CliRunner().invoke(main, ["token", "new", "--role", "king"]).exit_code == 2


def test_a_user_who_is_no_clinician_is_told_of_public_documents_alone() -> None:
    with door() as at:
        _, text = at.client.portal.call(  # type: ignore[union-attr]
            lambda: tokens.issue(at.installation.engines, Role.USER, "default", audiences=("public",))
        )
        packs = at.as_(text, "GET", "/v1/packs").json()["packs"]
        assert {pack["audience"] for pack in packs} == {"public"}
        found = at.as_(text, "POST", "/v1/search", json={"text": "ceftriaxon"}).json()["hits"]
        assert "sepsis" not in {hit["doc_key"] for hit in found}


def test_a_revoked_token_ends_what_it_began() -> None:
    with door() as at:
        at.log_in(Role.MANAGER)
        assert at.client.get("/v1/jobs").status_code == 200
        (token,) = (
            one
            for one in at.client.portal.call(tokens.listing, at.installation.engines)  # type: ignore[union-attr]
            if (one.role, one.tenant) == (Role.MANAGER, "default")
        )
        at.client.portal.call(tokens.revoke, at.installation.engines, token.token_id)  # type: ignore[union-attr]
        assert at.client.get("/v1/jobs").status_code == 401
        assert at.as_(at.tokens[Role.MANAGER], "GET", "/v1/jobs").status_code == 401


def test_the_owners_token_of_the_settings_is_the_owners() -> None:
    with door(token=OWNERS, login="auto") as at:
        assert at.as_(OWNERS, "GET", "/v1/session").json()["role"] == "owner"
        assert code(at.as_(None, "GET", "/v1/session")) == (401, "UNAUTHORISED")
        assert code(at.as_(OWNERS[:-1], "GET", "/v1/session")) == (401, "UNAUTHORISED")


@pytest.mark.parametrize("way", ["bearer", "login"])
def test_wrong_tokens_are_soon_answered_with_wait_even_when_one_of_them_is_right(way: str) -> None:
    with door(token=OWNERS) as at:

        def attempt(token: str) -> int:
            if way == "login":
                return at.client.post("/login", json={"token": token}).status_code
            return at.as_(token, "GET", "/v1/packs").status_code

        assert [attempt(f"guess-{n}") for n in range(FAILURES_PER_MINUTE)] == [401] * FAILURES_PER_MINUTE
        assert (attempt("one more"), attempt(OWNERS)) == (429, 429)
        refused = at.client.post("/login", json={"token": OWNERS})
        assert int(refused.headers["retry-after"]) == refused.json()["retry_after"] > 0
        at.installation.engines.clock.move(61)  # type: ignore[attr-defined]
        assert attempt(OWNERS) == 200


def test_a_token_that_is_known_and_one_that_is_not_are_refused_in_the_same_words() -> None:
    with door() as at:
        one, other = (at.as_(text, "GET", "/v1/packs").json() for text in ("careline_nobody", "x" * 5000))
        assert one["message"] == other["message"]
