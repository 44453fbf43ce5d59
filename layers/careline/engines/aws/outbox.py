"""Holds turn records in an SQS FIFO queue until telemetry has taken them.

A tenant is a message group, so that its audit chain is written in order. SQS forgets a repeated `entry_id` for five
minutes only; whoever takes an entry looks whether it has that id already.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from careline.engines.aws.connect import client, in_thread, translated
from careline.errors import Conflict, TableUnavailable
from careline.records.outbox_message import OutboxEntry, from_message, to_message

PER_RECEIVE = 10
"""Messages one ReceiveMessage answers."""


class SqsOutbox:
    """The outbox port over SQS. An entry that is taken and not settled comes back after the visibility timeout."""

    def __init__(self, queue_url: str, sqs: Any = None, *, wait_seconds: int = 0) -> None:
        self._url = queue_url
        self._given = sqs
        self._wait = wait_seconds
        self._receipts: dict[str, str] = {}

    @property
    def _sqs(self) -> Any:
        return self._given or client("sqs", read_seconds=25)

    async def put(self, entry: OutboxEntry) -> None:
        """See `ports.Outbox.put`. SQS answers when the message is stored in several zones."""
        message = {
            "QueueUrl": self._url,
            "MessageBody": to_message(entry),
            "MessageGroupId": entry.tenant,
            "MessageDeduplicationId": entry.entry_id,
        }
        with translated(TableUnavailable, "the turn cannot be recorded"):
            await in_thread(lambda: self._sqs.send_message(**message))

    async def take(self, limit: int = PER_RECEIVE) -> Sequence[OutboxEntry]:
        """See `ports.Outbox.take`. Oldest first within a tenant; at most ten at once."""
        request = {
            "QueueUrl": self._url,
            "MaxNumberOfMessages": min(limit, PER_RECEIVE),
            "WaitTimeSeconds": self._wait,
        }
        with translated(TableUnavailable, "the outbox cannot be read"):
            answer = await in_thread(lambda: self._sqs.receive_message(**request))
        entries = []
        for message in answer.get("Messages", []):
            entry = from_message(message["Body"])
            self._receipts[entry.entry_id] = message["ReceiptHandle"]
            entries.append(entry)
        return entries

    async def settle(self, entry: OutboxEntry) -> None:
        """See `ports.Outbox.settle`. Raises: Conflict when this process has not taken the entry."""
        receipt = self._receipts.pop(entry.entry_id, None)
        if receipt is None:
            raise Conflict("only the process that took an outbox entry can settle it")
        with translated(TableUnavailable, "the outbox cannot be written"):
            await in_thread(lambda: self._sqs.delete_message(QueueUrl=self._url, ReceiptHandle=receipt))

    async def scrub(self) -> None:
        """See `ports.Outbox.scrub`. A deleted message is gone from SQS; there is nothing to reach."""
