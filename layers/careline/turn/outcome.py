"""How a turn is answered: what the deciding half hands to the speaking half.

Whoever speaks, records or shows an answer handles every one of them; `assert_never` holds that.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from careline.conversation.pending import Choice
from careline.model import Disposition
from careline.schemas import wire


@dataclass(frozen=True, slots=True)
class Written:
    """By a writer, from the turn's sources; so every turn is answered that no stage decides otherwise."""


WRITTEN = Written()


@dataclass(frozen=True, slots=True)
class Reply:
    """By a sentence of the pack, named by its key, with `values` in its placeholders; `choices` are what it names that
    may be asked for, as the pages that come closest."""

    disposition: Disposition
    reason: str
    reply: str
    rules: tuple[str, ...] = ()
    values: Mapping[str, str] = field(default_factory=dict)
    language: str | None = None
    """None is the turn's."""
    choices: tuple[Choice, ...] = ()


@dataclass(frozen=True, slots=True)
class Statement:
    """A piece of a directory answer; `citations` are numbers, from 1, of the answer's citations that it rests on."""

    text: str
    citations: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class DirectoryAnswer:
    """By entries of the hospital's directory, which a person confirmed. The `number` of a citation is set when it is
    shown."""

    statements: tuple[Statement, ...]
    citations: tuple[wire.Citation, ...]
    reason: str = "DIRECTORY"


@dataclass(frozen=True, slots=True)
class Clarification:
    """By a question back: a sentence of the pack, whose `{choices}` and `{other}` are what may be meant. One choice's
    question is asked when it is taken. Where fewer than two may be said, a writer answers as if nothing had been
    asked. Nobody is asked twice in a conversation about one `topic`."""

    reason: str
    reply: str
    choices: tuple[Choice, ...]
    values: Mapping[str, str] = field(default_factory=dict)
    rules: tuple[str, ...] = ()
    topic: str = ""


@dataclass(frozen=True, slots=True)
class Confirmation:
    """By asking for a yes to the call of a tool: a sentence of the pack that says what would be done.

    The call runs with exactly these arguments (JSON) or not at all; `call_id` tells whether it has run already.
    """

    reply: str
    call_id: str
    tool: str
    arguments: Mapping[str, Any]
    values: Mapping[str, str] = field(default_factory=dict)
    reason: str = "CONFIRMATION"
    rules: tuple[str, ...] = ()


Outcome: TypeAlias = Written | Reply | DirectoryAnswer | Clarification | Confirmation
