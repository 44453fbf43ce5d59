"""Reads the outbox queue: each turn's record, audit entry, billing event and budget, in order within a tenant."""

from __future__ import annotations

import asyncio
import logging
from functools import cache
from typing import Any

from careline import bootstrap
from careline.errors import kind_and_place
from careline.outbox_message import from_message
from careline.ports import Engines
from careline.settings import Settings
from careline.telemetry import turns

log = logging.getLogger("careline.telemetry")
TRIES = 5
"""After so many the queue puts a message with the dead letters; `tests/infra` compares it with the template."""


@cache
def engines() -> Engines:
    """This process's engines, made at the first invocation."""
    return bootstrap.engines(Settings.load())


@cache
def runner() -> asyncio.Runner:
    """One event loop for the process: clients that keep connections belong to a loop."""
    return asyncio.Runner()


def handler(event: dict[str, Any], context: object) -> dict[str, Any]:
    """A batch of the FIFO queue in; out the messages that come back, because they or one before them failed."""
    failed = runner().run(_keep(event["Records"]))
    return {"batchItemFailures": [{"itemIdentifier": message_id} for message_id in failed]}


async def _keep(records: list[dict[str, Any]]) -> list[str]:
    """In a tenant's group nothing goes before what failed, unless that goes to the dead letters now: a message that can
    never be kept takes none of its followers with it."""
    failed, held_up = [], set()
    for record in records:
        group, received = (record["attributes"][name] for name in ("MessageGroupId", "ApproximateReceiveCount"))
        last_try = int(received) >= TRIES
        if (group in held_up and not last_try) or not await _kept(record["body"]):
            failed.append(record["messageId"])
            held_up |= set() if last_try else {group}
    return failed


async def _kept(body: str) -> bool:
    try:
        await turns.keep(from_message(body), engines())
    except Exception as error:
        log.error("a turn could not be kept", extra=kind_and_place(error))
        return False
    return True
