"""The demo hospital's directory."""

from __future__ import annotations

from functools import cache

import yaml

from careline.directory.directory import Directory, read_directory
from tests.source_roots import ROOT


@cache
def demo() -> Directory:
    """As its file holds it."""
    source = (ROOT / "local/careline_local/demo/directory.yaml").read_text(encoding="utf-8")
    directory, problems = read_directory(yaml.safe_load(source))
    assert directory is not None, problems
    return directory
