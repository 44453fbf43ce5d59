"""Keeps the folder of an installation to its owner: records about people lie in it."""

from __future__ import annotations

import os
import shlex
import stat
from collections.abc import Iterator
from pathlib import Path

from careline.engines.embedded.unwritable import why
from careline.errors import SettingsInvalid

OTHERS = 0o077
"""Permission bits of the group and of everybody else."""


def opened(home: Path) -> Path:
    """The folder, made for its owner alone when it is not there; what lies in it is for the owner alone too.

    Raises: SettingsInvalid when it cannot be used, or when others may look into it, with the command that ends that.
    """
    try:
        home.mkdir(parents=True, exist_ok=True, mode=0o700)
        if os.name == "posix":
            _refuse_wider(home)
            _tighten(home)
    except OSError as error:
        raise SettingsInvalid(f"CARELINE_HOME: {home} cannot be used: {why(home, error) or error.strerror}") from None
    return home


def _refuse_wider(home: Path) -> None:
    mode = stat.S_IMODE(home.stat().st_mode)
    if mode & OTHERS:
        raise SettingsInvalid(
            f"CARELINE_HOME: other users of this machine may look into {home} (its mode is {mode:03o}), and records "
            f"about people are kept there; run: chmod 700 {shlex.quote(str(home))}"
        )


def _tighten(home: Path) -> None:
    """Take the rights of others from what was written while the folder was wider.

    What lies directly in the folder is done last: it shows whether there is anything to do, also after a kill.
    """
    wide = [path for path in home.iterdir() if _is_wide(path)]
    for path in wide:
        if path.is_dir():
            for below in _below(path):
                if _is_wide(below):
                    _narrow(below)
        _narrow(path)


def _below(folder: Path) -> Iterator[Path]:
    for where, folders, files in os.walk(folder, topdown=False):
        yield from (Path(where, name) for name in (*files, *folders))


def _is_wide(path: Path) -> bool:
    try:
        found = path.lstat()
    except FileNotFoundError:
        # SQLite removes its log, and a draft is moved into its place, while somebody else is looking.
        return False
    return not stat.S_ISLNK(found.st_mode) and bool(stat.S_IMODE(found.st_mode) & OTHERS)


def _narrow(path: Path) -> None:
    try:
        path.chmod(stat.S_IMODE(path.lstat().st_mode) & ~OTHERS)
    except FileNotFoundError:
        return
