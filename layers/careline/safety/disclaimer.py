"""Decides from an answer's final text whether it must carry the medical disclaimer, whatever was asked.

The vocabulary is in the pack, in six clusters. A sentence that only sends somebody somewhere (an aside of the cluster)
does not count, even when it names the condition it is about.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from careline.safety.grounding.figures import figures, readable
from careline.safety.rules.plain_text import Plain, normalise_answer
from careline.safety.rules.rule_sets import RuleSet
from careline.sentences import split

CLUSTERS = ("CONDITION", "SYMPTOM", "TREATMENT", "DIAGNOSTICS", "SPECIALIST", "CARE_DOMAIN")
"""Classes of an answer rule set that hold medical vocabulary."""
_WANTED = frozenset(CLUSTERS)
_NAMED = frozenset(("DIAGNOSTICS", "SPECIALIST", "CARE_DOMAIN"))
"""What hours and telephone numbers are told of."""
_PRICED = frozenset(CLUSTERS) - {"SYMPTOM"}
"""What prices are told of."""


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
        found = _found(plain, rule_sets)
        if not found:
            return ()
        medical = [each for each in split(answer, language) if not _is_practical(each, language, rule_sets)]
        whole = len(medical) == len(split(answer, language))
        found = found if whole else _found(normalise_answer(" ".join(medical)), rule_sets)
        return tuple(reason for cluster in CLUSTERS for reason in found.get(cluster, ()))

    def medical(self, answer: str, language: str) -> bool:
        """Whether the answer's final text holds medical content."""
        return bool(self.reasons(answer, language))


def _found(plain: Plain, rule_sets: Sequence[RuleSet]) -> dict[str, tuple[str, ...]]:
    """The ids of the vocabulary in a text, by cluster."""
    found: dict[str, tuple[str, ...]] = {}
    for rule_set in rule_sets:
        for cluster, reasons in rule_set.find(plain, groups=_WANTED).items():
            found[cluster] = (*found.get(cluster, ()), *reasons)
    return found


def _is_practical(sentence: str, language: str, rule_sets: Sequence[RuleSet]) -> bool:
    """Whether a sentence tells a price, hours or a telephone number, and names a service or treatment only to say of
    what. A dose, a symptom, and a treatment at a certain hour are medical whatever else is told."""
    held = figures(readable(sentence), (language,))
    kinds = [{kind for kind, _ in figure.amounts} for figure in held]
    if any(figure.is_dose for figure in held):
        return False
    found = set(_found(normalise_answer(sentence), rule_sets))
    if any("euro" in each for each in kinds):
        return found <= _PRICED
    tells_hours = sum("clock" in each for each in kinds) > 1 or any(figure.sort == "phone" for figure in held)
    return tells_hours and found <= _NAMED
