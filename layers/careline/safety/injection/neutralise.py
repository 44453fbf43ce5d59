"""Takes instructions to the assistant out of text that a language model is about to read.

Documents and tool results are data. A sentence in them that addresses the assistant is replaced by a notice, chat
markup and invisible characters go; what a brochure tells its reader to do stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from careline.safety.injection.attempts import read_markup, valid
from careline.safety.injection.disguise import read_disguises
from careline.safety.rules.plain_text import Plain, normalise
from careline.safety.rules.rule_sets import RuleSet

NOTICE = "[instruction removed]"
_SENTENCE = re.compile(r"[^\n.!?]*(?:[.!?](?!\s|$)[^\n.!?]*)*(?:[.!?]+|\n|$)\s*")
_CLASSES = frozenset({"OVERRIDE", "ROLE", "LEAK", "AUTHORITY", "ENCODING", "DOCUMENT", "SPLITTING", "DEMAND"})
_TOKENS = frozenset({"chat-tag", "bracket-tag", "chat-token"})
"""Markup that is taken out by itself; other markup takes its sentence with it."""
_INVISIBLE = re.compile("[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f]")


@dataclass(frozen=True, slots=True)
class Neutralised:
    """`text` is safe to put before a model; `removed` counts sentences and pieces of markup, not characters."""

    text: str
    removed: int


@dataclass(frozen=True, slots=True)
class Neutraliser:
    """The injection rule sets of one pack, by language."""

    rule_sets: Mapping[str, RuleSet]

    def neutralise(self, text: str, language: str | None) -> Neutralised:
        """The text without what addresses the assistant, in any language, the text's `language` first. Never raises.

        A text without any is returned as it came, save for invisible characters.
        """
        text = _INVISIBLE.sub("", valid(text))
        removed = 0
        for name, mark in read_markup().items():
            if name in _TOKENS:
                text, times = mark.subn(" ", text)
                removed += times
        if not self._instructs(text, language):
            # What no sentence of the whole does, none does alone; most passages end here.
            return Neutralised(text, removed)
        kept: list[str] = []
        for sentence in _SENTENCE.findall(text):
            if not self._instructs(sentence, language):
                kept.append(sentence)
                continue
            removed += 1
            kept.append(NOTICE + sentence[len(sentence.rstrip()) :])
        return Neutralised("".join(kept), removed)

    def _instructs(self, sentence: str, language: str | None) -> bool:
        if not sentence.strip():
            return False
        if any(mark.search(sentence) for name, mark in read_markup().items() if name not in _TOKENS):
            return True
        readings = [normalise(sentence)]
        readings += [normalise(each.text) for each in read_disguises().readings(sentence)]
        return any(self._met(reading, language) for reading in readings)

    def _met(self, plain: Plain, language: str | None) -> bool:
        rule_sets = sorted(self.rule_sets, key=lambda each: each != language)
        return any(not _CLASSES.isdisjoint(self.rule_sets[each].find(plain)) for each in rule_sets)
