"""A chat client of the emulated stage: signs in, asks over server-sent events, reads records."""

from __future__ import annotations

import http.client
import json
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

Json = dict[str, Any]
SCOPE = "20261129/eu-west-1/execute-api/aws4_request"
SIGNATURE = f"AWS4-HMAC-SHA256 Credential={{key}}/{SCOPE}, SignedHeaders=host, Signature=0"


@dataclass(frozen=True, slots=True)
class Client:
    """Somebody at an address: with an access key that signs, or a token."""

    address: str
    key: str = ""
    token: str = ""

    def request(
        self, method: str, path: str, body: bytes = b"", kind: str = "application/json", **headers: str
    ) -> tuple[int, bytes]:
        """Status and body."""
        place = urlsplit(self.address)
        connection = http.client.HTTPConnection(place.hostname or "", place.port, timeout=120)
        shown = SIGNATURE.format(key=self.key) if self.key else f"Bearer {self.token}"
        sent = {"content-type": kind, "authorization": shown, **headers}
        connection.request(method, path, body, sent)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer.status, content

    def json(self, method: str, path: str, body: Json | None = None) -> Json:
        """The JSON of an answer that went well. Raises: AssertionError with what was said else."""
        status, content = self.request(method, path, json.dumps(body).encode() if body is not None else b"")
        assert status in (200, 202), (status, content[:2000])
        found: Json = json.loads(content)
        return found

    def ask(self, text: str, **more: Any) -> tuple[Json, list[str]]:
        """The answer to a question asked as a stream, and the kinds of events it came in."""
        status, content = self.request(
            "POST", "/v1/query", json.dumps({"text": text, **more}).encode(), accept="text/event-stream"
        )
        assert status == 200, (status, content[:2000])
        events = [part.split("\n") for part in content.decode().strip().split("\n\n")]
        kinds = [lines[0].removeprefix("event: ") for lines in events]
        last: Json = json.loads(events[-1][1].removeprefix("data: "))
        return last["answer"], kinds
