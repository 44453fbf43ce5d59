"""Finds the source of a sentence whose model named none: the one that holds its figures and names and supports it.

Never one that lacks a figure of the sentence, has it of something else, or denies what the sentence affirms.
"""

from __future__ import annotations

from dataclasses import dataclass

from careline.privacy.redaction.redact import without_tokens
from careline.safety.grounding.grounding import Grounds
from careline.safety.grounding.support import ClaimSupport
from careline.safety.grounding.told_figures import clauses_of
from careline.turn.turn import Turn

QUOTE = 3
"""Words of a sentence that is taken for a quotation of the source where it stands."""
WORDS_TELL = 0.5
"""Share of the words of a sentence without a figure that its source has; of courtesies it has less."""


@dataclass(frozen=True, slots=True)
class Attribution:
    """The sources of one answer. `given` are words that the user said and that need no source."""

    turn: Turn
    grounds: Grounds
    support: ClaimSupport
    given: str = ""

    async def sources_of(self, sentence: str, before: str) -> tuple[int, ...]:
        """The number of the source that says the sentence word for word, else of the one that supports it most; of a
        sentence with figures that is of several pages, one for each clause. Empty where there is none.

        `before` is what the answer has said.
        """
        if quoted_from := self.grounds.quoted_from(sentence, QUOTE):
            return quoted_from
        if number := await self._source_of(sentence, before):
            return (number,)
        clauses = clauses_of(sentence.strip()) if self.grounds.has_figures(sentence) else []
        numbers = [await self._source_of(clause, before) for clause in clauses] if len(clauses) > 1 else []
        # "Lunch costs € 9.80 and parking € 2.40" is of two pages.
        return tuple(dict.fromkeys(number for number in numbers if number)) if all(numbers) else ()

    def claims(self, sentence: str) -> bool:
        """Whether a sentence says something that a source has to hold."""
        return self.grounds.has_figures(sentence) or self.support.claims(sentence, self.given)

    async def _source_of(self, statement: str, before: str) -> int | None:
        has_figures = self.grounds.has_figures(statement)
        asked = self.turn.search_text if has_figures else ""
        numbers = self.grounds.grounding(statement, before)
        window = await self.support.supporting(without_tokens(statement), numbers, self.given, asked)
        if window is None or (not has_figures and not window.is_foreign and window.share < WORDS_TELL):
            return None
        if window.is_foreign and not has_figures:
            # Denials are compared within one language; here all that can be told is whether both deny.
            denies = self.grounds.denies(statement, self.turn.language)
            if denies is not self.grounds.denies(window.text.text, window.language):
                return None
        return window.number
