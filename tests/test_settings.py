"""Where the configuration comes from, and what is said when it cannot be used."""

from __future__ import annotations

from pathlib import Path

import pytest

from careline.errors import SettingsInvalid
from careline.settings import Settings


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder; `home` below it is the installation's."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "home").mkdir()
    return tmp_path


def load(home: Path | None, **environment: str) -> Settings:
    return Settings.load({f"CARELINE_{name}": value for name, value in environment.items()}, home=home)


def test_without_anything_said_a_laptop_works_with_the_embedded_engines(here: Path) -> None:
    settings = load(here / "home")
    assert (settings.embedder, settings.model, settings.storage) == ("embedded", "extractive", "embedded")
    assert settings.home == here / "home"


def test_the_environment_goes_before_the_installations_file_and_that_before_the_working_folders(here: Path) -> None:
    (here / ".env").write_text("CARELINE_TENANT=folder\nCARELINE_PACK=folder\nCARELINE_HOSPITAL_NAME=folder\n")
    (here / "home" / ".env").write_text("CARELINE_TENANT=home\nCARELINE_PACK=home\n")
    settings = load(here / "home", TENANT="environment")
    assert (settings.tenant, settings.pack, settings.hospital_name) == ("environment", "home", "folder")


def test_the_home_may_be_named_by_the_caller_the_environment_or_the_working_folders_file(here: Path) -> None:
    (here / ".env").write_text(f"CARELINE_HOME={here / 'file'}\n")
    assert load(None).home == here / "file"
    assert load(None, HOME=str(here / "environment")).home == here / "environment"
    assert load(here / "home", HOME=str(here / "environment")).home == here / "home"


def test_a_home_below_the_users_own_folder_is_found(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(here))
    assert load(None).home == here / ".careline"
    assert load(None, HOME="~/elsewhere").home == here / "elsewhere"


def test_an_empty_value_is_the_default(here: Path) -> None:
    assert load(here / "home", TENANT="", DEFAULT_LANGUAGE="").tenant == "default"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("EMBEDDER", "magic"), ("MODEL", "gpt"), ("DEFAULT_LANGUAGE", "de"), ("MAX_PAGES", "many"),
        ("OPENAI_EMBEDDING_DIMENSIONS", "9"), ("STORAGE", "azure"),
    ],
)  # fmt: skip
def test_a_wrong_value_is_named_and_not_repeated(here: Path, name: str, value: str) -> None:
    with pytest.raises(SettingsInvalid, match=f"^CARELINE_{name}: ") as raised:
        load(here / "home", **{name: value})
    assert "input_value" not in raised.value.message


def test_a_setting_that_does_not_exist_is_named_wherever_it_stands(here: Path) -> None:
    with pytest.raises(SettingsInvalid, match="CARELINE_TENNANT"):
        load(here / "home", TENNANT="a")
    (here / "home" / ".env").write_text("CARELINE_OPENAI_KEY=sk-secret\n")
    with pytest.raises(SettingsInvalid, match="CARELINE_OPENAI_KEY") as raised:
        load(here / "home")
    assert "sk-secret" not in raised.value.message


def test_variables_of_others_are_left_alone(here: Path) -> None:
    assert Settings.load({"PATH": "/bin", "OPENAI_API_KEY": "x"}, home=here / "home").openai_api_key is None


def test_a_secret_is_not_shown(here: Path) -> None:
    settings = load(here / "home", OPENAI_API_KEY="sk-5f3a91", TOKEN="t-5f3a91-5f3a91-5f")
    assert settings.openai_api_key is not None
    assert settings.openai_api_key.get_secret_value() == "sk-5f3a91"
    assert "5f3a91" not in f"{settings!r} {settings} {settings.model_dump_json()}"


def test_settings_do_not_change(here: Path) -> None:
    settings = load(here / "home")
    with pytest.raises(ValueError, match="frozen"):
        settings.tenant = "other"  # type: ignore[misc]


@pytest.mark.parametrize(
    "token", ["", " ", "                    ", "short", "fifteen-letters", "with a space in it", "\t" * 20, "x" * 201]
)
def test_a_token_that_is_blank_or_could_be_guessed_is_refused_with_what_to_do(here: Path, token: str) -> None:
    with pytest.raises(SettingsInvalid, match=r"CARELINE_TOKEN: must be 16 to 200 letters.*openssl rand"):
        load(here / "home", TOKEN=token)


def test_a_blank_token_in_a_file_is_refused_too(here: Path) -> None:
    (here / "home" / ".env").write_text("CARELINE_TOKEN=\n")
    with pytest.raises(SettingsInvalid, match="CARELINE_TOKEN"):
        load(here / "home")


def test_iam_roles_are_pairs_of_a_name_and_a_role_with_or_without_a_tenant(here: Path) -> None:
    settings = load(here / "home", IAM_ROLES="careline-voice=caller@sint-anna, careline-desk=manager")
    assert settings.iam_roles == {"careline-voice": "caller@sint-anna", "careline-desk": "manager"}
    with pytest.raises(SettingsInvalid, match="CARELINE_IAM_ROLES: write NAME=ROLE"):
        load(here / "home", IAM_ROLES="careline-voice=king")
