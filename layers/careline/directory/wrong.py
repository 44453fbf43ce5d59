"""What is wrong with a value of a directory, in words that say how it is written, and without the value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from careline.directory.entries import Address, Identifier, Link, Telephone
from careline.directory.week import Clock


def _pattern(kind: Any) -> str:
    """The pattern of a text."""
    return str(get_args(kind)[1].pattern)


BY_PATTERN: Mapping[str, str] = {
    _pattern(Telephone): "is no telephone number; write digits, spaces and + . / - alone, from two to thirty",
    _pattern(Address): "is no e-mail address",
    _pattern(Link): "is no address of a web page, as https://www.hospital.example",
    _pattern(Identifier): "is no id; write small letters a to z, digits, - and _ alone, 80 at most",
    _pattern(Clock): "is no time; write it as 08:30, and 24:00 where a day ends",
    r"^[A-Z]{2}$": "is no country; write its two letters, as BE",
    r"^[A-Z]{3}$": "is no currency; write its three letters, as EUR",
    r"^[a-z]{2,3}$": "is no language; write its code, as fr",
}
"""By the pattern that a text has to fit."""
BY_KIND: Mapping[str, str] = {
    "missing": "is missing",
    "extra_forbidden": "is no field here; look for a slip",
    "literal_error": "must be {expected}",
    "string_too_long": "is longer than {max_length} characters",
    "string_too_short": "is shorter than {min_length} characters",
    "too_long": "holds more than {max_length} things",
    "string_type": "must be a text; put it in quotes",
    "list_type": "must be a list",
    "dict_type": "must be names with values",
    "model_type": "must be names with values",
    "bool_parsing": "must be true or false",
    "bool_type": "must be true or false",
    "greater_than_equal": "must be {ge} or more",
    "greater_than": "must be more than {gt}",
    "less_than_equal": "must be {le} or less",
    "less_than": "must be less than {lt}",
}
"""By the kind of an error of pydantic."""
NO_DATE, NO_NUMBER = "is no day; write it as 2026-03-31", "is no number"


def what_is_wrong(error: Any) -> str:
    """What an error of pydantic says to a person."""
    kind, limits = error["type"], error.get("ctx", {})
    if kind == "string_pattern_mismatch" and limits["pattern"] in BY_PATTERN:
        return BY_PATTERN[limits["pattern"]]
    if kind in BY_KIND:
        return BY_KIND[kind].format(**limits)
    if kind.startswith("date_"):
        return NO_DATE
    if kind.startswith(("int_", "float_", "decimal_")):
        return NO_NUMBER
    return str(error["msg"]).removeprefix("Value error, ")
