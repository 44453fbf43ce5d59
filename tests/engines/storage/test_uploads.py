"""What senders put into the bucket is read once, exactly as the event names it."""

from __future__ import annotations

from typing import Any

import pytest

from careline.engines.aws.uploads import S3Uploads
from careline.errors import FilesUnavailable, NotFound

BUCKET, NAME = "careline-files", "uploads/sint-anna/bezoek.md"


@pytest.fixture
def s3(aws: Any) -> Any:
    made = aws.client("s3", region_name="us-east-1")
    made.create_bucket(Bucket=BUCKET)
    made.put_bucket_versioning(Bucket=BUCKET, VersioningConfiguration={"Status": "Enabled"})
    return made


async def test_the_version_that_is_named_is_read_with_what_its_sender_said(s3: Any) -> None:
    first = s3.put_object(Bucket=BUCKET, Key=NAME, Body=b"old", Metadata={"careline-doc-key": "bezoek"})["VersionId"]
    s3.put_object(Bucket=BUCKET, Key=NAME, Body=b"new")
    uploads = S3Uploads(BUCKET, s3)
    old, new = await uploads.read(NAME, first, 100), await uploads.read(NAME, None, 100)
    assert (old.content, dict(old.said)) == (b"old", {"careline-doc-key": "bezoek"})
    assert (new.content, dict(new.said)) == (b"new", {})


@pytest.mark.parametrize(("size", "read"), [(0, 0), (10, 10), (11, 11), (5000, 11)])
async def test_of_a_file_that_is_too_large_one_byte_more_than_allowed_is_read(s3: Any, size: int, read: int) -> None:
    s3.put_object(Bucket=BUCKET, Key=NAME, Body=b"x" * size)
    assert len((await S3Uploads(BUCKET, s3).read(NAME, None, 10)).content) == read


async def test_a_file_that_is_gone_is_not_found_and_a_bucket_that_is_not_there_is_unavailable(s3: Any) -> None:
    with pytest.raises(NotFound):
        await S3Uploads(BUCKET, s3).read(NAME, None, 10)
    with pytest.raises(FilesUnavailable, match="NoSuchBucket"):
        await S3Uploads("absent-bucket", s3).read(NAME, None, 10)
