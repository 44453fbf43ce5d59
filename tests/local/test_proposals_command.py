"""`careline proposals`: what documents of a home propose is listed, confirmed with corrections, and rejected."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result

from careline.curation.proposals.proposal import Proposal, Source
from careline_local.cli.knowledge.proposals import sampled
from careline_local.cli.main import main

CONSULTATIONS = """# Consultations of cardiology

| Doctor | Monday | Thursday |
|---|---|---|
| Dr. Ada Byron | 9-12 | {} |
| Dr. Ivo Hopper, Dr. Mary Holt | 14-17 | |
"""
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


def test_consultations_are_confirmed_row_by_row_and_a_new_version_proposes_what_changed(tmp_path: Path) -> None:
    home, page, written = tmp_path / "home", tmp_path / "consultations.md", tmp_path / "hospital.yaml"
    home.mkdir(mode=0o700)
    written.write_text("departments: [{id: heart, names: {en: Cardiology}}]\n", encoding="utf-8")
    saved = CliRunner().invoke(main, ["--home", str(home), "directory", "import", str(written)])
    assert saved.exit_code == 0, saved.output

    def taken_in(thursday: str) -> dict[str, dict[str, Any]]:
        page.write_text(CONSULTATIONS.format(thursday), encoding="utf-8")
        assert CliRunner().invoke(main, ["--home", str(home), "ingest", str(page)]).exit_code == 0
        found = told(home, "list", "--kind", "schedule")["proposals"]
        return {one["entry"].get("last_name", one["target"]): one for one in found}

    found = taken_in("afternoon (even weeks)")
    assert set(found) == {"Byron", "Hopper", "Holt"}
    shared = found["Hopper"]["proposal_id"]
    assert "set consultations" in command(home, "confirm", shared).stderr
    mine = '--set=consultations=[{weekday: monday, from: "14:00", to: "17:00", frequency: odd_weeks}]'
    assert command(home, "confirm", shared, mine).exit_code == 0
    assert command(home, "reject", found["Holt"]["proposal_id"]).exit_code == 0
    assert command(home, "confirm", found["Byron"]["proposal_id"]).exit_code == 0
    (changed,) = taken_in("morning").values()
    assert changed["target"] == found["Byron"]["entry"]["id"]
    (differs,) = changed["differs"]
    assert [one.get("frequency") for one in differs["directory"]] == [None, "even_weeks"]
    assert [one.get("part") for one in differs["document"]] == [None, "morning"]


def test_a_sample_takes_the_kinds_in_turn_and_complete_ones_alone() -> None:
    source = Source("d", 1, "D", 1, 0, 1, 1, "row")
    prices = [Proposal(f"p{n}", "tariff", "tariffs", None, {}, (), source) for n in range(5)]
    hours = [Proposal("h1", "hours", "departments", None, {}, (), source)]
    broken = [Proposal("h2", "hours", "departments", None, {}, ("kind",), source)]
    chosen = sampled([*prices, *hours, *broken], 3)
    assert [one.kind for one in chosen] == ["tariff", "hours", "tariff"]
    assert chosen == sampled([*prices, *hours, *broken], 3)


def test_a_row_that_is_confirmed_into_an_entry_changes_there_what_it_says_and_no_more(tmp_path: Path) -> None:
    home, page, written = tmp_path / "home", tmp_path / "leaflet.md", tmp_path / "hospital.yaml"
    home.mkdir(mode=0o700)
    written.write_text(
        "campuses: [{id: quay, names: {nl: Campus Kade}}, {id: heath, names: {nl: Campus Heide}}]\n"
        "departments:\n- id: stroke\n  names: {nl: Beroertezorg, fr: Unité neurovasculaire}\n  campuses: [quay]\n"
        "  visiting_hours: [{campus: quay, weekly: {saturday: [{from: '10:00', to: '12:00'}]}}]\n"
        "tariffs:\n- {id: locker, subject: {nl: Locker, fr: Casier}, campus: quay, amount: '1.00', unit: day}\n",
        encoding="utf-8",
    )
    page.write_text(
        "# Bezoek en tarieven\n\n## Bezoekuren\n\n| Afdeling | Campus | Dagen | Van | Tot |\n|---|---|---|---|---|\n"
        "| Beroertezorg | Campus Kade | ma-vr | 15u | 19u30 |\n\n"
        "## Tarieven\n\n| Wat | Prijs |\n|---|---|\n| Kastje met slot | € 1,20 per dag |\n| Locker Kade | € 1,00 |\n",
        encoding="utf-8",
    )
    for words in (("directory", "import", str(written)), ("ingest", str(page), "--language", "nl")):
        done = CliRunner().invoke(main, ["--home", str(home), *words])
        assert done.exit_code == 0, done.output
    hours, price = told(home, "list")["proposals"]
    assert (hours["missing"], price["missing"], price["target"]) == ([], [], None)
    assert command(home, "confirm", hours["proposal_id"], "--by", "ann").exit_code == 0
    assert command(home, "confirm", price["proposal_id"], "--set", "entry=locker").exit_code == 0
    shown = CliRunner().invoke(main, ["--home", str(home), "directory", "export", "-"])
    directory = yaml.safe_load(shown.stdout)
    (locker,) = directory["tariffs"]
    assert locker["subject"] == {"nl": "Locker", "fr": "Casier"}
    assert (locker["amount"], locker["unit"], locker["campus"]) == ("1.20", "day", "quay")
    assert "condition" not in locker
    (stroke,) = directory["departments"]
    (week,) = stroke["visiting_hours"]
    assert week["weekly"]["friday"] == [{"from": "15:00", "to": "19:30"}]
    assert week["weekly"]["saturday"] == [{"from": "10:00", "to": "12:00"}]
    assert stroke["names"]["fr"] == "Unité neurovasculaire"
