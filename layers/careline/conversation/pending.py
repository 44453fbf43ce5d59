"""What a conversation waits for: which of several things is meant, or a yes to a call that was announced.

It is kept encrypted beside the conversation, ends with it, and is answered once: of two messages that come at the same
time one gets it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from careline.conversation import store
from careline.errors import Conflict
from careline.ports import Engines
from careline.privacy.redaction.encryption import decrypt, encrypt
from careline.records import keys
from careline.records.record_table import Body, Delete, Item, Put

PENDING = "pending"
CLARIFICATION, CONFIRMATION = "clarification", "confirmation"


@dataclass(frozen=True, slots=True)
class Choice:
    """Something that may be meant: as people are told it, and the question that is asked when they choose it.

    `then`: what of it may be meant, of which is asked next, by the reply `ask` of the pack. `label`: the intent that it
    is known to have. One that nobody is `told` is none of what was asked: the question goes on as it was.
    """

    told: str
    question: str
    then: tuple[Choice, ...] = ()
    ask: str = ""
    label: str = ""


@dataclass(frozen=True, slots=True)
class Clarification:
    """A question that was asked back, with what may be meant, in the order in which it was told; `question` is what it
    was asked about, as a text that stands by itself."""

    asked: str
    choices: tuple[Choice, ...]
    question: str = ""


@dataclass(frozen=True, slots=True)
class Confirmation:
    """A call that awaits a yes, with exactly these arguments (JSON); by `call_id` it is known when it comes again."""

    asked: str
    call_id: str
    tool: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Pending:
    """What a turn left open, and until when it may be answered; the conversation may end before."""

    turn_id: str
    asked_at: datetime
    until: datetime
    awaited: Clarification | Confirmation


async def keep(pending: Pending, conversation_id: str, tenant: str, engines: Engines) -> bool:
    """Remember what a conversation waits for, in place of what it waited for before.

    False, and nothing is kept, when the conversation was erased since. Raises: TableUnavailable, SettingsInvalid
    without a key.
    """
    body: Body = {
        "turn_id": pending.turn_id,
        "asked_at": pending.asked_at.isoformat(),
        "until": pending.until.isoformat(),
        "encrypted": encrypt(written(pending.awaited), engines.key, PENDING, tenant, conversation_id),
    }
    await engines.table.write(Put(Item(*keys.pending(tenant, conversation_id), body, expires_at=pending.until)))
    if await store.erased(conversation_id, pending.asked_at, tenant, engines) is None:
        return True
    # Looked for behind the write, an erasure that came in between is seen by one of the two.
    await engines.table.write(Delete(*keys.pending(tenant, conversation_id)))
    return False


def choice_id(turn_id: str, place: int) -> str:
    """What a client takes a choice by: the turn that asked, and the place of the choice from 1. Of another question
    back it takes none."""
    return f"{turn_id}.{place}"


async def waited_for(conversation_id: str, tenant: str, engines: Engines) -> Pending | None:
    """What a conversation waits for; None where that is nothing or the time is over.

    Raises: TableUnavailable, RecordDamaged when it cannot be decrypted.
    """
    item = await _open(conversation_id, tenant, engines)
    return None if item is None else _read(item, tenant, engines)


async def answered(conversation_id: str, turn_id: str, tenant: str, engines: Engines) -> Pending | None:
    """What a conversation waited for, which the turn `turn_id` answers or passes over: nobody gets it again.

    Raises: TableUnavailable, RecordDamaged when it cannot be decrypted.
    """
    item = await _open(conversation_id, tenant, engines)
    if item is None:
        return None
    pending = _read(item, tenant, engines)
    done = Item(item.partition, item.sort, {"answered_by": turn_id}, expires_at=item.expires_at)
    try:
        await engines.table.write(Put(done, expects=item.revision))
    except Conflict:
        return None
    return pending


async def _open(conversation_id: str, tenant: str, engines: Engines) -> Item | None:
    item = await engines.table.get(*keys.pending(tenant, conversation_id))
    return None if item is None or "answered_by" in item.body else item


def _read(item: Item, tenant: str, engines: Engines) -> Pending:
    kept = decrypt(item.body.get("encrypted"), engines.key, PENDING, tenant, item.sort)
    asked_at, until = (datetime.fromisoformat(item.body[name]) for name in ("asked_at", "until"))
    return Pending(item.body["turn_id"], asked_at, until, _awaited(kept))


def written(awaited: Clarification | Confirmation) -> Body:
    """What is awaited, as JSON."""
    if isinstance(awaited, Clarification):
        choices = [_written_choice(one) for one in awaited.choices]
        return {
            "kind": CLARIFICATION, "asked": awaited.asked, "choices": choices, "question": awaited.question,
        }  # fmt: skip
    call: Body = {"call_id": awaited.call_id, "tool": awaited.tool, "arguments": dict(awaited.arguments)}
    return {"kind": CONFIRMATION, "asked": awaited.asked, **call}


def _written_choice(choice: Choice) -> list[Any]:
    return [choice.told, choice.question, [_written_choice(one) for one in choice.then], choice.ask, choice.label]


def _choice(kept: list[Any]) -> Choice:
    """A choice as it was kept; an older version kept no more of one than its first two parts."""
    told, question, *more = kept
    then, ask, label = more or ([], "", "")
    return Choice(told, question, tuple(_choice(one) for one in then), ask, label)


def _awaited(kept: Body) -> Clarification | Confirmation:
    if kept["kind"] == CLARIFICATION:
        choices = tuple(_choice(one) for one in kept["choices"])
        return Clarification(kept["asked"], choices, kept.get("question", ""))
    return Confirmation(kept["asked"], kept["call_id"], kept["tool"], kept["arguments"])
