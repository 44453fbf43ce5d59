"""Loads the demo hospital into an installation: its directory and every document, through the front door."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import itertools
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

import careline_artefacts
from careline.curation.editions import current, keep
from careline.directory.directory import Directory
from careline.errors import Conflict, EngineUnavailable
from careline.ports import Records
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
BY = "demo"
"""Who keeps the demo's directory: one that anybody else has changed is left to them."""
BEGUN = "demo"
"""Folder of the built documents below the home; it is there once loading has begun."""


def fingerprint() -> str:
    """Changes when a source of the demo hospital changes."""
    # What is kept of the sources: a home that was loaded before the directory was among it is loaded again.
    digest = hashlib.sha256(b"documents, directory, a record that repeats nothing of it")
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
    await set_up(session.settings.tenant, engines)
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


async def set_up(tenant_id: str, records: Records) -> None:
    """The demo hospital as a tenant, of which its directory says everything. Raises: TableUnavailable."""
    await save(records.table, Tenant(tenant_id))
    await keep_directory(read_directory(), tenant_id, records)


async def keep_directory(directory: Directory, tenant_id: str, records: Records) -> None:
    """Keep the demo's directory where there is none or an older one of the demo's; what people keep is theirs.

    Raises: TableUnavailable.
    """
    now = await current(tenant_id, records)
    if now.number == 0 or now.by == BY:
        # Whoever keeps one at this very moment is a person.
        with contextlib.suppress(Conflict):
            await keep(directory, tenant_id, records, by=BY, expects=now.number)


def read_directory() -> Directory:
    """The demo hospital's directory."""
    source = (HERE / "directory.yaml").read_text(encoding="utf-8")
    return Directory.model_validate(yaml.load(source, Loader=yaml.CSafeLoader))
