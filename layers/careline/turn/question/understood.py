"""What a turn wants, read in the light of the directory and of what was said before."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from careline.directory.asked_time import AskedTime, asked_time
from careline.directory.directory import Directory
from careline.errors import EmbedderUnavailable
from careline.installation import Installation
from careline.model import Message
from careline.turn.question.intent_by_model import surer
from careline.turn.question.whole_question import with_standalone
from careline.turn.turn import EmbeddedText, Turn
from careline.understanding.entities.recognise import HospitalNames, Recognised, hospital_names, ready_names
from careline.understanding.intents.classifier import Label
from careline.understanding.intents.pack_classifier import pack_classifier
from careline.understanding.intents.read_intent import ReadQuestion, goes_on, intent_of, is_bare, last_question, mixed
from careline.understanding.intents.slots import BEFORE, LEADING, Named, with_meant
from careline.understanding.intents.weighed import weighed
from careline.understanding.joined import joined
from careline.understanding.question import Entity, Intent
from careline.understanding.replaced import replaced

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
    now, text = turn.tenant.local(turn.began_at), _asked(turn)
    time = asked_time(text, turn.language, now)
    names = await ready_names(*_wanted_names(turn, time))
    recognised = names.recognised(text, turn.language, now, time)
    messages = _messages(turn)
    read = {one.text: names.recognised(one.text[:LONGEST], turn.language, now) for one in messages}
    earlier = [ReadQuestion(one.text[:LONGEST], read[one.text]) for one in messages if one.role == "user"][-REACH:]
    turn = await _embedded(text, turn, installation)
    of = Named(
        recognised.entities,
        recognised.beneath,
        before=tuple(_spoken_of(read[one.text], turn, names) for one in reversed(messages)),
        asked=tuple(one.recognised.entities for one in reversed(earlier)),
        sexes=names.sexes,
        purposes=names.purposes,
    )
    of = _telling_which(of, text, names)
    recognised = replace(recognised, entities=of.question)
    labels = _known(turn) or weighed(_told(turn.embedded, turn), recognised)
    said = ReadQuestion(text, recognised, tuple(labels))
    if earlier and turn.choice is None and goes_on(said, turn.language):
        said = replace(said, labels=tuple(await _in_conversation(said, earlier, of, names, turn, installation)))
    intent = intent_of(said, earlier, of, turn.language)
    turn, intent, said = await surer(intent, said, earlier, of, names, turn, installation)
    return turn, with_standalone(intent, said, earlier, turn, names), said


async def read_by_itself(text: str, turn: Turn, installation: Installation) -> tuple[Intent, ReadQuestion]:
    """The intent of a part of a turn's question, and what that names; what it leaves unsaid, the rest says."""
    names, now = names_of(turn), turn.tenant.local(turn.began_at)
    recognised = names.recognised(text, turn.language, now)
    whole = turn.said.recognised.entities if turn.said is not None else ()
    rest = tuple(one for one in (*whole, *turn.intent.entities) if one not in recognised.entities)
    labels = weighed(_told(await _read(text, installation), turn), recognised)
    said = ReadQuestion(text, recognised, tuple(labels))
    of = Named(recognised.entities, rest, sexes=names.sexes, purposes=names.purposes)
    return intent_of(said, (), of, turn.language), said


def _telling_which(of: Named, text: str, names: HospitalNames) -> Named:
    """What is named, with the doctor whom a question tells of several that were named before."""
    if any(one.kind == "doctor" for one in of.question):
        return of
    last = next((one for entities in of.before for one in entities if one.kind == "doctor"), None)
    which = last and names.narrowed(last, of.question, text)
    if last is None or which is None or which.ids == last.ids:
        return of
    others = [one for one in of.question if one.kind not in LEADING]
    return replace(of, question=(replace(which, origin=BEFORE), *others))


async def _in_conversation(
    said: ReadQuestion,
    earlier: Sequence[ReadQuestion],
    of: Named,
    names: HospitalNames,
    turn: Turn,
    installation: Installation,
) -> list[Label]:
    """The labels of a question that leaves something to those before it: by itself, and with what it leaves unsaid.

    A pronoun is read with whom or what it stands for, another question behind the one before it. One that only names
    something or a time asks of it what was asked before.
    """
    before = last_question(earlier, turn.language)
    if before is not None and is_bare(said, turn.language):
        told = _told(await _read(replaced(before, said), installation), turn)
        return weighed(told or said.labels, said.recognised)
    labels = list(said.labels)
    meant = with_meant(said.text, turn.language, of, lambda entity: names.addressed(entity, turn.language))
    if meant != said.text:
        labels = mixed(labels, _told(await _read(meant, installation), turn))
    elif before is not None:
        labels = mixed(labels, _told(await _read(joined(before.text, said.text), installation), turn))
    return weighed(labels, said.recognised)


def names_of(turn: Turn) -> HospitalNames:
    """The names of the hospital as they hold on the day of a turn, or on the days that its question is of."""
    text, said = _asked(turn), turn.said
    if said is not None and said.text == text:
        time = said.recognised.time
    else:
        time = asked_time(text, turn.language, turn.tenant.local(turn.began_at))
    return hospital_names(*_wanted_names(turn, time))


def _wanted_names(turn: Turn, time: AskedTime) -> tuple[Directory, date, tuple[date, date] | None]:
    """The directory, today, and the first and last of the days that the question is of, where that may matter."""
    directory, today = turn.edition.directory, turn.tenant.day_of(turn.began_at)
    is_settled = time.is_any or today >= max(directory.changes, default=today)
    return directory, today, None if is_settled else time.span(today)


def _asked(turn: Turn) -> str:
    if turn.choice is not None:
        return turn.choice.question
    return turn.question[:LONGEST]


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
    classifier = pack_classifier(turn.pack)
    return [] if embedded is None or classifier is None else classifier.labels(embedded.vector, turn.pack.intents)


async def _read(text: str, installation: Installation) -> EmbeddedText | None:
    embedder = installation.engines.sentence_embedder
    if embedder is None:
        return None
    try:
        _, vector = await asyncio.wait_for(embedder.read(text), PATIENCE)
    except (TimeoutError, EmbedderUnavailable):
        return None
    return EmbeddedText(text, vector)


def _messages(turn: Turn) -> Sequence[Message]:
    """The messages that a question may go on from."""
    return [message for message in turn.conversation.messages if not message.refused][-2 * REACH :]


def _spoken_of(read: Recognised, turn: Turn, names: HospitalNames) -> tuple[Entity, ...]:
    """What a message named: an answer's too, as it names who is asked about next."""
    return names.with_departments((*read.entities, *read.beneath), turn.language)
