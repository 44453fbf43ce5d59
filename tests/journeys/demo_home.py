"""The demo hospital loaded once for the sources that it was loaded by: the next run of the tests takes a copy.

Embedding its pages is the tests' longest work by far. The loaded home stays in `build/demo` under a digest of every
file that has a part in it: the programs, packs, artefacts and documents, and what is installed. Whatever changes there,
it is loaded anew.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.source_roots import ROOT

KEPT = ROOT / "build" / "demo"
MADE_BY = ("layers", "local", "requirements")
"""Folders whose files make a loaded home what it is."""

UNUSED_SECONDS = 3600
"""After which a home that was loaded by other sources is removed."""


def digest() -> str:
    """Changes with any file that has a part in loading, and with Python."""
    found = hashlib.sha256(sys.version.encode())
    for path in _sources():
        content = path.read_bytes()
        found.update(f"{path.relative_to(ROOT)} {len(content)}\n".encode())
        found.update(content)
    return found.hexdigest()[:32]


def _sources() -> Iterator[Path]:
    paths = (path for folder in MADE_BY for path in sorted((ROOT / folder).rglob("*")))
    return (path for path in paths if path.is_file() and path.suffix != ".pyc")


def loaded_home(home: Path, load: Callable[[Path], None]) -> None:
    """Make `home` a loaded home: a copy of the one that is kept, or loaded now and then kept."""
    kept = KEPT / digest()
    if kept.is_dir():
        shutil.copytree(kept, home)
        os.utime(kept)
        return
    load(home)
    whole = KEPT / f"{kept.name}.{os.getpid()}"
    shutil.copytree(home, whole)
    try:
        whole.rename(kept)
    except OSError:  # Another run was first.
        shutil.rmtree(whole)
    for former in set(KEPT.iterdir()) - {kept}:
        # A run in another checkout may have the folder too, and be copying.
        if former.stat().st_mtime < time.time() - UNUSED_SECONDS:
            shutil.rmtree(former)
