"""Makes the turn durable before the client is told that it is done.

One outbox entry carries everything that must still happen to the turn (telemetry, audit, billing), so that nothing is
lost when the process dies after `done`; the conversation is written at once, because the next message reads it.
"""

from __future__ import annotations

from typing import Any

from careline import wire
from careline.ports import Body, Engines, Item, OutboxEntry, Put
from careline.turn.speak import Said
from careline.turn.turn import Installation, Turn


async def record(turn: Turn, said: Said, answer: wire.Answer, installation: Installation) -> None:
    """Raises: TableUnavailable when the turn cannot be kept."""
    engines = installation.engines
    tenant = turn.tenant.tenant_id
    entry = OutboxEntry(turn.turn_id, tenant, {"turn": telemetry(turn, said, answer), "audit": audit(turn, said)})
    await engines.outbox.put(entry)
    await engines.table.write(*_conversation(turn, said, answer, engines))


def _conversation(turn: Turn, said: Said, answer: wire.Answer, engines: Engines) -> list[Put]:
    tenant, conversation = turn.tenant.tenant_id, turn.conversation
    context, preferences = turn.request.clinical_context, turn.request.preferences
    body: Body = {
        "language": turn.language if turn.language_clear else conversation.language,
        "disclaimed": conversation.disclaimed or said.disclaimed,
        "clinical_context": context.model_dump() if context else conversation.clinical_context,
        "preferences": preferences.model_dump() if preferences else conversation.preferences,
        "last_active": engines.clock.now().isoformat(),
        "user": turn.request.user,
        "pack": turn.pack.name,
    }
    partition = f"{tenant}/messages/{conversation.conversation_id}"
    earlier = [] if conversation.revision else [m for m in conversation.messages if m.turn_id == ""]
    messages = [(f"{turn.turn_id}-{n:02d}", m.role, m.text, m.at) for n, m in enumerate(earlier)]
    messages += [
        (f"{turn.turn_id}-50-user", "user", turn.question, turn.began_at),
        (f"{turn.turn_id}-60-assistant", "assistant", str(answer.text), engines.clock.now()),
    ]
    return [
        Put(Item(f"{tenant}/conversations", conversation.conversation_id, body)),
        *(
            Put(Item(partition, sort, {"role": role, "text": text, "at": at.isoformat(), "turn_id": turn.turn_id}))
            for sort, role, text, at in messages
        ),
    ]


def telemetry(turn: Turn, said: Said, answer: wire.Answer) -> dict[str, Any]:
    """What is kept about the turn for operations: figures and names, none of the user's words."""
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
        "sources": [source.hit.passage.chunk_id for source in turn.sources],
        "cited": [citation.chunk_id for citation in answer.citations],
        "warnings": [warning.code for warning in answer.warnings],
        "timings": [timing.model_dump() for timing in answer.timings],
    }


def audit(turn: Turn, said: Said) -> dict[str, Any]:
    """Who asked when and what became of it; the question itself only as its length."""
    return {
        "turn_id": turn.turn_id,
        "at": turn.began_at.isoformat(),
        "user": turn.request.user,
        "conversation_id": turn.conversation.conversation_id,
        "question_characters": len(turn.question),
        "disposition": said.disposition.value,
        "reason": said.reason,
        "rules": list(said.rules),
        "model": said.model,
    }
