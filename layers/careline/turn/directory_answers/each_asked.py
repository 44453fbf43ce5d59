"""Takes a question that asks two things apart, each read by itself: "what's the number, and when are they open?"."""

from __future__ import annotations

from dataclasses import replace

from careline.directory.capabilities.heeds import GENERAL, PHONE
from careline.installation import Installation
from careline.search.split_question import parts_of
from careline.turn.directory_answers.sureness import is_sure, likely_pair
from careline.turn.question.understood import read_by_itself
from careline.turn.turn import Turn
from careline.understanding.intents.read_intent import unnamed_words
from careline.understanding.intents.slots import is_answered, slots_of

_REACHED = frozenset(("department", "doctor", "contact"))


async def each_asked(turn: Turn, installation: Installation) -> tuple[Turn, ...]:
    """The turn as each of the two things that it surely asks; none where it asks one, or nobody can tell."""
    said = turn.said
    if said is None or turn.choice is not None or turn.embedded is None:
        return ()
    texts = parts_of(said.text, turn.language)
    if len(texts) < 2:
        return ()
    parts = [await _as_asking(text, turn, installation) for text in texts]
    labels = {one.intent.label for one in parts}
    return tuple(parts) if len(labels) == len(parts) and all(map(_asks, parts)) else ()


async def _as_asking(text: str, turn: Turn, installation: Installation) -> Turn:
    """The turn as a part of its question; of what that takes and does not name, with what the rest names."""
    intent, said = await read_by_itself(text, turn, installation)
    if intent.label == GENERAL and any(one.kind in _REACHED for one in turn.intent.entities):
        # "And what is the number?" is of what was named, and not of the hospital.
        name, _, sub_intent = PHONE.partition("/")
        intent = replace(intent, name=name, sub_intent=sub_intent)
    slots, of_part = slots_of(intent.label), said.recognised
    wanted = {*slots.needs, *slots.takes} - {"campus"}
    if not any(one.kind in wanted for one in intent.entities):
        rest = tuple(one for one in turn.intent.entities if one.kind in wanted)
        intent = replace(intent, entities=(*intent.entities, *rest))
    time = of_part.time if turn.said is None or not of_part.time.is_any else turn.said.recognised.time
    return replace(turn, intent=intent, said=replace(said, recognised=replace(of_part, time=time)))


def _asks(part: Turn) -> bool:
    """Whether a part surely asks something; of what the directory does not hold, with a word of its own."""
    if part.said is None or not (is_sure(part.intent) or likely_pair(part)):
        return False
    return is_answered(part.intent.label) or bool(unnamed_words(part.said, part.language))
