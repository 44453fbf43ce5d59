"""A process that ingests JSON Lines into a folder as `careline ingest` does, and says so before each call to an engine.

`python -m tests.knowledge.ingesting_process FOLDER FILE` begins when it reads a line.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from rich.console import Console

from careline.settings import Settings
from careline_local.ingest import Report, ingest
from careline_local.intake import find
from tests.builders import some_ids
from tests.knowledge.stores import TENANT, close, in_folder, watched


def tell() -> None:
    """One line for one call."""
    print("call", flush=True)  # noqa: T201


async def work(folder: Path, file: Path, ids: str, *, quiet: bool = False) -> Report:
    """Ingest the file and say what became of it."""
    engines = in_folder(folder, new_id=some_ids(ids))
    settings = Settings(home=folder, tenant=TENANT)
    installation = SimpleNamespace(settings=settings, engines=engines if quiet else watched(engines, tell))
    session: Any = SimpleNamespace(installation=installation, progress_console=Console(stderr=True))
    report = await ingest(find([str(file)]), {}, session, quiet=True)
    close(engines)
    return report


if __name__ == "__main__":
    print("ready", flush=True)  # noqa: T201
    sys.stdin.readline()
    asyncio.run(work(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]))
