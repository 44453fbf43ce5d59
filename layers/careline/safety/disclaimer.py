"""Decides from an answer's final text whether it must carry the medical disclaimer, whatever was asked.

The vocabulary is in the pack, in six clusters. A sentence that only sends somebody somewhere (an aside of the cluster)
does not count, even when it names the condition it is about.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from careline.safety.rules.plain_text import normalise_answer
from careline.safety.rules.rule_sets import RuleSet

CLUSTERS = ("CONDITION", "SYMPTOM", "TREATMENT", "DIAGNOSTICS", "SPECIALIST", "CARE_DOMAIN")
"""Classes of an answer rule set that hold medical vocabulary."""
_WANTED = frozenset(CLUSTERS)


@dataclass(frozen=True, slots=True)
class DisclaimerScreen:
    """The answer rule sets of one pack, by language."""

    rule_sets: Mapping[str, RuleSet]

    def reasons(self, answer: str, language: str) -> tuple[str, ...]:
        """Ids of the vocabulary found in the answer; none means that no disclaimer is owed.

        The answer is read in its own language, and in every language when there is no rule set for that one.
        """
        rule_sets = [self.rule_sets[language]] if language in self.rule_sets else list(self.rule_sets.values())
        plain = normalise_answer(answer)
        found = [rule_set.find(plain, groups=_WANTED) for rule_set in rule_sets]
        return tuple(reason for each in found for cluster in CLUSTERS for reason in each.get(cluster, ()))

    def medical(self, answer: str, language: str) -> bool:
        """Whether the answer's final text holds medical content."""
        return bool(self.reasons(answer, language))
