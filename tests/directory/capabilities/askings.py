"""A directory and what is asked of it, as the tests of capabilities ask."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from careline.directory.asked_time import ANY_TIME, asked_time
from careline.directory.capabilities.days import public_holidays
from careline.directory.capabilities.facts import Asked, Facts, WhichOne
from careline.directory.capabilities.registry import capability_of
from careline.directory.directory import Directory
from careline.directory.rendering.render import rendered

NOW = datetime(2026, 11, 30, 15, 0, tzinfo=ZoneInfo("Europe/Brussels"))
"""A Monday of an odd week."""


def asking(
    written: Mapping[str, Any], label: str = "", at: str = "", *,
    language: str = "en", now: datetime = NOW, **named: Any,
) -> Asked:  # fmt: skip
    """What is asked of a directory, whose entries are those of the days that are asked about; `at` in English."""
    time = asked_time(at, "en", now) if at else ANY_TIME
    directory = Directory.model_validate(written).valid_within(time.span(now.date()))
    intent, _, sub_intent = label.partition("/")
    holidays = public_holidays("BE", now.year, language)
    return Asked(directory, now, language, intent, sub_intent, time=time, holidays=holidays, **named)


def facts(asked: Asked) -> Facts | WhichOne | None:
    """What the directory holds of it."""
    capability = capability_of(asked.intent, asked.sub_intent)
    assert capability is not None
    return capability(asked)


def told(asked: Asked) -> str:
    """What is said to it; nothing where the directory says nothing."""
    found = facts(asked)
    assert not isinstance(found, WhichOne)
    return "" if found is None else " ".join(one.text for one in rendered(found, asked))
