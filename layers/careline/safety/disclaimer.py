"""Decides from an answer's final text whether it must carry the medical disclaimer, whatever was asked.

The vocabulary is in the pack, in six clusters. A sentence that only sends somebody somewhere (an aside of the cluster)
does not count, even when it names the condition it is about.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from careline.safety.rules.plain_text import Plain, normalise_answer
from careline.safety.rules.rule_sets import RuleSet
from careline.text.figures import figures, readable
from careline.text.sentences import split

CLUSTERS = ("CONDITION", "SYMPTOM", "TREATMENT", "DIAGNOSTICS", "SPECIALIST", "CARE_DOMAIN")
"""Classes of an answer rule set that hold medical vocabulary."""
_WANTED = frozenset(CLUSTERS)
_NAMED = frozenset(("DIAGNOSTICS", "SPECIALIST", "CARE_DOMAIN"))
"""What hours and telephone numbers are told of."""
_PRICED = frozenset(CLUSTERS) - {"SYMPTOM"}
"""What prices are told of."""
_OPEN = _NAMED | {"TREATMENT"}
"""What visiting and opening hours are told of."""
_SERVICES = frozenset(("SPECIALIST", "CARE_DOMAIN"))
"""What lists of hours and telephone numbers are headed by."""
_HOURS = frozenset({"HOURS"})
"""The class of sentences that tell when one may visit or when something is open."""
_WHERE, _HOW = frozenset({"WHERE"}), frozenset({"HOW"})
"""The class of sentences that tell where something is done or whether it needs an appointment, and that of words which
tell more of it than that."""
_PLACED = _NAMED | {"CONDITION"}
"""What places are told of: an ultrasound of the heart. Behind a comma a condition may be spoken of for itself."""
_LONGEST_CELL = 40
"""Characters of a cell of a row (Hoogveld: yes), which is no clause of its own."""
_ADDRESS = 5
"""Words of a part between commas that is no clause of its own: floor 2, route 88."""
_HEADING = re.compile(r":\s{0,3}(?:\[\d{1,3}\]\s{0,3})?$")


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
        paragraphs = [split(each, language) for each in answer.split("\n\n")]
        tells_how = any(rule_set.find(plain, groups=_HOW) for rule_set in rule_sets)
        medical = [each for one in paragraphs for each in _medical(one, language, rule_sets, tells_how=tells_how)]
        whole = len(medical) == sum(map(len, paragraphs))
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


def _medical(sentences: Sequence[str], language: str, rule_sets: Sequence[RuleSet], *, tells_how: bool) -> list[str]:
    """The sentences of a paragraph that are not practical; a heading is what all of the list below it is."""
    medical = [each for each in sentences if not _is_practical(each, language, rule_sets, tells_how=tells_how)]
    if len(sentences) > 1 and medical == [sentences[0]] and _HEADING.search(medical[0]):
        return [] if set(_found(normalise_answer(medical[0]), rule_sets)) <= _SERVICES else medical
    return medical


def _is_practical(sentence: str, language: str, rule_sets: Sequence[RuleSet], *, tells_how: bool) -> bool:
    """Whether a sentence tells a price, hours, a place or a telephone number, and names a service or treatment only to
    say of what. A dose, a symptom, and a treatment at a certain hour are medical whatever else is told; when one may
    visit those who are treated, or when the treatment is open, is not. Nor is a place, where nothing in the answer
    tells how one prepares (`tells_how`)."""
    held = figures(readable(sentence), (language,))
    kinds = [{kind for kind, _ in figure.amounts} for figure in held]
    if any(figure.is_dose for figure in held):
        return False
    plain = normalise_answer(sentence)
    found = set(_found(plain, rule_sets))
    if any("euro" in each for each in kinds):
        return found <= _PRICED
    if any(rule_set.find(plain, groups=_HOURS) for rule_set in rule_sets):
        return found <= _OPEN
    if not tells_how and _is_where_alone(sentence, plain, found, rule_sets):
        return True
    tells_hours = sum("clock" in each for each in kinds) > 1 or any(figure.sort == "phone" for figure in held)
    return tells_hours and found <= _NAMED


def _is_where_alone(sentence: str, plain: Plain, found: set[str], rule_sets: Sequence[RuleSet]) -> bool:
    """Whether a sentence tells where something is done, or whether by appointment, and nothing else of it."""
    _, *cells = sentence.split(";")
    if not found <= (_NAMED if "," in sentence else _PLACED):
        return False
    if any(":" not in cell or len(cell) > _LONGEST_CELL for cell in cells) or not _tells_where(plain, rule_sets):
        return False
    longer = [part for part in sentence.split(",") if len(part.split()) > _ADDRESS]
    return all(_tells_where(normalise_answer(part), rule_sets) for part in longer)


def _tells_where(plain: Plain, rule_sets: Sequence[RuleSet]) -> bool:
    return any(rule_set.find(plain, groups=_WHERE) for rule_set in rule_sets)
