"""Leaves out of what was read the prices of something else than was asked: nobody is told what crutches cost who asks
for a wheelchair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from careline.model import LANGUAGES
from careline.passages.windows import PassageWindow, in_context
from careline.ports import Source
from careline.quoting.window_read import WindowRead
from careline.text.answer_kind import asks_for_price, tells_of_cost
from careline.text.asked_words import named, subjects_of
from careline.text.label_words import LabelWord, label_words, same

Nearness = Literal["near", "unsure", "apart"]
UNSURE = 0.5
"""Logits below what is said without a doubt."""


@dataclass(frozen=True, slots=True)
class PriceGate:
    """What a question asks the price of: the words that name it, and those of them whose meaning is known. None of
    either is near everything."""

    language: str
    words: Sequence[LabelWord] = ()
    known: Sequence[LabelWord] = ()

    @classmethod
    def of(cls, question: str, language: str) -> PriceGate:
        """The gate of a question."""
        if language not in LANGUAGES or not asks_for_price(question):
            return cls(language)
        words = named(question, language)
        return cls(language, words, [word for word in words if subjects_of(word)])

    def nearness(self, source: Source, window: PassageWindow) -> Nearness:
        """How far a price may be that of what is asked: `apart` where neither it nor what stands above it says a word
        of the question, in its own language, or a thing whose meaning is known, in another; `unsure` where it says a
        word and none of these things. A window that tells no price is near."""
        if source.language not in LANGUAGES or not (self.words and tells_of_cost(window.text)):
            return "near"
        lines = (in_context(source.hit.passage.facts.title, window.heading), window.text)
        said = [word for line in lines for word in label_words(line, source.language)]
        if _is_any_said(self.known, said):
            return "near"
        if source.language != self.language:
            return "apart" if self.known and not _is_any_said(self.words, said) else "near"
        if not _is_any_said(self.words, said):
            return "apart"
        return "unsure" if self.known else "near"


def of_what_is_asked(ranked: Sequence[WindowRead], gate: PriceGate, sure_from: float) -> list[WindowRead]:
    """The windows, best first, without prices of something else; those that may be are told as such. Where the best is
    left out, only what surely answers is left: the reader took that for the answer, and nothing that comes behind it.
    """
    kept: list[WindowRead] = []
    for one in ranked:
        nearness = gate.nearness(one.source, one.window)
        if nearness == "unsure":
            one = replace(one, read=replace(one.read, confidence=min(one.read.confidence, sure_from - UNSURE)))
        if nearness != "apart":
            kept.append(one)
    if not kept or kept[0].window is ranked[0].window:
        return kept
    return [one for one in kept if one.read.confidence >= sure_from]


def _is_any_said(words: Sequence[LabelWord], said: Sequence[LabelWord]) -> bool:
    return any(_is_said(word, one) for word in words for one in said)


def _is_said(word: LabelWord, said: LabelWord) -> bool:
    return bool(subjects_of(word) & said.concepts) or same(word, said, typed_wrong=True)
