"""Where the configuration comes from, and what is said when it cannot be used."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from pydantic import ValidationError

from careline.errors import SettingsInvalid
from careline.settings import OpenAISettings, PhoneSettings, Settings, VoiceSettings

PAGE = Path(__file__).parents[1] / "docs" / "settings.md"


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
    assert (settings.engines.embedder, settings.engines.model, settings.storage) == (
        "embedded",
        "extractive",
        "embedded",
    )
    assert settings.home == here / "home"


def test_the_environment_goes_before_the_installations_file_and_that_before_the_working_folders(here: Path) -> None:
    (here / ".env").write_text("CARELINE_TENANT=folder\nCARELINE_PACK=folder\nCARELINE_HOSPITAL_NAME=folder\n")
    (here / "home" / ".env").write_text("CARELINE_TENANT=home\nCARELINE_PACK=home\n")
    settings = load(here / "home", TENANT="environment")
    assert (settings.tenant, settings.pack, settings.hospital.hospital_name) == ("environment", "home", "folder")


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
    assert Settings.load({"PATH": "/bin", "OPENAI_API_KEY": "x"}, home=here / "home").openai.api_key is None


def test_a_secret_is_not_shown(here: Path) -> None:
    settings = load(here / "home", OPENAI_API_KEY="sk-5f3a91", TOKEN="t-5f3a91-5f3a91-5f")
    assert settings.openai.api_key is not None
    assert settings.openai.api_key.get_secret_value() == "sk-5f3a91"
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


def test_iam_roles_are_pairs_of_a_full_arn_and_a_role_with_or_without_a_tenant(here: Path) -> None:
    account = "arn:aws:iam::111111111111:role"
    settings = load(here / "home", IAM_ROLES=f"{account}/voice=caller@sint-anna, {account}/staff/desk=manager")
    assert settings.access.iam_roles == {f"{account}/voice": "caller@sint-anna", f"{account}/staff/desk": "manager"}
    wrongs = (f"{account}/voice=king", "careline-voice=caller", "arn:aws:iam::*:role/voice=owner", f"{account}=user")
    for wrong in wrongs:
        with pytest.raises(SettingsInvalid, match="CARELINE_IAM_ROLES: write ARN=ROLE"):
            load(here / "home", IAM_ROLES=wrong)
    with pytest.raises(SettingsInvalid, match="names one IAM role twice"):
        load(here / "home", IAM_ROLES=f"{account}/a/Voice=caller,{account}/b/voice=owner")


def test_a_group_is_loaded_alone_by_the_same_rules_and_whatever_else_is_wrong(here: Path) -> None:
    (here / "home" / ".env").write_text("CARELINE_VOICE_CALLS=3\nCARELINE_VOICE_HOST=home\n")
    said = {"CARELINE_VOICE_HOST": "environment", "CARELINE_VOICE_AGENT_NAME": "", "CARELINE_MONTHLY_BUDGET": "much"}
    voice = VoiceSettings.load(said, home=here / "home")
    assert (voice.calls, voice.host, voice.agent_name) == (3, "environment", "careline")
    assert PhoneSettings.load(said, home=here / "home").voice == voice
    with pytest.raises(SettingsInvalid, match=r"^CARELINE_MONTHLY_BUDGET: "):
        Settings.load(said, home=here / "home")
    with pytest.raises(SettingsInvalid, match=r"^CARELINE_VOICE_CALLS: "):
        VoiceSettings.load({"CARELINE_VOICE_CALLS": "many"}, home=here / "home")
    with pytest.raises(SettingsInvalid, match="CARELINE_TENNANT"):
        VoiceSettings.load({"CARELINE_TENNANT": "a"}, home=here / "home")


def test_a_group_itself_is_no_variable(here: Path) -> None:
    with pytest.raises(SettingsInvalid, match="CARELINE_VOICE is not a setting"):
        load(here / "home", VOICE='{"calls": 3}')


def test_settings_that_are_made_and_not_loaded_read_nothing(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / ".env").write_text("CARELINE_PACK=folder\nCARELINE_TENNANT=a\n")
    (here / "home" / ".env").write_text("CARELINE_HOSPITAL_NAME=home\n")
    monkeypatch.setenv("CARELINE_TENANT", "environment")
    monkeypatch.setenv("CARELINE_OPENAI_API_KEY", "sk-5f3a91")
    monkeypatch.setenv("CARELINE_OPENAI_PRICE_IN", "many")
    made = Settings(home=here / "home")
    assert (made.tenant, made.pack, made.hospital.hospital_name) == ("default", "hospital_line", None)
    assert made.openai == OpenAISettings() == OpenAISettings(api_key=None)
    assert made == Settings().with_changes(home=here / "home")


def test_every_variable_of_the_page_is_a_field_of_exactly_one_group() -> None:
    groups = [Settings, *Settings.groups().values()]
    own = [name for group in groups for name, path in group.variables().items() if len(path) == 1]
    listed = re.findall(r"^\| `(CARELINE_\w+)`", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert Counter(own) == Counter(listed) == Counter(set(listed))


def test_a_changed_copy_keeps_the_rest_and_what_was_set_and_is_validated(here: Path) -> None:
    settings = load(here / "home", TENANT="anna", VOICE_HOST="::", OPENAI_API_KEY="sk-5f3a91")
    changed = settings.with_changes(pack="clinical_assistant", voice={"calls": 3})
    assert (changed.tenant, changed.pack, changed.home) == ("anna", "clinical_assistant", here / "home")
    assert (changed.voice.host, changed.voice.model_fields_set) == ("::", {"host", "calls"})
    assert changed.openai == settings.openai
    assert settings.voice.calls == 10
    for wrong in ({"voice": {"calls": 0}}, {"voice": {"callers": 1}}, {"voices": {}}, {"storage": "azure"}):
        with pytest.raises(ValidationError):
            settings.with_changes(**wrong)
