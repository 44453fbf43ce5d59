"""What a turn wants, read in the light of the directory and of what was said before."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from careline.errors import EmbedderUnavailable
from careline.installation import Installation
from careline.model import Message
from careline.turn.turn import EmbeddedText, Turn
from careline.turn.whole_question import with_standalone
from careline.understanding.asked_part import asked_part
from careline.understanding.entities.recognise import HospitalNames, Recognised, hospital_names
from careline.understanding.intents.classifier import Label, intent_classifier
from careline.understanding.intents.read_intent import ReadQuestion, goes_on, intent_of, is_bare, mixed
from careline.understanding.intents.slots import Named, meant_by_pronoun, pronouns_in
from careline.understanding.intents.weighed import weighed
from careline.understanding.joined import joined
from careline.understanding.question import Entity, Intent

PATIENCE = 1.5
"""Seconds after which nobody is told what is wanted: the question is searched for as ever."""
REACH = 3
"""Questions before this one that it may go on from (spec T5)."""
LONGEST = 1_000
"""Characters of a message that are looked at."""


async def understood(turn: Turn, installation: Installation) -> tuple[Turn, Intent, ReadQuestion]:
    """The turn, its intent, and what its question names by itself.

    Without an embedding nobody knows what is wanted: the intent is `general`, with what is named.
    """
    names, now, text = names_of(turn), turn.tenant.local(turn.began_at), _asked(turn)
    recognised = names.recognised(text, turn.language, now)
    earlier = _earlier(turn, names, now)
    turn = await _embedded(text, turn, installation)
    whole = turn.question[:LONGEST]
    story = names.recognised(whole, turn.language, now) if whole != text and turn.choice is None else Recognised()
    of = Named(
        recognised.entities,
        tuple(one for one in story.entities if one not in recognised.entities),
        _named_before(turn, names, now),
        tuple(one.recognised.entities for one in reversed(earlier)),
        names.sexes,
    )
    labels = _known(turn) or weighed(_told(turn.embedded, turn), recognised)
    said = ReadQuestion(text, recognised, tuple(labels))
    if earlier and turn.choice is None and goes_on(said, turn.language):
        said = replace(said, labels=tuple(await _in_conversation(said, earlier, of, turn, installation)))
    return turn, with_standalone(intent_of(said, earlier, of, turn.language), said, earlier, turn, names), said


async def _in_conversation(
    said: ReadQuestion, earlier: Sequence[ReadQuestion], of: Named, turn: Turn, installation: Installation
) -> list[Label]:
    """The labels of a question that leaves something to those before it: by itself, and with what it leaves unsaid.

    A pronoun is read with whom or what it stands for, another question behind the one before it. One that only names
    something or a time asks of it what was asked before.
    """
    before = [one.text for one in earlier if not is_bare(one, turn.language)][-1:]
    stands_for = meant_by_pronoun(of, pronouns_in(said.text, turn.language))
    whole = f"{said.text.rstrip(' ?.!')} {stands_for}?" if stands_for else ""
    if before and not whole:
        whole = joined(before[0], said.text)
    labels = list(said.labels)
    if whole:
        labels = mixed(labels, _told(await _read(whole, installation), turn))
    if before and is_bare(said, turn.language):
        labels = mixed(labels, _told(await _read(before[0], installation), turn))
    return weighed(labels, said.recognised)


def names_of(turn: Turn) -> HospitalNames:
    """The names of the hospital as they hold on the day of a turn."""
    return hospital_names(turn.edition.directory, turn.tenant.day_of(turn.began_at))


def _asked(turn: Turn) -> str:
    if turn.choice is not None:
        return turn.choice.question
    return asked_part(turn.question[:LONGEST], turn.language) or turn.question[:LONGEST]


async def _embedded(text: str, turn: Turn, installation: Installation) -> Turn:
    """The turn with the embedding of what is asked, which the screens may have made."""
    if turn.embedded is not None and turn.embedded.text == text:
        return turn
    return replace(turn, embedded=await _read(text, installation))


def _known(turn: Turn) -> list[Label]:
    """The label of a choice that was told with one, which needs no guess."""
    if turn.choice is None or not turn.choice.label:
        return []
    intent, _, sub_intent = turn.choice.label.partition("/")
    return [Label(intent, sub_intent, 1.0)]


def _told(embedded: EmbeddedText | None, turn: Turn) -> list[Label]:
    """The labels of an embedded text; none where nothing embedded it."""
    if embedded is None or turn.pack.intent_classifier is None:
        return []
    return intent_classifier(turn.pack.intent_classifier).labels(embedded.vector, turn.pack.intents)


async def _read(text: str, installation: Installation) -> EmbeddedText | None:
    embedder = installation.engines.sentence_embedder
    if embedder is None:
        return None
    try:
        _, vector = await asyncio.wait_for(embedder.read(text), PATIENCE)
    except (TimeoutError, EmbedderUnavailable):
        return None
    return EmbeddedText(text, vector)


def _earlier(turn: Turn, names: HospitalNames, at: datetime) -> list[ReadQuestion]:
    """The questions before this one, oldest first."""
    texts = [message.text[:LONGEST] for message in _messages(turn) if message.role == "user"][-REACH:]
    return [ReadQuestion(text, names.recognised(text, turn.language, at)) for text in texts]


def _messages(turn: Turn) -> Sequence[Message]:
    return [message for message in turn.conversation.messages if not message.refused]


def _named_before(turn: Turn, names: HospitalNames, at: datetime) -> tuple[tuple[Entity, ...], ...]:
    """What the messages before named, the last one first: answers too, as they name who is asked about next."""
    messages = list(_messages(turn))[-2 * REACH :]
    found = [names.recognised(one.text[:LONGEST], turn.language, at).entities for one in reversed(messages)]
    return tuple(names.with_departments(one) for one in found)
