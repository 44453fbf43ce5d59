"""Tells of a request that was taken for advice whether it may wait for what the hospital publishes for everybody.

How long before a blood test one stays fasting, when a plaster may get wet, what a certificate costs: leaflets say so to
everybody. A judgement on a person's own state, a dose or the choice of a treatment stands in none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from careline.safety.rules.rule_sets import RuleSet
from careline.safety.utterance import Utterance

INFORMATION, JUDGEMENT, QUESTION = "PUBLISHED_INFORMATION", "PERSONAL_JUDGEMENT", "QUESTION"
"""Classes of a rule set that end no turn: what is asked for, what keeps a request refused whatever else it asks, and
what makes a clause a question."""


@dataclass(frozen=True, slots=True)
class PublicationScreen:
    """The rule sets of one pack, by language."""

    rule_sets: Mapping[str, Sequence[RuleSet]]

    def may_answer(
        self, utterance: Utterance, language: str | None, is_harmless: Callable[[Utterance], bool] = lambda _: False
    ) -> bool:
        """Whether the words ask for what is published for everybody, or each of several questions does or `is_harmless`
        by itself, and for no judgement on anybody. A language without rule sets is read in every one there is."""
        met = self._met(utterance, language, INFORMATION, JUDGEMENT)
        if INFORMATION not in met or JUDGEMENT in met:
            return False
        questions = self.questions(utterance, language)
        return all(self._met(each, language, INFORMATION) or is_harmless(each) for each in questions)

    def questions(self, utterance: Utterance, language: str | None) -> list[Utterance]:
        """The questions of an utterance that asks several things, each with what is told after it, and the first with
        what is told before; none where it asks one."""
        questions: list[list[str]] = [[]]
        for clause in utterance.clauses(language):
            asked = self._met(Utterance(clause), language, QUESTION)
            if asked and any(self._met(Utterance(one), language, QUESTION) for one in questions[-1]):
                questions.append([])
            questions[-1].append(clause)
        return [Utterance(" ".join(one)) for one in questions] if len(questions) > 1 else []

    def _met(self, said: Utterance, language: str | None, *groups: str) -> set[str]:
        known = self.rule_sets.get(language or "")
        rule_sets = known if known is not None else [one for held in self.rule_sets.values() for one in held]
        return {group for one in rule_sets for group in one.find(said.plain, said.pieces, frozenset(groups))}
