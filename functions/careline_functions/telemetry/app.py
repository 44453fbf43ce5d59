"""Reads the outbox queue: each turn's record, audit entry, billing event and budget, in order within a tenant.

The loop over a batch is ours. Powertools' `SqsFifoPartialProcessor` is synchronous, and gives back everything behind a
failure or, with `skip_group_on_error`, the rest of its group, on the last try as well: a message that can never be kept
would take its followers to the dead letters with it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from contextvars import copy_context
from functools import cache
from typing import TYPE_CHECKING, Any

from careline import bootstrap
from careline.errors import CarelineError, kind_and_place
from careline.log import context
from careline.log.event_log import EventLog
from careline.ports import Records
from careline.records.outbox_message import OutboxEntry, from_message
from careline.runtime.lambda_handler import observed
from careline.settings import AwsSettings, Settings
from careline.telemetry import metrics, turns

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.data_classes.sqs_event import SQSRecord

log = EventLog("careline.telemetry")
TRIES = 5
"""After so many the queue puts a message with the dead letters; `tests/infra` compares it with the template."""


@cache
def records() -> Records:
    """Where this process keeps turns, made at the first invocation."""
    return bootstrap.records(Settings.load())


@cache
def stage() -> str:
    """The deployment that its metrics are of."""
    return AwsSettings.load().stage


@cache
def runner() -> asyncio.Runner:
    """One event loop for the process: clients that keep connections belong to a loop."""
    return asyncio.Runner()


@observed("telemetry")
def handler(event: dict[str, Any], invocation: object) -> dict[str, Any]:
    """A batch of the FIFO queue in; out the messages that come back, because they or one before them failed."""
    from aws_lambda_powertools.utilities.data_classes.sqs_event import SQSEvent

    batch = list(SQSEvent(event).records)
    failed = runner().run(_keep(batch), context=copy_context())
    log.write("turn_kept", count=len(batch) - len(failed), failed=len(failed))
    return {"batchItemFailures": [{"itemIdentifier": message_id} for message_id in failed]}


async def _keep(batch: Iterable[SQSRecord]) -> list[str]:
    """In a tenant's group nothing goes before what failed, unless that goes to the dead letters now: a message that can
    never be kept takes none of its followers with it."""
    with suppress(CarelineError):
        # The key is read beside the event loop. Where it cannot be had, each message says so.
        await asyncio.to_thread(records().read_key)
    failed, held_up = [], set()
    for record in batch:
        group, received = record.attributes.message_group_id, int(record.attributes.approximate_receive_count)
        last_try = received >= TRIES
        if (group in held_up and not last_try) or not await _kept(record, received):
            failed.append(record.message_id)
            held_up |= set() if last_try else {group}
    return failed


async def _kept(record: SQSRecord, received: int) -> bool:
    try:
        entry = from_message(record.body)
        await turns.keep(entry, records())
    except Exception as error:
        log.write("turn_not_kept", message_id=record.message_id, attempt=received, **kind_and_place(error))
        return False
    _measured(entry)
    return True


def _measured(entry: OutboxEntry) -> None:
    """A turn that is kept stays kept, whatever becomes of its figures."""
    try:
        metrics.emit(entry.tenant, entry.body["turn"], stage())
    except Exception as error:
        with context.bound(tenant=entry.tenant, turn=entry.entry_id):
            log.write("turn_not_measured", **kind_and_place(error))
