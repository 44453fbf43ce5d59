"""What is asked, as values: the intent with what it names, and a text that stands by itself with what it leans on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from careline.understanding.terms.expansions import Expansion

ToldBy: TypeAlias = Literal["classifier", "model"]
"""Who said what is wanted: the classifier on the embedding with what is named, or a language model."""


@dataclass(frozen=True, slots=True)
class Entity:
    """Something that a question names: `kind` as `department` or `day`, `text` as it was said, and the `ids` of the
    entries that it may be: of the directory, of a list of terms; none where nobody knows it. `origin` says where it was
    named: in the `question`, or in what was said `before`."""

    kind: str
    text: str
    ids: tuple[str, ...] = ()
    origin: str = "question"

    @property
    def id(self) -> str | None:
        """The one entry that is named; None where it may be several, or none."""
        return self.ids[0] if len(self.ids) == 1 else None


@dataclass(frozen=True, slots=True)
class Intent:
    """What somebody wants. `confidence` lies between 0 and 1; `sub_intent` is what of it, as `phone` of a contact.

    `standalone_question` says it whole, with what earlier messages have to say of it; `history_turns` is how many
    questions came before, and `is_followup` whether it goes on from them. `specialties` are those of medicine that it
    is of.
    """

    name: str
    confidence: float
    sub_intent: str = ""
    entities: tuple[Entity, ...] = ()
    standalone_question: str = ""
    is_followup: bool = False
    history_turns: int = 0
    runner_up: float = 0.0
    """The share of what is wanted next likeliest."""
    specialties: tuple[str, ...] = ()
    expansions: tuple[Expansion, ...] = ()
    by: ToldBy = "classifier"

    @property
    def label(self) -> str:
        """Intent and sub-intent as one name."""
        return f"{self.name}/{self.sub_intent}" if self.sub_intent else self.name

    def of_kind(self, kind: str) -> tuple[Entity, ...]:
        """What it names of one kind."""
        return tuple(entity for entity in self.entities if entity.kind == kind)

    @property
    def drug_name(self) -> str | None:
        """The medicine that it names, if one."""
        found = [entity.id or entity.text for entity in self.of_kind("drug")]
        return found[0] if len(found) == 1 else None


GENERAL = Intent("general", 1.0)
"""The intent of a question of which nobody knows a narrower one."""


@dataclass(frozen=True, slots=True)
class StandaloneQuestion:
    """What is asked as a text that stands by itself; `leans`: earlier messages had to say what it is about."""

    text: str
    leans: bool = False
    entities: tuple[Entity, ...] = ()
