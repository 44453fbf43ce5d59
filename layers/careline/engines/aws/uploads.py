"""Files that senders put into an S3 bucket: addresses to put them at, and exactly the version that an event names."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from careline.engines.aws.connect import client, code_of, in_thread, translated
from careline.errors import BadRequest, FilesUnavailable, NotFound
from careline.ports import AnnouncedFile, PutAddress, ReceivedPart, UploadAddresses, UploadedFile

GONE = {"NoSuchKey", "NoSuchVersion"}
WRONG_PARTS = {"InvalidPart", "InvalidPartOrder", "EntityTooSmall", "MalformedXML"}
FOLDER = "uploads"
UPLOAD_ID = "careline-upload"
"""User metadata by which an object is known for the one that was announced."""


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

    async def open(self, file: AnnouncedFile, parts: Sequence[int], seconds: int) -> UploadAddresses:
        """See `ports.Uploads.open`. Size, kind and metadata are signed: S3 takes nothing else at the address."""
        with translated(FilesUnavailable, "no address to put the file at can be made"):
            return await in_thread(lambda: self._open(file, parts, seconds))

    def _open(self, file: AnnouncedFile, parts: Sequence[int], seconds: int) -> UploadAddresses:
        said = {"ContentType": file.media_type, "Metadata": {UPLOAD_ID: file.upload_id}}
        where = self._where(file)
        if len(parts) == 1:
            url = self._signed("put_object", {**where, **said, "ContentLength": parts[0]}, seconds)
            headers = {"content-type": file.media_type, f"x-amz-meta-{UPLOAD_ID}": file.upload_id}
            return UploadAddresses((PutAddress(1, parts[0], url, headers),))
        storage_id = str(self._s3.create_multipart_upload(**where, **said)["UploadId"])
        puts = (
            PutAddress(number, size, self._signed("upload_part", {
                **where, "UploadId": storage_id, "PartNumber": number, "ContentLength": size,
            }, seconds), {})
            for number, size in enumerate(parts, 1)
        )  # fmt: skip
        return UploadAddresses(tuple(puts), storage_id)

    async def complete(self, file: AnnouncedFile, storage_id: str, etags: Sequence[str]) -> str | None:
        """See `ports.Uploads.complete`. EventBridge tells of the object."""
        if storage_id:
            with translated(FilesUnavailable, "the parts of the file cannot be put together"):
                await in_thread(lambda: self._complete(file, storage_id, etags))
        return None

    def _complete(self, file: AnnouncedFile, storage_id: str, etags: Sequence[str]) -> None:
        from botocore.exceptions import ClientError

        parts = [{"PartNumber": number, "ETag": etag} for number, etag in enumerate(etags, 1)]
        try:
            self._s3.complete_multipart_upload(
                **self._where(file), UploadId=storage_id, MultipartUpload={"Parts": parts}
            )
        except ClientError as error:
            if code_of(error) in WRONG_PARTS:
                raise BadRequest("etags: each part's, in order, as the storage answered its PUT") from None
            if code_of(error) == "NoSuchUpload":
                raise NotFound("there is no such upload any more; ask for new addresses") from None
            raise

    async def receive(self, ticket: str, read: Callable[[int], Awaitable[bytes]]) -> ReceivedPart:
        """See `ports.Uploads.receive`. No address of this engine is of this server."""
        raise NotFound("files are put straight into the storage")

    async def discard(self, name: str) -> None:
        """See `ports.Uploads.discard`. The bucket's lifecycle does it."""

    def _where(self, file: AnnouncedFile) -> dict[str, str]:
        return {"Bucket": self._bucket, "Key": f"{FOLDER}/{file.tenant}/{file.file_name}"}

    def _signed(self, operation: str, parameters: dict[str, Any], seconds: int) -> str:
        return str(self._s3.generate_presigned_url(operation, Params=parameters, ExpiresIn=seconds))
