"""A home that `--home` names and that is not there: made by what fills it, refused by what reads it."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from careline_local.cli.main import COMMANDS, main

READS = (
    "ask hello",
    "ask --jsonl",
    "search bicycles",
    "search",
    "call --text hello",
    "documents",
    "answer list",
    "jobs",
    "quarantine list",
    "turns list",
    "explain 1a205057",
    "audit verify",
    "audit new-key --i-lost-it",
    "export --subject nobody",
    "erase --subject nobody",
    "retention",
    "tenant list",
    "tenant set anna --emergency 112",
    "compliance article-30",
    "compliance dpia",
    "token list",
    "token new --role user",
    "reindex",
    "directory show",
    "proposals list",
)
"""Commands that read a home or decide about what it holds."""
READS_TEXT = ("screen", "screen-answer", "phi")
ELSEWHERE = {
    "up", "ingest", "bench", "calibrate", "cloud", "cost", "doctor", "settings", "pack", "routes", "records", "phone",
    *READS_TEXT,
}  # fmt: skip


def test_every_command_is_in_one_of_the_lists() -> None:
    assert {line.split()[0] for line in READS} | ELSEWHERE == set(COMMANDS)


@pytest.mark.parametrize("line", READS)
def test_a_slip_in_the_home_is_told_with_what_makes_one_and_leaves_nothing(tmp_path: Path, line: str) -> None:
    home = tmp_path / "slip of the pen"
    done = CliRunner().invoke(main, ["--home", str(home), *line.split()])
    assert done.exit_code == 2
    assert f"there is no folder '{home}'" in done.output
    assert f"careline --home '{home}' ingest FOLDER" in done.output
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", READS_TEXT)
def test_what_reads_a_text_alone_needs_no_home_and_makes_none(tmp_path: Path, name: str) -> None:
    line = json.dumps({"id": 1, "lang": "en", "text": "the kiosk sells stamps"})
    done = CliRunner().invoke(main, ["--home", str(tmp_path / "slip"), name], input=line)
    assert (done.exit_code, json.loads(done.stdout)["id"]) == (0, 1)
    assert list(tmp_path.iterdir()) == []


def test_looking_at_a_missing_home_makes_none(tmp_path: Path) -> None:
    for name in ("doctor", "settings"):
        CliRunner().invoke(main, ["--home", str(tmp_path / "slip"), name])
    assert list(tmp_path.iterdir()) == []


def test_importing_a_directory_makes_the_home_and_trying_it_makes_none(tmp_path: Path) -> None:
    book, home = tmp_path / "hospital.xlsx", tmp_path / "new" / "home"
    assert CliRunner().invoke(main, ["directory", "template", str(book)]).exit_code == 0
    tried = CliRunner().invoke(main, ["--home", str(home), "directory", "import", "--dry-run", str(book)])
    assert "there is no folder" in tried.output
    assert not home.exists()
    (tmp_path / "hospital.yaml").write_text("hospital: {names: {nl: De Linde}}\n", encoding="utf-8")
    kept = CliRunner().invoke(main, ["--home", str(home), "directory", "import", str(tmp_path / "hospital.yaml")])
    assert kept.exit_code == 0, kept.output
    assert "De Linde" in CliRunner().invoke(main, ["--home", str(home), "directory", "export", "-"]).stdout


def test_ingesting_makes_the_home_and_asking_it_then_works(tmp_path: Path) -> None:
    (tmp_path / "kiosk.md").write_text("# Kiosk\n\nThe kiosk sells stamps until 16:45.\n", encoding="utf-8")
    home = ("--home", str(tmp_path / "new" / "home"))
    assert CliRunner().invoke(main, [*home, "ingest", str(tmp_path / "kiosk.md")]).exit_code == 0
    assert "16:45" in CliRunner().invoke(main, [*home, "ask", "until when does the kiosk sell stamps"]).stdout


def test_an_empty_folder_is_a_home(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    done = CliRunner().invoke(main, ["--home", str(tmp_path), "documents"])
    assert done.exit_code == 0
    assert "The library is empty" in done.stdout
