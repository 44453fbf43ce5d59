"""Answers from what a person has confirmed of the hospital, where that holds it: no search, no model, no luck."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from careline.conversation.pending import Choice
from careline.directory.capabilities.facts import Asked, Cite, WhichOne
from careline.directory.capabilities.naming import called
from careline.directory.capabilities.registry import capability_of
from careline.directory.rendering.render import rendered
from careline.directory.rendering.words import FactStatement, Words
from careline.installation import Installation
from careline.schemas import wire
from careline.text.answer_kind import answer_kinds
from careline.text.label_words import question_words
from careline.turn.asked_of_directory import SYMPTOM, asked_of, entry_name
from careline.turn.outcome import Clarification, DirectoryAnswer, Statement
from careline.turn.questions_back.which_part import named_alone
from careline.turn.turn import Turn
from careline.understanding.intents.classifier import intent_classifier
from careline.understanding.intents.read_intent import is_complete, unexplained
from careline.understanding.intents.slots import slots_of
from careline.understanding.question import Entity

SURE = 0.6
"""Confidence of an intent from which the directory answers."""
LIKELY, APART = 0.4, 2.0
"""Confidence from which it does where the next likeliest is half as likely."""
PASSED_OVER = (0.75, 0.9)
"""Confidence from which one word that nobody can place is passed over, and a second."""
TARIFF = "tariff"
MOST_CITED = 3
"""Entries that one statement cites; a list of doctors rests on their department."""
WHICH_ONE = "WHICH_ONE"


async def answer_from_directory(turn: Turn, installation: Installation) -> Turn:
    """The turn; finished where the directory holds what is asked, or where it is to be asked which of several is meant.

    What the directory does not hold, and what asks for something else besides, goes on to the documents.
    """
    if not may_answer(turn):
        return turn
    capability = capability_of(turn.intent.name, turn.intent.sub_intent)
    asked = asked_of(turn)
    if capability is None or asked is None:
        return turn
    found = capability(asked)
    if found is None:
        return turn
    if isinstance(found, WhichOne):
        return turn if _asks_more(turn, ()) else _which(found, asked, turn)
    said = rendered(found, asked)
    return turn if _asks_more(turn, said) else replace(turn, outcome=_answer(said, asked, turn))


def may_answer(turn: Turn) -> bool:
    """Whether the question is sure to ask what a capability answers, and nothing else."""
    intent, said = turn.intent, turn.said
    if said is None or not _is_sure(turn) or not is_complete(intent):
        return False
    if named_alone(turn) is not None and turn.pack.asks_back_about(turn.language).parts:
        # "Cardiology" alone wants its number, its hours or its doctors: `clarify` asks which.
        return False
    if turn.choice is not None and turn.choice.label == intent.label:
        return True
    if turn.supposed_advice and intent.name != SYMPTOM:
        return False
    if answer_kinds(said.text) & {"duration", "time"} == {"duration"}:
        # "How long is the wait?": the directory knows when, and not how long.
        return False
    slots = slots_of(intent.label)
    of_use = {*slots.needs, *slots.takes, "day"}
    named = said.recognised.entities
    used = {one.text for one in named if one.kind in of_use}
    return all(one.kind in of_use or one.text in used for one in named)


def _is_sure(turn: Turn) -> bool:
    """Whether the intent is likely enough, or far likelier than any other."""
    intent = turn.intent
    return intent.confidence >= SURE or (intent.confidence >= LIKELY and intent.confidence >= APART * intent.runner_up)


def _asks_more(turn: Turn, told: Sequence[FactStatement]) -> bool:
    """Whether a question has words that name nothing, that nobody uses who wants what its intent is, and that the
    answer does not have: it asks for something else besides. One or two are passed over where the intent is sure; of a
    price none is, as they may say for whom or when it is another."""
    if turn.said is None or turn.pack.intent_classifier is None:
        return True
    if turn.choice is not None and turn.choice.label == turn.intent.label:
        return False
    classifier = intent_classifier(turn.pack.intent_classifier)
    answered = {word.stem for one in told for word in question_words(one.text, turn.language)}
    left = [
        word for word in unexplained(turn.said, turn.intent.label, turn.language, classifier) if word not in answered
    ]
    if turn.intent.name == TARIFF:
        return bool(left)
    passed = sum(turn.intent.confidence >= least for least in PASSED_OVER)
    return len(left) > passed


def _answer(said: Sequence[FactStatement], asked: Asked, turn: Turn) -> DirectoryAnswer:
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


def _which(found: WhichOne, asked: Asked, turn: Turn) -> Turn:
    """The turn with a question back: which of several that share a name is meant; as it was where one was asked."""
    if turn.choice is not None or turn.said is None:
        return turn
    section = f"{found.kind}s"
    mention = next((one for one in turn.intent.entities if one.kind == found.kind), None)
    choices = []
    for entry_id in found.ids:
        name = entry_name(asked, section, entry_id)
        told, question = _told(found.kind, entry_id, name, asked), _with_name(turn.said.text, mention, name)
        choices.append(Choice(told, question, label=turn.intent.label))
    return replace(turn, outcome=Clarification(WHICH_ONE, "which_one", tuple(choices)))


def _told(kind: str, entry_id: str, name: str, asked: Asked) -> str:
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
