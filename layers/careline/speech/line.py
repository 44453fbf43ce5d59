"""What a phone line says of itself before anybody has asked anything: openings, prompts, the numbers it gives, and of
the hospital's directory what the phone needs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import field_serializer

from careline.directory.directory import Directory
from careline.directory.entries import Campus, Department, Hospital, Purpose
from careline.errors import SettingsInvalid
from careline.schemas.wire import LanguageCode, Strict
from careline.speech.menu import phone_of

RECORDED = "line.json"
"""The line that the sentences of a folder of recordings were made of."""
PROMPTS = ("silence", "silence_close", "keypad", "language_spoken", "handoff", "model_down", "farewell")
"""Replies of the pack that the worker says without asking the orchestrator, by their keys."""


class PhoneLine(Strict):
    """One tenant's line with one pack. Every text is reviewed data of the pack, filled with the tenant's own facts."""

    tenant: str
    pack: str
    languages: list[LanguageCode]
    default_language: LanguageCode
    openings: dict[str, str]
    """What is said first; it says that it is a machine (AI Act, article 50)."""
    prompts: dict[str, dict[str, str]]
    emergency_number: str
    helpdesk_phone: str | None = None
    transfer_to: str | None = None
    """Where callers are put through to, as `sip:` or `tel:` address."""
    keyterms: dict[str, list[str]]
    """Names that speech recognition should expect, by the language of the call, as many as it takes."""
    edition: int = 0
    """Number of the edition of the directory that `directory` and `keyterms` are of."""
    directory: Directory = Directory()
    """What the menu says without the assistant (`of_menu`)."""

    @field_serializer("directory")
    def _without_defaults(self, directory: Directory) -> dict[str, Any]:
        return directory.to_json()


def of_menu(directory: Directory, emergency_number: str, person: str | None) -> Directory:
    """What the menu needs of a directory: campuses with their doors, departments with number and hours, and the numbers
    that the hospital gives; no doctors, prices or contacts."""
    phones: dict[Purpose, str] = {"main": person} if person else {}
    return Directory(
        hospital=Hospital(emergency_number=emergency_number, phones=phones),
        campuses=[
            Campus(id=one.id, names=one.names, entrances=one.entrances) for one in directory.campuses if one.entrances
        ],
        departments=[
            Department(id=one.id, names=one.names, phone=phone_of(one), opening_hours=one.opening_hours)
            for one in directory.departments
        ],
    )


def recorded_line(folder: Path) -> PhoneLine | None:
    """The line that a folder was recorded of; None where it holds no hospital's. Raises: SettingsInvalid."""
    path = folder / RECORDED
    if not path.is_file():
        return None
    try:
        return PhoneLine.model_validate_json(path.read_bytes())
    except (OSError, ValueError):
        again = "record it again: python -m careline_local.voice.record --line"
        raise SettingsInvalid(f"CARELINE_VOICE_RECORDINGS: {path} cannot be read as a line; {again}") from None
