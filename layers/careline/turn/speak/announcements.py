"""Keeps a sentence that announces something for what it announces: what is left out leaves none behind."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from careline.text.markers import MARKERS
from careline.turn.speak.screened_sentence import ScreenedSentence

_ITEM = re.compile(r"\s*(?:[-*•–]|\d{1,3}[.)])\s")


@dataclass(slots=True)
class Announcements:
    """Sentences that wait for what they announce: notices, which say that a quotation may not answer or of which
    document it is and announce no other one's, and what introduces a list ("Bring along:")."""

    is_notice: Callable[[str], bool]
    is_written: bool
    """Whether a language model wrote them, rather than quoting."""
    notices: list[ScreenedSentence] = field(default_factory=list)
    lead_ins: list[ScreenedSentence] = field(default_factory=list)
    has_gap: bool = False
    """Whether something was left out behind what introduces a list."""

    def before(self, sentence: ScreenedSentence) -> list[ScreenedSentence]:
        """What is said now that a sentence has come."""
        if sentence.restarts:
            self.notices, self.lead_ins, self.has_gap = [], [], False
        if sentence.blocked or sentence.restarts:
            return [sentence]
        if not sentence.text:
            told = [] if sentence.ended is None else self.rest()
            self.has_gap = self.has_gap or bool(sentence.withheld)
            return [*told, sentence]
        if self.is_notice(sentence.text):
            told = self.rest() if self.lead_ins else []
            self.notices.append(sentence)
            return told
        if _introduces(sentence):
            if self.has_gap:
                self.lead_ins.clear()
            self.lead_ins.append(sentence)
            self.has_gap = False
            return []
        return [*self._released(sentence), sentence]

    def rest(self) -> list[ScreenedSentence]:
        """What introduces a list that is not there either, and was not left out."""
        if self.has_gap or not self.lead_ins:
            self.lead_ins.clear()
            return []
        *before, last = self.lead_ins
        self.lead_ins = before
        return [*self._released(last), last]

    def _released(self, sentence: ScreenedSentence) -> list[ScreenedSentence]:
        notices = [one for one in self.notices if not one.sources or one.sources == sentence.sources]
        lead_ins = [one for one in self.lead_ins if not self.has_gap or self._is_item(sentence, one)]
        self.notices, self.lead_ins, self.has_gap = [], [], False
        return [*notices, *lead_ins]

    def _is_item(self, sentence: ScreenedSentence, lead_in: ScreenedSentence) -> bool:
        """Whether a sentence is of the list that another one introduces, of which items were left out."""
        of_same = self.is_written or lead_in.sources == sentence.sources
        return of_same and _ITEM.match(sentence.text) is not None


def _introduces(sentence: ScreenedSentence) -> bool:
    return MARKERS.sub("", sentence.text).rstrip().endswith(":")
