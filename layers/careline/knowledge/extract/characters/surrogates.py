"""Repairs halves of characters: an escape such as `\\ud83d` without its other half is no text.

JSON and YAML let a file write one (RFC 8259, section 8.2), usually where a program cut a text inside an emoji.
"""

from __future__ import annotations

import re
from typing import Any

WARNING = "Halves of characters in the record, such as a cut emoji, were replaced by the sign for an unknown one."

_SURROGATE = re.compile("[\ud800-\udfff]")


def without_surrogates(value: Any) -> tuple[Any, bool]:
    """A value as JSON gives it, or facts, with U+FFFD for each half of a character, and whether there was any.

    Raises: RecursionError, as their parsers do, for one that is nested without end.
    """
    repair = _Repair()
    return repair(value), repair.found


class _Repair:
    def __init__(self) -> None:
        self.found = False

    def __call__(self, value: Any) -> Any:
        if isinstance(value, str):
            repaired, count = _SURROGATE.subn("\ufffd", value)
            self.found = self.found or count > 0
            return repaired
        if isinstance(value, dict):
            return {self(key): self(held) for key, held in value.items()}
        if isinstance(value, list):
            return [self(held) for held in value]
        if isinstance(value, tuple):
            return tuple(self(held) for held in value)
        return value
