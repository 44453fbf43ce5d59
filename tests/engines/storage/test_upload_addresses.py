"""Files are put at an address, in one part or several, wherever they are kept: real bytes over HTTP.

Embedded, the address is of the laptop's own server; on AWS it is S3's, which is moto behind a door that checks
signatures as S3 does.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import parse_qs, unquote, urljoin, urlsplit

import httpx2
import pytest

from careline.engines.aws.uploads import S3Uploads
from careline.engines.embedded.files import FolderFiles
from careline.engines.embedded.uploads import FolderUploads
from careline.errors import BadRequest, NotFound, TooLarge
from careline.ports import AnnouncedFile, PutAddress, Uploads
from tests.emulators import s3 as emulated
from tests.engines.conftest import REGION
from tests.fakes import KEY, SettableClock

BUCKET, MIB = "careline-files", 1024 * 1024
FILE = AnnouncedFile("sint-anna", "019599c3a1b0000a1b2c3d4e5", "op bezoek – été+1.pdf", 11, "application/pdf")


class Put(Protocol):
    def __call__(self, at: PutAddress, content: bytes, **headers: str) -> httpx2.Response: ...


@dataclass
class Storage:
    """An engine, how a client puts bytes at its addresses, and how time passes for it."""

    uploads: Uploads
    put: Put
    wait: Any
    key: str


def sending(content: bytes) -> Callable[[int], Awaitable[bytes]]:
    """What reads the bytes of a request."""

    async def read(most: int) -> bytes:
        if len(content) > most:
            raise TooLarge("too large")
        return content

    return read


class Here:
    """The laptop's server as far as a part goes: whatever is put is given to the engine."""

    def __init__(self, uploads: FolderUploads) -> None:
        self._uploads = uploads

    def __call__(self, at: PutAddress, content: bytes, **headers: str) -> httpx2.Response:
        try:
            part = asyncio.run(self._uploads.receive(at.url.rpartition("/")[2], sending(content)))
        except (BadRequest, NotFound) as error:
            return httpx2.Response(error.status)
        return httpx2.Response(200, headers={"etag": f'"{part.etag}"'})


@pytest.fixture(params=["embedded", "aws"])
def storage(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Storage]:
    if request.param == "embedded":
        clock = SettableClock()
        uploads = FolderUploads(FolderFiles(tmp_path / "files"), clock, KEY)
        yield Storage(uploads, Here(uploads), clock.move, "")
        return
    from careline.engines.aws import connect

    boto3 = request.getfixturevalue("aws")
    with emulated.serving() as door, pytest.MonkeyPatch.context() as patched, httpx2.Client() as client:
        patched.setenv("AWS_ENDPOINT_URL_S3", door.endpoint)
        s3: Any = connect.new_client("s3", 30)
        s3.create_bucket(Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": REGION})
        assert boto3.client("s3", region_name=REGION).list_buckets()["Buckets"]

        def put(at: PutAddress, content: bytes, **headers: str) -> httpx2.Response:
            given = {**at.headers, **{name.replace("_", "-"): value for name, value in headers.items()}}
            return client.put(urljoin(door.endpoint, at.url), content=content, headers=given)

        def wait(seconds: float) -> None:
            door.later += timedelta(seconds=seconds)

        yield Storage(S3Uploads(BUCKET, s3), put, wait, f"uploads/sint-anna/{FILE.file_name}")
        s3.close()


async def read(storage: Storage, name: str | None, most: int = 100 * MIB) -> bytes:
    return (await storage.uploads.read(name or storage.key, None, most)).content


async def test_a_file_of_one_part_is_put_and_read(storage: Storage) -> None:
    (at,) = (await storage.uploads.open(FILE, [FILE.size], 60)).puts
    answer = await asyncio.to_thread(storage.put, at, b"hello world")
    assert (answer.status_code, at.size) == (200, 11)
    name = await storage.uploads.complete(FILE, "", [answer.headers["etag"]])
    assert await read(storage, name) == b"hello world"


async def test_a_file_of_several_parts_is_put_in_any_order_and_read_whole(storage: Storage) -> None:
    content = bytes(range(256)) * (44 * MIB // 256)
    sizes = [16 * MIB, 16 * MIB, 12 * MIB]
    file = replace(FILE, size=len(content))
    opened = await storage.uploads.open(file, sizes, 60)
    starts = [sum(sizes[:n]) for n in range(3)]
    etags = {}
    for number in (3, 1, 2):
        part = content[starts[number - 1] : starts[number - 1] + sizes[number - 1]]
        answer = await asyncio.to_thread(storage.put, opened.puts[number - 1], part)
        assert answer.status_code == 200
        etags[number] = answer.headers["etag"]
    name = await storage.uploads.complete(file, opened.storage_id, [etags[number] for number in (1, 2, 3)])
    assert await read(storage, name) == content


@pytest.mark.parametrize("content", [b"hello worlds", b"hello", b""])
async def test_another_size_than_was_announced_is_refused(storage: Storage, content: bytes) -> None:
    (at,) = (await storage.uploads.open(FILE, [FILE.size], 60)).puts
    assert (await asyncio.to_thread(storage.put, at, content)).status_code in {400, 403, 413}
    with pytest.raises(NotFound):
        await read(storage, await storage.uploads.complete(FILE, "", []) if not storage.key else None)


async def test_an_address_ends(storage: Storage) -> None:
    (at,) = (await storage.uploads.open(FILE, [FILE.size], 60)).puts
    storage.wait(61)
    assert (await asyncio.to_thread(storage.put, at, b"hello world")).status_code in {403, 404}


async def test_an_address_is_of_one_file_alone(storage: Storage) -> None:
    (at,) = (await storage.uploads.open(FILE, [FILE.size], 60)).puts
    half = len(at.url) // 2
    other = at.url.replace("sint-anna", "sint-jan") if storage.key else at.url[:half] + "AA" + at.url[half + 2 :]
    assert other != at.url
    assert (await asyncio.to_thread(storage.put, replace(at, url=other), b"hello world")).status_code in {403, 404}


@pytest.mark.parametrize("etags", [["0" * 32], ["a", "b"]])
async def test_parts_that_are_not_those_that_were_put_are_refused(storage: Storage, etags: list[str]) -> None:
    file = replace(FILE, size=12 * MIB)
    opened = await storage.uploads.open(file, [6 * MIB, 6 * MIB], 60)
    for at in opened.puts:
        assert (await asyncio.to_thread(storage.put, at, bytes(at.size))).status_code == 200
    with pytest.raises(BadRequest, match="etags"):
        await storage.uploads.complete(file, opened.storage_id, etags)


async def test_an_upload_that_nobody_knows_any_more_is_not_found(storage: Storage) -> None:
    with pytest.raises(NotFound):
        await storage.uploads.complete(FILE, "gone", ["a"])


@pytest.mark.parametrize("storage", ["aws"], indirect=True)
@pytest.mark.parametrize(
    "headers", [{"content_type": "text/html"}, {"x_amz_meta_careline_upload": "other"}, {"x_amz_acl": "public-read"}]
)
async def test_s3_takes_no_other_kind_or_metadata_than_was_signed(storage: Storage, headers: dict[str, str]) -> None:
    (at,) = (await storage.uploads.open(FILE, [FILE.size], 60)).puts
    assert (await asyncio.to_thread(lambda: storage.put(at, b"hello world", **headers))).status_code == 403


async def test_what_was_begun_and_left_is_swept_away_a_day_later(tmp_path: Path) -> None:
    clock, files = SettableClock(), FolderFiles(tmp_path)
    uploads = FolderUploads(files, clock, KEY)
    old = replace(FILE, upload_id=f"{int(clock.now().timestamp() * 1000):011x}0000000000000")
    (at, _) = (await uploads.open(old, [3, 8], 60)).puts
    await uploads.receive(at.url.rpartition("/")[2], sending(b"hel"))
    assert len(await files.names("incoming/")) == 1
    clock.move(86_401)
    await uploads.open(replace(FILE, upload_id=f"{int(clock.now().timestamp() * 1000):011x}0000000000000"), [11], 60)
    assert await files.names("incoming/") == []


async def test_an_address_of_s3_is_of_the_buckets_own_region_and_signs_what_is_put_there(aws: Any) -> None:
    """A new bucket is not found under the name without a region for up to a day."""
    from careline.engines.aws import connect

    s3: Any = connect.new_client("s3", 30)
    (at,) = (await S3Uploads(BUCKET, s3).open(FILE, [FILE.size], 60)).puts
    parts = urlsplit(at.url)
    signed = parse_qs(parts.query)["X-Amz-SignedHeaders"][0].split(";")
    assert (parts.scheme, parts.hostname) == ("https", f"{BUCKET}.s3.{REGION}.amazonaws.com")
    assert signed == ["content-length", "content-type", "host", "x-amz-meta-careline-upload"]
    assert unquote(parts.path) == f"/uploads/sint-anna/{FILE.file_name}"
