"""Loads the demo hospital into an installation: its directory's head and every document, through the front door."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

from careline.tenants.directory import Tenant, save
from careline_local.demo.build_documents import HERE, build, find_sources, read_hospital_names
from careline_local.ingest import Report, ingest
from careline_local.intake import find

if TYPE_CHECKING:
    from careline_local.cli.session import CommandSession

MARK = "demo.loaded"
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


async def load(session: CommandSession) -> Report:
    """Build the documents and ingest them with a progress bar; what is there already is left alone."""
    home = session.settings.home
    await save(session.installation.engines.table, tenant(session.settings.tenant))
    folder = build(find_sources(HERE), home / BEGUN, hospital=read_hospital_names()).parent
    report = await ingest(find([str(folder)]), {}, session)
    if not report.refused:
        (home / MARK).write_text(fingerprint(), encoding="ascii")
    return report


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
