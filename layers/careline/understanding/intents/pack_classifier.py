"""Tells the intents of a pack: the shipped classifier, and beside it what tells the pack's own labels."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from pathlib import Path

from careline.packs.packs import Pack
from careline.ports import Vector
from careline.understanding.intents.classifier import IntentClassifier, Label, intent_classifier
from careline.understanding.intents.own_head import OwnHead


class PackClassifier:
    """The intents of a pack, by what is shipped and by its own examples. Safe to use from several threads at once."""

    def __init__(self, shipped: IntentClassifier, own: OwnHead | None = None) -> None:
        self._shipped, self._own = shipped, own

    def load(self) -> None:
        """Read the files that have not been read. Raises: PackInvalid."""
        self._shipped.load()
        if self._own is not None:
            self._own.load()

    def labels(self, vector: Vector, among: Collection[str]) -> list[Label]:
        """The labels of a question, the likeliest first; shares are those among the given labels and sum to 1.

        An own label has its odds against all that is shipped, a shipped one its part of what is left. None for a vector
        of another model than the embedded one. Raises: PackInvalid when a file cannot be read.
        """
        shipped = self._shipped.labels(vector, among)
        odds = self._own.odds(vector, among) if self._own is not None else {}
        if not odds:
            return shipped
        whole = sum(odds.values()) + bool(shipped)
        shares = {one.name: one.share / whole for one in shipped}
        for label, one in odds.items():
            shares[label] = shares.get(label, 0.0) + one / whole
        return [_label(name, share) for name, share in sorted(shares.items(), key=lambda each: -each[1])]

    def words(self, label: str, language: str) -> frozenset[str]:
        """The stems of words that examples of a label use in a language; those of all labels for an empty one."""
        own = self._own.words(label, language) if self._own is not None else frozenset()
        return self._shipped.words(label, language) | own

    def common_words(self, language: str) -> frozenset[str]:
        """The stems of words that examples of nearly every shipped label use in a language."""
        return self._shipped.common_words(language)


def _label(name: str, share: float) -> Label:
    intent, _, sub_intent = name.partition("/")
    return Label(intent, sub_intent, share)


@cache
def _classifier(name: str, file: Path | None) -> PackClassifier:
    return PackClassifier(intent_classifier(name), OwnHead(file) if file is not None else None)


def pack_classifier(pack: Pack) -> PackClassifier | None:
    """What tells the intents of a pack; None where nothing does."""
    return None if pack.intent_classifier is None else _classifier(pack.intent_classifier, pack.own_intents)
