"""A home whose key is missing or another one: nothing is written with a made-up key, and there is a way on."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.journeys.process import Careline

COMMANDS: tuple[tuple[str, ...], ...] = (
    ("ask", "hallo"),
    ("up", "--port", "0", "--no-demo"),
    ("audit", "verify"),
    ("documents",),
    ("erase", "--subject", "0470123456"),
    ("reindex",),
)


@pytest.fixture
def used(home_of_their_own: Callable[[], Careline]) -> Careline:
    """A home in which somebody has asked something."""
    careline = home_of_their_own()
    careline.json("ask", "mijn nummer is 0470 12 34 56, hoeveel kost parkeren per uur")
    return careline


def state(home: Path) -> dict[str, bytes]:
    """Every file but SQLite's own notes of who is looking."""
    paths = (path for path in home.rglob("*") if path.is_file() and not path.name.endswith(("-shm", "-wal")))
    return {str(path.relative_to(home)): path.read_bytes() for path in paths}


@pytest.mark.parametrize("arguments", COMMANDS, ids=lambda arguments: arguments[0])
def test_a_key_that_is_missing_is_asked_for_and_not_replaced(used: Careline, arguments: tuple[str, ...]) -> None:
    key = used.home / "privacy.key"
    kept = key.read_bytes()
    key.unlink()
    before = state(used.home)
    done = used.run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"{key} is missing" in done.stderr
    assert "backup" in done.stderr
    assert "careline audit new-key --i-lost-it" in done.stderr
    assert state(used.home) == before
    key.write_bytes(kept)
    assert used.json("audit", "verify")["intact"] is True
    assert len(used.json("export", "--subject", "+32 470 12 34 56")["conversations"]) == 1


def test_a_wrong_key_is_told_from_the_right_one(used: Careline) -> None:
    key = used.home / "privacy.key"
    kept = key.read_bytes()
    key.write_text(secrets.token_hex(32))
    done = used.run("ask", "hallo")
    assert (done.returncode, done.stdout) == (2, "")
    assert f"{key} is not the key" in done.stderr
    elsewhere = Careline(used.home, {"CARELINE_PRIVACY_KEY": secrets.token_hex(32)}).run("ask", "hallo")
    assert (elsewhere.returncode, "CARELINE_PRIVACY_KEY is not the key" in elsewhere.stderr) == (2, True)
    key.unlink()
    assert Careline(used.home, {"CARELINE_PRIVACY_KEY": kept.decode().strip()}).run("audit", "verify").returncode == 0


@pytest.mark.parametrize("loss", ["missing", "wrong"])
def test_after_a_loss_a_new_chain_begins_and_tells_of_the_break(used: Careline, loss: str) -> None:
    old = used.json("audit", "head")["head"]
    key = used.home / "privacy.key"
    key.unlink() if loss == "missing" else key.write_text(secrets.token_hex(32))
    refused = used.run("audit", "new-key")
    assert (refused.returncode, "--i-lost-it" in refused.stderr) == (1, True)
    (begun,) = used.json("audit", "new-key", "--i-lost-it")["chains"]
    assert begun["entries"] == old["seq"]
    verdict = used.json("audit", "verify")
    assert (verdict["intact"], verdict["entries"]) == (True, 1)
    (entry,) = used.json("audit", "list")["entries"]
    assert (entry["kind"], entry["body"]["entries"]) == ("key_lost", old["seq"])
    answer: dict[str, Any] = used.json("ask", "hoeveel kost parkeren per uur")
    assert "2,50" in answer["text"]
    assert used.json("audit", "verify")["entries"] == 2
    assert len(used.json("turns")["turns"]) == 2, "figures of earlier turns stay"
    again = used.run("audit", "new-key", "--i-lost-it")
    assert (again.returncode, "nothing is lost" in again.stderr) == (1, True)


def test_a_key_is_not_lost_that_is_there(used: Careline) -> None:
    before = (used.home / "privacy.key").read_bytes()
    done = used.run("audit", "new-key", "--i-lost-it")
    assert (done.returncode, "nothing is lost" in done.stderr) == (1, True)
    assert (used.home / "privacy.key").read_bytes() == before
