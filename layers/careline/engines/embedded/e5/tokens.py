"""Turns text into the token numbers of multilingual-e5-small: a unigram language model over 250,000 pieces.

The best segmentation of each word is found with Viterbi's algorithm (Kudo, Subword Regularization, ACL 2018) and kept,
because words repeat. Written here because the tokenizers package needs 220 MB more memory for the same numbers.
"""

from __future__ import annotations

import unicodedata

from careline.engines.embedded.e5.weights import Weights

WORD_START = "▁"
KEPT_WORDS = 20_000
"""Words whose tokens are kept, of some two hundred bytes each: the words of a hospital, and what callers say."""
UNKNOWN_PENALTY = 10.0


class Tokeniser:
    """Tokenises for one set of weights. Not safe for several threads at once."""

    def __init__(self, weights: Weights) -> None:
        self._begin, self._end, self._unknown = weights.begin, weights.end, weights.unknown
        self._numbers = dict(zip(weights.pieces, range(len(weights.pieces)), strict=True))
        # Control pieces are left out, so that a literal "<s>" in a caller's text stays text.
        for control in (weights.begin, weights.end, weights.padding, weights.unknown, len(weights.pieces) - 1):
            self._numbers.pop(weights.pieces[control], None)
        self._scores = weights.scores
        self._longest = max(map(len, self._numbers))
        self._unknown_score = min(weights.scores) - UNKNOWN_PENALTY
        self._normalisation = weights.normalisation
        self._kept: dict[str, list[int]] = {}

    def tokens(self, text: str) -> list[int]:
        """Token numbers without the begin and end marks; empty for blank text."""
        normal = unicodedata.normalize("NFKC", text).translate(self._normalisation)
        found: list[int] = []
        for word in normal.split():
            found += self._word(word)
        return found

    def windows(self, prefix: str, text: str, size: int) -> list[list[int]]:
        """The text with its prefix as one or more windows of at most `size` tokens, each with begin and end marks."""
        head = self.tokens(prefix)
        body = self.tokens(text)
        room = size - len(head) - 2
        starts = range(0, max(len(body), 1), room)
        return [[self._begin, *head, *body[start : start + room], self._end] for start in starts]

    def count(self, text: str) -> int:
        """How many tokens a text has."""
        return len(self.tokens(text))

    def _word(self, word: str) -> list[int]:
        kept = self._kept.get(word)
        if kept is None:
            if len(self._kept) >= KEPT_WORDS:
                self._kept.clear()
            kept = self._kept[word] = self._segment(WORD_START + word)
        return kept

    def _segment(self, text: str) -> list[int]:
        best = [0.0] + [float("-inf")] * len(text)
        came: list[tuple[int, int]] = [(0, 0)] * (len(text) + 1)
        for start in range(len(text)):
            score = best[start]
            for stop in range(start + 1, min(len(text), start + self._longest) + 1):
                number = self._numbers.get(text[start:stop])
                if number is not None and score + self._scores[number] > best[stop]:
                    best[stop], came[stop] = score + self._scores[number], (start, number)
            if score + self._unknown_score > best[start + 1]:
                best[start + 1], came[start + 1] = score + self._unknown_score, (start, self._unknown)
        return self._walk_back(came)

    def _walk_back(self, came: list[tuple[int, int]]) -> list[int]:
        found: list[int] = []
        at = len(came) - 1
        while at:
            at, number = came[at]
            if not (found and number == self._unknown == found[-1]):
                found.append(number)
        found.reverse()
        return found
