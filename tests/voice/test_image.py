"""The worker's image, which cannot be built everywhere: what it copies is there, and is all that a call needs."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("livekit.agents", reason="requirements/voice.txt is not installed: `make voice`")

from tests.source_roots import ROOT

HOME = "/srv"
BEGIN = """\
import careline_voice.main
from careline.settings import Settings
from careline_voice.line_setup import LineSetup
from careline_voice.recordings import sentence, sentence_keys
setup = LineSetup.of(Settings.load())
assert all(setup.recordings.path(sentence(key, "nl"), "nl") for key in sentence_keys())
"""


def instructions() -> list[list[str]]:
    """The Dockerfile's lines as words, continued ones joined."""
    written = (ROOT / "voice_worker" / "Dockerfile").read_text("utf-8").replace("\\\n", " ")
    return [shlex.split(line) for line in written.splitlines() if line.strip() and not line.startswith("#")]


def copied() -> list[tuple[str, str]]:
    """Sources and where they go."""
    return [(words[1], words[2]) for words in instructions() if words[0] == "COPY"]


def environment() -> dict[str, str]:
    """The variables that the image sets."""
    pairs = [pair for words in instructions() if words[0] == "ENV" for pair in words[1:]]
    return dict(pair.split("=", 1) for pair in pairs)


def test_what_the_image_copies_is_in_the_repository() -> None:
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    assert copied()
    for source, _ in copied():
        assert any(name == source or name.startswith(f"{source}/") for name in tracked), source


def test_a_call_can_be_taken_with_nothing_but_what_the_image_copies(tmp_path: Path) -> None:
    for source, target in copied():
        (tmp_path / target).parent.mkdir(parents=True, exist_ok=True)
        copy = shutil.copytree if (ROOT / source).is_dir() else shutil.copy
        copy(ROOT / source, tmp_path / target)
    set_here = {name: value.replace(HOME, str(tmp_path)) for name, value in environment().items()}
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    started = [sys.executable, "-c", BEGIN]
    told = subprocess.run(started, cwd=tmp_path, env={**kept, **set_here}, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr


def test_every_package_of_the_image_is_pinned_with_its_hashes() -> None:
    lines = (ROOT / "requirements" / "voice.txt").read_text("utf-8").splitlines()
    packages = [line for line in lines if re.match(r"[a-z0-9]", line, re.IGNORECASE)]
    assert packages
    assert all(re.match(r"[\w.-]+(?:\[[\w,-]+\])?==[\w.!+]+", line) for line in packages)
    assert sum("--hash=sha256:" in line for line in lines) >= len(packages)
