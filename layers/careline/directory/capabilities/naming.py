"""What something of the directory is called in the language of a question."""

from __future__ import annotations

from collections.abc import Mapping

from careline.directory.capabilities.facts import Asked
from careline.directory.entries import Campus, Language


def called(names: Mapping[Language, str], asked: Asked) -> str:
    """A name in the language of the question, else in the hospital's own, else any."""
    by_language: Mapping[str, str] = {str(code): name for code, name in names.items()}
    usual = asked.directory.language
    return by_language.get(asked.language) or by_language.get(usual or "") or next(iter(by_language.values()), "")


def campus_called(campus: Campus, asked: Asked) -> str:
    """The name of a campus."""
    return called(campus.names, asked) or campus.name or campus.id


def campus_name(campus_id: str | None, asked: Asked) -> str:
    """The name of a campus by its id; nothing for none, and where the hospital has no other."""
    if campus_id is None or len(asked.directory.campuses) < 2:
        return ""
    return next((campus_called(one, asked) for one in asked.directory.campuses if one.id == campus_id), "")
