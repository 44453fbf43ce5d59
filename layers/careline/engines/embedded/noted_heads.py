"""Notes heads of audit chains in a folder, best one on a machine where this user may add files and change none."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path

from careline.engines.embedded.unwritable import why
from careline.engines.head_names import folder_of, head_in, name_of
from careline.errors import FilesUnavailable
from careline.ports import NotedHead


class FolderNotedHeads:
    """The port of noted heads over a folder: each head is an empty file that its name says."""

    def __init__(self, root: Path) -> None:
        self._root = root

    async def note(self, tenant: str, head: NotedHead) -> None:
        """See `ports.NotedHeads.note`."""
        await asyncio.to_thread(self._note, self._root / folder_of(tenant), name_of(head))

    def _note(self, folder: Path, name: str) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            os.close(os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o400))
        except FileExistsError:
            return
        except OSError as error:
            reason = why(folder / name, error) or error.strerror
            raise FilesUnavailable(f"the head of the audit chain cannot be noted: {reason}") from error

    async def noted(self, tenant: str) -> Sequence[NotedHead]:
        """See `ports.NotedHeads.noted`."""
        return await asyncio.to_thread(self._noted, self._root / folder_of(tenant))

    def _noted(self, folder: Path) -> list[NotedHead]:
        try:
            names = os.listdir(folder)
        except FileNotFoundError:
            return []
        except OSError as error:
            raise FilesUnavailable(f"noted heads of the audit chain cannot be read: {error.strerror}") from error
        return sorted(head for name in names if (head := head_in(name)) is not None)

    def set_aside(self, stamp: str) -> None:
        """Keep what was noted under another name, where a new key begins new chains. Raises: FilesUnavailable."""
        if self._root.exists():
            try:
                self._root.rename(self._root.with_name(f"{self._root.name}.before.{stamp}"))
            except OSError as error:
                raise FilesUnavailable(
                    f"{self._root} cannot be renamed ({error.strerror}); rename it, as no new chain fits what is in it"
                ) from error
