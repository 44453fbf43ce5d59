"""Tells whether a row of a table is of another thing than a question names: cardiology where diabetology is asked for.

A question names a label that stands among the tables that were found. A row that does not bear it is passed over,
unless it bears another label that is asked for, or its table tells of something else than the label's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from careline.model import Hit, TableRow
from careline.search.asked_cells import WholeTable
from careline.search.distinctions import distinguishes
from careline.search.label_choice import BRACKETED
from careline.search.label_days import asked_days
from careline.search.label_words import LabelWord, label_words, question_words, same, says, vocabulary
from careline.search.misspelt import is_slip_of

_LEAST_SAID = 0.5
"""Share of a label's words that a question says when it names it: "the palliative unit" for "palliative care unit"."""
_SHORTEST_REST = 4
"""Letters of a word that says the rest of a compound: "sleep clinic" for a label in one word."""
_KEPT_LABELS = 4_000
_SHORTEST_CUT = 5
"""Letters of a word that is the beginning of a longer one, with a slip: "rumato"."""


@dataclass(frozen=True, slots=True)
class _Named:
    """A label of rows that the question names. `at` is its place among the labels of a row, `words` the places of the
    question's words that name it."""

    whole: WholeTable
    label: str
    at: int
    depth: int
    words: frozenset[int]


class NamedLabels:
    """The labels of rows that a question names, among those of the tables that were found."""

    def __init__(self, question: str, language: str, wholes: Sequence[WholeTable]) -> None:
        self._words = question_words(question, language)
        self._language = language
        self._naming = frozenset(n for n in range(len(self._words)) if _may_name(self._words, n))
        self._persons = frozenset(
            n for n in self._naming if n and "doctor" in self._words[n - 1].concepts and not self._words[n].concepts
        )
        self._said: dict[LabelWord, frozenset[int]] = {}
        self._named = tuple(one for whole in wholes for one in self._of_table(whole))

    def pass_over(self, whole: WholeTable, row: TableRow) -> bool:
        """Whether a row is of another thing than the question names."""
        labels = [self._named_by(label, whole.language) for label in row.labels]
        if not any(content_words(label, whole.language) for label in row.labels):
            # "Weekdays", "total" and "adults" are rows of whatever the table tells of.
            return False
        near = self._borne((whole.table.caption, *whole.headings), whole.language)
        around = (*whole.stands.titles, *whole.table.stub, *(label for path in whole.table.columns for label in path))
        borne = near | self._borne((*row.labels, *row.values, *around), whole.language)
        return any(
            not one.words <= borne
            and self._is_rival(one, whole, near)
            and not _is_named_too(one, labels, in_one=one.whole is whole)
            for one in self._named
        )

    def hits(self) -> tuple[Hit, ...]:
        """The passages that hold rows with these labels, in the order of their tables; those that more words name
        first."""
        found = {
            hit.passage.chunk_id: (hit, len(one.words))
            for one in sorted(self._named, key=lambda one: len(one.words))
            for hit, row in zip(one.whole.hits, one.whole.table.rows, strict=True)
            if row.labels[one.at : one.at + 1] == (one.label,)
        }
        return tuple(hit for hit, _ in sorted(found.values(), key=lambda each: -each[1]))

    def _is_rival(self, one: _Named, whole: WholeTable, near: frozenset[int]) -> bool:
        """Whether a label may be what is asked for in place of a table's row: the tables are alike, or of one document
        and nothing above the row is what the question asks of; or it is the name of the doctor who is asked for."""
        if one.words & self._persons:
            return True
        if whole.language not in (one.whole.language, self._language):
            # What a question in another language calls a thing says nothing of what the row is called.
            return False
        if one.whole is whole or _alike(one.whole, whole):
            return True
        same_document = one.whole.hits[0].passage.document_id == whole.hits[0].passage.document_id
        return same_document and not near

    def _of_table(self, whole: WholeTable) -> Iterator[_Named]:
        seen: set[tuple[int, str]] = set()
        for row in whole.table.rows:
            for at, label in enumerate(row.labels):
                if (at, label) not in seen and (words := self._named_by(label, whole.language)):
                    yield _Named(whole, label, at, len(row.labels), words)
                seen.add((at, label))

    def _named_by(self, label: str, written_in: str) -> frozenset[int]:
        """The places of the question's words that name a label; none where these say too little of it."""
        content = content_words(label, written_in)
        said = [[n for n in self._saying(one) if self._is_all(n, one)] for one in content]
        if not content or sum(map(bool, said)) < _LEAST_SAID * len(content):
            return frozenset()
        return frozenset().union(*said)

    def _borne(self, texts: Sequence[str], written_in: str) -> frozenset[int]:
        held = {label for text in texts for label in label_words(text, written_in)}
        return frozenset().union(*map(self._saying, held))

    def _is_all(self, n: int, label: LabelWord) -> bool:
        """Whether a word of the question says the whole of a label's word that bears it: "blood" says no blood
        transfusion, unless the question goes on to say so; "cardio", which means nothing else, says cardiology."""
        word = self._words[n]
        if says(word, label) or (not word.concepts and label.text.startswith(word.text)):
            return True
        rest = label.text.removeprefix(word.text).removesuffix(word.text)
        if len(rest) == len(label.text):
            return not word.concepts or not label.concepts
        return any(len(other.text) >= _SHORTEST_REST and other.text in rest for other in self._words)

    def _saying(self, label: LabelWord) -> frozenset[int]:
        """The places of the question's words that a label's word bears; the same words come back in many labels."""
        found = self._said.get(label)
        if found is None:
            found = frozenset(n for n in self._naming if _bears(self._words[n], label))
            self._said[label] = found
        return found


@lru_cache(maxsize=_KEPT_LABELS)
def content_words(label: str, written_in: str) -> tuple[LabelWord, ...]:
    """The words of a label that say which thing it is: no numbers, days, cases such as "adult", nor everyday words."""
    words = label_words(BRACKETED.sub(" ", label), written_in)
    return tuple(word for n, word in enumerate(words) if _may_name(words, n))


def _may_name(words: Sequence[LabelWord], n: int) -> bool:
    word = words[n]
    if word.is_talk or word.is_denied or word.number is not None or distinguishes(words, n) or asked_days(word):
        return False
    return not word.concepts or not word.concepts <= vocabulary().generic


def _bears(word: LabelWord, label: LabelWord) -> bool:
    """Whether a label's word is what the question calls a thing: itself, a compound of it, or cut short."""
    if same(word, label, typed_wrong=True) or same(label, word):
        return True
    return len(label.text) > len(word.text) >= _SHORTEST_CUT and is_slip_of(word.text, label.text)


def _alike(one: WholeTable, other: WholeTable) -> bool:
    """Whether tables tell the same of their rows: a column or the header of the rows is called the same."""
    columns = {path for path in one.table.columns if any(path)} & {path for path in other.table.columns if any(path)}
    stubs = {label for label in one.table.stub if label} & {label for label in other.table.stub if label}
    return bool(columns or stubs)


def _is_named_too(one: _Named, labels: Sequence[frozenset[int]], *, in_one: bool) -> bool:
    """Whether a row bears a label that is asked for as well as the one it does not bear: of the same place where rows
    have as many labels. One that another label of the same table says more than ("scan" and "scan of the knee") is not;
    tables call one thing in more words and in fewer."""
    comparable = labels[one.at : one.at + 1] if len(labels) == one.depth else labels
    return any(words and not (in_one and words < one.words) for words in comparable)
