"""The folder of an installation is its owner's: nobody else reads a record, a log of one, or an index of documents."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from careline import bootstrap
from careline.engines.embedded.home import opened
from careline.errors import SettingsInvalid
from careline.settings import Settings

pytestmark = pytest.mark.skipif(os.name != "posix", reason="modes of files are those of POSIX")


def wide(home: Path) -> list[str]:
    """What others may read, write or look into, the folder itself included."""
    paths = [home, *home.rglob("*")]
    return [f"{path} {path.stat().st_mode:o}" for path in paths if stat.S_IMODE(path.stat().st_mode) & 0o077]


def test_a_folder_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    assert stat.S_IMODE(opened(tmp_path / "new" / "home").stat().st_mode) == 0o700


@pytest.mark.parametrize("mode", [0o755, 0o750, 0o770, 0o701, 0o777, 0o710])
def test_a_wider_folder_is_refused_with_the_command_that_helps(tmp_path: Path, mode: int) -> None:
    home = tmp_path / "a home"
    home.mkdir()
    home.chmod(mode)
    with pytest.raises(SettingsInvalid) as raised:
        bootstrap.engines(Settings(home=home))
    assert f"chmod 700 '{home}'" in raised.value.message
    assert list(home.iterdir()) == [], "nothing was written where others can read it"
    assert stat.S_IMODE(home.stat().st_mode) == mode, "whose folder it is decides, not this program"
    home.chmod(0o700)
    opened(home)


def test_what_was_written_while_the_folder_was_wider_is_narrowed(tmp_path: Path) -> None:
    home = opened(tmp_path / "home")
    for name in ("records.sqlite", "records.sqlite-wal", "files/a/b.pdf", "index/keywords/meta.json", ".env"):
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")
        path.chmod(0o644)
    for folder in (home / "files", home / "files/a", home / "index", home / "index/keywords"):
        folder.chmod(0o755)
    assert wide(home)
    opened(home)
    assert wide(home) == []
    assert (home / "files/a/b.pdf").read_text() == "x"


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    home, elsewhere = opened(tmp_path / "home"), tmp_path / "shared"
    elsewhere.mkdir()
    elsewhere.chmod(0o755)
    (home / "files").symlink_to(elsewhere)
    opened(home)
    assert stat.S_IMODE(elsewhere.stat().st_mode) == 0o755
