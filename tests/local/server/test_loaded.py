"""Whoever waits for a server takes nothing else for one that has loaded, and does not wait for ever."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from careline.errors import EngineUnavailable
from careline_local.demo import build_documents, load
from careline_local.loaded import first_line, health, wait_until_loaded

LOADED = b'{"status": "ok", "parts": {"models": "ok"}}'


@contextmanager
def answering(status: int, body: bytes) -> Iterator[str]:
    """The address of a server that says one thing."""

    class Says(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Nothing."""

    with HTTPServer(("127.0.0.1", 0), Says) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield f"127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.parametrize("status", ["ok", "degraded"])
def test_a_server_that_has_loaded_or_could_not_is_told(status: str) -> None:
    with answering(200, LOADED.replace(b"ok", status.encode(), 1)) as address:
        wait_until_loaded(address, longest=5)
        assert (health(address) or {}).get("status") == status


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (503, b'{"title": "TableUnavailable", "status": 503, "detail": "the table cannot be read"}'),
        (200, b'{"status": 503}'), (200, b'{"status": "fine"}'), (200, b"<html>"), (200, b"\xff"), (200, b""),
        (200, b"[]"), (404, LOADED), (200, b'{"status": "loading"}'),
    ],
)  # fmt: skip
def test_whoever_answers_with_anything_else_has_not_loaded(status: int, body: bytes) -> None:
    with answering(status, body) as address, pytest.raises(EngineUnavailable, match="does not get ready"):
        wait_until_loaded(address, longest=0)


def test_where_nobody_answers_nothing_is_loaded() -> None:
    with answering(200, LOADED) as address:
        pass
    assert health(address) is None


async def test_documents_that_are_never_built_are_not_waited_for_and_nobody_is_left_building(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(load, "LONGEST_BUILD", 0.01)
    with pytest.raises(EngineUnavailable, match=r"were not built in 0\.01 seconds"):
        await load.documents(tmp_path)
    assert not (tmp_path / load.BEGUN / build_documents.MANIFEST).exists()


async def test_a_process_that_never_says_a_word_is_not_waited_for() -> None:
    waiting = await asyncio.create_subprocess_exec(
        sys.executable, "-c", "input()", stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    assert waiting.stdout is not None
    assert await first_line(waiting.stdout, longest=0.01) == b""
    await waiting.communicate(b"\n")
