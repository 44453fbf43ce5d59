"""What is quoted from, and how it is to be said."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from careline.model import Category
from careline.ports import Source
from careline.quoting.persons_named import AskedPersons


@dataclass(frozen=True, slots=True)
class QuotingInput:
    """Everything the quoting writer needs for one answer."""

    question: str
    search_text: str
    language: str
    sources: tuple[Source, ...]
    voice: bool = False
    foreign_notices: Mapping[str, str] = field(default_factory=dict)
    """By source language, the sentence with `{title}` that is said before a source in another language is quoted."""
    unsure_notice: str = ""
    """What is said before a quote whose confidence lies below `sure_from`: that it may not be what was asked for."""
    sure_from: float = -math.inf
    unit_notice: str = ""
    """The sentence with `{unit}` and `{asked_unit}` that is said before prices by another unit than was asked for."""
    persons: AskedPersons = field(default_factory=AskedPersons)
    """What tells whom the question asks for; without titles nobody is told from anybody."""
    primary: Category | None = None
    """The category that what was found is mostly of: what is quoted beside the best is of it too. None where nothing
    is known of what the question wants."""

    @property
    def asked(self) -> str:
        """The question as a text that stands by itself: with what the turns before said, without the story."""
        return self.search_text or self.question
