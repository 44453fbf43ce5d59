"""Opens AWS clients the one way this package uses them: short timeouts, few retries, one client per service."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, TypeVar

from careline.errors import EngineUnavailable

Result = TypeVar("Result")

CONNECT_SECONDS = 2
ATTEMPTS = 3
"""The first try and two more, as botocore's standard mode counts them."""


@cache
def client(service: str, read_seconds: int = 5) -> Any:
    """The process's client of a service. Clients are safe to share between threads; making one takes about 80 ms."""
    import boto3
    from botocore.config import Config

    config = Config(
        connect_timeout=CONNECT_SECONDS,
        read_timeout=read_seconds,
        retries={"mode": "standard", "max_attempts": ATTEMPTS},
        max_pool_connections=32,
    )
    make: Any = boto3.client
    return make(service, config=config)


@contextmanager
def translated(unavailable: type[EngineUnavailable], doing: str) -> Iterator[None]:
    """Turn whatever botocore raises inside into `unavailable`; the message names the vendor's error code only."""
    from botocore.exceptions import BotoCoreError, ClientError

    try:
        yield
    except ClientError as error:
        raise unavailable(f"{doing}: {code_of(error)}") from error
    except BotoCoreError as error:
        raise unavailable(f"{doing}: {type(error).__name__}") from error


def code_of(error: Any) -> str:
    """The vendor's code in a `ClientError`, such as `ThrottlingException`."""
    return str(error.response.get("Error", {}).get("Code", "unknown"))


async def in_thread(work: Callable[[], Result]) -> Result:
    """Run a blocking call of a client beside the event loop."""
    return await asyncio.to_thread(work)
