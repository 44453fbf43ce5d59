"""What a turn asks of the hospital's directory, and what its entries are called."""

from __future__ import annotations

from collections.abc import Sequence

from careline.directory.capabilities.days import public_holidays
from careline.directory.capabilities.facts import Asked
from careline.directory.capabilities.naming import called
from careline.turn.turn import Turn
from careline.turn.understood import names_of
from careline.understanding.intents.read_intent import unnamed_words
from careline.understanding.intents.slots import slots_of
from careline.understanding.question import Entity

LEADS_TO_DEPARTMENT = ("lay_word", "condition")
SYMPTOM = "ambiguous_symptom_description"


def asked_of(turn: Turn) -> Asked | None:
    """What is asked of the directory; None where it is of two things at once, or of somebody unknown."""
    intent, said = turn.intent, turn.said
    if said is None:
        return None
    names, entities = names_of(turn), intent.entities
    doctors, departments = _of(entities, "doctor"), _of(entities, "department")
    if doctors is None or departments is None:
        return None
    complaint = ""
    if not departments or intent.name == SYMPTOM:
        leading = next((one for kind in LEADS_TO_DEPARTMENT for one in entities if one.kind == kind), None)
        slots = slots_of(intent.label)
        if leading is not None and "department" in (*slots.needs, *slots.takes):
            departments, complaint = names.departments_for(leading), leading.text
    now = turn.tenant.local(turn.began_at)
    directory = names.directory
    return Asked(
        directory, now, turn.language, intent.name, intent.sub_intent, doctors, departments,
        campuses=_of(entities, "campus") or (), contacts=_all(entities, "contact"), tariffs=_all(entities, "tariff"),
        complaint=complaint, words=frozenset(unnamed_words(said, turn.language)), sex=said.recognised.sex,
        spoken=said.recognised.spoken, is_head=said.recognised.is_head, time=said.recognised.time,
        holidays=public_holidays(directory.country, now.year, turn.language), voice=turn.voice,
    )  # fmt: skip


def _of(entities: Sequence[Entity], kind: str) -> tuple[str, ...] | None:
    """The ids that may be meant by the one entity of a kind; None where there are two, or it is of nobody."""
    found = [one for one in entities if one.kind == kind]
    if not found:
        return ()
    return found[0].ids if len({one.ids for one in found}) == 1 and found[0].ids else None


def _all(entities: Sequence[Entity], kind: str) -> tuple[str, ...]:
    return tuple(each for one in entities if one.kind == kind for each in one.ids)


def entry_name(asked: Asked, section: str, entry_id: str) -> str:
    """The name of an entry, whatever it is."""
    entry = asked.directory.entry(section, entry_id)
    full = getattr(entry, "full_name", None)
    names = getattr(entry, "names", None) or getattr(entry, "subject", None) or {}
    return str(full or called(names, asked) or entry_id)
