"""Writes what is wanted as a question that stands by itself, with the names that the directory has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from careline.directory.directory import Directory
from careline.directory.rendering.questions import question_of
from careline.turn.turn import Turn
from careline.understanding.entities.recognise import HospitalNames
from careline.understanding.intents.read_intent import ReadQuestion, is_bare
from careline.understanding.intents.slots import BEFORE
from careline.understanding.joined import joined
from careline.understanding.question import Entity, Intent

SECTIONS = {"doctor": "doctors", "department": "departments", "campus": "campuses", "contact": "contacts"}


def with_standalone(
    intent: Intent, said: ReadQuestion, earlier: Sequence[ReadQuestion], turn: Turn, names: HospitalNames
) -> Intent:
    """The intent with its question said whole: as the directory would ask it, else in the user's words behind those
    they go on from, with names in place of what stands for them."""
    values = _names_of(intent.entities, names.directory, turn.language)
    leading = next((one for one in intent.entities if one.kind in ("lay_word", "condition")), None)
    if leading is not None:
        values.setdefault("complaint", leading.text)
        values.setdefault("department", _called(names.departments_for(leading), names.directory, turn.language))
    hospital = names.directory.hospital.names
    name = hospital.get(turn.language, next(iter(hospital.values()), ""))  # type: ignore[call-overload]
    text = question_of(intent.label, turn.language, {**values, "hospital": name})
    return replace(intent, standalone_question=text or _in_words(intent, said, earlier, values, turn.language))


def _names_of(entities: Sequence[Entity], directory: Directory, language: str) -> dict[str, str]:
    """The whole names of what is named, by kind."""
    found: dict[str, str] = {}
    for one in entities:
        if one.kind in SECTIONS and one.ids:
            found.setdefault(one.kind, _called(one.ids[:1], directory, language, SECTIONS[one.kind]))
    return {kind: name for kind, name in found.items() if name}


def _called(ids: Sequence[str], directory: Directory, language: str, section: str = "departments") -> str:
    entry = directory.entry(section, ids[0]) if ids else None
    names = getattr(entry, "names", {})
    return str(getattr(entry, "full_name", "") or names.get(language) or next(iter(names.values()), ""))


def _in_words(
    intent: Intent, said: ReadQuestion, earlier: Sequence[ReadQuestion], values: dict[str, str], language: str
) -> str:
    text = said.text
    before = [one.text for one in earlier if not is_bare(one, language)]
    if intent.is_followup and before and any(one.origin == BEFORE for one in intent.entities):
        text = joined(before[-1], text)
    missing = [name for name in values.values() if name.casefold() not in text.casefold()]
    return f"{text.rstrip(' ?.!')} ({', '.join(missing)})?" if missing else text
