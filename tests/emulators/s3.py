"""S3 on a port of this machine: moto's, behind a door that reads signed addresses as S3 does.

moto takes any signature. The door computes each signed address's anew from the request that really came (method, path,
query, signed headers, length) by Signature Version 4, and lets nothing else in: a longer body, another kind, metadata,
another key, an address that has expired.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, quote, urlsplit

REGION = "eu-west-1"
BEHIND = f"https://s3.{REGION}.amazonaws.com"
HOP_BY_HOP = {"transfer-encoding", "connection", "content-length", "content-encoding", "date", "server"}


@dataclass
class Door:
    """Where S3 is, what was put at signed addresses, and a clock that tests may move."""

    endpoint: str
    taken: list[tuple[str, int]] = field(default_factory=list)
    later: timedelta = timedelta()

    def now(self) -> datetime:
        """The time at the door."""
        return datetime.now(UTC) + self.later


def refusal(door: Door, method: str, target: str, headers: Any) -> str | None:
    """Why S3 would refuse a request to a signed address; None for one that it takes, or that is not signed so."""
    parts = urlsplit(target)
    query = dict(parse_qsl(parts.query, keep_blank_values=True))
    if "X-Amz-Signature" not in query:
        return None
    signed_at = datetime.strptime(query["X-Amz-Date"], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
    if door.now() > signed_at + timedelta(seconds=int(query["X-Amz-Expires"])):
        return "AccessDenied"
    given = query.pop("X-Amz-Signature")
    names = query["X-Amz-SignedHeaders"].split(";")
    if unsigned := [name for name in headers if name.lower().startswith("x-amz-") and name.lower() not in names]:
        return f"AccessDenied {unsigned}"
    pairs = sorted((quote(name, safe="-_.~"), quote(value, safe="-_.~")) for name, value in query.items())
    canonical = "\n".join([
        method, parts.path, "&".join(f"{name}={value}" for name, value in pairs),
        *(f"{name}:{' '.join(headers.get(name, '').split())}" for name in names), "", ";".join(names),
        "UNSIGNED-PAYLOAD",
    ])  # fmt: skip
    scope = query["X-Amz-Credential"].partition("/")[2]
    to_sign = "\n".join(
        ["AWS4-HMAC-SHA256", query["X-Amz-Date"], scope, hashlib.sha256(canonical.encode()).hexdigest()]
    )
    key = f"AWS4{os.environ['AWS_SECRET_ACCESS_KEY']}".encode()
    for part in scope.split("/"):
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    made = hmac.new(key, to_sign.encode(), hashlib.sha256).hexdigest()
    return None if hmac.compare_digest(made, given) else "SignatureDoesNotMatch"


@contextmanager
def serving() -> Iterator[Door]:
    """The door, open until the block ends; moto must be mocking within it."""
    import requests

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _pass(self) -> None:
            content = self.rfile.read(int(self.headers.get("content-length") or 0))
            why = refusal(door, self.command, self.path, self.headers)
            if why is not None:
                self._answer(403, {}, f"<Error><Code>{why}</Code></Error>".encode())
                return
            if "X-Amz-Signature" in self.path:
                door.taken.append((urlsplit(self.path).path, len(content)))
            sent = {name: value for name, value in self.headers.items() if name.lower() not in {"host", "expect"}}
            try:
                answer = requests.request(self.command, BEHIND + self.path, data=content, headers=sent, timeout=10)
            except KeyError:
                # moto looks an upload up without looking whether it is there.
                self._answer(404, {}, b"<Error><Code>NoSuchUpload</Code></Error>")
                return
            headers = {name: value for name, value in answer.headers.items() if name.lower() not in HOP_BY_HOP}
            self._answer(answer.status_code, headers, answer.content)

        def _answer(self, status: int, headers: dict[str, str], content: bytes) -> None:
            self.send_response(status)
            for name, value in {**headers, "content-length": str(len(content))}.items():
                self.send_header(name, value)
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(content)

        do_GET = do_PUT = do_POST = do_HEAD = do_DELETE = _pass

        def log_message(self, format: str, *values: Any) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    door = Door(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield door
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
