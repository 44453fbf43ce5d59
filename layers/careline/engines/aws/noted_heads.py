"""Notes heads of audit chains in an S3 bucket under Object Lock, which locks each object as it is put."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from careline.engines.aws.connect import client, code_of, in_thread, translated
from careline.engines.head_names import folder_of, head_in, name_of
from careline.errors import FilesUnavailable
from careline.ports import NotedHead

FOLDER = "heads/"
"""What every key begins with; what the template grants is below it (`infra/constructs/locked_heads.py`)."""
THERE = "PreconditionFailed"
"""What S3 says when an object of that name is there and none may be."""


class S3NotedHeads:
    """The port of noted heads over S3. Writing takes `s3:PutObject` alone, reading `s3:ListBucketVersions`."""

    def __init__(self, bucket: str, s3: Any = None) -> None:
        self._bucket = bucket
        self._given = s3

    @property
    def _s3(self) -> Any:
        return self._given or client("s3")

    async def note(self, tenant: str, head: NotedHead) -> None:
        """See `ports.NotedHeads.note`."""
        key = f"{FOLDER}{folder_of(tenant)}{name_of(head)}"
        with translated(FilesUnavailable, "the head of the audit chain cannot be noted"):
            await in_thread(lambda: self._put(key))

    def _put(self, key: str) -> None:
        from botocore.exceptions import ClientError

        try:
            # A second version would be locked beside the first one, each hour that nothing happens.
            self._s3.put_object(Bucket=self._bucket, Key=key, Body=b"", IfNoneMatch="*")
        except ClientError as error:
            if code_of(error) != THERE:
                raise

    async def noted(self, tenant: str) -> Sequence[NotedHead]:
        """See `ports.NotedHeads.noted`."""
        with translated(FilesUnavailable, "noted heads of the audit chain cannot be read"):
            return await in_thread(lambda: self._list(f"{FOLDER}{folder_of(tenant)}"))

    def _list(self, prefix: str) -> list[NotedHead]:
        """Of versions: who may delete puts a mark over an object that hides it from a plain listing."""
        pages = self._s3.get_paginator("list_object_versions").paginate(Bucket=self._bucket, Prefix=prefix)
        names = (entry["Key"] for page in pages for entry in page.get("Versions", []))
        heads = {head for name in names if (head := head_in(name.removeprefix(prefix))) is not None}
        return sorted(heads)
