"""Requests to the orchestrator's URL, signed with the function's own role, and what is streamed back.

The standard library's client: the function has no other that reads a stream line by line.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from urllib.parse import urlsplit

from careline.errors import CarelineError, SettingsInvalid
from careline.schemas import wire

SECONDS = 60.0
"""The longest wait for the next byte; the canary's own time is longer."""
SSE, JSON = "text/event-stream", "application/json"


class StreamFailed(CarelineError):
    """The orchestrator could not be asked; `answered` is the HTTP status that it answered with, if it did."""

    code = "ORCHESTRATOR_UNAVAILABLE"
    component = "canary"

    def __init__(self, message: str, answered: int | None = None) -> None:
        super().__init__(message)
        self.answered = answered


class SignedStream:
    """Each request has a connection of its own. Nothing is signed for plain HTTP, which a laptop's server speaks."""

    def __init__(self, url: str, region: str | None) -> None:
        """Raises: SettingsInvalid for an address that is none, or without a region to sign for."""
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise SettingsInvalid("CARELINE_ORCHESTRATOR_URL: an address that begins with https://")
        self._url, self._parts, self._region = url.rstrip("/"), parts, region

    def events(self, path: str, body: wire.Strict, trace: str) -> Generator[wire.Event, None, None]:
        """The events of the answer as they come. Raises: StreamFailed."""
        with closing(self._connection()) as connection:
            response = self._sent(connection, path, body, trace, SSE)
            block: list[str] = []
            try:
                while line := response.readline():
                    block.append(line.decode())
                    if not line.strip():
                        yield from wire.read_events(block)
                        block = []
            except (OSError, HTTPException, ValueError) as error:
                raise StreamFailed("the orchestrator stopped before the end of an answer") from error

    def send(self, path: str, body: wire.Strict, trace: str) -> None:
        """Send what has no answer. Raises: StreamFailed."""
        with closing(self._connection()) as connection:
            self._sent(connection, path, body, trace, JSON)

    def _connection(self) -> HTTPConnection:
        kind = HTTPSConnection if self._parts.scheme == "https" else HTTPConnection
        return kind(str(self._parts.hostname), self._parts.port, timeout=SECONDS)

    def _sent(
        self, connection: HTTPConnection, path: str, body: wire.Strict, trace: str, accept: str
    ) -> HTTPResponse:
        content = body.model_dump_json(exclude_none=True).encode()
        headers = {"content-type": JSON, "accept": accept, "x-trace-id": trace}
        try:
            connection.request("POST", path, content, {**headers, **self.signature(path, content)})
            response = connection.getresponse()
        except (OSError, HTTPException) as error:
            raise StreamFailed("the orchestrator does not answer") from error
        if response.status not in (200, 204):
            raise StreamFailed("the orchestrator refused", response.status)
        return response

    def signature(self, path: str, content: bytes) -> dict[str, str]:
        """Headers of AWS Signature Version 4 over address, type and body. Raises: SettingsInvalid."""
        if self._parts.scheme == "http":
            return {}
        from botocore.auth import SigV4Auth
        from botocore.awsrequest import AWSRequest
        from botocore.session import Session

        session = Session()
        credentials, region = session.get_credentials(), self._region or session.get_config_variable("region")
        if credentials is None or region is None:
            raise SettingsInvalid("the canary signs its questions: it needs a region and the credentials of a role")
        signed = {"host": self._parts.netloc, "content-type": JSON}
        to_sign = AWSRequest("POST", self._url + path, headers=signed, data=content)
        SigV4Auth(credentials.get_frozen_credentials(), "lambda", region).add_auth(to_sign)
        return {name: str(value) for name, value in to_sign.headers.items() if name.lower() not in signed}
