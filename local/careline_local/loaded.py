"""Waits until a server that answers already has loaded what it serves: programs that measure or ring begin then."""

from __future__ import annotations

import asyncio
import http.client
import time
from http import HTTPStatus

from pydantic import TypeAdapter, ValidationError

from careline.errors import EngineUnavailable
from careline.schemas.questions import Health

LONGEST = 600.0
"""Seconds after which loading has gone wrong."""
EVERY = 0.05
_HEALTH = TypeAdapter(Health)


def health(address: str) -> Health | None:
    """What `/health` of a server says, `host:port`; None where nobody answers yet, or with anything else."""
    connection = http.client.HTTPConnection(address, timeout=30)
    try:
        connection.request("GET", "/health")
        response = connection.getresponse()
        body = response.read()
        return _HEALTH.validate_json(body) if response.status == HTTPStatus.OK else None
    except (OSError, http.client.HTTPException, ValidationError):
        return None
    finally:
        connection.close()


def wait_until_loaded(address: str, longest: float = LONGEST) -> None:
    """Return once a server has loaded everything, or told what it could not. Raises: EngineUnavailable."""
    until = time.monotonic() + longest
    while (said := health(address)) is None or said["status"] == "loading":
        if time.monotonic() > until:
            raise EngineUnavailable(f"the server at {address} does not get ready; `careline up` says why")
        time.sleep(EVERY)


async def first_line(output: asyncio.StreamReader, longest: float = LONGEST) -> bytes:
    """The first line that a process writes, by which it says that it serves; empty where it ends, or never does."""
    try:
        return await asyncio.wait_for(output.readline(), longest)
    except TimeoutError:
        return b""
