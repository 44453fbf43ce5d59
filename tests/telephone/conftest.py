"""Where a telephone can ring, and a hospital to call. Without what that needs the tests are skipped and say why."""

from __future__ import annotations

import os
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import pytest_asyncio

from careline_local.cli.session import CommandSession
from careline_local.demo import load
from careline_local.demo.build_documents import HERE, build, find_sources, read_hospital_names
from careline_local.ingest import ingest
from careline_local.intake import find
from tests.telephone.isolated import ADDRESS, REFUSED

if TYPE_CHECKING:
    from tests.telephone.line import Line

PROGRAMS = {"baresip": "baresip-core", "sipp": "sip-tester", "espeak-ng": "espeak-ng"}
DOCUMENTS = ("cardiologie", "bezoekuren", "parkeren", "restaurant-cafetaria", "verloren-voorwerpen", "opname")


def why_not() -> str | None:
    """Why no telephone can ring here; None where it can."""
    packages = [package for program, package in PROGRAMS.items() if shutil.which(program) is None]
    if packages:
        return f"the telephone is not installed: apt-get install {' '.join(packages)}"
    if "LIVEKIT_URL" in os.environ or ADDRESS in os.environ:
        return None
    return os.environ.get(REFUSED, "run it in a network of its own: python -m tests.telephone.isolated COMMAND")


@pytest.fixture(scope="session")
def telephone() -> None:
    """Skips where no telephone can ring."""
    reason = why_not()
    if reason is not None:
        pytest.skip(reason)


@pytest.fixture(scope="session")
def hospital(telephone: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a few documents of the demo hospital."""
    made = tmp_path_factory.mktemp("hospital")
    session = CommandSession(made / "home")
    wanted = [source for source in find_sources(HERE) if source.parent.name == "nl" and source.stem in DOCUMENTS]
    folder = build(wanted, made / "documents", hospital=read_hospital_names()).parent

    async def fill() -> int:
        await load.set_up(session.settings.tenant, session.installation.engines)
        return len((await ingest(find([str(folder)]), {}, session)).refused)

    assert session.run(fill()) == 0
    return session.settings.home


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def line(hospital: Path, request: pytest.FixtureRequest) -> AsyncIterator[Line]:
    """A line that the tests of a file call, one after the other."""
    from tests.telephone.line import a_line
    from tests.telephone.stack import LiveKit

    name = request.path.stem.removeprefix("test_")
    async with a_line(name, hospital, LiveKit.of_environment()) as made:
        yield made
