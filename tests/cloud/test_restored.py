"""A web function's process may be restored from a snapshot: nothing is open, nothing is made twice alike."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cloud import sandbox
from tests.cloud.measure import run
from tests.cloud.package import Packages, functions_of
from tests.cloud.restored import PROGRAM

pytestmark = pytest.mark.timeout(600)


@pytest.fixture(scope="module", params=["orchestrator", "admin"])
def snapshot(request: pytest.FixtureRequest, synthesized: Path, tmp_path_factory: pytest.TempPathFactory) -> Any:
    if refused := sandbox.refusal():
        pytest.skip(refused)
    packages = Packages(synthesized, tmp_path_factory.mktemp("restored"))
    properties, layers = next((one, of) for name, one, of in functions_of(synthesized) if name.endswith(request.param))
    return run(packages.of(properties, layers), PROGRAM, f"careline_functions.{request.param}.app")


def test_no_connection_is_open_when_the_snapshot_is_made(snapshot: Any) -> None:
    assert [one for one in snapshot["opened"] if one.startswith("socket:")] == []


def test_two_restored_processes_make_no_identifier_and_no_nonce_alike(snapshot: Any) -> None:
    first, second = (set(one["made"]) for one in snapshot["forks"])
    assert first & second == set()


def test_a_restored_process_serves(snapshot: Any) -> None:
    assert all(one["status"] < 500 for one in snapshot["forks"])
