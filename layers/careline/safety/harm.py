"""Stops what no assistant of a hospital says to anybody: incitement, contempt, sexual words, pretending to be a doctor.

The rule sets are few and precise: a brochure on the prevention of suicide or on violence at home must pass.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from careline.safety.in_context import InContext
from careline.safety.rules.rule_sets import RuleSet


@dataclass(frozen=True, slots=True)
class HarmScreen:
    """The harm rule sets of one pack, by language; every class of such a rule set is harmful."""

    rule_sets: Mapping[str, RuleSet]

    def judge(self, said: InContext, language: str) -> tuple[str, ...]:
        """Ids of the rules that a sentence meets; empty when it may be said.

        A language without a rule set is read in every language there is.
        """
        rule_sets = [self.rule_sets[language]] if language in self.rule_sets else list(self.rule_sets.values())
        return tuple(dict.fromkeys(reason for rule_set in rule_sets for reason in said.met(rule_set)))
