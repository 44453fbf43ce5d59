"""Every file that a day's work leaves in a home, and its mode, where the account makes files that anybody may read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.engines.storage.test_home import wide
from tests.journeys.conftest import write_documents
from tests.journeys.process import Careline

pytestmark = pytest.mark.skipif(os.name != "posix", reason="modes of files are those of POSIX")


def test_nothing_in_a_home_is_for_others_after_ingesting_asking_serving_and_auditing(tmp_path: Path) -> None:
    careline = Careline(tmp_path / "home")
    before = os.umask(0o022)
    try:
        careline.json("ingest", str(write_documents(tmp_path / "documents")))
        careline.json("ask", "hoeveel kost parkeren per uur")
        with careline.served() as server:
            server.record(server.ask("wanneer is er bezoek")["id"])
            assert wide(careline.home) == [], "while it runs"
        careline.json("audit", "verify")
        careline.json("reindex")
        careline.json("erase", "--subject", "nobody")
    finally:
        os.umask(before)
    assert len(list(careline.home.rglob("*"))) > 10
    assert wide(careline.home) == []


def test_a_home_that_others_can_look_into_is_refused_and_then_works(tmp_path: Path) -> None:
    home = tmp_path / "h"
    home.mkdir()
    home.chmod(0o755)
    refused = Careline(home).run("ask", "hallo")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert f"chmod 700 {home}" in refused.stderr
    assert "Traceback" not in refused.stderr
    home.chmod(0o700)
    assert Careline(home).run("documents").returncode == 0
