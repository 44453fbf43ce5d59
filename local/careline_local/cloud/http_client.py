"""Speaks to a deployed API over the standard library's client: requests with a login, and answers as they stream."""

from __future__ import annotations

import http.client
import json
import ssl
import uuid
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from careline.errors import EngineUnavailable
from careline.schemas import wire
from careline_local.cloud.findings import CloudUnknown

SECONDS = 60.0
"""For an answer, and for the next event of one: a first request starts a function, and wakes a search that sleeps."""
MOST_BYTES = 1 << 22
NO_CREDENTIALS = (
    "--sign: AWS gives no credentials to sign with ({why}); log in (`aws sso login`), or set AWS_PROFILE"
)
Signer = Callable[[str, str, bytes, dict[str, str]], Mapping[str, str]]
"""Method, address, body and headers of a request → the headers that show who asks."""


class ApiGone(EngineUnavailable):
    """Nobody answers at the address."""

    component = "api"


@dataclass(frozen=True, slots=True)
class Reply:
    """What was answered. `body` is None where it was no JSON."""

    status: int
    body: Any

    @property
    def why(self) -> str:
        """Status and, of a problem document, its detail."""
        detail = self.body.get("detail") or self.body.get("message") if isinstance(self.body, dict) else None
        return f"{self.status} ({detail})" if detail else str(self.status)


class Refused(Exception):
    """A question was not taken; `reply` says why."""

    def __init__(self, reply: Reply) -> None:
        super().__init__(reply.why)
        self.reply = reply


@dataclass(frozen=True)
class Api:
    """An HTTP API at `address`. Every method raises ApiGone when nobody answers there."""

    address: str
    sign: Signer | None = field(default=None, repr=False)
    seconds: float = SECONDS

    def get(self, path: str) -> Reply:
        """One GET."""
        return self.request("GET", path)

    def request(self, method: str, path: str, body: bytes = b"", kind: str = "application/json") -> Reply:
        """One request and its whole answer."""
        headers = {"accept": "application/json", **({"content-type": kind} if body else {})}
        with self._answering(method, path, body, headers) as response:
            content = response.read(MOST_BYTES)
            return Reply(response.status, _json(content))

    def ask(self, question: wire.QueryRequest) -> Generator[wire.Event]:
        """The events of a turn as they come. Raises: Refused when there is no turn."""
        headers = {"accept": "text/event-stream", "content-type": "application/json"}
        body = question.model_dump_json(exclude_defaults=True).encode()
        with self._answering("POST", "/v1/query", body, headers) as response:
            if response.status != http.client.OK:
                raise Refused(Reply(response.status, _json(response.read(MOST_BYTES))))
            yield from wire.read_events(_lines(response))

    def upload(self, name: str, content: bytes, facts: Mapping[str, str]) -> Reply:
        """Take a file in."""
        border = uuid.uuid4().hex
        fields = [
            f'--{border}\r\ncontent-disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'
            for key, value in facts.items()
        ]
        head = f'--{border}\r\ncontent-disposition: form-data; name="file"; filename="{name}"\r\n'
        begin = "".join(fields) + head + "content-type: application/octet-stream\r\n\r\n"
        body = begin.encode() + content + f"\r\n--{border}--\r\n".encode()
        return self.request("POST", "/v1/documents", body, f"multipart/form-data; boundary={border}")

    @contextmanager
    def _answering(
        self, method: str, path: str, body: bytes, headers: dict[str, str]
    ) -> Iterator[http.client.HTTPResponse]:
        address = self.address + path
        shown = self.sign(method, address, body, headers) if self.sign else {}
        parts = urlsplit(address)
        target = parts.path + (f"?{parts.query}" if parts.query else "")
        connection = _connection(parts.scheme, parts.netloc, self.seconds)
        try:
            connection.request(method, target, body or None, {**headers, **shown})
            yield connection.getresponse()
        # UnicodeError: a host that is no name, or an answer that is no text.
        except (OSError, http.client.HTTPException, UnicodeError) as error:
            raise ApiGone(f"{parts.netloc} does not answer ({type(error).__name__})") from None
        finally:
            connection.close()


def bearer(token: str) -> Signer:
    """Shows a token."""
    return lambda method, address, body, headers: {"authorization": f"Bearer {token}"}


def signed(session: Any, service: str = "execute-api") -> Signer:
    """Signs requests with the credentials of an AWS session (SigV4). Making it, and what it makes, raise CloudUnknown
    where there are no credentials."""
    from botocore.auth import SigV4Auth
    from botocore.awsrequest import AWSRequest
    from botocore.exceptions import BotoCoreError, ClientError

    def sign(method: str, address: str, body: bytes, headers: dict[str, str]) -> Mapping[str, str]:
        request = AWSRequest(method=method, url=address, data=body, headers=headers)
        try:
            SigV4Auth(session.get_credentials(), service, session.region_name).add_auth(request)
        # ClientError: a role of the profile that may not be assumed.
        except (BotoCoreError, ClientError) as error:
            raise CloudUnknown(NO_CREDENTIALS.format(why=type(error).__name__)) from None
        return dict(request.headers.items())

    # A slip of who asks is told before anything is.
    sign("GET", "https://api.example/", b"", {})
    return sign


def _connection(scheme: str, netloc: str, seconds: float) -> http.client.HTTPConnection:
    if scheme == "https":
        return http.client.HTTPSConnection(netloc, timeout=seconds, context=ssl.create_default_context())
    return http.client.HTTPConnection(netloc, timeout=seconds)


def _json(content: bytes) -> Any:
    try:
        return json.loads(content)
    except ValueError:
        return None


def _lines(response: http.client.HTTPResponse) -> Iterator[str]:
    while line := response.readline(MOST_BYTES):
        yield line.decode("utf-8")
