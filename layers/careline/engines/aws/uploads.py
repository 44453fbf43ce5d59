"""Reads files that senders put into an S3 bucket: exactly the version that an event names, with its user metadata."""

from __future__ import annotations

from typing import Any

from careline.engines.aws.connect import client, code_of, in_thread, translated
from careline.errors import FilesUnavailable, NotFound
from careline.ports import UploadedFile

GONE = {"NoSuchKey", "NoSuchVersion"}


class S3Uploads:
    """The uploads port over S3."""

    def __init__(self, bucket: str, s3: Any = None) -> None:
        self._bucket = bucket
        self._given = s3

    @property
    def _s3(self) -> Any:
        return self._given or client("s3", read_seconds=30)

    async def read(self, name: str, version: str | None, most: int) -> UploadedFile:
        """See `ports.Uploads.read`."""
        wanted = {"Bucket": self._bucket, "Key": name, **({"VersionId": version} if version else {})}
        with translated(FilesUnavailable, "the uploaded file cannot be read"):
            found = await in_thread(lambda: self._read(wanted, most))
        if found is None:
            raise NotFound("the uploaded file is gone")
        return found

    def _read(self, wanted: dict[str, str], most: int) -> UploadedFile | None:
        from botocore.exceptions import ClientError

        try:
            answer = self._s3.get_object(**wanted)
        except ClientError as error:
            if code_of(error) in GONE:
                return None
            raise
        with answer["Body"] as body:
            return UploadedFile(body.read(most + 1), answer["Metadata"])
