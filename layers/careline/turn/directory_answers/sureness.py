"""Tells what a turn is sure to ask of the directory: one thing, or either of two which are told both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from careline.directory.capabilities.heeds import (
    APPOINTMENT,
    BILLING,
    COMPLAINT,
    ENTRANCE,
    GENERAL,
    PARKING,
    PHONE,
    PROFILE,
    SCHEDULE,
    SYMPTOM,
    TARIFF,
)
from careline.directory.capabilities.people import AWAY
from careline.directory.capabilities.purposes import APPOINTMENTS, COMPLAINTS, purposes_in
from careline.directory.capabilities.services import BILLING as OF_BILLS
from careline.directory.capabilities.units import units_in
from careline.directory.qualifiers import qualifiers_in
from careline.text.answer_kind import answer_kinds
from careline.turn.questions_back.which_part import named_alone
from careline.turn.turn import Turn
from careline.understanding.intents.classifier import Label
from careline.understanding.intents.slots import BEFORE, is_answered, is_filled, pronouns_in, slots_of
from careline.understanding.question import Entity, Intent

SURE = 0.6
"""Confidence of an intent from which the directory answers."""
LIKELY, APART = 0.4, 2.0
"""Confidence from which it does where the next likeliest is half as likely."""
BOTH, LEAST = 0.7, 0.2
"""Shares together of two intents from which both are told, and the least of either."""
ALONE = 0.35
"""The least share of one of the two that is told alone, as the other takes nothing of what is named."""
WELL_KNOWN = 0.75
"""Confidence from which a price that is named in passing asks for nothing: the wheelchair of who asks for a door."""
PRICED = "priced"
"""The qualifier of who asks whether something is free."""
DOCTOR, DOCTOR_DOCUMENTS = "doctor", "doctor_information"
_COVERS = {SYMPTOM: (APPOINTMENT, PHONE), SCHEDULE: (APPOINTMENT,), COMPLAINT: (PARKING, TARIFF, ENTRANCE)}
"""Of two labels the one whose answer says what that to the other would, as a department with its number; a complaint is
about something."""
OF_PURPOSE = {BILLING: OF_BILLS, COMPLAINT: COMPLAINTS}
"""What somebody is turned to with, by label."""
HELD_BY_WORDS = frozenset((TARIFF,))
"""Labels whose entry may be found by other words than its name."""


def is_sure(intent: Intent) -> bool:
    """Whether an intent is likely enough, or far likelier than any other."""
    return intent.confidence >= SURE or (intent.confidence >= LIKELY and intent.confidence >= APART * intent.runner_up)


def may_answer(turn: Turn) -> bool:
    """Whether the question is sure to ask what a capability answers, and nothing else."""
    if _is_guessed(turn) and turn.intent.confidence < SURE:
        return False
    return is_sure(turn.intent) and may_ask(turn)


def may_ask(turn: Turn) -> bool:
    """Whether the question may ask what a capability answers, if it is what it is taken for, and nothing else."""
    intent, said = turn.intent, turn.said
    if said is None or not is_answered(intent.label) or not _is_whole(turn):
        return False
    if named_alone(turn) is not None and turn.pack.asks_back_about(turn.language).parts:
        # "Cardiology" alone wants its number, its hours or its doctors: `clarify` asks which.
        return False
    if is_chosen(turn):
        return True
    if turn.supposed_advice and intent.name != SYMPTOM:
        return False
    if intent.label != PARKING and answer_kinds(said.text) & {"duration", "time"} == {"duration"}:
        # "How long is the wait?": the directory knows when, and not how long.
        return False
    return _names_nothing_else(turn, said.recognised.entities)


def is_chosen(turn: Turn) -> bool:
    """Whether the question is a choice that was told with what it asks."""
    return turn.choice is not None and turn.choice.label == turn.intent.label


def _is_whole(turn: Turn) -> bool:
    """Whether what the intent needs is named, or may be told by other words."""
    label = turn.intent.label
    if is_filled(label, turn.intent.entities) or label in HELD_BY_WORDS:
        return True
    return label == PHONE and turn.said is not None and bool(purposes_in(turn.said.text, turn.language))


def _names_nothing_else(turn: Turn, named: Sequence[Entity]) -> bool:
    """Whether everything that is named is of use for the intent."""
    slots = slots_of(turn.intent.label)
    of_use = {*slots.needs, *slots.takes, "day"}
    used = {one.text for one in named if one.kind in of_use}
    if turn.intent.confidence >= WELL_KNOWN:
        of_use.add(TARIFF)
    if turn.intent.label in OF_PURPOSE and not _is_guessed(turn):
        # A complaint may be about anything.
        return True
    return all(one.kind in of_use or one.text in used for one in named)


def as_meant(turn: Turn) -> Turn:
    """The turn as it asks what words leave no doubt of, where that is likely too: who names a unit, or something
    with a price and asks for an amount, asks for the price; who complains of a car park complains; and who asks whether
    a doctor is away asks when they are there."""
    said, label = turn.said, turn.intent.label
    if said is None or turn.choice is not None or not said.labels:
        return turn
    if label == APPOINTMENT and _asks_when_to_ring(turn):
        return _of_line(turn)
    shares = {one.name: one.share for one in said.labels}
    meant = _meant(turn, label)
    share = shares.get(meant, 0.0)
    if meant in ("", label) or (share < LEAST and meant not in (SCHEDULE, APPOINTMENT, TARIFF, SYMPTOM)):
        return turn
    beside = shares.get(DOCTOR_DOCUMENTS, 0.0) + shares.get(PROFILE, 0.0) if meant == SCHEDULE else shares[label]
    turn = _of_line(turn) if meant == APPOINTMENT else turn
    return as_asking(turn, Label(meant, "", 0.0), share + beside)


def _asks_when_to_ring(turn: Turn) -> bool:
    """Whether a time is asked and nobody is named but before: "until what time can I ring for an appointment?" """
    said = turn.said
    if said is None or any(one.kind == DOCTOR and one.origin != BEFORE for one in turn.intent.entities):
        return False
    return "time" in answer_kinds(said.text) and not pronouns_in(said.text, turn.language)


def _names_a_complaint_alone(turn: Turn) -> bool:
    """Whether a complaint is named and nobody who treats it: an appointment is made with the department that does."""
    kinds = {one.kind for one in turn.intent.entities}
    return "condition" in kinds and not kinds & {DOCTOR, "department"}


def _of_line(turn: Turn) -> Turn:
    """The turn without doctors: the hours in which the phone is answered are those of the line."""
    others = tuple(one for one in turn.intent.entities if one.kind != DOCTOR)
    return replace(turn, intent=replace(turn.intent, entities=others))


def _meant(turn: Turn, label: str) -> str:
    """The label that words of a question say, where it is taken for another that is near; nothing where they do not."""
    said = turn.said
    assert said is not None
    qualifiers = qualifiers_in(said.text, turn.language, said.recognised.spans)
    if label == PARKING and (units_in(said.text, turn.language) or PRICED in qualifiers):
        return TARIFF
    if any(one.kind == TARIFF for one in turn.intent.entities) and answer_kinds(said.text) == {"amount"}:
        return TARIFF
    if label in (PARKING, TARIFF, ENTRANCE) and COMPLAINTS in purposes_in(said.text, turn.language):
        return COMPLAINT
    if label == APPOINTMENT and _names_a_complaint_alone(turn):
        return SYMPTOM
    of_doctors = [one for one in turn.intent.entities if one.kind == DOCTOR]
    if label == SCHEDULE and APPOINTMENTS in purposes_in(said.text, turn.language):
        # "Until when can I ring for an appointment?", behind a doctor: an appointment is made by phone, on no day.
        return APPOINTMENT if of_doctors and all(one.origin == BEFORE for one in of_doctors) else ""
    # "When does Dr Jones see patients?": a name that nobody knows may make it look like a question about the person.
    asks_when = AWAY in qualifiers or "time" in answer_kinds(said.text)
    return SCHEDULE if label in (DOCTOR_DOCUMENTS, PROFILE) and of_doctors and asks_when else ""


def likely_pair(turn: Turn) -> tuple[Turn, ...]:
    """The turn as each of the two things that it may ask, where it is sure to ask one of them and the directory may
    hold both; none where it is not."""
    said = turn.said
    if said is None or turn.choice is not None or is_sure(turn.intent):
        return ()
    first, second = [*said.labels, Label("", "", 0.0), Label("", "", 0.0)][:2]
    if second.share < LEAST or first.share + second.share < BOTH:
        return ()
    pair = tuple(as_asking(turn, one, first.share + second.share) for one in (first, second))
    if _meant(turn, second.name) == first.name:
        alone = _of_line(pair[0]) if first.name == APPOINTMENT else pair[0]
        return (alone,) if may_ask(alone) else ()
    if any(_is_guessed(one) for one in pair):
        return ()
    able = [(one, label) for one, label in zip(pair, (first, second), strict=True) if may_ask(one)]
    if len(able) < len(pair):
        # What is named, as a campus, is of no use for the other.
        return tuple(one for one, label in able if label.share >= ALONE)
    covering = [one for one, other in (pair, pair[::-1]) if other.intent.label in _COVERS.get(one.intent.label, ())]
    return tuple(covering) or pair


def _is_guessed(turn: Turn) -> bool:
    """Whether nothing that is said is of a bill or a complaint, though the question is taken to be of one."""
    purpose = OF_PURPOSE.get(turn.intent.label)
    return purpose is not None and turn.said is not None and purpose not in purposes_in(turn.said.text, turn.language)


def who_is_meant(turn: Turn) -> Turn | None:
    """The turn as the likeliest thing that is asked of a doctor, where several share the name that is said and it is
    sure that one of them is asked about; None where it is not."""
    said = turn.said
    if said is None or turn.choice is not None:
        return None
    if not any(one.kind == DOCTOR and len(one.ids) > 1 for one in turn.intent.entities):
        return None
    of_doctors = [one for one in said.labels if DOCTOR in (*slots_of(one.name).needs, *slots_of(one.name).takes)]
    beside = sum(one.share for one in said.labels if one.intent == DOCTOR_DOCUMENTS)
    share = sum(one.share for one in of_doctors)
    if not of_doctors or share + beside < SURE or share < beside:
        return None
    found = as_asking(turn, of_doctors[0], share + beside)
    return found if may_ask(found) and of_doctors[0].name not in (APPOINTMENT, GENERAL) else None


def as_asking(turn: Turn, label: Label, confidence: float) -> Turn:
    """The turn as if it asked for something, as surely as that."""
    intent = replace(turn.intent, name=label.intent, sub_intent=label.sub_intent, confidence=confidence, runner_up=0.0)
    return replace(turn, intent=intent)
