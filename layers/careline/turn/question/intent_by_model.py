"""Has a language model say what is wanted, where the installation lets it and the classifier is less sure than the pack
asks for. Whatever comes of that, the turn goes on: without an answer the classifier's stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from careline.errors import ModelUnavailable
from careline.installation import Installation
from careline.log.event_log import EventLog
from careline.packs.intent_model import IntentModel
from careline.turn.may_leave import may_leave
from careline.turn.question.standalone_question import in_context
from careline.turn.turn import EgressRecord, Turn
from careline.understanding.earlier import behind_refusals
from careline.understanding.entities.recognise import HospitalNames
from careline.understanding.intents.ask_model import ModelReading, NamedByModel, asked_of_model
from careline.understanding.intents.read_intent import LEAST_CONFIDENCE, ReadQuestion, intent_of
from careline.understanding.intents.slots import BEFORE, QUESTION, Named
from careline.understanding.question import Entity, Intent

log = EventLog(__name__)
NOT_ASKED = "No language model said what is wanted; what the classifier makes of it was taken."


async def surer(
    intent: Intent,
    said: ReadQuestion,
    earlier: Sequence[ReadQuestion],
    of: Named,
    names: HospitalNames,
    turn: Turn,
    installation: Installation,
) -> tuple[Turn, Intent, ReadQuestion]:
    """The turn, which says what was sent, and what is wanted: by a language model where one is asked and knows."""
    wanted = turn.pack.intent_model
    if wanted is None or not _is_asked(intent, said, wanted, turn, installation):
        return turn, intent, said
    turn, reading = await _reading(wanted, turn, installation)
    if reading is None or reading.label.share < LEAST_CONFIDENCE:
        return turn, intent, said
    said, of = _with_named(reading, said, of, names, turn)
    read = intent_of(said, earlier, of, turn.language)
    # As sure as the model is: of one label alone nothing else has a share.
    return turn, replace(read, confidence=reading.label.share, by="model"), said


def _is_asked(
    intent: Intent, said: ReadQuestion, wanted: IntentModel, turn: Turn, installation: Installation
) -> bool:
    """Whether nobody knows it well enough, there is a model, and the words may be sent to it. What a choice stands for
    is known."""
    is_unsure = not said.labels or intent.confidence < wanted.below
    is_chosen = installation.settings.engines.intents == "model" and installation.engines.guardrail is not None
    return is_unsure and is_chosen and turn.choice is None and bool(turn.pack.intents) and may_leave(turn, installation)


async def _reading(wanted: IntentModel, turn: Turn, installation: Installation) -> tuple[Turn, ModelReading | None]:
    caller, phi = installation.engines.guardrail, turn.phi
    if caller is None or phi is None:
        return turn, None
    before = behind_refusals(in_context(turn))
    what = "question to understand, with earlier messages" if before else "question to understand"
    sent = replace(turn, sent=(*turn.sent, EgressRecord(caller.name, "cloud", what, phi.state == "found")))
    try:
        reading = await asked_of_model(
            phi.question, before, tuple(turn.pack.intents), wanted.prompt, caller, wanted.seconds
        )
    except ModelUnavailable as error:
        log.write("intent_not_told", error=error.code)
        return (sent if error.was_asked else turn).warn("INTENT_MODEL_UNAVAILABLE", NOT_ASKED), None
    return sent, reading


def _with_named(
    reading: ModelReading, said: ReadQuestion, of: Named, names: HospitalNames, turn: Turn
) -> tuple[ReadQuestion, Named]:
    """The question with the model's label, and with what the directory has under the names that the model read, of
    kinds that nobody had found in the question."""
    known = {one.kind for one in of.question}
    found = [
        (one, entity)
        for one in reading.named
        for entity in _looked_up(one, names, turn)
        if entity.kind not in known
    ]
    spans = tuple(span for one, _ in found if (span := _span(one.said, said.text)) is not None)
    entities = tuple(dict.fromkeys(entity for _, entity in found))
    now = tuple(entity for entity in entities if entity.origin == QUESTION)
    recognised = replace(
        said.recognised,
        entities=(*said.recognised.entities, *now),
        spans=(*said.recognised.spans, *dict.fromkeys(spans)),
    )
    said = replace(said, labels=(reading.label,), recognised=recognised)
    return said, replace(of, question=(*of.question, *entities))


def _looked_up(one: NamedByModel, names: HospitalNames, turn: Turn) -> list[Entity]:
    """What a name is in the directory and among the terms of medicine; told in the words that were said."""
    found = names.recognised(one.name, turn.language, turn.tenant.local(turn.began_at)).entities
    origin = BEFORE if one.is_before else QUESTION
    return [Entity(entity.kind, one.said, entity.ids, origin) for entity in found if entity.ids]


def _span(said: str, text: str) -> tuple[int, int] | None:
    """Where words stand in a text."""
    start = text.find(said)
    return None if start < 0 else (start, start + len(said))
