"""Tells whether a figure is said of what the source says it of, where no table and no heading holds it to a label.

"Soup costs € 9.80" has every word in a page that says "Soup costs € 2.60. A hot lunch costs € 9.80." What gives it away
is that the statement with most of its words has another figure of the same kind. Words are compared within one language
alone; "costs" and "you pay" say what kind of figure is told, and "per" for how much, but not of what.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from careline.passages.sub_headings import lines_of
from careline.ports import Source
from careline.safety.grounding.denials import forbids
from careline.safety.grounding.headed_figures import KINDS
from careline.safety.grounding.opposites import Relation, are_opposite, relations
from careline.text.analysers import terms
from careline.text.figure_words import words
from careline.text.figures import Figure, figures, is_same, readable
from careline.text.label_words import vocabulary
from careline.text.sentences import split

_CLAUSES = re.compile(r"[;,](?=\s)|\s(?=(?:and|en|et|e|but|maar|mais|ma)\s)")


@dataclass(frozen=True, slots=True)
class _Told:
    """A statement of a source with the words it stands under, and its figures."""

    words: frozenset[str]
    above: frozenset[str]
    figures: tuple[Figure, ...]
    relations: frozenset[Relation]
    clauses: tuple[tuple[tuple[Figure, ...], frozenset[Relation]], ...]
    """Its clauses that have figures, with these."""
    denies: bool

    def said_of(self, figure: Figure) -> frozenset[Relation]:
        """The relations that it tells a figure under: those of its clause, where several have figures."""
        if len(self.clauses) < 2:
            return self.relations
        holding = (said for held, said in self.clauses if any(is_same(figure, one) for one in held))
        return frozenset[Relation]().union(*holding)

    def has(self, figure: Figure) -> bool:
        return any(is_same(figure, one) for one in self.figures)

    def tells_like(self, figure: Figure) -> bool:
        return any(not _kinds(figure).isdisjoint(_kinds(one)) for one in self.figures)


class ToldFigures:
    """The statements of the prose of the sources in the answer's language. Read when first asked about."""

    def __init__(self, sources: Sequence[Source], language: str, question: str) -> None:
        self._sources = [one for one in sources if one.language == language and one.hit.passage.chunk.table is None]
        self._language = language
        self._asked = frozenset(_words(question, language))

    def tells_another(self, sentence: str) -> bool:
        """Whether a figure of the sentence is one of something else: a statement with more of its words has another
        figure of the same kind and not this one, or all that have it say it of the opposite."""
        claims = list(self._claims(sentence))
        if len(claims) == 1:
            return self._is_anothers(*claims[0], sentence, self._asked)
        return any(self._is_anothers(*claim, claim[1], frozenset()) for claim in claims)

    def _is_anothers(self, figure: Figure, clause: str, text: str, asked: frozenset[str]) -> bool:
        """Whether a figure of a clause is that of something else. `text` tells of what it is said: the clause, or the
        sentence where it is the only one with a figure."""
        holding = [one for one in self._statements if one.has(figure)]
        if not holding:
            return False
        said, denies = relations(text, self._language), self._denies(text)
        # "Not after 20.00" is what "before 20.00" says.
        if all(one.denies is denies and are_opposite(said, one.said_of(figure)) for one in holding):
            return True
        words = frozenset(_words(clause, self._language))
        others = [
            one
            for one in self._statements
            if not one.has(figure) and one.tells_like(figure) and not are_opposite(said, one.relations)
        ]
        return _most(others, words, asked - words) > _most(holding, words, asked - words)

    def _claims(self, sentence: str) -> Iterator[tuple[Figure, str]]:
        """Each figure of the sentence with its clause."""
        for clause in clauses_of(sentence):
            for figure in figures(readable(f"{clause} "), (self._language,)):
                yield figure, clause

    @cached_property
    def _statements(self) -> list[_Told]:
        return [one for source in self._sources for one in self._told(source)]

    def _told(self, source: Source) -> Iterator[_Told]:
        chunk = source.hit.passage.chunk
        for line in lines_of(chunk):
            above = frozenset(_words(" ".join((source.title, *chunk.heading_path, *line.above)), self._language))
            for text in split(line.text, self._language):
                found = self._figures(text)
                if found:
                    said = relations(text, self._language)
                    parts = ((self._figures(part), relations(part, self._language)) for part in clauses_of(text))
                    clauses = tuple(part for part in parts if part[0])
                    own = frozenset(_words(text, self._language))
                    yield _Told(own, above, found, said, clauses, self._denies(text))

    def _figures(self, text: str) -> tuple[Figure, ...]:
        return tuple(figures(readable(f"{text} "), (self._language,), articles=True))

    def _denies(self, text: str) -> bool:
        return forbids(readable(text), self._language)


def _most(told: Iterable[_Told], words: frozenset[str], asked: frozenset[str]) -> tuple[int, int, int]:
    """The most words of a sentence that one of the statements has with what it stands under, then has itself, and then
    of the question: "It costs € 3" is said of what was asked about."""
    counted = (
        (len(words & (one.words | one.above)), len(words & one.words), len(asked & (one.words | one.above)))
        for one in told
    )
    return max(counted, default=(0, 0, 0))


def clauses_of(sentence: str) -> list[str]:
    """The parts of a sentence that may each tell of something else, cut at commas and at words such as "and"."""
    return _CLAUSES.split(sentence)


def _words(text: str, language: str) -> Iterator[str]:
    of_kinds = _words_of_kinds(language)
    return (word for word in terms(text, language) if not (word.isdigit() or word in of_kinds))


@cache
def _words_of_kinds(language: str) -> frozenset[str]:
    """The words of a language that say what kind of figure is told, or for how much of something: "per day"."""
    asks = vocabulary().asks.get(language, {})
    listed = (*(word for word, kind in asks.items() if kind in KINDS), *words().per)
    return frozenset(one for word in listed for one in terms(word, language))


def _kinds(figure: Figure) -> set[str]:
    """What a figure may tell of: money, a time, a length of time, a telephone number."""
    return {kind for kind, _ in figure.amounts} or {figure.sort}
