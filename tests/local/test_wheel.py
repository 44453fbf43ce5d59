"""A built wheel holds everything that Careline reads, and answers without the checkout it was built from."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.local.bench.hospital_builders import a_folder, asked

ROOT = Path(__file__).parents[2]
SOURCES = ("layers/careline", "layers/careline_packs", "layers/careline_artefacts", "local/careline_local")
SOURCES += ("functions/careline_functions",)
NOT_BUILT = shutil.ignore_patterns("__pycache__", "*.egg-info", "build", "node_modules")
PAGE = "# Eye clinic\n\nThe eye clinic is open on Monday and Thursday from 8:30 to 16:00. Lost glasses lie there.\n"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of a copy of the sources, so that no earlier build has a part in it."""
    copied = tmp_path_factory.mktemp("sources")
    for folder in (*SOURCES, "infra/web"):
        shutil.copytree(ROOT / folder, copied / folder, ignore=NOT_BUILT, symlinks=True)
    for name in ("pyproject.toml", "LICENSE"):
        shutil.copy2(ROOT / name, copied)
    out = tmp_path_factory.mktemp("wheel")
    pip("wheel", str(copied), "--no-build-isolation", "--wheel-dir", str(out))
    (made,) = out.glob("careline-*.whl")
    return made


@pytest.fixture(scope="module")
def contents(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as packed:
        return {name for name in packed.namelist() if ".dist-info/" not in name}


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder into which the wheel is installed, for reading."""
    folder = tmp_path_factory.mktemp("site") / "installed"
    pip("install", "--target", str(folder), str(wheel))
    return folder


def pip(*arguments: str) -> None:
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", *arguments]
    done = subprocess.run([*command, "--no-deps", "--no-index"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_wheel_holds_every_file_of_the_packages_and_no_other(contents: set[str]) -> None:
    wanted = set()
    for folder in SOURCES:
        source = ROOT / folder
        files = (path for path in source.rglob("*") if path.is_file())
        found = (path for path in files if not {"__pycache__", "console"} & {*path.parts})
        wanted |= {path.relative_to(source.parent).as_posix() for path in found if path.suffix != ".pyc"}
    console = [path for path in (ROOT / "infra" / "web").rglob("*") if path.is_file()]
    wanted |= {f"careline_local/console/{path.relative_to(ROOT / 'infra' / 'web').as_posix()}" for path in console}
    assert sorted(contents ^ wanted) == []


def test_everything_in_the_wheel_is_named_careline(contents: set[str]) -> None:
    assert {name.split("/")[0] for name in contents} == {
        "careline", "careline_artefacts", "careline_functions", "careline_local", "careline_packs",
    }  # fmt: skip


def test_the_wheel_answers_from_a_folder_of_documents_without_the_checkout(installed: Path, tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "eye-clinic.md").write_text(PAGE, encoding="utf-8")
    careline(installed, "ingest", str(pages), cwd=tmp_path)
    assert "8:30" in careline(installed, "ask", "When is the eye clinic open?", cwd=tmp_path)


def test_the_wheel_measures_answers_on_a_folder_and_says_where_the_sets_of_the_repository_are(
    installed: Path, tmp_path: Path
) -> None:
    folder = a_folder(tmp_path / "north", [asked(ask="what does a day of parking in the north car park cost")])
    assert "1/1" in careline(installed, "bench", "answers", "--on", str(folder), cwd=tmp_path)
    told = careline(installed, "bench", "answers", cwd=tmp_path, code=2)
    assert "the sets of this bench are in the repository" in told
    assert "careline bench answers --on FOLDER" in told


def careline(installed: Path, *arguments: str, cwd: Path, code: int = 0) -> str:
    """What a command prints, run with nothing of ours but what is installed there; its complaint when it fails."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("CARELINE_")}
    program = "import sys; from careline_local.cli import main; assert sys.argv.pop(1) in main.__file__; main.main()"
    line = [sys.executable, "-c", program, str(installed), "--home", str(cwd / "home"), *arguments]
    environment = {**kept, "PYTHONPATH": str(installed)}
    done = subprocess.run(line, capture_output=True, text=True, check=False, cwd=cwd, env=environment)
    assert done.returncode == code, done.stderr
    return done.stdout or done.stderr
