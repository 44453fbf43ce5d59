"""Finds the names of a hospital's sites in its documents, and which of them "the other campus" is."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from careline.model import Hit
from careline.search.asked_words import listed
from careline.search.label_words import folded, question_words

NOUNS = ("campus", "hospital", "clinic")
_WORD = re.compile(r"[^\W\d_]+(?:[-\u2010\u2011][^\W\d_]+)*")
_BETWEEN = 2
"""Small words that may stand between "clinic" and its name: "clinica pediatrica Il Grillo", "hôpital de la Vallée"."""
_JOINS = frozenset((" ", " «", " « ", " “", " ‘"))
"""What may stand before a name."""
_WITHIN = frozenset((" ", "'", "’"))
_LONGEST_NAME = 3
_SHORTEST_PART = 4
"""Letters of a part of a name by which a question may name it: "walburge" for Sainte-Walburge."""


@dataclass(frozen=True, slots=True)
class Sites:
    """How often each site is named, by its name, and behind which kinds of nouns."""

    counts: Counter[str]
    nouns: dict[str, frozenset[str]]

    def named_in(self, text: str) -> list[str]:
        """The sites that a text names, by any longer part of a name that no other site has."""
        said = set(_parts(text))
        return [name for name in self.counts if said & self._own_parts(name)]

    def other_than(self, name: str, asked: str = "") -> str | None:
        """The site that is meant by another one than that of a name: of the kind that is asked for, or else of the
        same kind, the one that is named most; None without one."""
        others = [one for one in self.counts if one != name]
        kinds = frozenset((asked,)) if asked else self.nouns.get(name, frozenset())
        alike = [one for one in others if kinds & self.nouns.get(one, frozenset())] or others
        return max(alike, key=lambda one: self.counts[one], default=None)

    def _own_parts(self, name: str) -> set[str]:
        others = {part for one in self.counts if one != name for part in _parts(one)}
        return {part for part in _parts(name) if len(part) >= _SHORTEST_PART} - others


def sites_in(hits: Sequence[Hit]) -> Sites:
    """The sites that passages name: behind a noun such as campus or hospital, or as labels of a table beside one."""
    counts: Counter[str] = Counter()
    nouns: dict[str, set[str]] = {}
    for hit in hits:
        for name, noun in set(_behind_nouns(hit)):
            counts[name] += 1
            nouns.setdefault(name, set()).add(noun)
    for hit in hits:
        beside = {name for labels in _label_sets(hit) if counts.keys() & labels for name in labels}
        counts.update(beside)
    for name in sorted(counts, key=len, reverse=True):
        # A name with the next word of the line behind it, such as that of a street.
        shorter = next((one for one in counts if name.startswith(f"{one} ")), None)
        if shorter is not None:
            counts[shorter] += counts.pop(name)
            nouns.setdefault(shorter, set()).update(nouns.pop(name, ()))
    return Sites(counts, {name: frozenset(kinds) for name, kinds in nouns.items()})


def noun_of(text: str) -> str:
    """The kind of the noun of a site that a text has; empty for none."""
    said = {folded(word) for word in _WORD.findall(text)}
    return next((kind for kind in NOUNS if said & listed("site_nouns", kind)), "")


def renamed(text: str, name: str, other: str) -> str:
    """A text with one name in the place of another, however much of it is said; as it is where it says none of it."""
    parts = set(_parts(name))
    found = [word for word in _WORD.finditer(text) if parts & set(_parts(word[0]))]
    if not found:
        return text
    return f"{text[: found[0].start()]}{other}{text[found[-1].end() :]}"


def _behind_nouns(hit: Hit) -> Iterator[tuple[str, str]]:
    language = hit.passage.facts.language
    for line in (line for text in _texts(hit) for line in text.splitlines()):
        words = list(_WORD.finditer(line))
        for at, word in enumerate(words):
            kind = next((kind for kind in NOUNS if folded(word[0]) in listed("site_nouns", kind)), "")
            if kind and (name := _name_behind(line, words[at:], language) or _name_before(line, words[:at], language)):
                yield name, kind


def _name_behind(line: str, words: Sequence[re.Match[str]], language: str) -> str:
    """The name behind the first word, a few small words between: those with capitals and a space between."""
    for start in range(1, min(_BETWEEN + 2, len(words))):
        if _between(line, words[start - 1], words[start]) not in _JOINS | _WITHIN:
            return ""
        if words[start][0][0].isupper():
            end = start + 1
            while end < len(words) and end - start < _LONGEST_NAME and _goes_on(line, words[end - 1], words[end]):
                end += 1
            return _as_name(line[words[start].start() : words[end - 1].end()], language)
    return ""


def _name_before(line: str, words: Sequence[re.Match[str]], language: str) -> str:
    """The name before a noun, as in English."""
    if language != "en" or not words or not words[-1][0][0].isupper():
        return ""
    start = len(words) - 1
    while start and len(words) - start < _LONGEST_NAME and _goes_on(line, words[start - 1], words[start]):
        start -= 1
    return _as_name(line[words[start].start() : words[-1].end()], language)


def _goes_on(line: str, one: re.Match[str], next_one: re.Match[str]) -> bool:
    return _between(line, one, next_one) in _WITHIN and one[0][0].isupper() and next_one[0][0].isupper()


def _between(line: str, one: re.Match[str], next_one: re.Match[str]) -> str:
    return line[one.end() : next_one.start()].replace("\u00a0", " ").replace("\u202f", " ")


def _as_name(name: str, language: str) -> str:
    """A name; empty where one of its words is no part of any: a noun of the language, a day, a currency."""
    known = [label for word in _WORD.findall(name) for label in question_words(word, language)]
    says = any(label.concepts or label.number is not None for label in known)
    return "" if name.isupper() or says or all(label.is_talk for label in known) else " ".join(name.split())


def _label_sets(hit: Hit) -> Iterator[set[str]]:
    """The labels of a table that stand beside one another, where all of them are names."""
    table = hit.passage.chunk.table
    if table is None:
        return
    columns = [{path[level] for path in table.columns if level < len(path)} for level in (0, 1)]
    stubs = [{row.labels[n] for row in table.rows if n < len(row.labels)} for n in range(len(table.stub))]
    for labels in (*columns, *stubs):
        names = {_label_name(label, hit.passage.facts.language) for label in labels}
        if len(names) > 1 and all(names):
            yield names


def _label_name(label: str, language: str) -> str:
    """The name that a label is, up to a comma: "Rosenberg, route 5"; empty where it is no name."""
    words = _WORD.findall(label.partition(",")[0].partition("(")[0])
    while words and any(folded(words[0]) in listed("site_nouns", kind) for kind in NOUNS):
        words = words[1:]
    small = [word for word in words if not word[0].isupper()]
    return "" if small or len(words) > _LONGEST_NAME else _as_name(" ".join(words), language)


def _texts(hit: Hit) -> Iterable[str]:
    yield hit.passage.facts.title
    yield from hit.passage.chunk.heading_path
    yield hit.passage.chunk.text


def _parts(text: str) -> list[str]:
    return [part for word in _WORD.findall(folded(text)) for part in re.split(r"[-\u2010\u2011]", word)]
