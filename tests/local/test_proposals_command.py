"""`careline proposals`: what documents of a home propose is listed, confirmed with corrections, and rejected."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from careline.curation.proposals.proposal import Proposal, Source
from careline_local.cli.knowledge.proposals import sampled
from careline_local.cli.main import main

PAGE = "# Numbers\n\nNight desk of the ward: 011 22 33 44\n\nLaundry of the hospital: 011 22 33 55\n"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("proposing") / "home"
    folder.mkdir(mode=0o700)
    page = folder.parent / "numbers.md"
    page.write_text(PAGE, encoding="utf-8")
    done = CliRunner().invoke(main, ["--home", str(folder), "ingest", str(page)])
    assert done.exit_code == 0, done.output
    return folder


def command(home: Path, *words: str) -> Result:
    return CliRunner().invoke(main, ["--home", str(home), "proposals", *words])


def told(home: Path, *words: str) -> dict[str, Any]:
    done = command(home, *words, "--json")
    assert done.exit_code == 0, (done.output, done.exception)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_the_beginning_of_an_id_and_a_corrected_field_are_enough_to_confirm(home: Path) -> None:
    desk, laundry = told(home, "list")["proposals"]
    assert "011 22 33 44" in command(home, "list", "--kind", "contact").stdout
    assert command(home, "confirm", desk["proposal_id"][:8], "--set", "names=Night desk").exit_code == 0
    (confirmed,) = told(home, "list", "--state", "confirmed")["proposals"]
    assert confirmed["entry"]["names"] == {"en": "Night desk"}
    assert command(home, "reject", laundry["proposal_id"]).stdout == "1 rejected.\n"
    assert told(home, "list")["proposals"] == []
    assert told(home, "contradictions") == {"contradictions": []}


def test_what_is_no_id_or_no_field_is_refused_with_what_to_write(home: Path) -> None:
    assert "begins with zz" in command(home, "reject", "zz").stderr
    assert "write FIELD=VALUE" in command(home, "confirm", "ab", "--set", "names").stderr
    assert "--dry-run" in command(home, "find", "--sample", "3").stderr
    assert "no live document" in command(home, "find", "nothing").stderr


def test_looking_again_says_how_much_each_document_says(home: Path) -> None:
    assert told(home, "find") == {"statements": {"document-numbers": 2}}
    assert told(home, "find", "--dry-run")["counts"] == {"contact complete": 1}


def test_a_sample_takes_the_kinds_in_turn_and_complete_ones_alone() -> None:
    source = Source("d", 1, "D", 1, 0, 1, 1, "row")
    prices = [Proposal(f"p{n}", "tariff", "tariffs", None, {}, (), source) for n in range(5)]
    hours = [Proposal("h1", "hours", "departments", None, {}, (), source)]
    broken = [Proposal("h2", "hours", "departments", None, {}, ("kind",), source)]
    chosen = sampled([*prices, *hours, *broken], 3)
    assert [one.kind for one in chosen] == ["tariff", "hours", "tariff"]
    assert chosen == sampled([*prices, *hours, *broken], 3)
