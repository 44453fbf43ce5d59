"""Asks the server that runs on this home, so that a question does not wait for models to be loaded again."""

from __future__ import annotations

import hmac
import http.client
import json
import secrets
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import quote

from careline.errors import EngineUnavailable
from careline.schemas import wire
from careline.settings import Settings
from careline_local import serving
from careline_local.serving import Serving

LOOKING, ANSWERING = 2.0, 300.0
"""Seconds to wait for a server's proof, and for the next event of an answer."""
MOST_BYTES = 1 << 20
"""Bytes of one line of an answer, and of a problem document."""

OK = HTTPStatus.OK
GONE = "the server that runs on this home stopped answering; ask again, or with --local"


class ServerGone(EngineUnavailable):
    """The server that was asked stopped while it answered."""

    component = "server"


@dataclass(frozen=True, slots=True)
class Remote:
    """A server that has proven that it runs on this home. Every method raises ServerGone when it stops answering."""

    serving: Serving

    def ask(self, asked: wire.QueryRequest) -> Generator[wire.Event]:
        """The events of a turn as they come; the last is `Done` or `Failed`.

        Leaving the iterator early hangs up, which ends the turn there.
        """
        last: wire.Event | None = None
        with self._answering("POST", "/v1/query", asked.model_dump_json()) as response:
            if response.status != OK:
                last = wire.Failed(problem=wire.Problem.model_validate_json(response.read(MOST_BYTES)))
                yield last
                return
            for last in wire.read_events(_lines(response)):
                yield last
        if not isinstance(last, wire.Done | wire.Failed):
            raise ServerGone(GONE)

    def knows(self, conversation: str) -> bool:
        """Whether there is a conversation of this id."""
        with self._answering("GET", f"/v1/conversations/{quote(conversation, safe='')}") as response:
            return response.status == OK

    def is_empty(self) -> bool:
        """Whether the library holds no document."""
        with self._answering("GET", "/v1/documents?limit=1") as response:
            return response.status == OK and not json.loads(response.read(MOST_BYTES))["documents"]

    @contextmanager
    def _answering(self, method: str, path: str, body: str = "") -> Iterator[http.client.HTTPResponse]:
        headers = {
            "content-type": "application/json",
            "accept": "text/event-stream",
            serving.TERMINAL: self.serving.password(),
        }
        with _connected(self.serving, ANSWERING) as connection:
            try:
                connection.request(method, path, body.encode() or None, headers)
                yield connection.getresponse()
            except (OSError, http.client.HTTPException, ValueError):
                raise ServerGone(GONE) from None


def running(settings: Settings) -> Remote | None:
    """The proven server of this home, where one runs with the same settings.

    The file of one that is gone is removed.
    """
    held = serving.found(settings.home)
    if held is None or held.installation != serving.fingerprint(settings, held.secret):
        return None
    if not serving.runs(held):
        serving.forget(settings.home, held)
        return None
    try:
        proven = is_proven(held)
    except ConnectionRefusedError:
        proven = False
    except (OSError, http.client.HTTPException):
        # Too busy to answer; it may be there the next time.
        return None
    if not proven:
        serving.forget(settings.home, held)
        return None
    return Remote(held)


def is_proven(held: Serving) -> bool:
    """Whether the server that listens there has the secret of the home. Raises: OSError, HTTPException."""
    challenge = secrets.token_hex(32)
    with _connected(held, LOOKING) as connection:
        connection.request("GET", "/health", headers={serving.CHALLENGE: challenge})
        shown = connection.getresponse().getheader(serving.PROOF, "")
    return hmac.compare_digest(shown.encode(), held.proof(challenge).encode())


@contextmanager
def _connected(held: Serving, seconds: float) -> Iterator[http.client.HTTPConnection]:
    connection = http.client.HTTPConnection(held.host, held.port, timeout=seconds)
    try:
        yield connection
    finally:
        connection.close()


def _lines(response: http.client.HTTPResponse) -> Iterator[str]:
    while line := response.readline(MOST_BYTES):
        yield line.decode("utf-8")
