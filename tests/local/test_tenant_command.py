"""`careline tenant set`: everything that is asked for, or nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from careline_local.cli.main import main


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir(mode=0o700)
    return folder


def command(home: Path, *words: str) -> Result:
    return CliRunner().invoke(main, ["--home", str(home), "tenant", *words])


def shown(home: Path) -> dict[str, Any]:
    done = command(home, "show", "default", "--json")
    assert done.exit_code == 0, (done.output, done.exception)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("days", ["turns=99999", "turns=0", "no_such_kind=3"])
def test_days_that_cannot_be_decided_change_nothing_else_either(home: Path, days: str) -> None:
    before = shown(home)
    done = command(home, "set", "default", "--helpdesk", "016 12 34 56", "--retention", days)
    assert (done.exit_code, "retention" in done.stderr) == (1, True)
    assert shown(home) == before


def test_facts_and_days_are_changed_together(home: Path) -> None:
    assert command(home, "set", "default", "--helpdesk", "016 12 34 56", "--retention", "turns=30").exit_code == 0
    found = shown(home)
    assert (found["helpdesk_phone"], found["retention_days"]["turns"]) == ("016 12 34 56", 30)
