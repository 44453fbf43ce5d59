"""Says what the directory holds of one thing that is asked, or asks which of several is meant."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from careline.conversation.pending import Choice
from careline.directory.capabilities.facts import Asked, Cite, WhichOne
from careline.directory.capabilities.heeds import (
    APPOINTMENT,
    ENTRANCE,
    GENERAL,
    HOURS,
    PARKING,
    PHONE,
    SCHEDULE,
    TARIFF,
    VISITING,
    unheeded,
)
from careline.directory.capabilities.naming import called
from careline.directory.capabilities.registry import capability_of
from careline.directory.rendering.render import rendered
from careline.directory.rendering.words import FactStatement, Words
from careline.schemas import wire
from careline.turn.directory_answers.sureness import is_chosen
from careline.turn.directory_answers.unexplained import asks_more
from careline.turn.outcome import Clarification, DirectoryAnswer, Statement
from careline.turn.question.asked_of_directory import asked_of, entry_name
from careline.turn.question.understood import names_of
from careline.turn.turn import Turn
from careline.understanding.intents.slots import QUESTION
from careline.understanding.question import Entity
from careline.value_framework.who_pays import INSURER, PAID_BACK, paying_topics

MOST_CITED = 3
"""Entries that one statement cites; a list of doctors rests on their department."""
WHICH_ONE = "WHICH_ONE"
_PAID = {TARIFF: {INSURER}, PARKING: {INSURER, PAID_BACK}}
"""What a label knows nothing of. Of a share of one's own, as the Italian ticket, a price may tell; that nothing is left
unsaid of it, `asks_more` sees to."""
_OF_A_TIME = frozenset((SCHEDULE, HOURS, VISITING, ENTRANCE, TARIFF))

_PHONED = frozenset((APPOINTMENT, GENERAL, PHONE))


@dataclass(frozen=True, slots=True)
class Told:
    """What the directory says to one thing that is asked."""

    asked: Asked
    said: tuple[FactStatement, ...]


def told(turn: Turn, labels: Collection[str] = ()) -> Told | Clarification | None:
    """What the directory says to what a turn is taken to ask, or which of several is meant; None where it holds
    nothing, or the question asks for something else besides: neither that, nor another of `labels`, which are told
    with it."""
    capability = capability_of(turn.intent.name, turn.intent.sub_intent)
    asked = asked_of(turn)
    if capability is None or asked is None or not _is_of_its_time(asked):
        return None
    found = capability(asked)
    if found is None:
        return None
    if isinstance(found, WhichOne):
        return None if _is_more(turn, asked, (), labels) else _which(found, asked, turn)
    said = _as_meant(rendered(found, asked), asked, turn)
    return None if _is_more(turn, asked, said, labels) else Told(asked, tuple(said))


def _as_meant(said: Sequence[FactStatement], asked: Asked, turn: Turn) -> Sequence[FactStatement]:
    """Statements behind whom they are of, where a name was said that is merely like that doctor's: it may be that of
    another one."""
    named = [one for one in turn.intent.entities if one.kind == "doctor" and one.origin == QUESTION]
    doctor = asked.doctor()
    if not said or doctor is None or not named or turn.choice is not None:
        return said
    if any(names_of(turn).index.is_called(doctor.id, one.text) for one in named):
        return said
    first = said[0]
    supposed = replace(first, text=Words(asked).supposed(doctor))
    if not turn.voice:
        return [supposed, *said]
    return [replace(first, text=f"{supposed.text} {first.text}"), *said[1:]]


def _is_of_its_time(asked: Asked) -> bool:
    """Whether a directory can tell of the time that is asked about; of a month or a year as a whole, it has prices and
    doctors alone."""
    if asked.label in _PHONED:
        # Who answers the phone on a public holiday nobody wrote down.
        return asked.holidays.keys().isdisjoint(asked.time.days)
    if asked.label not in _OF_A_TIME:
        return True
    return asked.time.is_told and (asked.time.period is None or asked.label in (SCHEDULE, TARIFF))


def _is_more(turn: Turn, asked: Asked, said: Sequence[FactStatement], labels: Collection[str]) -> bool:
    """Whether the question asks for more, or for something else, than the answer says."""
    if is_chosen(turn):
        return False
    text = " ".join(one.text for one in said)
    return _asks_who_pays(turn, asked, text) or bool(unheeded(asked, text)) or asks_more(turn, asked, said, labels)


def _asks_who_pays(turn: Turn, asked: Asked, told: str) -> bool:
    """Whether a price is asked for from whom an insurer pays for, or whether it is paid back: that is another one."""
    if turn.said is None or asked.label not in _PAID:
        return False
    wanted = paying_topics(turn.said.text, asked.language) & _PAID[asked.label]
    return bool(wanted - paying_topics(told, asked.language))


def answer_of(parts: Sequence[Told], turn: Turn) -> DirectoryAnswer:
    """The statements of what was told, each once, with the entries that they rest on."""
    asked = parts[0].asked
    said = list(dict.fromkeys(one for part in parts for one in part.said))
    cites = list(dict.fromkeys(cite for one in said for cite in one.cites[:MOST_CITED]))
    numbers = {cite: number for number, cite in enumerate(cites, 1)}
    statements = tuple(Statement(one.text, tuple(numbers[cite] for cite in one.cites[:MOST_CITED])) for one in said)
    return DirectoryAnswer(statements, tuple(_citation(cite, said, asked, turn) for cite in cites))


def _citation(cite: Cite, said: Sequence[FactStatement], asked: Asked, turn: Turn) -> wire.Citation:
    section, entry_id = cite
    words, entry = Words(asked), asked.directory.entry(section, entry_id) if entry_id else None
    confirmed = entry.confirmed_on if entry is not None else None
    day = confirmed or (turn.tenant.day_of(turn.edition.at) if turn.edition.at else None)
    title = words.part("source")
    if day is not None:
        title = f"{title}, {words.part('confirmed', day=f'{words.short_date(day)}')}"
    key = "/".join(part for part in ("directory", section, entry_id) if part)
    return wire.Citation(
        number=1, doc_key=key.replace("/", "-"), version=turn.edition.number, title=title, source="directory",
        source_type="directory", language=asked.language, section=_named(cite, asked), chunk_id=key,
        excerpt=" ".join(one.text for one in said if cite in one.cites), score=1.0, reference=title,
    )  # fmt: skip


def _named(cite: Cite, asked: Asked) -> str | None:
    """What an entry is called."""
    section, entry_id = cite
    if not entry_id:
        return called(asked.directory.hospital.names, asked) or None
    return entry_name(asked, section, entry_id)


def _which(found: WhichOne, asked: Asked, turn: Turn) -> Clarification | None:
    """The question which of several that share a name is meant; None where one was chosen, or it was asked before."""
    topic = f"which:{found.kind}:{','.join(found.ids)}"
    if turn.choice is not None or turn.said is None or topic in turn.conversation.asked_back:
        return None
    section = f"{found.kind}s"
    mention = next((one for one in turn.intent.entities if one.kind == found.kind), None)
    choices = []
    for entry_id in found.ids:
        name = entry_name(asked, section, entry_id)
        told_as, question = _told_as(found.kind, entry_id, name, asked), _with_name(turn.said.text, mention, name)
        choices.append(Choice(told_as, question, label=turn.intent.label))
    return Clarification(WHICH_ONE, "which_one", tuple(choices), topic=topic)


def _told_as(kind: str, entry_id: str, name: str, asked: Asked) -> str:
    if kind != "doctor":
        return name
    doctor = next(one for one in asked.directory.doctors if one.id == entry_id)
    department = entry_name(asked, "departments", doctor.department)
    return Words(asked).part("which_doctor", doctor=name, department=department)


def _with_name(text: str, mention: Entity | None, name: str) -> str:
    """The question with a whole name in place of the one that several have."""
    if mention is not None and mention.text and mention.text in text:
        return text.replace(mention.text, name, 1)
    return f"{text.rstrip(' ?.!')} {name}?"
