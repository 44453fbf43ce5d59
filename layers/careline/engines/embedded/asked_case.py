"""Holds what is quoted to the case that a question asks about: a campus, a day, for whom it is."""

from __future__ import annotations

from collections.abc import Sequence

from careline.ports import PromptInput, Source
from careline.search.asked_cells import WholeTable
from careline.search.asked_words import listed
from careline.search.distinctions import is_for_entitled, is_of_another_case, names_of, places_of, words_of
from careline.search.label_words import label_words, question_words, same, says
from careline.search.split_question import asks_twice
from careline.search.travel_direction import runs_the_other_way

_SITE_NOUNS = ("hospital", "campus")
"""Kinds of what stands before a name in a title ("Parking at Hospital Three Lakes") and in any question."""


class AskedCase:
    """The case that the question asks about: a campus, a day, who it is for."""

    def __init__(self, prompt_input: PromptInput) -> None:
        self._sources = prompt_input.sources
        self._question, self._language = prompt_input.asked, prompt_input.language
        titles = {one.hit.passage.document_id: one.title for one in prompt_input.sources}
        texts = [one.hit.passage.chunk.text for one in prompt_input.sources]
        names = names_of(titles.values(), (*titles.values(), *texts))
        names -= frozenset().union(*(listed("site_nouns", kind) for kind in _SITE_NOUNS))
        self._titles = {name: words_of(title) & names for name, title in titles.items()}
        self._names = names
        own = {one.hit.passage.document_id for one in prompt_input.sources if one.language == self._language}
        self._own_names = frozenset().union(*(words for name, words in self._titles.items() if name in own))
        self._words = words_of(self._question)
        headings = (" ".join(one.hit.passage.chunk.heading_path) for one in prompt_input.sources)
        self._places = self._words & frozenset().union(*map(places_of, (*titles.values(), *headings, *texts)))
        self._headings = self._named_headings()
        self.is_double = asks_twice(self._question, self._language)
        """Whether two things are asked, of which one row may tell both."""

    def is_other(
        self, source: Source, texts: Sequence[str], *, heading: str = "", numbers: bool = False, in_prose: bool = False
    ) -> bool:
        """Whether texts of a source, below a `heading` of their own, are of another case. People tell of `numbers` that
        are not what they ask about."""
        passage = source.hit.passage
        about = passage.facts.title, *passage.chunk.heading_path, heading
        asked = self._question, self._language
        if is_of_another_case(*asked, texts, about, source.language, numbers=numbers, in_prose=in_prose):
            return True
        if self._stands_under_another_heading(source, (*about, *texts)) or runs_the_other_way(
            self._question, (*about, *texts)
        ):
            return True
        said = " ".join((*about, *texts))
        if self._places and places_of(said) and self._places.isdisjoint(words_of(said)):
            # Of another campus than the one that is asked about, however its name is typed.
            return True
        own = source.hit.passage.document_id
        elsewhere = frozenset().union(*(words for name, words in self._titles.items() if name != own))
        missing = self._words & (elsewhere - self._titles[own]) - words_of(said)
        missing -= self._mentioned(source) if missing else frozenset()
        return any(not self._is_meant(word, (*about, *texts), source.language) for word in missing)

    def _mentioned(self, source: Source) -> frozenset[str]:
        """What the file name and the passages of a source's document mention, where its title names no place or person:
        those of "Day surgery" are of the hospital that its first sentence names. A title's first word has a capital
        anyway."""
        own = source.hit.passage
        if not self._names.isdisjoint(words_of(" ".join(own.facts.title.split()[1:]))):
            return frozenset()
        passages = [one.hit.passage for one in self._sources if one.hit.passage.document_id == own.document_id]
        return words_of("\n".join((own.file_name, *(each.chunk.text for each in passages))))

    def _named_headings(self) -> dict[str, frozenset[str]]:
        """By document, the last headings of its sections that the question names by what they do not share."""
        words = [word for word in question_words(self._question, self._language) if not word.is_talk]
        found: dict[str, set[str]] = {}
        for source in self._sources:
            path, passage = source.hit.passage.chunk.heading_path, source.hit.passage
            if len(path) < 2 or passage.chunk.table is not None:
                continue
            own = [label for label in label_words(path[-1], source.language) if not label.is_talk]
            titled = [
                label for text in (passage.facts.title, *path[:-1]) for label in label_words(text, source.language)
            ]
            own = [label for label in own if not any(same(label, other) for other in titled)]
            if own and all(any(says(word, label) for word in words) for label in own):
                found.setdefault(passage.document_id, set()).add(path[-1])
        return {document: frozenset(headings) for document, headings in found.items()}

    def _stands_under_another_heading(self, source: Source, texts: Sequence[str]) -> bool:
        """Whether texts stand in another section than the one of their page that the question names: what is said under
        "Blood test" is not said of a colonoscopy that has its own heading."""
        named = self._headings.get(source.hit.passage.document_id, frozenset())
        path = source.hit.passage.chunk.heading_path
        if not named or len(path) < 2 or not named.isdisjoint(path):
            return False
        held = [label for text in texts for label in label_words(text, source.language)]
        wanted = [label for heading in named for label in label_words(heading, source.language) if not label.is_talk]
        return not any(same(label, other) for label in wanted for other in held)

    def _is_meant(self, word: str, texts: Sequence[str], written_in: str) -> bool:
        """Whether texts say by another word what one means that only titles in other languages have: "operation", which
        begins a French one, is the surgery of an English page."""
        if word in self._own_names:
            return False
        concepts = frozenset().union(*(one.concepts for one in question_words(word, self._language)))
        said = (
            label.concepts for text in texts for line in text.splitlines() for label in label_words(line, written_in)
        )
        return bool(concepts) and concepts <= frozenset().union(*said)

    def stands_elsewhere(self, heading: str, text: str) -> bool:
        """Whether a text stands under the name of another campus than the one that is asked about: what is free there
        has no figure that could be of another case."""
        above = places_of(heading)
        return bool(self._places and above) and self._places.isdisjoint(words_of(f"{heading} {text}"))

    def are_for_entitled(self, whole: WholeTable, rows: Sequence[int]) -> bool:
        """Whether each of some rows is, by its labels, for those with an increased reimbursement, the question not."""
        asked = self._question, self._language
        labels = [" ".join(whole.table.rows[n].labels) for n in rows]
        return bool(labels) and all(is_for_entitled(*asked, label, whole.language) for label in labels)

    def tells_of_another_place(self, text: str, told: Sequence[str]) -> bool:
        """Whether a text is of a campus or building that what is told already is not of, and the question of none."""
        own = places_of(text)
        others = frozenset().union(*map(places_of, told))
        return bool(own and others) and own.isdisjoint(others) and not places_of(self._question)

    def place_above(self, source: Source, heading: str, text: str) -> str:
        """The heading or title above a text that names the campus or building it is of; "" where none does, or where
        the text or the question names it. `heading` are all that the text stands under, as one."""
        path = source.hit.passage.chunk.heading_path
        nearest = heading.removeprefix(" ".join(path[-2:])).strip()
        above = next((one for one in (nearest, *path[-1:], source.title) if places_of(one)), "")
        named = words_of(text) | self._words
        return "" if places_of(above) & named else above.rstrip("?:. ")
