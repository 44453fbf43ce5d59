"""Holds a figure to the heading that it stands under: the dose of another indication is not told as that of one.

Within one document a figure may stand under one heading and be told beside the name of another. A heading is named when
all its words are said, or two at least and half of them that no other one has.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from careline.passages.sub_headings import PassageLine, lines_of
from careline.ports import Source
from careline.safety.grounding.medicines import is_about_another
from careline.safety.grounding.text_words import TextWords
from careline.text.figures import Figure, figures, is_same, readable
from careline.text.label_words import LabelWord, label_words, vocabulary

FEWEST_WORDS = 2
"""Words of a heading that name it without the others."""
KINDS = frozenset(("dose", "price", "time"))
"""Meanings of words that say what kind of figure is told, and not of what; those that name nothing are others."""
_BRACKETED = re.compile(r"\(([^()]*)\)")


class HeadedFigures:
    """The lines of one passage of prose with what each stands under. Read when first asked about."""

    def __init__(self, source: Source, language: str) -> None:
        passage = source.hit.passage
        self.document_id = passage.document_id
        self._passage = passage
        self._chunk = passage.chunk
        self._titles = (source.title, passage.facts.title)
        self._written_in = source.language
        self._language = language
        self._beside: Sequence[HeadedFigures] = (self,)

    def stand_beside(self, passages: Iterable[HeadedFigures]) -> None:
        """Take the headings of other passages of the same document for what may be named too."""
        self._beside = [one for one in passages if one.document_id == self.document_id]

    def misplaces(self, figure: Figure, said: Iterable[str], asked: str) -> bool:
        """Whether a figure stands here under other headings alone than the one that is named, or is a dose of the
        medicine that the document is about, which neither the texts nor the question names: it may be of another one.

        The first of the texts `said` that names any decides; for a dose, else the question `asked`. Any other figure is
        held to it only where that heading has one of the same kind itself.
        """
        texts = tuple(said)
        if figure.is_dose and asked and is_about_another(self._passage, (*texts, asked)):
            return True
        if not self._names:
            return False
        named = next((found for text in texts if (found := self._named(text))), {})
        if not named and figure.is_dose:
            named = self._named(asked)
        if not named:
            return False
        if not figure.is_dose and not any(one._tells_like(figure, named) for one in self._beside):
            return False
        holding = [line for line in self._lines if any(is_same(figure, one) for one in self._figures_of(line))]
        return bool(holding) and not any(self._is_of(line, named) for line in holding)

    def _tells_like(self, figure: Figure, named: Mapping[str, frozenset[str]]) -> bool:
        """Whether a line under one of the headings tells a figure of the same kind, which the other is taken for."""
        under = (line for line in self._lines if not named.keys().isdisjoint((*self._chunk.heading_path, *line.above)))
        return any(not _kinds(figure).isdisjoint(_kinds(one)) for line in under for one in self._figures_of(line))

    def _is_of(self, line: PassageLine, named: Mapping[str, frozenset[str]]) -> bool:
        """Whether a line stands under one of the headings, or says itself what named one of them."""
        above = (*self._chunk.heading_path, *line.above)
        if not named.keys().isdisjoint(above) or (line.is_heading and line.text in named):
            return True
        words = TextWords("\n".join((*self._titles, *above, line.text)), self._written_in)
        return any(
            all(words.say(word, self._written_in) for way in self._names[name] for word in way if word.text in said)
            for name, said in named.items()
        )

    def _named(self, text: str) -> dict[str, frozenset[str]]:
        """The headings that a text names, each with the words that name it."""
        words = TextWords(text, self._language)
        found = {name: said for name, ways in self._names.items() if (said := self._said_of(ways, words))}
        return {name: said for name, said in found.items() if not any(said < other for other in found.values())}

    def _said_of(self, ways: Sequence[Sequence[LabelWord]], words: TextWords) -> frozenset[str]:
        """The words of a heading that a text says, where they name it; none where they do not."""
        for way in ways:
            said = frozenset(word.text for word in way if words.say(word, self._written_in))
            own = [text for text in said if self._counts[text] == 1]
            if said and (len(said) == len(way) or (len(own) >= FEWEST_WORDS and 2 * len(own) >= len(way))):
                return said
        return frozenset()

    def _figures_of(self, line: PassageLine) -> list[Figure]:
        languages = tuple(dict.fromkeys((self._written_in, self._language)))
        return figures(readable(f"{line.text} "), languages, articles=True)

    @cached_property
    def _lines(self) -> tuple[PassageLine, ...]:
        return lines_of(self._chunk)

    @cached_property
    def _headings(self) -> tuple[str, ...]:
        """The headings of the passage and those in it, each once."""
        return tuple(dict.fromkeys((*self._chunk.heading_path, *(text for line in self._lines for text in line.above))))

    @cached_property
    def _names(self) -> dict[str, tuple[tuple[LabelWord, ...], ...]]:
        """The headings, each with the words of the ways in which it is named: without what it has in brackets, and by
        that alone ("(AF)"). What the title and the headings of everything say names none."""
        paths = [set(one._chunk.heading_path) for one in self._beside]
        about = (*self._titles, *set.intersection(*paths))
        above = {word.text for text in about for word in label_words(text, self._written_in)}
        found: dict[str, tuple[tuple[LabelWord, ...], ...]] = {}
        for name in dict.fromkeys(text for one in self._beside for text in one._headings):
            ways = (tuple(self._telling(way, above)) for way in (_BRACKETED.sub(" ", name), *_BRACKETED.findall(name)))
            # A number alone may be any amount of the sentence.
            if held := tuple(way for way in ways if any(word.number is None for word in way)):
                found[name] = held
        return found

    @cached_property
    def _counts(self) -> Counter[str]:
        """Of how many headings a word is."""
        return Counter(text for ways in self._names.values() for text in {word.text for way in ways for word in way})

    def _telling(self, text: str, above: set[str]) -> Iterator[LabelWord]:
        naming_nothing = vocabulary().generic | KINDS
        for word in label_words(text, self._written_in):
            is_kind = bool(word.concepts) and word.concepts <= naming_nothing
            if not (word.is_talk or is_kind or word.text in above):
                yield word


def _kinds(figure: Figure) -> set[str]:
    """What a figure may tell of: money, a time, a length of time, a telephone number."""
    return {kind for kind, _ in figure.amounts} or {figure.sort}
