"""Writes what is wanted as a question that stands by itself, with the names that the directory has."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from careline.directory.rendering.questions import question_of
from careline.text.label_words import question_words
from careline.turn.turn import Turn
from careline.understanding.entities.recognise import HospitalNames
from careline.understanding.intents.read_intent import ReadQuestion, goes_on, is_bare, last_question, unnamed_words
from careline.understanding.intents.slots import BEFORE
from careline.understanding.joined import joined
from careline.understanding.question import Entity, Intent
from careline.understanding.replaced import replaced
from careline.understanding.terms.entries import CLASS, Kind
from careline.understanding.terms.index import medical_terms

SECTIONS = ("doctor", "department", "campus", "contact")
"""Kinds that the directory has a name for."""
TERMS = ("drug", "condition")
"""Kinds that are called as they were said."""


def with_standalone(
    intent: Intent, said: ReadQuestion, earlier: Sequence[ReadQuestion], turn: Turn, names: HospitalNames
) -> Intent:
    """The intent with its question said whole: as the directory would ask it, else in the user's words behind those
    they go on from, with names in place of what stands for them."""
    language = turn.language
    values = {
        kind: names.name_of(next(one for one in intent.entities if one.kind == kind and one.ids), language)
        for kind in SECTIONS
        if any(one.kind == kind and one.ids for one in intent.entities)
    }
    hospital = names.directory.hospital.names
    name = hospital.get(language, next(iter(hospital.values()), ""))  # type: ignore[call-overload]
    text = question_of(intent.label, language, {**_led_to(intent, names, language), **values, "hospital": name})
    if text and _says_more(intent, said, text, language):
        text = joined(text, _in_context(said, earlier, language) if is_bare(said, language) else said.text)
    whole = text or _in_words(intent, said, earlier, values, language)
    return dataclasses.replace(intent, standalone_question=whole)


def _led_to(intent: Intent, names: HospitalNames, language: str) -> dict[str, str]:
    """The complaint that is named, and the department that treats it."""
    leading = next((one for one in intent.entities if one.kind in ("lay_word", "condition")), None)
    if leading is None:
        return {}
    led = Entity("department", "", names.departments_for(leading))
    return {"complaint": leading.text, "department": names.name_of(led, language)}


def _says_more(intent: Intent, said: ReadQuestion, text: str, language: str) -> bool:
    """Whether a question says when, or of whom, or in a follow-up anything, that the directory's own does not."""
    of = said.recognised
    if not of.time.is_any or of.is_head or of.sex or of.spoken:
        return True
    stems = {word.stem for word in question_words(text, language)}
    return intent.is_followup and not stems.issuperset(unnamed_words(said, language))


def _in_context(said: ReadQuestion, earlier: Sequence[ReadQuestion], language: str) -> str:
    """A question with what it leaves to the one before it: what it names put into that, or behind it."""
    before = last_question(earlier, language)
    if before is None:
        return said.text
    return replaced(before, said) if is_bare(said, language) else joined(before.text, said.text)


def _in_words(
    intent: Intent, said: ReadQuestion, earlier: Sequence[ReadQuestion], values: dict[str, str], language: str
) -> str:
    text = said.text
    if intent.is_followup and goes_on(said, language):
        text = _in_context(said, earlier, language)
    terms = [one.text for one in intent.entities if one.kind in TERMS and one.origin == BEFORE]
    known = [*values.values(), *terms, *_drugs(intent, language)]
    missing = [name for name in dict.fromkeys(known) if name and name.casefold() not in text.casefold()]
    return f"{text.rstrip(' ?.!')} ({', '.join(missing)})?" if missing else text


def _drugs(intent: Intent, language: str) -> list[str]:
    """The names of the medicines that it names, which may be misspelt."""
    held = medical_terms().entries
    entries = [held.get((Kind.DRUG, each)) for one in intent.of_kind("drug") for each in one.ids]
    return [one.name(language) for one in entries if one is not None and not one.key.startswith(CLASS)]
