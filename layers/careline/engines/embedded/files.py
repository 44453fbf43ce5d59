"""Keeps files in a folder. A file is written beside its place and moved there, so that it is whole or absent."""

from __future__ import annotations

import asyncio
import os
import shutil
import uuid
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path, PurePosixPath

from careline.engines.embedded.unwritable import why
from careline.errors import BadRequest, FilesUnavailable, NotFound


class FolderFiles:
    """The file port over a folder."""

    def __init__(self, root: Path) -> None:
        self._root = root

    async def put(self, name: str, content: bytes) -> None:
        """See `ports.FileStore.put`."""
        await asyncio.to_thread(self._put, self._place(name), content)

    def _put(self, place: Path, content: bytes) -> None:
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            beside = place.with_name(f".{uuid.uuid4().hex}.part")
            beside.write_bytes(content)
            os.replace(beside, place)
        except OSError as error:
            raise FilesUnavailable(_told("files cannot be written", place, error)) from error

    async def get(self, name: str) -> bytes:
        """See `ports.FileStore.get`."""
        try:
            return await asyncio.to_thread(self._place(name).read_bytes)
        except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
            raise NotFound(f"there is no file {name}") from None
        except OSError as error:
            raise FilesUnavailable(f"the file store cannot be read: {error.strerror}") from error

    async def exists(self, name: str) -> bool:
        """See `ports.FileStore.exists`."""
        return self._place(name).is_file()

    async def names(self, prefix: str) -> Sequence[str]:
        """See `ports.FileStore.names`."""
        return await asyncio.to_thread(self._names, prefix)

    def _names(self, prefix: str) -> list[str]:
        start = self._root / prefix if prefix == "" or prefix.endswith("/") else (self._root / prefix).parent
        found = (path for path in start.rglob("*") if path.is_file() and not path.name.endswith(".part"))
        names = (path.relative_to(self._root).as_posix() for path in found)
        return sorted(name for name in names if name.startswith(prefix))

    async def remove(self, prefix: str) -> None:
        """See `ports.FileStore.remove`."""
        if prefix.endswith("/"):
            await asyncio.to_thread(_remove, self._place(prefix[:-1]))
            return
        for name in await self.names(prefix):
            await asyncio.to_thread(_remove, self._place(name))

    def _place(self, name: str) -> Path:
        parts = PurePosixPath(name).parts
        if not parts or ".." in parts or name.startswith("/") or "\\" in name or "\0" in name:
            raise BadRequest("a file name is relative, with / between its parts and no ..")
        return self._root.joinpath(*parts)


def _remove(place: Path) -> None:
    """A file or a folder with all that is in it; others may remove it at the same time. Raises: FilesUnavailable."""
    try:
        while place.is_dir():
            with suppress(FileNotFoundError):
                shutil.rmtree(place)
        place.unlink(missing_ok=True)
    except OSError as error:
        raise FilesUnavailable(_told("files cannot be removed", place, error)) from error


def _told(what: str, place: Path, error: OSError) -> str:
    return f"{what}: {why(place, error) or error.strerror}"
