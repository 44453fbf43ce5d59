"""Loads the demo hospital into an installation: its directory's head and every document, through the front door."""

from __future__ import annotations

import asyncio
import hashlib
import itertools
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

import careline_artefacts
from careline.errors import EngineUnavailable
from careline.tenants.tenant_records import Tenant, save
from careline_local.demo import build_documents
from careline_local.demo.build_documents import HERE, SourcesRejected, find_sources
from careline_local.ingest import Report, ingest
from careline_local.intake import FoundFile, count, find
from careline_local.kept_vectors import read, with_kept

if TYPE_CHECKING:
    from careline_local.cli.session import CommandSession

MARK = "demo.loaded"
VECTORS = careline_artefacts.FOLDER / "demo" / "vectors.npz"
"""`python -m careline_local.demo.build_vectors` makes it."""
LONGEST_BUILD = 300.0
"""Seconds after which building the documents has gone wrong; it takes a few."""
BEGUN = "demo"
"""Folder of the built documents below the home; it is there once loading has begun."""


def fingerprint() -> str:
    """Changes when a source of the demo hospital changes."""
    digest = hashlib.sha256()
    for path in [HERE / "directory.yaml", *find_sources(HERE)]:
        digest.update(path.read_bytes())
    return digest.hexdigest()


def is_loaded(home: Path) -> bool:
    """Whether this installation holds the demo hospital as it is now."""
    mark = home / MARK
    return mark.is_file() and mark.read_text(encoding="ascii") == fingerprint()


async def load(
    session: CommandSession,
    tell: Callable[[int, int], None] = lambda done, total: None,
    after: Callable[[], Awaitable[object]] | None = None,
) -> Report:
    """Build the documents and ingest them with a progress bar; what is there already is left alone.

    Their vectors are shipped: what is embedded is only what has changed since. `tell` hears how many are done, of how
    many. They are built at once, and taken in `after` what others do meanwhile.
    """
    # First: it makes the home, for its owner alone.
    engines, home = session.installation.engines, session.settings.home
    found = await documents(home)
    if after is not None:
        await after()
    await save(engines.table, tenant(session.settings.tenant))
    total, done = count(found), itertools.count(1)
    tell(0, total)
    if VECTORS.is_file():
        engines = with_kept(engines, read(VECTORS))
    report = await ingest(found, {}, session, engines=engines, tell=lambda _: tell(next(done), total))
    if not report.refused:
        (home / MARK).write_text(fingerprint(), encoding="ascii")
    return report


async def documents(home: Path) -> list[FoundFile]:
    """The documents, built below a home. Seconds of work, done by another process, beside which this one goes on.

    Raises: SourcesRejected, EngineUnavailable when it does not end.
    """
    folder = home / BEGUN
    line = [sys.executable, "-m", build_documents.__name__, str(folder)]
    process = await asyncio.create_subprocess_exec(*line, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        _, complaints = await asyncio.wait_for(process.communicate(), LONGEST_BUILD)
    except TimeoutError:
        told = f"the demo's documents were not built in {LONGEST_BUILD:g} seconds; see what keeps the machine busy"
        raise EngineUnavailable(told) from None
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode:
        raise SourcesRejected(complaints.decode().splitlines(), folder / build_documents.MANIFEST)
    return find([str(folder)])


def tenant(tenant_id: str) -> Tenant:
    """The demo hospital as a tenant."""
    directory = yaml.load((HERE / "directory.yaml").read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    about = directory["tenant"]
    # The switchboard is answered day and night; the directory's own helpdesk is for the portal and the wifi.
    person = about["phones"]["main"]
    return Tenant(
        tenant_id,
        about["names"],
        about["default_language"],
        str(about["emergency_number"]),
        person,
        staff=[f"{one['first_name']} {one['last_name']}" for one in directory["doctors"]],
    )
