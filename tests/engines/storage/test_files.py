"""What every file store does, whatever is behind it."""

from __future__ import annotations

from typing import Any

import pytest

from careline.errors import BadRequest, FilesUnavailable, NotFound
from careline.ports import FileStore


async def test_a_file_comes_back_byte_for_byte(files: FileStore) -> None:
    content = bytes(range(256)) * 4096
    await files.put("documents/a/één map/bron.pdf", content)
    assert await files.get("documents/a/één map/bron.pdf") == content


async def test_writing_again_replaces_the_whole_file(files: FileStore) -> None:
    await files.put("note.txt", b"a long first text")
    await files.put("note.txt", b"short")
    assert await files.get("note.txt") == b"short"


async def test_an_empty_file_is_a_file(files: FileStore) -> None:
    await files.put("empty", b"")
    assert await files.exists("empty")
    assert await files.get("empty") == b""


async def test_a_file_that_is_not_there_is_not_found(files: FileStore) -> None:
    await files.put("folder/file", b"x")
    for name in ("nothing", "folder", "folder/file/more"):
        assert not await files.exists(name)
        with pytest.raises(NotFound):
            await files.get(name)


async def test_names_below_a_prefix_are_sorted(files: FileStore) -> None:
    for name in ("b/2", "a/1", "b/10", "b/sub/1", "bb"):
        await files.put(name, b"x")
    assert list(await files.names("b/")) == ["b/10", "b/2", "b/sub/1"]
    assert list(await files.names("b")) == ["b/10", "b/2", "b/sub/1", "bb"]
    assert list(await files.names("")) == ["a/1", "b/10", "b/2", "b/sub/1", "bb"]
    assert list(await files.names("nothing/")) == []


async def test_removing_a_prefix_removes_what_is_below_it_and_nothing_else(files: FileStore) -> None:
    for name in ("job/1/a", "job/1/b", "job/10/a"):
        await files.put(name, b"x")
    await files.remove("job/1/")
    await files.remove("job/1/")
    assert list(await files.names("")) == ["job/10/a"]


@pytest.mark.parametrize("name", ["", "/etc/passwd", "../secret", "a/../../b", "a\\b", "a\0b"])
async def test_a_name_that_leaves_its_place_is_refused(files: FileStore, name: str) -> None:
    for work in (files.get(name), files.put(name, b"x")):
        with pytest.raises(BadRequest):
            await work


async def test_more_than_a_thousand_files_are_listed_and_removed(aws: Any) -> None:
    from careline.engines.aws.files import S3Files

    s3 = aws.client("s3", region_name="us-east-1")
    s3.create_bucket(Bucket="many")
    store = S3Files("many", s3)
    for n in range(1003):
        s3.put_object(Bucket="many", Key=f"job/{n:04d}", Body=b"")
    assert len(await store.names("job/")) == 1003
    await store.remove("job/")
    assert list(await store.names("")) == []


async def test_a_bucket_that_is_not_there_is_unavailable(aws: Any) -> None:
    from careline.engines.aws.files import S3Files

    store = S3Files("absent-bucket", aws.client("s3", region_name="us-east-1"))
    for work in (store.put("a", b""), store.names(""), store.get("a")):
        with pytest.raises(FilesUnavailable, match="NoSuchBucket"):
            await work
