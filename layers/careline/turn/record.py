"""Makes the turn durable before the client is told that it is done.

One outbox entry carries everything that is kept of the turn (messages, telemetry, audit, billing), so that nothing is
lost when the process dies after `done`, and nothing is half there when it dies before; the conversation is written at
once too, because the next message reads it. What was said is encrypted; a person is in the rest by keyed digests only,
under which conversation and turn are listed, so that they can be erased.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, replace
from datetime import datetime, timedelta
from typing import Any, assert_never

from careline.conversation import pending, question, store
from careline.conversation.ownership import listed_for, owner_of
from careline.conversation.store import Part
from careline.installation import Installation
from careline.model import Message
from careline.privacy.names.person import titled
from careline.privacy.redaction import identifiers
from careline.privacy.redaction.identifiers import PersonIdentity
from careline.privacy.redaction.keyed_digest import digest
from careline.privacy.redaction.pseudonym import pseudonym
from careline.privacy.redaction.redact import without_names
from careline.records import keys
from careline.records.outbox_message import OutboxEntry
from careline.records.record_table import Body
from careline.schemas import wire
from careline.turn.kept_standalone import kept_standalone
from careline.turn.outcome import Clarification, Confirmation, DirectoryAnswer, Reply, Written
from careline.turn.question.standalone_question import standalone_question
from careline.turn.speak.answer_accumulator import AnswerAccumulator
from careline.turn.stages.detect_phi import LOOKED_AT, found_in_answer
from careline.turn.turn import Turn

REFUSALS = frozenset({"EMERGENCY", "SAFETY_REFUSAL", "INJECTION", "SAFETY_UNAVAILABLE"})
"""Reasons of turns whose question no later one may lean on."""
CONFIRMATION_SECONDS = 60
"""How long a call that was announced waits for a yes."""


async def record(turn: Turn, said: AnswerAccumulator, answer: wire.Answer, installation: Installation) -> None:
    """The turn is durable when this returns.

    Raises: TableUnavailable when it cannot be kept, SettingsInvalid without a key.
    """
    engines = installation.engines
    tenant = turn.tenant.tenant_id
    user = pseudonym(turn.request.user, engines.key) if turn.request.user else None
    identity = identified(turn, installation)
    # Before the conversation is written, which keeps the tokens of its values.
    standalone = kept_standalone(turn, installation)
    part = _part(turn, said, answer, installation, user or turn.conversation.owner, identity)
    kept: Body = {
        "turn": {**telemetry(turn, said, answer, engines.key, standalone), "user": user},
        "audit": audit(turn, said, engines.key),
        "override": _override(turn),
        "subject": user,
        "conversation": part.to_json(),
    }
    await engines.outbox.put(OutboxEntry(turn.turn_id, tenant, kept))
    # The next message reads the conversation, so it does not wait for the outbox; killed here, the outbox keeps it.
    await store.keep(part, tenant, engines)
    conversation = turn.conversation.conversation_id
    if turn.asked_back is not None:
        held = await pending.waited_for(conversation, tenant, engines)
        if held is not None and held.turn_id == turn.asked_back.turn_id:
            await pending.answered(conversation, turn.turn_id, tenant, engines)
    if (waiting := awaited(turn, answer)) is not None:
        await pending.keep(_pending(turn, waiting, installation), conversation, tenant, engines)


def awaited(turn: Turn, answer: wire.Answer) -> pending.Clarification | pending.Confirmation | None:
    """What the conversation waits for after this turn; None where that is nothing."""
    match turn.outcome:
        case Reply(choices=choices) if choices:
            # A page that is not meant leaves nothing to go on with.
            return pending.Clarification(str(answer.text), choices)
        case Written() if answer.choices:
            # A model found no answer, and the closest pages were named in place of one.
            named = tuple(pending.Choice(str(one.text), str(one.text)) for one in answer.choices)
            return pending.Clarification(str(answer.text), named)
        case Written() | Reply() | DirectoryAnswer():
            return None
        case Clarification(choices=choices):
            about = turn.search_text or standalone_question(turn).text
            return pending.Clarification(str(answer.text), choices, about)
        case Confirmation(call_id=call_id, tool=tool, arguments=arguments):
            return pending.Confirmation(str(answer.text), call_id, tool, arguments)
        case _:
            assert_never(turn.outcome)


def _asked_back(turn: Turn) -> tuple[str, ...]:
    """What has been asked back about in the conversation, with what this turn does."""
    known = turn.conversation.asked_back
    topic = turn.outcome.topic if isinstance(turn.outcome, Clarification) else ""
    return known if not topic or topic in known else (*known, topic)


def _pending(
    turn: Turn, waiting: pending.Clarification | pending.Confirmation, installation: Installation
) -> pending.Pending:
    """A question back waits as long as the conversation is gone on with, a call a minute for its yes."""
    now, idle = installation.engines.clock.now(), installation.settings.limits.conversation_idle_minutes
    is_call = isinstance(waiting, pending.Confirmation)
    until = now + (timedelta(seconds=CONFIRMATION_SECONDS) if is_call else timedelta(minutes=idle))
    return pending.Pending(turn.turn_id, turn.began_at, until, waiting)


def identified(turn: Turn, installation: Installation) -> PersonIdentity:
    """What the people in the conversation are found by, as far as anybody has looked for personal data."""
    known = identifiers.read(turn.conversation.identity)
    if turn.phi is None or turn.phi.state not in LOOKED_AT:
        return known
    known = known.joined(identifiers.found(turn.question, (*turn.phi.spans, *turn.phi.kept)))
    known = known.joined(identifiers.found(turn.question, titled(turn.question, turn.language, turn.tenant.staff)))
    for text in (*(message.text for message in _brought(turn)), *_context(turn)):
        known = known.joined(identifiers.found(text, found_in_answer(text, turn, installation) or ()))
    return known


def _context(turn: Turn) -> Iterator[str]:
    """What a clinician wrote about the patient."""
    if (context := turn.request.clinical_context) is not None:
        yield from filter(None, (context.chief_complaint, *context.history, *context.medications, *context.allergies))


def _brought(turn: Turn) -> list[Message]:
    """Messages that the client kept itself and sent with the first one of this conversation."""
    return [] if turn.conversation.revision else [m for m in turn.conversation.messages if m.turn_id == ""]


def _part(
    turn: Turn,
    said: AnswerAccumulator,
    answer: wire.Answer,
    installation: Installation,
    owner: str | None,
    identity: PersonIdentity,
) -> Part:
    key, tenant, conversation = installation.engines.key, turn.tenant.tenant_id, turn.conversation
    now, where = installation.engines.clock.now(), turn.conversation.conversation_id
    context, preferences = turn.request.clinical_context, turn.request.preferences
    plain: Body = {
        "language": turn.language if turn.language_clear else conversation.language,
        "disclaimed": conversation.disclaimed or said.disclaimed,
        "preferences": preferences.model_dump() if preferences else conversation.preferences,
        "last_active": now.isoformat(),
        "user": owner,
        "holder": turn.conversation.holder or owner_of(installation),
        "pack": turn.pack.name,
    }
    secret: Body = {
        "clinical_context": context.model_dump() if context else conversation.clinical_context,
        "asked_back": list(_asked_back(turn)),
        "redaction": turn.phi.vault.state() if turn.phi is not None else conversation.redaction,
        "identity": identity.to_json(),
    }
    of_holder = listed_for(plain["holder"], installation)
    messages = tuple(
        (sort, store.message_body(message, tenant, where, sort, key))
        for sort, message in _messages(turn, said, answer, installation, now)
    )
    return Part(
        where, turn.turn_id, turn.began_at, turn.tenant.kept_until("conversations", now),
        store.head_body(plain, secret, tenant, where, key), messages,
        tuple(dict.fromkeys((*([owner] if owner else []), *identity.names(key), *of_holder))),
    )  # fmt: skip


def _messages(
    turn: Turn, said: AnswerAccumulator, answer: wire.Answer, installation: Installation, now: datetime
) -> list[tuple[str, Message]]:
    """Sort keys and messages of the turn, in order."""
    turn_id, text = turn.turn_id, str(answer.text)
    spans = turn.phi.spans if turn.phi is not None and turn.phi.state in LOOKED_AT else None
    answered = found_in_answer(text, turn, installation)
    told = Message(
        "assistant", text, now, turn_id, answered, disposition=answer.disposition, reason=answer.reason
    )
    replied = (keys.answered_message(turn_id), told)
    return [
        *((keys.brought_message(turn_id, n), replace(m, turn_id=turn_id)) for n, m in enumerate(_brought(turn))),
        (
            keys.asked_message(turn_id),
            Message("user", turn.question, turn.began_at, turn_id, spans, is_refused(turn, said)),
        ),
        *([replied] if text else []),
    ]


def is_refused(turn: Turn, said: AnswerAccumulator) -> bool:
    """Whether a screen refused what was asked or a part of the answer, or could not look at it; also where the client
    left before it was told."""
    match turn.outcome:
        case Reply(reason=reason):
            return reason in REFUSALS
        case Written() | DirectoryAnswer():
            return bool(said.rules) or said.reason in REFUSALS
        case Clarification() | Confirmation():
            return False
        case _:
            assert_never(turn.outcome)


def telemetry(
    turn: Turn, said: AnswerAccumulator, answer: wire.Answer, key: bytes, standalone: str | None
) -> dict[str, Any]:
    """What is kept about the turn for operations: figures and names, and the question without its personal data, as it
    was asked and as it was read (`standalone`).

    Both are encrypted besides: a name that no recogniser knows may still stand in them.
    """
    tenant = turn.tenant.tenant_id
    asked = question.written(redacted_question(turn), tenant, turn.turn_id, key)
    read = question.written(standalone, tenant, turn.turn_id, key, question.STANDALONE)
    return {
        "turn_id": turn.turn_id,
        "trace_id": turn.trace_id,
        "conversation_id": turn.conversation.conversation_id,
        "began_at": turn.began_at.isoformat(),
        "channel": turn.request.channel,
        "pack": turn.pack.name,
        "language": said.language,
        "intent": turn.intent.name,
        "understood": _understood(turn),
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
        "evidence": _evidence(turn, answer),
        "value": None if turn.value is None else turn.value.to_json(),
        "searched": list(turn.searched),
        "sources": [source.hit.passage.chunk_id for source in turn.sources],
        "directory": None if turn.directory_facts is None else asdict(turn.directory_facts),
        "cited": [citation.chunk_id for citation in answer.citations],
        "disclaimed": said.disclaimed,
        "warnings": [warning.code for warning in answer.warnings],
        "first_token_ms": None if said.first_token_seconds is None else round(said.first_token_seconds * 1000, 2),
        "timings": [timing.model_dump() for timing in answer.timings],
        question.ENCRYPTED: asked,
        question.STANDALONE_ENCRYPTED: read,
        "phi": _phi(turn),
        "case": _case(turn),
        "screening": _screening(turn, said),
        "route": _route(turn, said),
        "egress": [
            {"to": sent.to, "where": sent.where, "what": sent.what, "redacted": sent.redacted}
            for sent in (*turn.sent, *said.sent)
        ],
    }


def _understood(turn: Turn) -> dict[str, Any]:
    """What was wanted, and what was named by the ids that the directory and the terms of medicine have: no word of the
    question."""
    intent = turn.intent
    return {
        "sub_intent": intent.sub_intent,
        "confidence": round(intent.confidence, 4),
        "by": intent.by,
        "entities": [
            {"kind": one.kind, "ids": list(one.ids), "origin": one.origin} for one in intent.entities if one.ids
        ],
        "is_followup": intent.is_followup,
        "history_turns": intent.history_turns,
        "specialties": list(intent.specialties),
        "expansions": [f"{one.abbreviation} ({one.expansion})" for one in intent.expansions],
    }


def _evidence(turn: Turn, answer: wire.Answer) -> dict[str, Any] | None:
    """How well the best of what was found answers, whether the answer begins by saying that it may not be one, and the
    confidence that it would have needed; none was enough where documents were still being loaded."""
    found = turn.evidence
    if found is None:
        return None
    is_unsure = not turn.is_decided and answer.text.startswith(turn.pack.template("unsure_notice", turn.language))
    sure_from = turn.sure_from if is_unsure and math.isfinite(turn.sure_from) else None
    confidence = None if found.confidence is None else round(found.confidence, 4)
    return {
        "relevance": round(found.relevance, 4), "confidence": confidence, "by": found.by, "is_unsure": is_unsure,
        "unsure_below": sure_from,
    }  # fmt: skip


def redacted_question(turn: Turn) -> str | None:
    """The question as it is kept: with typed tokens for personal data, and without names that follow a title unless
    they are those of the hospital's own staff. None where nobody looked for any, or looking failed."""
    if turn.phi is None or turn.phi.state not in LOOKED_AT:
        return None
    return without_names(turn.phi.question, titled(turn.phi.question, turn.language, turn.tenant.staff))


def _phi(turn: Turn) -> dict[str, Any] | None:
    if turn.phi is None:
        return None
    types = Counter(span.type.value for span in turn.phi.spans)
    rules = sorted({span.rule for span in turn.phi.spans if span.rule})
    return {"state": turn.phi.state, "types": dict(types), "rules": rules, "override": bool(turn.phi.kept)}


def _case(turn: Turn) -> dict[str, list[str]] | None:
    """The names of the fields of the patient's case: those that were known, and those that were searched with."""
    known = [name for name, value in turn.case if value not in (None, [], "")]
    return {"known": known, "searched": list(turn.of_case)} if known else None


def _override(turn: Turn) -> dict[str, Any] | None:
    """What the user said is no personal data although it was taken for it; None when nothing was."""
    if turn.phi is None or not turn.phi.kept:
        return None
    types = Counter(span.type.value for span in turn.phi.kept)
    rules = sorted({span.rule for span in turn.phi.kept if span.rule})
    return {"turn_id": turn.turn_id, "types": dict(types), "rules": rules}


def _screening(turn: Turn, said: AnswerAccumulator) -> dict[str, Any]:
    terminal, injection = turn.terminal, turn.injection
    blocked = list(said.rules) if isinstance(turn.outcome, Written | DirectoryAnswer) else []
    output = [{"action": "blocked", "rules": blocked}] if blocked else []
    output += [{"action": "left out", "rules": [rule]} for rule in said.withheld]
    seen = "words and meaning" if turn.sentence_embedding is not None else "words"
    classed: dict[str, Any] | None = (
        None if terminal is None else {"class": terminal.terminal.value, "rules": list(terminal.reasons)}
    )
    if classed is not None and turn.supposed_advice:
        classed["supposed"] = True
    if classed is not None and turn.embedding_missed:
        classed["embedding_missed"] = True
    return {
        "input": None if classed is None else {**classed, "saw": seen},
        "injection": None if injection is None else {"found": injection.injection, "rules": list(injection.reasons)},
        "act": None if turn.act is None else {"rules": list(turn.act.rules)},
        "output": output,
        "sentences_by_words_alone": said.by_words_alone,
    }


def _route(turn: Turn, said: AnswerAccumulator) -> dict[str, Any] | None:
    if turn.route is None:
        return None
    where = said.sent[-1].where if said.sent else "nowhere"
    return {
        "model": said.model, "where": where, "use": turn.route.use, "rule": turn.route.rule,
        "reasons": list(turn.route.reasons), "redacted": turn.route.redacted,
    }  # fmt: skip


def audit(turn: Turn, said: AnswerAccumulator, key: bytes) -> dict[str, Any]:
    """What became of a turn, for the chain that outlives it: none of the user's words, and no name a client chose.

    The digests tell somebody who still has the question or the conversation's name that it is this one.
    """
    asked = redacted_question(turn)
    return {
        "turn_id": turn.turn_id,
        "at": turn.began_at.isoformat(),
        "channel": turn.request.channel,
        "conversation": digest(turn.conversation.conversation_id, key, "conversation"),
        "question_characters": len(turn.question),
        "question_digest": digest(asked, key, "question") if asked is not None else None,
        "disposition": said.disposition.value,
        "reason": said.reason,
        "rules": list(said.rules),
        "phi": turn.phi.state if turn.phi is not None else None,
        "model": said.model,
        "egress": [
            {"to": sent.to, "where": sent.where, "redacted": sent.redacted} for sent in (*turn.sent, *said.sent)
        ],
    }
