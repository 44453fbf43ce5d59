"""Every setting is described, its page is the one that is made of the class, and no secret is shown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from careline.settings import Settings
from careline_local.cli.main import main
from careline_local.settings.settings_table import HIDDEN, described, markdown, shown

PAGE = Path(__file__).parents[3] / "docs" / "settings.md"


def test_every_setting_has_a_meaning_that_is_a_sentence() -> None:
    settings = described()
    assert sorted(one.variable for one in settings) == sorted(Settings.variables())
    assert [one.name for one in settings if not one.meaning.endswith(".")] == []


def test_the_page_of_the_documentation_is_the_one_that_the_command_prints() -> None:
    printed = CliRunner().invoke(main, ["settings", "--markdown"]).output
    assert PAGE.read_text(encoding="utf-8") == printed == markdown(described()), (
        "run `careline settings --markdown > docs/settings.md`"
    )


def test_the_page_holds_nothing_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARELINE_HOSPITAL_NAME", "Sint-Anna")
    assert str(Path.home()) not in markdown(described())
    assert "Anna" not in CliRunner().invoke(main, ["settings", "--markdown"]).output


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_text("CARELINE_HELPDESK_PHONE=03 555 12 12\nCARELINE_PACK=folder\n")
    place = tmp_path / "home"
    place.mkdir(0o700)
    (place / ".env").write_text("CARELINE_PACK=home\nCARELINE_OPENAI_API_KEY=sk-5f3a91\nCARELINE_REGION=eu\n")
    return place


def test_each_value_is_shown_with_the_place_it_came_from(home: Path) -> None:
    environment = {"CARELINE_TENANT": "environment", "CARELINE_REGION": ""}
    done = CliRunner().invoke(main, ["--home", str(home), "settings", "--json"], env=environment)
    found = {one["name"]: (one["value"], one["origin"]) for one in json.loads(done.output)["settings"]}
    assert found["home"] == (str(home), "--home")
    assert found["tenant"] == ("environment", "environment")
    assert found["pack"] == ("home", str(home / ".env"))
    assert found["helpdesk_phone"] == ("03 555 12 12", ".env")
    assert found["openai_api_key"] == (HIDDEN, str(home / ".env"))
    # Set to nothing: what the file says does not hold, and the default does.
    assert found["region"] == ("none", None)
    assert "5f3a91" not in done.output


def test_only_what_was_set_can_be_asked_for(home: Path) -> None:
    shown = CliRunner().invoke(main, ["--home", str(home), "settings", "--set"]).output
    assert "CARELINE_PACK" in shown
    assert "CARELINE_LOGIN" not in shown


def test_a_password_in_an_address_is_not_shown() -> None:
    assert shown("https://me:secret@host/v1") == "https://(not shown)@host/v1"
    assert shown("https://host/a@b") == "https://host/a@b"
