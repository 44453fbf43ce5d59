"""Tells whether somebody asks the assistant to do something that only a person or a tool could do: to make an
appointment, calculate, look something up outside the documents, send, call, or act.

The rules stand in the `acts` folder of a pack. How one makes an appointment, what cancelling costs and whether that is
possible online are questions like others, also behind a wish: "I must cancel, what does that cost?"
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from careline.safety.rules.rule_sets import RuleSet
from careline.safety.utterance import Utterance


class Act(StrEnum):
    """What may be asked for, in order of precedence; classes of the rule sets."""

    OUTSIDE = "OUTSIDE"
    """To look something up that no document of the hospital says."""
    CALCULATION = "CALCULATION"
    RECORDS = "RECORDS"
    """To look up the caller's own appointments, results or file."""
    APPOINTMENT = "APPOINTMENT"
    SENDING = "SENDING"
    CALLING = "CALLING"
    ERRAND = "ERRAND"


ASKS = "ASKS"
"""The class of a rule set that makes an utterance a question."""
SELDOM_ASKED = frozenset({Act.OUTSIDE, Act.CALCULATION, Act.RECORDS})
"""Asked for in questions too: "what is the weather", "what is 25 % of 480", "are my results in"."""

OF_NO_DOCUMENT = frozenset({"today", "sum"})
"""Names of rules for what no document has."""


@dataclass(frozen=True, slots=True)
class RequestedAct:
    """What is asked for; `rules` are ids such as `en/APPOINTMENT/cancel`."""

    act: Act
    rules: tuple[str, ...]

    @property
    def is_of_no_document(self) -> bool:
        """Whether no document can have it, so that none is searched: the weather, a sum."""
        return self.kind in OF_NO_DOCUMENT

    @property
    def kind(self) -> str:
        """What of it, as its first rule is called: "cancel"."""
        return self.rules[0].rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class ActScreen:
    """The rule sets of one pack, by language, and the `acts` that it looks for; one without any finds nothing."""

    rule_sets: Mapping[str, RuleSet]
    acts: frozenset[Act] = frozenset(Act)

    def requested(self, utterance: Utterance, language: str) -> RequestedAct | None:
        """The act that an utterance in a language asks for; None for a question, and for any other utterance."""
        rule_set = self.rule_sets.get(language)
        found = {} if rule_set is None else rule_set.find(utterance.plain, utterance.pieces)
        for act in Act:
            if act in self.acts and act in found and (ASKS not in found or act in SELDOM_ASKED):
                return RequestedAct(act, found[act])
        return None

    def finds(self, act: Act) -> bool:
        """Whether any utterance may be taken for this."""
        return act in self.acts and any(act in rule_set.groups for rule_set in self.rule_sets.values())

    def beside(self, act: RequestedAct, utterance: Utterance, language: str) -> str:
        """What an utterance says besides asking for an act that it was found to ask for."""
        return self.rule_sets[language].without(act.act, utterance.plain, utterance.pieces)
