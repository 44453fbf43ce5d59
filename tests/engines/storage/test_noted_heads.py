"""What every place does where heads of audit chains are noted, and what Object Lock adds to it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from careline.engines.aws.noted_heads import S3NotedHeads
from careline.engines.embedded.noted_heads import FolderNotedHeads
from careline.errors import FilesUnavailable
from careline.ports import NotedHead, NotedHeads
from tests.fakes import FakeNotedHeads

FIRST, SECOND = NotedHead(9, "a" * 64), NotedHead(41, "5e" * 32)
BUCKET = "careline-heads"


def make_locked_bucket(s3: Any, mode: str = "COMPLIANCE") -> None:
    """A bucket as the template makes it: versions, and a lock on each of them."""
    s3.create_bucket(
        Bucket=BUCKET,
        CreateBucketConfiguration={"LocationConstraint": "eu-west-1"},
        ObjectLockEnabledForBucket=True,
    )
    retention = {"Mode": mode, "Days": 3650}
    lock = {"ObjectLockEnabled": "Enabled", "Rule": {"DefaultRetention": retention}}
    s3.put_object_lock_configuration(Bucket=BUCKET, ObjectLockConfiguration=lock)


@pytest.fixture
def s3(aws: Any) -> Any:
    made = aws.client("s3", region_name="eu-west-1")
    make_locked_bucket(made)
    return made


@pytest.fixture(params=["embedded", "aws", "fake"])
def heads(request: pytest.FixtureRequest, tmp_path: Path) -> NotedHeads:
    if request.param == "fake":
        return FakeNotedHeads()
    if request.param == "embedded":
        return FolderNotedHeads(tmp_path / "heads")
    return S3NotedHeads(BUCKET, request.getfixturevalue("s3"))


async def test_what_was_noted_comes_back_in_the_order_of_the_chain(heads: NotedHeads) -> None:
    for head in (SECOND, FIRST):
        await heads.note("sint-anna", head)
    assert list(await heads.noted("sint-anna")) == [FIRST, SECOND]


async def test_a_head_that_is_noted_again_is_noted_once(heads: NotedHeads) -> None:
    for _ in range(3):
        await heads.note("sint-anna", FIRST)
    assert list(await heads.noted("sint-anna")) == [FIRST]


async def test_two_hashes_of_one_number_both_stay(heads: NotedHeads) -> None:
    other = NotedHead(FIRST.seq, "b" * 64)
    for head in (FIRST, other):
        await heads.note("sint-anna", head)
    assert list(await heads.noted("sint-anna")) == [FIRST, other]


@pytest.mark.parametrize("other", ["sint", "sint-anna-2", "sint-anna/2", "..", "é"])
async def test_a_tenant_sees_no_heads_of_another(heads: NotedHeads, other: str) -> None:
    await heads.note("sint-anna", FIRST)
    await heads.note(other, SECOND)
    assert list(await heads.noted("sint-anna")) == [FIRST]
    assert list(await heads.noted(other)) == [SECOND]


async def test_of_a_tenant_without_heads_there_are_none(heads: NotedHeads) -> None:
    assert list(await heads.noted("sint-anna")) == []


async def test_in_the_cloud_a_noted_head_is_locked_and_stays_seen_when_somebody_deletes_it(s3: Any) -> None:
    from botocore.exceptions import ClientError

    heads = S3NotedHeads(BUCKET, s3)
    await heads.note("sint-anna", FIRST)
    (version,) = s3.list_object_versions(Bucket=BUCKET)["Versions"]
    where = {"Bucket": BUCKET, "Key": version["Key"], "VersionId": version["VersionId"]}
    assert s3.head_object(**where)["ObjectLockMode"] == "COMPLIANCE"
    with pytest.raises(ClientError, match="AccessDenied"):
        s3.delete_object(**where)
    s3.delete_object(Bucket=BUCKET, Key=version["Key"])
    assert "Contents" not in s3.list_objects_v2(Bucket=BUCKET)
    assert list(await heads.noted("sint-anna")) == [FIRST]


async def test_in_the_cloud_noting_again_adds_no_version(s3: Any) -> None:
    heads = S3NotedHeads(BUCKET, s3)
    for _ in range(3):
        await heads.note("sint-anna", FIRST)
    assert len(s3.list_object_versions(Bucket=BUCKET)["Versions"]) == 1


async def test_more_than_a_thousand_heads_are_listed(s3: Any) -> None:
    heads = S3NotedHeads(BUCKET, s3)
    for n in range(1, 1004):
        s3.put_object(Bucket=BUCKET, Key=f"heads/sint-anna/{n:012d}-{'c' * 64}", Body=b"")
    assert [head.seq for head in await heads.noted("sint-anna")] == list(range(1, 1004))


async def test_a_bucket_that_is_not_there_is_unavailable(aws: Any) -> None:
    heads = S3NotedHeads("absent-bucket", aws.client("s3", region_name="eu-west-1"))
    for work in (heads.note("a", FIRST), heads.noted("a")):
        with pytest.raises(FilesUnavailable, match="NoSuchBucket"):
            await work


async def test_on_one_machine_a_head_is_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    await FolderNotedHeads(tmp_path).note("sint-anna", FIRST)
    (file,) = (tmp_path / "sint-anna").iterdir()
    assert file.name == f"000000000009-{'a' * 64}"
    assert file.stat().st_mode & 0o777 == 0o400


async def test_what_was_noted_of_a_chain_whose_key_is_lost_is_set_aside_and_kept(tmp_path: Path) -> None:
    heads = FolderNotedHeads(tmp_path / "heads")
    heads.set_aside("1")
    await heads.note("sint-anna", FIRST)
    heads.set_aside("2")
    assert list(await heads.noted("sint-anna")) == []
    assert list(await FolderNotedHeads(tmp_path / "heads.before.2").noted("sint-anna")) == [FIRST]


async def test_a_folder_that_cannot_be_made_is_unavailable(tmp_path: Path) -> None:
    (tmp_path / "file").write_text(json.dumps({}))
    with pytest.raises(FilesUnavailable):
        await FolderNotedHeads(tmp_path / "file").note("sint-anna", FIRST)
