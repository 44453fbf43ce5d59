"""Asks what is wanted of something that is named: "cardiology" alone may want its number or its hours, and of a
question that may ask for either nobody knows which."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import get_args

from careline.conversation.pending import Choice
from careline.directory.capabilities.facts import Asked, WhichOne
from careline.directory.capabilities.registry import capability_of
from careline.packs.clarifications import LEAST, WHICH_PART, Part, PartOf
from careline.turn.outcome import Clarification
from careline.turn.question.understood import names_of
from careline.turn.turn import Turn
from careline.understanding.intents.read_intent import is_bare, unnamed_words
from careline.understanding.intents.slots import is_answered
from careline.understanding.question import Entity

REASON = "WHICH_PART"
KINDS: tuple[PartOf, ...] = get_args(PartOf)
EMERGENCY, APPOINTMENT = "emergency", "appointment_scheduling"
"""Specialty of a department with which nobody makes an appointment, and the label of one."""
SURE = 0.5
"""Share of a label from which it is known what is asked (spec T7)."""
OPEN = 2
"""Words beside a name of a question of which it is not known what it asks."""
LIKELY = 0.2
"""Share of a label from which it may be what is asked."""
SPOKEN = 4
"""Parts that are named on the phone; of more nobody remembers the first."""


def named_alone(turn: Turn) -> Entity | None:
    """The one thing of the directory that a question names, where it says nothing else and goes on from nothing, and
    nobody was asked about it yet."""
    said = turn.said
    if said is None or turn.choice is not None or _goes_on(turn) or not said.recognised.time.is_any:
        return None
    entities = said.recognised.entities
    if len(entities) != 1 or not is_bare(said, turn.language):
        return None
    entity = entities[0]
    is_known = entity.kind in KINDS and entity.id is not None
    return entity if is_known and topic_of(entity) not in turn.conversation.asked_back else None


def _goes_on(turn: Turn) -> bool:
    """Whether what was asked before says what is wanted."""
    intent = turn.intent
    is_known = intent.history_turns > 0 and intent.confidence >= SURE and is_answered(intent.label)
    return intent.is_followup or is_known


def named_unsurely(turn: Turn) -> Entity | None:
    """The one thing of the directory that a question names, where nobody knows what it asks of it and nobody was asked
    about it yet."""
    said = turn.said
    if said is None or turn.choice is not None or not said.labels or said.label.share >= SURE:
        return None
    if len(unnamed_words(said, turn.language)) > OPEN:
        # It asks for something of its own, which the directory does not hold.
        return None
    found = [one for one in said.recognised.entities if one.kind in KINDS]
    if len(found) != 1 or found[0].id is None or topic_of(found[0]) in turn.conversation.asked_back:
        return None
    return found[0]


def topic_of(entity: Entity) -> str:
    """What nobody is asked about twice."""
    return f"{entity.kind}:{entity.id}"


def which_part(turn: Turn, entity: Entity, asked: Asked, name: str) -> Clarification | None:
    """The question what is wanted of the one thing that is named, `name` by the directory: of a question that may ask
    for several parts, which of these. None where the directory holds one part at most."""
    parts = [each for kind in KINDS if kind == entity.kind for each in _parts(turn, asked, kind)]
    if entity != named_alone(turn):
        shares = {one.name: one.share for one in turn.said.labels} if turn.said is not None else {}
        parts = [one for one in parts if shares.get(one.label, 0.0) >= LIKELY]
        if sum(shares[one.label] for one in parts) < SURE:
            return None
    parts = parts[:SPOKEN] if turn.voice else parts
    if len(parts) < LEAST:
        return None
    choices = tuple(Choice(one.told, one.question.format(name=name), label=one.label) for one in parts)
    return Clarification(REASON, WHICH_PART, choices, {"title": name}, topic=topic_of(entity))


def _parts(turn: Turn, asked: Asked, kind: PartOf) -> Iterator[Part]:
    """What the directory holds of it."""
    is_of_emergencies = not set(asked.departments).isdisjoint(names_of(turn).by_specialty.get(EMERGENCY, ()))
    for part in turn.pack.asks_back_about(turn.language).parts.get(kind, ()):
        if is_of_emergencies and part.label == APPOINTMENT:
            continue
        intent, _, sub_intent = part.label.partition("/")
        capability = capability_of(intent, sub_intent)
        found = None if capability is None else capability(replace(asked, intent=intent, sub_intent=sub_intent))
        if found is not None and not isinstance(found, WhichOne):
            yield part
