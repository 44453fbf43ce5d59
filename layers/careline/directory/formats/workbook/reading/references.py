"""Who is meant by what a row names: an id, or a name in any language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches

from careline.directory.formats.identifiers import folded
from careline.directory.formats.workbook.lists import split_list
from careline.directory.formats.workbook.words import CellWrong

_KINDS = {"campuses": "campus", "departments": "department", "doctors": "doctor", "contacts": "contact"}
LONGEST = 4_000
"""Characters of a cell that names several."""
_MOST_COMMAS = 6
"""Commas that a name may hold."""
SHORTEST = 3
"""Letters of which a part of a name has to have at least so many."""
MOST_GUESSES = 200
"""Names of one workbook, each counted once, for which others are looked through."""
MOST_LIKE = 2_000
"""Names among which the nearest is looked for."""
_AND = re.compile(r" (?:and|en|et|ed|e|&) ")


@dataclass(slots=True)
class Names:
    """The rows of each sheet that others may name. A word of theirs counts where it is a name of nothing else.

    `titles` are those of the sheets of the workbook, by section.
    """

    titles: Mapping[str, str]
    ids: dict[str, list[str]] = field(default_factory=dict)
    _names: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    _words: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    _shown: dict[tuple[str, str], str] = field(default_factory=dict)
    """A name as it was written, by what is left of it."""
    _known: set[tuple[str, str]] = field(default_factory=set)
    _guessed: dict[tuple[str, str], Sequence[str]] = field(default_factory=dict)

    def add(self, section: str, entry_id: str, names: Iterable[str], words: Iterable[str] = ()) -> None:
        """One row with its names and with other words for it."""
        self.ids.setdefault(section, []).append(entry_id)
        self._known.add((section, entry_id))
        for known, some in ((self._names, [entry_id, *names]), (self._words, words)):
            of_section = known.setdefault(section, {})
            for one, text in {folded(text): text for text in some if folded(text)}.items():
                meant = of_section.setdefault(one, [])
                if entry_id not in meant:
                    meant.append(entry_id)
                if known is self._names:
                    self._shown[section, one] = " ".join(text.split())

    def find(self, section: str, text: str) -> str | None:
        """The id of what a text names. Raises: CellWrong where it names several."""
        if (section, text) in self._known:
            return text
        word = folded(text)
        found = self._names.get(section, {}).get(word) or self._words.get(section, {}).get(word) or []
        if len(found) > 1:
            raise CellWrong(f"names more than one {_KINDS[section]}; write the id")
        return found[0] if found else None

    def near(self, section: str, text: str) -> str | None:
        """The id of the only one whose name begins with a text or holds it as whole words."""
        meant = self._near(section, folded(text))
        return meant[0] if len(meant) == 1 else None

    def _near(self, section: str, word: str) -> Sequence[str]:
        """The ids of all whose name begins with a word or holds it."""
        guessed = self._guessed.get((section, word))
        if guessed is not None:
            return guessed
        found: list[str] = []
        if len(word) >= SHORTEST and len(self._guessed) < MOST_GUESSES:
            known = self._names.get(section, {}).items()
            found = [one for name, ids in known if name.startswith(word) or f" {word} " in f" {name} " for one in ids]
        self._guessed[section, word] = found = list(dict.fromkeys(found))
        return found

    def one(self, section: str, text: str) -> str:
        """The id of what a text names, or nearly names. Raises: CellWrong, with the nearest name."""
        found = self.find(section, text) or self.near(section, text)
        if found is None:
            kind, sheet = _KINDS[section], self.titles[section]
            like = self.like(section, text)
            raise CellWrong(f"no {kind} has this name or id{like}; write it as in the sheet {sheet}")
        return found

    def like(self, section: str, text: str) -> str:
        """The nearest names, as a question behind a semicolon; nothing where there are none."""
        word = folded(text)
        if len(self._guessed) > MOST_GUESSES or not word:
            return ""
        known = self._names.get(section, {})
        meant = set(self._near(section, word))
        like = [name for name, ids in known.items() if meant & set(ids)][:3] if meant else []
        like = like or get_close_matches(word[:100], list(known)[:MOST_LIKE], n=1)
        shown = " or ".join(f'"{self._shown[section, name]}"' for name in like)
        return f"; did you mean {shown}?" if shown else ""

    def several(self, section: str, text: str) -> list[str]:
        """The ids of what a text names, with ; or , between; a name may hold commas itself. Raises: CellWrong."""
        if len(text) > 4 * LONGEST:
            raise CellWrong("is too long")
        whole = self.find(section, text)
        if whole is not None:
            return [whole]
        parts = split_list(text) if ";" in text or "\n" in text or '"' in text else [text]
        return _once([one for part in parts for one in self._between_commas(section, part)])

    def _between_commas(self, section: str, text: str) -> list[str]:
        whole = self.find(section, text)
        if whole is not None:
            return [whole]
        parts = [part for one in text.split(",") if (part := one.strip())]
        found: list[str] = []
        at = 0
        while at < len(parts):
            for end in range(min(len(parts), at + _MOST_COMMAS), at, -1):
                entry = self.find(section, ", ".join(parts[at:end]))
                if entry is not None:
                    break
            found += [entry] if entry is not None else self._joined(section, parts[at])
            at = end
        return found

    def _joined(self, section: str, text: str) -> list[str]:
        """One, or several with a word for "and" between."""
        parts = _AND.split(text)
        if len(parts) == 1 or self.near(section, text):
            return [self.one(section, text)]
        found = [one for part in parts if (one := self.find(section, part) or self.near(section, part))]
        return found if len(found) == len(parts) else [self.one(section, text)]

    def only(self, section: str) -> str | None:
        """The one that is meant where none is named, as there is no other."""
        known = self.ids.get(section, [])
        return known[0] if len(known) == 1 else None


def _once(found: list[str]) -> list[str]:
    return list(dict.fromkeys(found))
