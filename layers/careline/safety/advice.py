"""Stops answers that advise like a doctor would, sentence by sentence and over what was said before.

It looks at answers, not at questions: a language model may slip, and a document may hold a sentence that a public line
must not repeat. A brochure's preparation for an appointment is not advice; it is an aside of the classes it resembles.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Literal

from careline.ports import Vector
from careline.safety.classifiers.classifier import Classifiers, FirstLook, places
from careline.safety.in_context import InContext
from careline.safety.rules.rule_sets import RuleSet

KINDS = (
    "DIAGNOSIS",
    "RULED_OUT",
    "REASSURANCE",
    "DOSE",
    "MEDICINE",
    "STOP_OR_START",
    "TREATMENT_ADVICE",
    "FIRST_AID",
    "HOME_REMEDY",
)
"""Classes of an answer rule set that are advice when an answer meets them."""

TOLD_TO_EVERYBODY = frozenset({"FIRST_AID", "HOME_REMEDY"})
"""Of these, what leaflets may tell everybody: to cool, to rest, to drink much. The others speak of somebody's own state
or treatment, or of a medicine, wherever they stand."""
ADVICE = frozenset({"ADVICE"})
"""The class of advice, as the models name it."""
SHORTEST = 3
"""Words from which the models are asked: a name in a list says nothing by itself."""


@dataclass(frozen=True, slots=True)
class AdviceVerdict:
    """What becomes of a sentence. `reasons` blocked it."""

    action: Literal["allow", "block"]
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AdviceScreen:
    """The answer rule sets of one pack, by language, and the model behind them, which may only add to what they
    find."""

    rule_sets: Mapping[str, RuleSet]
    learned: Classifiers | None = None

    def judge(self, said: InContext, language: str, sentence_embedding: Vector | None = None) -> AdviceVerdict:
        """Judges a sentence; `sentence_embedding` is the sentence's. A language without a rule set is read in every one
        there is."""
        return self.first_look(said, language).verdict(sentence_embedding)

    def of_published(self, said: InContext, language: str) -> AdviceVerdict:
        """Judges a sentence that stands so in a document for everybody: by patterns alone, not for what leaflets may
        tell. Models know advice by its wording, which a leaflet's instruction shares."""
        kinds = [kind for kind in KINDS if kind not in TOLD_TO_EVERYBODY]
        reasons = self._met(said, language, kinds)
        return AdviceVerdict("block" if reasons else "allow", reasons)

    def first_look(self, said: InContext, language: str) -> FirstLook[AdviceVerdict]:
        """What `judge` knows before it looks at the sentence embedding."""
        reasons = self._met(said, language, KINDS)
        if reasons or self.learned is None or len(said.alone.split()) < SHORTEST:
            return FirstLook(in_doubt=False, judge=lambda _: AdviceVerdict("block" if reasons else "allow", reasons))
        words = self.learned.read(places(said.alone), said.clauses(language))

        def judge(sentence_embedding: Vector | None) -> AdviceVerdict:
            found = words.find(language, sentence_embedding)
            return AdviceVerdict("block", (found.reason,)) if found is not None else AdviceVerdict("allow")

        return FirstLook(words.may_be(ADVICE) and words.may_not_be(ADVICE), judge)

    def _met(self, said: InContext, language: str, kinds: Collection[str]) -> tuple[str, ...]:
        rule_sets = [self.rule_sets[language]] if language in self.rule_sets else list(self.rule_sets.values())
        return tuple(dict.fromkeys(reason for rule_set in rule_sets for reason in said.met(rule_set, kinds)))
