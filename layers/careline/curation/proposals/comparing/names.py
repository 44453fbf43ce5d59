"""Tells which entries of a directory a label means, by their names and other words for them in every language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property, lru_cache
from typing import Any, TypeVar

from careline.curation.proposals.comparing.owners import Owners
from careline.curation.proposals.reading.amounts import without_unit
from careline.curation.proposals.reading.words import meaning
from careline.directory.directory import Directory
from careline.directory.entries import Tariff
from careline.text.analysers import analyser, code_of
from careline.text.figure_words import plain
from careline.text.label_words import LabelWord, label_words, vocabulary

_TOKEN = re.compile(r"[a-z0-9]+")
_JOINS = re.compile(r" en | and | et | e |, | & ")
_SHORTEST_NAMED = 3
"""Letters of a common word that names nothing: articles and the like."""
_GENERIC = frozenset(
    "department campus phone opening closing visit consultation hour day week building route floor address reception "
    "internal external number_of person night".split()
)
"""Concepts of words that name no service by themselves."""
_Named = TypeVar("_Named")
Tokens = tuple[str, ...]
Entries = tuple[tuple[str, str], ...]
"""Section and id of each."""


def tokens_of(text: str) -> Tokens:
    """The words of a name as they are compared."""
    return tuple(_TOKEN.findall(plain(text)))


@dataclass(frozen=True, slots=True)
class Meant:
    """What labels mean: campuses and entries that they name, and the words of them that name something else."""

    campuses: tuple[str, ...] = ()
    entries: tuple[tuple[str, str], ...] = ()
    """Section and id."""
    left: tuple[str, ...] = ()


@dataclass(frozen=True)
class DirectoryNames:
    """The names of one directory."""

    directory: Directory

    @cached_property
    def owners(self) -> Owners:
        """Whom the directory has at numbers, addresses to write to, and routes."""
        return Owners(self.directory)

    @cached_property
    def _campuses(self) -> Mapping[Tokens, str]:
        found: dict[Tokens, str] = {}
        before = vocabulary().before_names
        for one in self.directory.campuses:
            words = [*one.names.values(), *([one.name] if one.name else []), *_wordings(one.synonyms)]
            for name in words:
                tokens = tokens_of(name)
                bare = tuple(token for token in tokens if token not in before)
                for each in (tokens, bare):
                    if each:
                        found.setdefault(each, one.id)
        return found

    @cached_property
    def tariffs(self) -> Mapping[frozenset[str], tuple[Tariff, ...]]:
        """The tariffs by what their subject, or another word for it, and their condition mean."""
        return self._tariffs(with_condition=True)

    @cached_property
    def tariffs_of_subject(self) -> Mapping[frozenset[str], tuple[Tariff, ...]]:
        """The tariffs by what their subject alone means, or another word for it."""
        return self._tariffs(with_condition=False)

    def _tariffs(self, *, with_condition: bool) -> Mapping[frozenset[str], tuple[Tariff, ...]]:
        found: dict[frozenset[str], dict[str, Tariff]] = {}
        for one in self.directory.tariffs:
            for code, subject in one.subject.items():
                for name in (subject, *one.synonyms.get(code, ())):
                    bare = self.without_campus_names(without_unit(name, code, one.unit))
                    said = meaning(f"{bare} {one.condition.get(code, '')}" if with_condition else bare, code)
                    found.setdefault(said, {})[one.id] = one
        return {key: tuple(held.values()) for key, held in found.items()}

    @cached_property
    def tariffs_as_written(self) -> frozenset[tuple[str | None, str, str, str, Decimal]]:
        """Campus, language, subject, condition and amount of every tariff."""
        return frozenset(
            (one.campus, code, subject, one.condition.get(code, ""), one.amount)
            for one in self.directory.tariffs
            for code, subject in one.subject.items()
        )

    _kept: dict[tuple[str, bool], Mapping[Tokens, Entries]] = field(default_factory=dict, compare=False)

    def _services(self, language: str) -> Mapping[Tokens, Entries]:
        return self._by_stems(language, with_synonyms=True)

    def _titles(self, language: str) -> Mapping[Tokens, Entries]:
        """Names alone: another word for a department in a heading may stand there for anything."""
        return self._by_stems(language, with_synonyms=False)

    def _by_stems(self, language: str, *, with_synonyms: bool) -> Mapping[Tokens, Entries]:
        """The entries of each name, its words cut to the stems that a text of a language has."""
        if (language, with_synonyms) not in self._kept:
            found: dict[Tokens, Entries] = {}
            for tokens, entries in self._named(with_synonyms=with_synonyms).items():
                stems = _stems(tokens, language)
                found[stems] = tuple(dict.fromkeys((*found.get(stems, ()), *entries)))
            self._kept[language, with_synonyms] = found
        return self._kept[language, with_synonyms]

    def _named(self, *, with_synonyms: bool) -> Mapping[Tokens, Entries]:
        found: dict[Tokens, list[tuple[str, str]]] = {}
        for section in ("departments", "contacts"):
            for one in self.directory.entries(section):
                names: dict[str, str] = getattr(one, "names")  # noqa: B009
                synonyms = _wordings(getattr(one, "synonyms")) if with_synonyms else ()  # noqa: B009
                said = [*names.values(), *synonyms]
                for name in (*said, *(part for each in names.values() for part in _parts(each))):
                    held = found.setdefault(tokens_of(name), [])
                    if (section, one.id) not in held:
                        held.append((section, one.id))
        found.pop((), None)
        return {tokens: tuple(held) for tokens, held in found.items()}

    def title(self, text: str, language: str) -> Entries:
        """The entries that a heading names by their own names."""
        found: list[tuple[str, str]] = []
        for _, entries in _taken(_stems(tokens_of(text), language), self._titles(language), None):
            found += [one for one in entries if one not in found]
        return tuple(found)

    def without_campuses(self, label: str, language: str) -> str:
        """A label without the parts between commas that name a campus alone."""
        parts = [part.strip() for part in label.split(", ")]
        return ", ".join(part for part in parts if part.strip(" ,") and not self.is_campus(part, language))

    def without_campus_names(self, text: str) -> str:
        """The words of a text, in plain letters, without those that name campuses."""
        tokens = tokens_of(text)
        taken = [False] * len(tokens)
        if not _taken(tokens, self._campuses, taken):
            return text
        return " ".join(token for token, is_taken in zip(tokens, taken, strict=True) if not is_taken)

    def without_place(self, label: str, language: str) -> str:
        """A label without the campus that it names as a part of its own or as its last words: "Parking" of "Parking at
        campus North"; one that is nothing else stays."""
        parts = [self._ended(part, language) for part in self.without_campuses(label, language).split(": ")]
        return ": ".join(part for part in parts if part) or label

    def _ended(self, text: str, language: str) -> str:
        """A text without the campus in its last words, and without what leads to it."""
        said = plain(text)
        found = list(_TOKEN.finditer(said)) if len(said) == len(text) else []
        taken = [False] * len(found)
        _taken(tuple(one[0] for one in found), self._campuses, taken)
        known, kept = vocabulary(), len(found)
        if kept and not taken[-1] and found[-1][0] in known.before_names:
            # "Single room, North campus".
            kept -= 1
        if not (kept and taken[kept - 1]):
            return text
        while kept and (taken[kept - 1] or found[kept - 1][0] in known.before_names | known.before_places):
            kept -= 1
        return text[: found[kept - 1].end()] if kept else ""

    def meant(self, text: str, language: str) -> Meant:
        """What one label or heading means."""
        tokens = tokens_of(text)
        taken = [False] * len(tokens)
        campuses = [found for _, found in _taken(tokens, self._campuses, taken)]
        services = [found for _, found in _taken(_stems(tokens, language), self._services(language), taken)]
        entries = services[0] if services else ()
        for other in services[1:]:
            # "Orthopedie en revalidatie" is neither of two.
            entries = tuple(one for one in entries if one in other) or (*entries, *other)
        left = _informative([token for token, is_taken in zip(tokens, taken, strict=True) if not is_taken], language)
        return Meant(tuple(dict.fromkeys(campuses)), tuple(dict.fromkeys(entries)), left)

    def is_generic(self, label: str, language: str) -> bool:
        """Whether a label is words for departments, campuses, numbers and the like, which name none."""
        said = label_words(label, language)
        return all(
            word.number is not None
            or word.concepts & _GENERIC
            or word.text in vocabulary().before_names
            or _is_short(word)
            for word in said
        )

    def campus(self, text: str) -> str | None:
        """The one campus that a text names."""
        found = {one for _, one in _taken(tokens_of(text), self._campuses, None)}
        return next(iter(found)) if len(found) == 1 else None

    def is_same_campus(self, one: str | None, other: str | None) -> bool:
        """Whether two campuses are the same; none is the one that there is, where there is one alone."""
        return one == other or (len(self.directory.campuses) == 1 and None in (one, other))

    def is_campus(self, text: str, language: str) -> bool:
        """Whether a text names a campus and nothing else."""
        meant = self.meant(text, language)
        return len(meant.campuses) == 1 and not meant.left and not meant.entries


def _stems(tokens: Tokens, language: str) -> Tokens:
    return tuple(_stem(token, language) for token in tokens)


@lru_cache(maxsize=20_000)
def _stem(token: str, language: str) -> str:
    """A word of more than three letters without its ending, so that "prise" and "prises" are one."""
    found = analyser(code_of(language)).analyze(token) if len(token) > 3 else []
    return found[0] if found else token


def _parts(name: str) -> list[str]:
    """What a name joins, which stands alone too: "Bloedafname" of "Bloedafname en laboratorium"."""
    parts = [part.strip() for part in _JOINS.split(name)]
    return [part for part in parts if len(part) > 3] if len(parts) > 1 else []


def _is_short(word: LabelWord) -> bool:
    return word.is_talk and len(word.text) <= _SHORTEST_NAMED


def _wordings(wordings: Mapping[Any, Iterable[str]]) -> Iterator[str]:
    return (word for listed in wordings.values() for word in listed)


def _taken(
    tokens: Tokens, names: Mapping[Tokens, _Named], taken: list[bool] | None
) -> list[tuple[int, _Named]]:  # fmt: skip
    """The names in a text, the longest at each place, and the tokens that they take."""
    longest = max(map(len, names), default=0)
    found: list[tuple[int, _Named]] = []
    at = 0
    while at < len(tokens):
        for length in range(min(longest, len(tokens) - at), 0, -1):
            if taken is not None and any(taken[at : at + length]):
                continue
            if (held := names.get(tokens[at : at + length])) is not None:
                found.append((at, held))
                if taken is not None:
                    taken[at : at + length] = [True] * length
                at += length - 1
                break
        at += 1
    return found


def _informative(tokens: Sequence[str], language: str) -> tuple[str, ...]:
    """The words that name something: no articles and the like, no "department" or "telephone"."""
    found = []
    for token in tokens:
        for word in label_words(token, language):
            is_generic = bool(word.concepts) and word.concepts <= _GENERIC
            names_nothing = word.is_talk or is_generic or word.number is not None
            if not names_nothing and word.text not in vocabulary().before_names:
                found.append(token)
    return tuple(found)
