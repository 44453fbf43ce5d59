"""No pattern of the package reads a text from outside more often than its length allows."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.attacks import worst
from tests.source_roots import PYTHONPATH

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def compiled() -> list[dict[str, Any]]:
    """Every pattern that a call of `re` in the package compiles, with its place and its use."""
    recorder = [sys.executable, "-W", "ignore", str(ROOT / "tests/pattern_recorder.py")]
    paths = {"PYTHONPATH": PYTHONPATH}
    done = subprocess.run(recorder, capture_output=True, text=True, env={**os.environ, **paths}, check=False)
    assert done.returncode == 0, done.stderr
    return list(json.loads(done.stdout))


def test_every_call_of_re_was_seen_with_its_pattern(compiled: list[dict[str, Any]]) -> None:
    assert [one["place"] for one in compiled if one.get("unseen")] == [], "call them in pattern_recorder.work"
    files = {one["place"].split(":")[0] for one in compiled}
    assert {"layers/careline/speech/spoken/speaker.py", "layers/careline/schemas/wire.py"} <= files
    assert len(compiled) > 200


@pytest.mark.timeout(600)
def test_no_pattern_reads_a_text_more_often_than_its_length_allows(compiled: list[dict[str, Any]]) -> None:
    assert list(_too_slow(compiled)) == []


def _too_slow(compiled: list[dict[str, Any]]) -> Iterator[str]:
    seen: dict[tuple[str | bytes, int, str], str | None] = {}
    for one in compiled:
        if one.get("unseen"):
            continue
        pattern = base64.b64decode(one["pattern"]) if one["bytes"] else one["pattern"]
        key = (pattern, one["flags"], one["how"])
        if key not in seen:
            seen[key] = worst(*key)
        if seen[key] is not None:
            yield f"{one['place']} {pattern!r}: {seen[key]}"
