"""Tells whether somebody asks how a patient is, or where: what the hospital's documents cannot know.

The rules stand in a class of the pack's safety rules that ends no turn by itself, so emergencies, requests for advice
and wishes for a person come first. Who may be asked, and how one finds out, are questions like others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from careline.safety.rules.rule_sets import RuleSet
from careline.safety.utterance import Utterance

PATIENT_INFORMATION = "PATIENT_INFORMATION"
"""The class of the rule sets."""


@dataclass(frozen=True, slots=True)
class PatientScreen:
    """The rule sets of one pack, of every language: a caller in distress speaks the language of home."""

    rule_sets: Sequence[RuleSet]

    @property
    def finds(self) -> bool:
        """Whether any rule is for this."""
        return any(PATIENT_INFORMATION in one.groups for one in self.rule_sets)

    def reasons(self, utterance: Utterance) -> tuple[str, ...]:
        """Ids of the rules by which the words ask for news of a patient; none where they do not."""
        groups = frozenset({PATIENT_INFORMATION})
        return tuple(
            reason
            for one in self.rule_sets
            for reasons in one.find(utterance.plain, utterance.pieces, groups).values()
            for reason in reasons
        )
