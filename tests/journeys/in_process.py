"""An installation of a home within the process of the tests, which lets go of its files afterwards.

A process that opens and closes a file of SQLite by other means, to copy a home, loses the locks that its connections to
it have (SQLite, "How to corrupt", 2.2), and whoever writes next from another process damages it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from careline.installation import Installation
from careline.settings import Settings
from careline_local.cli.session import CommandSession


@contextmanager
def installed(home: Path, settings: Settings | None = None) -> Iterator[Installation]:
    """The installation until the block is left."""
    installation = CommandSession(home, given=settings).installation
    held: tuple[Any, ...] = (installation.engines.table, installation.engines.index, installation.engines.outbox)
    try:
        yield installation
    finally:
        for engine in held:
            engine.close()
