"""A sentence of a document among its neighbours: what it goes on from, and what the page urges close by."""

from __future__ import annotations

from collections.abc import Sequence

from careline.bounded_re2 import compile_bounded
from careline.safety.injection.contacts import Known, without_numbers
from careline.safety.injection.document_signals import Clause, DocumentSentence

_TRUE_NUMBER = compile_bounded(
    r"(?i)(?:^|\D)(?:112|113|118|911|999|(?:the|het|le|au|il|al) (?:15|17|18|114|115))(?:\D|$)"
)
_NUMBER_ALONE = compile_bounded(r"(?i)^\W*(?:(?:the|het|le|il|au|al) )?(?:112|113|118|911|999|15|18)\W*$")
_TURNS = frozenset({"DISCOURAGES", "INSTEAD", "GONE"})
_DANGER = frozenset({"GRAVE", "SEVERE", "LIFE", "ALARM"})
_LONGEST_LABEL = 80
"""Characters of a sentence that may be a label of what follows: "Chest pain", "Stroke: 0485 ..."."""
_LEADS_ON = ("?", ":")


class SentencePlace:
    """A sentence among those of its passage."""

    def __init__(self, sentences: Sequence[DocumentSentence], at: int, known: Known) -> None:
        self.here = sentences[at]
        self.before = sentences[at - 1] if at else None
        self.after = sentences[at + 1] if at + 1 < len(sentences) else None
        self.known = known
        self._sentences = sentences
        self._at = at

    @property
    def around(self) -> list[DocumentSentence]:
        """The sentence with those beside it."""
        return [each for each in (self.before, self.here, self.after) if each is not None]

    def near(self, distance: int) -> Sequence[DocumentSentence]:
        """The sentence with those at most so many sentences away."""
        return self._sentences[max(0, self._at - distance) : self._at + distance + 1]

    @property
    def following(self) -> Sequence[DocumentSentence]:
        """The sentences after this one."""
        return self._sentences[self._at + 1 :]

    @property
    def page(self) -> list[str]:
        """The sentences of the passage and its headings as they came, this one aside."""
        return [each.text for each in self._sentences if each is not self.here]

    def is_label(self) -> bool:
        """Whether the sentence is as short as a label and its value."""
        return len(self.here.text) <= _LONGEST_LABEL

    def speaks_of(self, signal: str) -> bool:
        """Whether the sentence is about something, by itself or by what it goes on from: a question, a label that ends
        in a colon, or whatever "in that case" points to."""
        if signal in self.here.whole:
            return True
        before = self.before
        if before is None or signal not in before.whole:
            return False
        return before.text.rstrip().endswith(_LEADS_ON) or "SPEAKS_ON" in self.here.whole

    def says_when_to_call(self) -> bool:
        """Whether the passage or its document tells elsewhere when the true number is to be called."""
        return self.known.says_when_to_call or says_when_to_call(self._sentences)

    def urged(self) -> bool:
        """Whether the page tells close by to call the true number."""
        return any(_calls(each) or _called_rather(each) for each in self.around)


def says_when_to_call(sentences: Sequence[DocumentSentence]) -> bool:
    """Whether sentences tell to call the true number, and with what signs of danger: in one, or in two that go on."""
    return any(
        _calls(each) and any(not _DANGER.isdisjoint(one.whole) for one in sentences[max(0, at - 1) : at + 2])
        for at, each in enumerate(sentences)
    )


def _calls(sentence: DocumentSentence) -> bool:
    """Whether a sentence tells to call the true number."""
    return any(
        "SEEKS" in clause.signals and _TURNS.isdisjoint(clause.signals) and true_number(clause)
        for clause in sentence.clauses
    )


def _called_rather(sentence: DocumentSentence) -> bool:
    """Whether the true number alone stands after what is not to be called: "do not call the practice but 112"."""
    pairs = zip(sentence.clauses, sentence.clauses[1:], strict=False)
    return any("SEEKS" in called.signals and bool(_NUMBER_ALONE.search(rather.text)) for called, rather in pairs)


def true_number(clause: Clause) -> bool:
    """Whether the number for help stands there, and not as the end of a longer one."""
    return bool(_TRUE_NUMBER.search(without_numbers(clause.text)))
