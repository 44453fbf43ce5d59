"""Keeps files in an S3 bucket. A write is whole or absent; the bucket encrypts and keeps versions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Any

from careline.engines.aws.connect import client, code_of, in_thread, translated
from careline.errors import BadRequest, FilesUnavailable, NotFound

ABSENT = {"NoSuchKey", "404", "NotFound"}
PER_DELETE = 1000
"""Keys one DeleteObjects takes."""


class S3Files:
    """The file port over S3."""

    def __init__(self, bucket: str, s3: Any = None) -> None:
        self._bucket = bucket
        self._given = s3

    @property
    def _s3(self) -> Any:
        return self._given or client("s3", read_seconds=30)

    async def put(self, name: str, content: bytes) -> None:
        """See `ports.FileStore.put`."""
        key = _checked(name)
        with translated(FilesUnavailable, "the file store cannot be written"):
            await in_thread(lambda: self._s3.put_object(Bucket=self._bucket, Key=key, Body=content))

    async def get(self, name: str) -> bytes:
        """See `ports.FileStore.get`."""
        key = _checked(name)
        with translated(FilesUnavailable, "the file store cannot be read"):
            content = await in_thread(lambda: self._read(key))
        if content is None:
            raise NotFound(f"there is no file {name}")
        return content

    def _read(self, key: str) -> bytes | None:
        from botocore.exceptions import ClientError

        try:
            answer = self._s3.get_object(Bucket=self._bucket, Key=key)
        except ClientError as error:
            if code_of(error) in ABSENT:
                return None
            raise
        with answer["Body"] as body:
            content: bytes = body.read()
        return content

    async def exists(self, name: str) -> bool:
        """See `ports.FileStore.exists`."""
        key = _checked(name)
        with translated(FilesUnavailable, "the file store cannot be read"):
            return await in_thread(lambda: self._there(key))

    def _there(self, key: str) -> bool:
        from botocore.exceptions import ClientError

        try:
            self._s3.head_object(Bucket=self._bucket, Key=key)
        except ClientError as error:
            if code_of(error) in ABSENT:
                return False
            raise
        return True

    async def names(self, prefix: str) -> Sequence[str]:
        """See `ports.FileStore.names`."""
        with translated(FilesUnavailable, "the file store cannot be listed"):
            return await in_thread(lambda: self._list(prefix))

    def _list(self, prefix: str) -> list[str]:
        pages = self._s3.get_paginator("list_objects_v2").paginate(Bucket=self._bucket, Prefix=prefix)
        return sorted(entry["Key"] for page in pages for entry in page.get("Contents", []))

    async def remove(self, prefix: str) -> None:
        """See `ports.FileStore.remove`."""
        names = await self.names(prefix)
        with translated(FilesUnavailable, "the file store cannot be written"):
            for start in range(0, len(names), PER_DELETE):
                await in_thread(lambda some=names[start : start + PER_DELETE]: self._delete(some))  # type: ignore[misc]

    def _delete(self, names: Sequence[str]) -> None:
        keys = [{"Key": name} for name in names]
        answer = self._s3.delete_objects(Bucket=self._bucket, Delete={"Objects": keys, "Quiet": True})
        if failed := answer.get("Errors"):
            raise FilesUnavailable(f"{len(failed)} files could not be removed: {failed[0].get('Code')}")


def _checked(name: str) -> str:
    parts = PurePosixPath(name).parts
    if not parts or ".." in parts or name.startswith("/") or "\\" in name or "\0" in name:
        raise BadRequest("a file name is relative, with / between its parts and no ..")
    return "/".join(parts)
