"""The bytes of an outbox entry on a queue, which one process writes and another reads."""

from __future__ import annotations

import json
from dataclasses import dataclass

from careline.errors import BadRequest
from careline.records.record_table import Body

FIELDS = {"entry_id": str, "tenant": str, "body": dict}


@dataclass(frozen=True, slots=True)
class OutboxEntry:
    """What must still be done about a turn after it was answered. `entry_id` makes delivery idempotent."""

    entry_id: str
    tenant: str
    body: Body


def to_message(entry: OutboxEntry) -> str:
    """The message that carries an entry."""
    return json.dumps({"entry_id": entry.entry_id, "tenant": entry.tenant, "body": entry.body}, ensure_ascii=False)


def from_message(text: str) -> OutboxEntry:
    """The entry in a message. Raises: BadRequest when there is none in it."""
    try:
        record = json.loads(text)
    except ValueError:
        record = None
    if not isinstance(record, dict) or any(not isinstance(record.get(name), kind) for name, kind in FIELDS.items()):
        raise BadRequest("a message of the outbox queue is no outbox entry")
    return OutboxEntry(record["entry_id"], record["tenant"], record["body"])
