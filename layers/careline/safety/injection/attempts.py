"""Says whether an utterance tries to make the assistant something else than it is.

What is looked for is the attempt, not its success: instructions about the assistant's instructions, roles, claimed
authority, codes, chat markup and text that pretends to come from a document. A caller who talks about his own question,
his own letter or the rules for visitors makes no attempt, nor does who says that somebody forgot, lost or did not
follow theirs: that is taken out before anything is looked for, so that an attempt in the same breath is still found.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import yaml

from careline.ports import Vector
from careline.safety.classifiers.adversarial_suffix import read_suffix_screen
from careline.safety.classifiers.classifier import Classifiers, FirstLook
from careline.safety.clauses import LEAST_WORDS
from careline.safety.injection.disguise import DATA, Disguises, read_disguises
from careline.safety.rules.rule_sets import RuleSet
from careline.safety.utterance import Utterance
from careline.text.bounded_re2 import compile_bounded

LANGUAGES = ("nl", "en", "fr", "it", "other")
"""Rule sets of a pack's `injection` folder."""
OWN_LAPSE = "OWN_LAPSE"
"""The class of a rule set that finds no attempt: instructions, with a verb of which the caller or theirs are the
subject."""
ATTEMPT = frozenset({"true"})
"""The class of attempts, as the models name it."""


@dataclass(frozen=True, slots=True)
class InjectionVerdict:
    """`reasons`: ids of rules, `markup/<name>`, `disguise/<trick>`, `adversarial_suffix`, in the order found."""

    injection: bool
    reasons: tuple[str, ...] = ()

    @property
    def supposed(self) -> bool:
        """Whether a model alone takes the utterance for one, and neither a pattern, a markup nor a disguise tells."""
        return self.injection and all(reason.startswith(("learned/", "adversarial_suffix")) for reason in self.reasons)


@dataclass(frozen=True, slots=True)
class InjectionScreen:
    """The injection rule sets of one pack, by language, and the models behind them, which may only add."""

    rule_sets: Mapping[str, RuleSet]
    learned: Classifiers | None = None

    def judge(self, text: str, language: str | None, sentence_embedding: Vector | None = None) -> InjectionVerdict:
        """Judges an utterance of any length. Every rule set is read, the call's `language` first.

        `sentence_embedding` is the text's, by the local embedder, where it was computed in time.
        """
        return self.first_look(Utterance(text), language).verdict(sentence_embedding)

    def first_look(self, utterance: Utterance, language: str | None) -> FirstLook[InjectionVerdict]:
        """What `judge` knows before it looks at the sentence embedding."""
        reasons = tuple(dict.fromkeys(self._reasons(utterance, language)))
        if reasons or self.learned is None:
            return FirstLook(in_doubt=False, judge=lambda _: InjectionVerdict(bool(reasons), reasons))
        said = self.learned.read(utterance.windows)
        rest = self._without_lapses(utterance)
        is_lapse = rest is not utterance

        def judge(sentence_embedding: Vector | None) -> InjectionVerdict:
            found = said.find(language, sentence_embedding)
            if found is not None and is_lapse and not self._is_attempt(rest, language):
                found = None
            return InjectionVerdict(found is not None, (found.reason,) if found is not None else ())

        # However sure words are of an attempt, the sentence embedding may know better: callers speak of rules and
        # letters too.
        return FirstLook(said.may_be(ATTEMPT), judge)

    def _is_attempt(self, rest: Utterance, language: str | None) -> bool:
        """Whether a model takes what stands beside a lapse for an attempt; a few words say too little for it."""
        is_said = len([word for word in rest.plain.split() if word != "."]) >= LEAST_WORDS
        return is_said and self.learned is not None and self.learned.read(rest.windows).find(language) is not None

    def _reasons(self, utterance: Utterance, language: str | None) -> Iterator[str]:
        text, rule_sets = utterance.text, sorted(self.rule_sets, key=lambda each: each != language)
        yield from self._found(utterance, rule_sets)
        yield from (f"markup/{name}" for name, mark in read_markup().items() if mark.search(valid(text)))
        disguises: Disguises = read_disguises()
        for reading in disguises.readings(text):
            if reading.telling:
                yield f"disguise/{reading.trick}"
            yield from self._found(Utterance(reading.text), rule_sets)
        yield from read_suffix_screen().judge(text).signs

    def _found(self, utterance: Utterance, rule_sets: list[str]) -> Iterator[str]:
        said = self._without_lapses(utterance)
        for language in rule_sets:
            rule_set = self.rule_sets[language]
            for reasons in rule_set.find(said.plain, said.pieces, rule_set.groups - {OWN_LAPSE}).values():
                yield from reasons

    def _without_lapses(self, utterance: Utterance) -> Utterance:
        plain = utterance.plain
        for rule_set in self.rule_sets.values():
            plain = rule_set.without(OWN_LAPSE, plain, utterance.pieces)
        return utterance if plain == utterance.plain else Utterance(plain)


@cache
def read_markup() -> Mapping[str, Any]:
    """Chat markup by name, as compiled RE2 over text as it came; read when first asked for."""
    held = yaml.load((DATA / "disguises.yaml").read_bytes(), Loader=yaml.CSafeLoader)
    return {name: compile_bounded(pattern) for name, pattern in held["markup"].items()}


def valid(text: str) -> str:
    """The text with lone surrogates, which cannot be written in UTF-8, replaced."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
