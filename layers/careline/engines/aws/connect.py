"""Opens AWS clients the one way this package uses them: short timeouts, few retries, one client per service."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from careline.engines.aws.call_spans import watch
from careline.errors import EngineUnavailable

Result = TypeVar("Result")

CONNECT_SECONDS = 2
ATTEMPTS = 3
"""The first try and two more, as botocore's standard mode counts them."""


_making = threading.Lock()
_made: dict[tuple[str, int], Any] = {}


def client(service: str, read_seconds: int = 5) -> Any:
    """The process's client of a service, made when it is first asked for.

    Clients are safe to share between threads, making them is not. The first one takes 210 ms, each other about 80 ms.
    """
    with _making:
        key = (service, read_seconds)
        if key not in _made:
            _made[key] = new_client(service, read_seconds)
        return _made[key]


def new_client(service: str, read_seconds: int) -> Any:
    """A client of a service that nobody else has; calls in it may take so many seconds."""
    import boto3
    from botocore.config import Config

    # Addresses to put files at are signed: a bucket under a key of KMS takes no older signature, and one that is new is
    # found under the name of its region alone.
    signing: dict[str, Any] = {"signature_version": "s3v4", "s3": {"addressing_style": "virtual"}}
    config = Config(
        connect_timeout=CONNECT_SECONDS,
        read_timeout=read_seconds,
        retries={"mode": "standard", "max_attempts": ATTEMPTS},
        max_pool_connections=32,
        **(signing if service == "s3" else {}),
    )
    make: Any = boto3.client
    made = make(service, config=config)
    watch(made)
    return made


OPENSEARCH_SECONDS = 30
"""Timeout in seconds for writes; a search brings its own."""


def opensearch(endpoint: str, service: str) -> Any:
    """The process's client of an OpenSearch endpoint; requests over https are signed for `aoss` or `es`."""
    with _making:
        key = (endpoint, 0)
        if key not in _made:
            _made[key] = _make_opensearch(endpoint, service)
        return _made[key]


def _make_opensearch(endpoint: str, service: str) -> Any:
    from opensearchpy import OpenSearch

    signer = None
    if endpoint.startswith("https://"):
        import boto3
        from opensearchpy import Urllib3AWSV4SignerAuth

        session = boto3.Session()
        signer = Urllib3AWSV4SignerAuth(session.get_credentials(), str(session.region_name), service)
    return OpenSearch(
        hosts=[endpoint],
        http_auth=signer,
        headers={"accept-encoding": "gzip"},
        timeout=OPENSEARCH_SECONDS,
        max_retries=1,
        retry_on_timeout=False,
        pool_maxsize=16,
    )


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
