"""Spaces inside a line: single ones, none before a comma, one between a number and its unit."""

from __future__ import annotations

import re

_RUN = re.compile(r"[^\S\n]{2,}")
_BEFORE_MARK = re.compile(r"(?<=\w) +(?=[,.](?:\s|$))")
_UNIT = re.compile(
    r"(?<![\w.,/])(\d+(?:[.,]\d+)*)"
    r"(mg|mcg|µg|μg|ug|ng|kg|g|ml|mL|dl|dL|cl|cL|L|mmol|µmol|mol|mmHg|IE|IU|UI|mm|cm|km|kcal|kJ|mSv|kWh|mEq|bpm)(?![\w²³])"
)
"""A number with a unit of dose, size or energy right behind it, both standing free."""

_PRESSURE = re.compile(r"(?<![\d/.,])(\d{2,3}) ?/ ?(\d{2,3})(?![\d/]|[.,]\d)")
_SYSTOLIC = range(60, 261)
_DIASTOLIC = range(30, 161)


def spaced(line: str) -> str:
    """The line with its spaces put right; digits stay as they are and in their order."""
    line = _BEFORE_MARK.sub("", _RUN.sub(" ", line)).strip()
    if not any(map(str.isdigit, line)):
        return line
    return _PRESSURE.sub(_pressure, _UNIT.sub(r"\1 \2", line))


def _pressure(found: re.Match[str]) -> str:
    """A blood pressure closed up; other numbers with a stroke between them are left alone."""
    systolic, diastolic = int(found.group(1)), int(found.group(2))
    looks_like_one = systolic in _SYSTOLIC and diastolic in _DIASTOLIC and systolic > diastolic
    return f"{found.group(1)}/{found.group(2)}" if looks_like_one else found.group()
