"""Text that may be shown or spoken, as a type of its own.

Clients, shapers and speech take nothing else. `careline.turn.speak.screen_output` is the only module that may call
`_seal`; the type checker and `tests/turn/test_screened_text.py` hold that. Text that arrives over Careline's own wire
was screened before it was sent and is read back as the same type.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

_KEY = object()


class ScreenedText(str):
    """A string that has passed the output screen, or was made from one by a shaper."""

    __slots__ = ()

    def __new__(cls, text: str, key: object = None) -> ScreenedText:
        """Raises: TypeError for everybody but the output screen."""
        if key is not _KEY:
            raise TypeError("only careline.turn.speak.screen_output makes ScreenedText")
        return super().__new__(cls, text)

    def reshaped(self, change: Callable[[str], str]) -> ScreenedText:
        """The same text in another shape. `change` may drop, reorder and respell what is there, never add to it."""
        return _seal(change(self))

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Instances only in code, any string in JSON that was received."""
        received = core_schema.no_info_after_validator_function(_seal, core_schema.str_schema())
        return core_schema.json_or_python_schema(
            json_schema=received,
            python_schema=core_schema.is_instance_schema(cls),
            serialization=core_schema.to_string_ser_schema(),
        )


def _seal(text: str) -> ScreenedText:
    return ScreenedText(text, _KEY)
