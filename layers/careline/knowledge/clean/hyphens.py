"""Joins lines, and decides whether a hyphen at the end of a line belongs to the word."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import cached_property

_BROKEN = re.compile(r"(?<![\w'’-])([\w'’-]{0,60}\w)([-\u2010\u00ad])[^\S\n]*\n\s*(\w+(?:-\w+)*)")
_WORD = re.compile(r"\w+(?:[-\u2010]\w+)*")
_SOFT_HYPHEN = "\u00ad"
_SUSPENDED = frozenset(("en", "of", "and", "or", "et", "ou", "e", "o", "und", "oder"))
"""After a hanging hyphen: "in- en uitgang", "pre- or post-operative"."""

_KEPT_BEFORE = frozenset(("niet", "non", "self"))
_KEPT_AFTER = frozenset(("vous", "nous", "moi", "même", "mêmes", "être", "midi", "up", "based", "related"))
"""Words that stand behind a hyphen as words of their own: rendez-vous, après-midi, follow-up."""


class DocumentVocabulary:
    """The words of a document, which know best how it spells them. Counted only when a line ends in a hyphen."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts = tuple(texts)

    @cached_property
    def _counts(self) -> Counter[str]:
        counts: Counter[str] = Counter()
        for text in self._texts:
            counts.update(_WORD.findall(_BROKEN.sub(" ", text).casefold()))
        return counts

    def prefers_hyphen(self, left: str, right: str) -> bool | None:
        """Whether the document elsewhere writes the two with a hyphen; None when it writes them nowhere."""
        with_hyphen = self._counts[f"{left}-{right}".casefold()]
        without = self._counts[f"{left}{right}".casefold()]
        return None if with_hyphen == without == 0 else with_hyphen > without


def unwrapped(text: str, vocabulary: DocumentVocabulary) -> str:
    """The text on one line, words that were broken at line ends made whole."""
    if "\n" in text:
        text = _BROKEN.sub(lambda found: _mended(found, vocabulary), text)
        text = " ".join(line.strip() for line in text.split("\n"))
    return text.replace(_SOFT_HYPHEN, "")


def _mended(found: re.Match[str], vocabulary: DocumentVocabulary) -> str:
    left, hyphen, right = found.groups()
    if hyphen == _SOFT_HYPHEN:
        return left + right
    if right.lower() in _SUSPENDED:
        return f"{left}- {right}"
    preferred = vocabulary.prefers_hyphen(left, right)
    keep = _keeps_hyphen(left, right) if preferred is None else preferred
    return f"{left}-{right}" if keep else left + right


def _keeps_hyphen(left: str, right: str) -> bool:
    """Without evidence in the document: hyphens next to digits, capitals and a few words are part of the spelling."""
    if left[-1].isdigit() or not right[0].islower() or (left.isupper() and len(left) > 1):
        return True
    return left.lower() in _KEPT_BEFORE or right.lower() in _KEPT_AFTER
