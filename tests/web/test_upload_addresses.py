"""A file that is announced, put where the answer says and completed: one client path, whatever its size."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from careline.knowledge import catalogue, offered_upload
from careline.knowledge.ingestion import stage_files
from careline.model import Document
from careline_local import server
from tests.fakes import FakeFiles, SettableClock
from tests.turn.turns import TENANT, an_installation

MIB = 1024 * 1024
LARGE = bytes(range(256)) * (20 * MIB // 256)
"""More than is put in one piece."""


class At:
    """The laptop's server over fakes, and a client that does what it is told."""

    def __init__(self, client: TestClient, clock: SettableClock, installation: Any) -> None:
        self.client, self.clock, self.engines = client, clock, installation.engines

    def announce(self, content: bytes, file_name: str = "gids.md", **said: Any) -> Any:
        asked = {"file_name": file_name, "size": len(content), **said}
        return self.client.post("/v1/documents/uploads", json=asked)

    def send(self, content: bytes, file_name: str = "gids.md", **said: Any) -> str:
        """Announce, put, complete; the job."""
        offered = self.announce(content, file_name, **said)
        assert offered.status_code == 201, offered.text
        told, etags, start = offered.json(), [], 0
        for one in told["puts"]:
            part = content[start : start + one["size"]]
            answer = self.client.put(one["url"], content=part, headers=one["headers"])
            assert answer.status_code == 200, answer.text
            etags.append(answer.headers["etag"])
            start += one["size"]
        if told["complete"]:
            taken = self.client.post(told["complete"], json={"etags": etags})
            assert (taken.status_code, taken.json()["job_id"]) == (202, told["job_id"]), taken.text
        return str(told["job_id"])

    def document(self, doc_key: str, version: int = 1) -> Document:
        return asyncio.run(catalogue.version(self.engines.table, TENANT, doc_key, version)).document

    def kept(self, document: Document) -> bytes:
        return asyncio.run(stage_files.original(self.engines.files, document))


@pytest.fixture
def at() -> Iterator[At]:
    clock, files = SettableClock(), FakeFiles()
    installation = an_installation(
        clock=clock, files=files, settings={"limits": {"max_direct_upload_bytes": 4096}},
    )  # fmt: skip
    with TestClient(server.application(installation), base_url="http://127.0.0.1") as client:
        yield At(client, clock, installation)


@pytest.mark.parametrize("content", [b"# Gids\n\nBezoek mag.\n", LARGE], ids=["one part", "several parts"])
def test_a_file_is_announced_put_and_becomes_the_job_that_was_promised(at: At, content: bytes) -> None:
    job_id = at.send(content, facts={"title": "Gids à l'été", "year": 2026}, doc_key="brochure-gids")
    job = at.client.get(f"/v1/jobs/{job_id}").json()
    assert (job["doc_key"], job["version"], job["file_name"]) == ("brochure-gids", 1, "gids.md")
    document = at.document("brochure-gids")
    assert (document.facts.title, document.facts.year) == ("Gids à l'été", 2026)
    assert at.kept(document) == content
    assert [name for name in at.engines.files.held if name.startswith("incoming/")] == []


def test_the_same_file_again_has_a_job_that_says_that_it_is_there(at: At) -> None:
    first, second = at.send(b"tekst"), at.send(b"tekst")
    assert first != second
    shown = at.client.get(f"/v1/jobs/{second}").json()
    assert (shown["state"], shown["superseded_by"], shown["version"]) == ("superseded", first, 1)


def test_completing_twice_is_one_document(at: At) -> None:
    told = at.announce(LARGE).json()
    etags = []
    for number, one in enumerate(told["puts"]):
        part = LARGE[number * 8 * MIB :][: one["size"]]
        etags.append(at.client.put(one["url"], content=part).headers["etag"])
    for _ in range(2):
        assert at.client.post(told["complete"], json={"etags": etags}).status_code == 202
    assert len(at.client.get("/v1/jobs").json()["jobs"]) == 1
    assert at.client.put(told["puts"][0]["url"], content=LARGE[: 8 * MIB]).status_code == 200
    assert len(at.client.get("/v1/jobs").json()["jobs"]) == 1


def test_a_file_that_is_too_large_for_a_request_is_told_where_to_go(at: At) -> None:
    refused = at.client.post("/v1/documents", files={"file": ("gids.md", b"a" * 5000)})
    assert (refused.status_code, refused.json()["error_code"]) == (413, "TOO_LARGE")
    assert "POST /v1/documents/uploads" in refused.json()["message"]
    assert at.client.get(f"/v1/jobs/{at.send(b'a' * 5000)}").json()["state"] == "pending"


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ({"size": 41 * MIB}, 413), ({"size": 0}, 400), ({"file_name": "../a.md"}, 422), ({"doc_key": "a b"}, 400),
        ({"facts": {"colour": "red"}}, 400), ({"media_type": "text/html\r\nx-amz-acl: public-read"}, 400),
        ({"facts": {"year": "soon"}}, 400), ({"more": 1}, 400),
    ],
)  # fmt: skip
def test_what_would_be_refused_is_refused_before_its_bytes_are_sent(
    at: At, asked: dict[str, Any], status: int
) -> None:
    sent = {"file_name": "a.md", "size": 3, **asked}
    assert at.client.post("/v1/documents/uploads", json=sent).status_code == status


def test_a_name_that_is_another_files_document_is_refused_before_its_bytes_are_sent(at: At) -> None:
    at.send(b"tekst", "a.md")
    refused = at.announce(b"anders", "a.txt")
    assert (refused.status_code, refused.json()["error_code"]) == (409, "KEY_TAKEN")


def test_an_address_ends_and_a_guessed_one_is_none(at: At) -> None:
    (one,) = at.announce(b"tekst").json()["puts"]
    assert at.client.put(one["url"], content=b"tekst en meer").status_code == 413
    assert at.client.put(one["url"], content=b"te").status_code == 400
    for url in (one["url"][:-2] + "aa", "/v1/uploads/x", "/v1/uploads/%00", "/v1/uploads/" + "A" * 400):
        assert at.client.put(url, content=b"tekst").status_code == 404
    at.clock.move(offered_upload.ADDRESS_SECONDS + 1)
    assert at.client.put(one["url"], content=b"tekst").status_code == 404
    assert at.client.get("/v1/jobs").json()["jobs"] == []


def test_parts_that_do_not_add_up_are_refused(at: At) -> None:
    told = at.announce(LARGE).json()
    assert at.client.post(told["complete"], json={"etags": ["a"] * 3}).status_code == 404
    at.client.put(told["puts"][0]["url"], content=LARGE[: 8 * MIB])
    assert at.client.post(told["complete"], json={"etags": ["a"] * 3}).status_code == 400
    assert at.client.post(told["complete"], json={"etags": ["a"]}).status_code == 400
    assert at.client.post("/v1/documents/uploads/none/complete", json={"etags": ["a"]}).status_code == 404


@pytest.mark.parametrize("size", [1, 16 * MIB, 16 * MIB + 1, 40 * MIB, 5 * 1024 * MIB])
def test_parts_are_of_a_size_that_s3_takes_and_few_enough_for_one_answer(size: int) -> None:
    parts = offered_upload.parts_of(size)
    assert sum(parts) == size
    assert len(parts) <= offered_upload.MOST_PARTS
    assert all(part >= 5 * MIB for part in parts[:-1])
    assert all(part <= 5 * 1024 * MIB for part in parts)
