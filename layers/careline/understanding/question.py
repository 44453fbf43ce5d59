"""What is asked, as one value: a text that stands by itself, what it leans on, the intent and what is named."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Intent:
    """What somebody wants. `confidence` lies between 0 and 1."""

    name: str
    confidence: float


GENERAL = Intent("general", 1.0)
"""The intent of a question of which nobody knows a narrower one."""


@dataclass(frozen=True, slots=True)
class Entity:
    """Something that a question names: `kind` as `department` or `day`, `text` as it was said."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class StandaloneQuestion:
    """What is asked as a text that stands by itself.

    `leans`: earlier messages had to say what it is about. `topic` is what these asked, where the question may be about
    the same; else empty.
    """

    text: str
    leans: bool = False
    topic: str = ""
    intent: Intent = GENERAL
    entities: tuple[Entity, ...] = ()
