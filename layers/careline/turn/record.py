"""Makes the turn durable before the client is told that it is done.

One outbox entry carries everything that must still happen to the turn (telemetry, audit, billing), so that nothing is
lost when the process dies after `done`; the conversation is written at once, because the next message reads it. A
person is in all of it by a pseudonym only, under which the conversation is also listed, so that it can be erased.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import astuple
from datetime import datetime
from typing import Any

from careline import wire
from careline.model import Span
from careline.ports import Body, Engines, Item, OutboxEntry, Put
from careline.privacy.keyed import digest
from careline.privacy.pseudonym import pseudonym
from careline.turn.detect_phi import LOOKED_AT, found_in_answer
from careline.turn.ownership import owner_of
from careline.turn.speak import Said
from careline.turn.turn import Installation, Turn

Messages = list[tuple[str, str, str, datetime, tuple[Span, ...] | None]]
"""Sort key, role, text, time, and the personal data in the text where somebody has looked."""


async def record(turn: Turn, said: Said, answer: wire.Answer, installation: Installation) -> None:
    """Raises: TableUnavailable when the turn cannot be kept, SettingsInvalid without a key."""
    engines = installation.engines
    tenant = turn.tenant.tenant_id
    user = pseudonym(turn.request.user, engines.key) if turn.request.user else None
    kept: Body = {
        "turn": {**telemetry(turn, said, answer), "user": user},
        "audit": audit(turn, said, engines.key),
        "override": _override(turn),
        "subject": user,
    }
    await engines.outbox.put(OutboxEntry(turn.turn_id, tenant, kept))
    await engines.table.write(*await _conversation(turn, said, answer, installation, user))


async def _conversation(
    turn: Turn, said: Said, answer: wire.Answer, installation: Installation, user: str | None
) -> list[Put]:
    engines = installation.engines
    tenant, conversation, now = turn.tenant.tenant_id, turn.conversation, engines.clock.now()
    context, preferences = turn.request.clinical_context, turn.request.preferences
    owner = user or await _owner(turn, engines)
    until = turn.tenant.kept_until("conversations", now)
    body: Body = {
        "language": turn.language if turn.language_clear else conversation.language,
        "disclaimed": conversation.disclaimed or said.disclaimed,
        "clinical_context": context.model_dump() if context else conversation.clinical_context,
        "preferences": preferences.model_dump() if preferences else conversation.preferences,
        "last_active": now.isoformat(),
        "user": owner,
        "holder": turn.conversation.holder or owner_of(installation),
        "pack": turn.pack.name,
        "redaction": turn.phi.vault.state() if turn.phi is not None else conversation.redaction,
    }
    puts = [Put(Item(f"{tenant}/conversations", conversation.conversation_id, body, expires_at=until))]
    if owner is not None:
        listed = f"conversation/{conversation.conversation_id}"
        puts.append(Put(Item(f"{tenant}/subjects/{owner}", listed, {}, expires_at=until)))
    partition = f"{tenant}/messages/{conversation.conversation_id}"
    for sort, role, text, at, spans in _messages(turn, answer, installation, now):
        said_then: Body = {"role": role, "text": text, "at": at.isoformat(), "turn_id": turn.turn_id}
        said_then["personal"] = None if spans is None else [astuple(span) for span in spans]
        puts.append(Put(Item(partition, sort, said_then, expires_at=until)))
    return puts


async def _owner(turn: Turn, engines: Engines) -> str | None:
    """Whose conversation it was before; a message that names nobody does not make it nobody's."""
    if not turn.conversation.revision:
        return None
    partition = f"{turn.tenant.tenant_id}/conversations"
    item = await engines.table.get(partition, turn.conversation.conversation_id)
    return item.body.get("user") if item is not None else None


def _messages(turn: Turn, answer: wire.Answer, installation: Installation, now: datetime) -> Messages:
    conversation, turn_id = turn.conversation, turn.turn_id
    earlier = [] if conversation.revision else [m for m in conversation.messages if m.turn_id == ""]
    spans = turn.phi.spans if turn.phi is not None and turn.phi.state in LOOKED_AT else None
    answered = found_in_answer(str(answer.text), turn, installation)
    return [
        *((f"{turn_id}-{n:02d}", m.role, m.text, m.at, m.personal) for n, m in enumerate(earlier)),
        (f"{turn_id}-50-user", "user", turn.question, turn.began_at, spans),
        (f"{turn_id}-60-assistant", "assistant", str(answer.text), now, answered),
    ]


def telemetry(turn: Turn, said: Said, answer: wire.Answer) -> dict[str, Any]:
    """What is kept about the turn for operations: figures and names, and the question without its personal data."""
    return {
        "turn_id": turn.turn_id,
        "trace_id": turn.trace_id,
        "conversation_id": turn.conversation.conversation_id,
        "began_at": turn.began_at.isoformat(),
        "channel": turn.request.channel,
        "pack": turn.pack.name,
        "language": said.language,
        "intent": turn.intent,
        "disposition": said.disposition.value,
        "reason": said.reason,
        "rules": list(said.rules),
        "model": said.model,
        "model_called": said.model is not None,
        "tokens": answer.tokens.model_dump(),
        "cost": answer.cost,
        "hits": len(turn.hits),
        "best_score": round(max((hit.score for hit in turn.hits), default=0.0), 4),
        "best_similarity": round(max((hit.similarity for hit in turn.hits), default=0.0), 4),
        "best_coverage": round(max((hit.coverage for hit in turn.hits), default=0.0), 4),
        "searched": list(turn.searched),
        "sources": [source.hit.passage.chunk_id for source in turn.sources],
        "cited": [citation.chunk_id for citation in answer.citations],
        "warnings": [warning.code for warning in answer.warnings],
        "timings": [timing.model_dump() for timing in answer.timings],
        "question_redacted": redacted_question(turn),
        "phi": _phi(turn),
        "screening": _screening(turn, said),
        "route": _route(turn, said),
        "egress": [
            {"to": sent.to, "where": sent.where, "what": sent.what, "redacted": sent.redacted}
            for sent in (*turn.sent, *said.sent)
        ],
    }


def redacted_question(turn: Turn) -> str | None:
    """The question with typed tokens for personal data; None where nobody looked for any, or looking failed."""
    return turn.phi.question if turn.phi is not None and turn.phi.state in LOOKED_AT else None


def _phi(turn: Turn) -> dict[str, Any] | None:
    if turn.phi is None:
        return None
    types = Counter(span.type.value for span in turn.phi.spans)
    rules = sorted({span.rule for span in turn.phi.spans if span.rule})
    return {"state": turn.phi.state, "types": dict(types), "rules": rules, "override": bool(turn.phi.kept)}


def _override(turn: Turn) -> dict[str, Any] | None:
    """What the user said is no personal data although it was taken for it; None when nothing was."""
    if turn.phi is None or not turn.phi.kept:
        return None
    types = Counter(span.type.value for span in turn.phi.kept)
    rules = sorted({span.rule for span in turn.phi.kept if span.rule})
    return {"turn_id": turn.turn_id, "types": dict(types), "rules": rules}


def _screening(turn: Turn, said: Said) -> dict[str, Any]:
    terminal, injection = turn.terminal, turn.injection
    blocked = list(said.rules) if turn.outcome is None else []
    output = [{"action": "blocked", "rules": blocked}] if blocked else []
    output += [{"action": "left out", "rules": [rule]} for rule in said.withheld]
    seen = "words and meaning" if turn.gist is not None else "words"
    classed = None if terminal is None else {"class": terminal.terminal.value, "rules": list(terminal.reasons)}
    return {
        "input": None if classed is None else {**classed, "saw": seen},
        "injection": None if injection is None else {"found": injection.injection, "rules": list(injection.reasons)},
        "output": output,
    }


def _route(turn: Turn, said: Said) -> dict[str, Any] | None:
    if turn.route is None:
        return None
    where = "cloud" if turn.route.leaves else "local" if turn.route.use != "refuse" else "nowhere"
    return {
        "model": said.model, "where": where, "use": turn.route.use, "rule": turn.route.rule,
        "reasons": list(turn.route.reasons), "redacted": turn.route.redacted,
    }  # fmt: skip


def audit(turn: Turn, said: Said, key: bytes) -> dict[str, Any]:
    """What became of a turn, for the chain that outlives it: none of the user's words, and no name a client chose.

    The digests tell somebody who still has the question or the conversation's name that it is this one.
    """
    question = redacted_question(turn)
    return {
        "turn_id": turn.turn_id,
        "at": turn.began_at.isoformat(),
        "channel": turn.request.channel,
        "conversation": digest(turn.conversation.conversation_id, key, "conversation"),
        "question_characters": len(turn.question),
        "question_digest": digest(question, key, "question") if question is not None else None,
        "disposition": said.disposition.value,
        "reason": said.reason,
        "rules": list(said.rules),
        "phi": turn.phi.state if turn.phi is not None else None,
        "model": said.model,
        "egress": [
            {"to": sent.to, "where": sent.where, "redacted": sent.redacted} for sent in (*turn.sent, *said.sent)
        ],
    }
