"""A text in which names are looked for: its words, what each can be, and how surely a name begins at each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from careline.privacy.names.lists.lexicon import NameLexicon, Strength
from careline.privacy.names.lists.word_kinds import Kind
from careline.privacy.names.tokens import NameToken


@dataclass(frozen=True, slots=True)
class AnnotatedText:
    """A text being read: its words, the lexicon of its language, and for each word how surely a name begins there."""

    tokens: Sequence[NameToken]
    lexicon: NameLexicon
    strengths: Sequence[Strength]

    def kind(self, at: int) -> int:
        """What a word can be; STOP past the end."""
        return self.tokens[at].kind if 0 <= at < len(self.tokens) else Kind.STOP

    def word(self, at: int) -> str:
        """A word's folded form; empty past either end."""
        return self.tokens[at].word if 0 <= at < len(self.tokens) else ""

    def strength(self, at: int) -> Strength:
        """How surely a name begins at a word; NONE past the end."""
        return self.strengths[at] if 0 <= at < len(self.strengths) else Strength.NONE

    def follows(self, at: int) -> bool:
        """Whether a word exists and only a space or a hyphen stands before it."""
        return at < len(self.tokens) and self.tokens[at].joined
