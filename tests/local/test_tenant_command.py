"""`careline tenant set`: everything that is asked for, or nothing."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from careline_local.cli.main import main
from careline_local.demo.load import set_up
from tests.journeys.in_process import installed


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


def test_what_the_directory_says_of_a_hospital_is_shown_where_its_record_says_nothing(home: Path) -> None:
    with installed(home) as installation:
        asyncio.run(set_up("default", installation.engines))
    found = shown(home)
    assert (found["names"]["fr"], found["helpdesk_phone"]) == ("Hôpital d'Elzenvoorde", "011 90 10 00")
    assert command(home, "set", "default", "--helpdesk", "016 12 34 56").exit_code == 0
    assert shown(home)["helpdesk_phone"] == "016 12 34 56"
    assert command(home, "set", "default", "--helpdesk", "").exit_code == 0
    assert shown(home)["helpdesk_phone"] == "011 90 10 00"
