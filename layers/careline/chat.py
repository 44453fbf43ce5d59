"""What a language model is told and what its answer arrives in, whichever engine it is of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from careline.model import Usage


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool that a language model wants to be called, whole. Whoever runs it checks name and arguments first."""

    call_id: str
    """By which the tool's result is told apart from others (`ChatMessage.tool_call_id`)."""
    name: str
    arguments: str
    """JSON text, as the model wrote it."""


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """A message of what a language model is told."""

    role: Literal["system", "user", "assistant", "tool"]
    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    """What the assistant asked for in this message."""
    tool_call_id: str = ""
    """The call that a message of a tool is the result of."""


@dataclass(frozen=True, slots=True)
class ToolDefinition:
    """A tool that a language model may ask for; `parameters` is the JSON schema of its arguments."""

    name: str
    description: str
    parameters: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class TextDelta:
    """A piece of the text that a language model writes, which nobody has screened yet."""

    text: str


ChatDelta: TypeAlias = TextDelta | ToolCall | Usage
"""What a language model's answer arrives in."""
