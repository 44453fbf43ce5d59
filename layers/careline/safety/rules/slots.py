"""Named alternatives inside patterns, and the marks that keep long word lists out of the compiled patterns.

A medicine list of two hundred names used by thirty patterns would be compiled thirty times. Instead each word of such
a list is looked up once per text and marked: `dafalgan` becomes `dafalgan` followed by the control character that
stands for the slot, and the pattern asks for the mark. Entries of several words, or with RE2 in them, stay there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from careline.errors import PackInvalid
from careline.safety.rules.plain_text import Plain

MARKS = r"[\x01-\x1f]*"
"""RE2 for the marks that may follow any word."""

UNMARKED = dict.fromkeys(range(1, 32))
"""Takes the marks out of a text, by `str.translate`."""

_MOST_MARKS = 31
_WORTH_A_MARK = 8
_GAPS = (
    (" .... ", rf" (?:(?:[a-z0-9\x20]{MARKS}){{0,39}} )?"),
    (" ... ", " (?:[a-z0-9]+ ){0,7}"),
    (" .. ", " (?:[a-z0-9]+ ){0,2}"),
)
_NOT_THE_END = r"[\x01-\x2d\x2f-\x7f]"
"""What `[^.]` means in a pattern; said in ASCII it compiles to a tenth of the size."""
_SENTENCE_END = rf"(?:{MARKS} )?(?:\. |$)"
_REFERENCE = re.compile(r"( ?)\{([a-z_]+)(\??)\}( ?)")
_NAMED = re.compile(r"\{([a-z_]+)\??\}")
_ONE_REFERENCE = re.compile(r"\{([a-z_]+)\}")
_BRACKET_OR_BAR = re.compile(r"[()|]")
_WORD = re.compile(r"[a-z0-9]+")


class Slots:
    """The slots of one rule set. Patterns made by `fill` find their slots in text made by `mark`.

    `patterns` are all that will be filled, as they are written, each with where it stands: the first long slots that
    they reach get a mark.
    """

    def __init__(self, file: str, written: Mapping[str, str], patterns: Iterable[tuple[str, str]]) -> None:
        self._file = file
        self._written = written
        self._patterns: dict[str, str] = {}
        self._listed: dict[str, list[str]] = {}
        self._inner: dict[str, list[str]] = {}
        self._open: list[str] = []
        self._reached: dict[str, bool] = {}
        for where, pattern in patterns:
            self._reach(where, pattern)
        long = [name for name, worth in self._reached.items() if worth]
        self._mark_of = {name: chr(number) for number, name in enumerate(long[:_MOST_MARKS], start=1)}
        self._marks: dict[str, str] = {}
        for name, mark in self._mark_of.items():
            for word in dict.fromkeys(_words(self._entries("a pattern", name))):
                self._marks[word] = self._marks.get(word, "") + mark

    def fill(self, where: str, pattern: str) -> str:
        """The pattern as RE2 over marked text. Raises: PackInvalid when it is empty or a slot is not sound."""
        filled = self._references(where, pattern).replace("[^.]", _NOT_THE_END)
        return filled.replace(" ", f"{MARKS} ").replace("$", _SENTENCE_END)

    def mark(self, text: Plain) -> str:
        """The text with every word followed by the marks of the slots that list it."""
        marks = self._marks
        return f" {' '.join([word + marks[word] if word in marks else word for word in text.split()])} "

    def unused(self) -> tuple[str, ...]:
        """Slots that no pattern reaches."""
        return tuple(name for name in self._written if name not in self._reached)

    def _references(self, where: str, pattern: str) -> str:
        pattern = " ".join(pattern.split())
        if not pattern:
            raise PackInvalid(f"{self._file}: {where}: empty pattern")
        for gap, meaning in _GAPS:
            pattern = pattern.replace(gap, meaning)
        if ".." in pattern:
            raise PackInvalid(f"{self._file}: {where}: a gap must stand between two spaces")
        return _REFERENCE.sub(lambda found: self._reference(where, found), pattern)

    def _reference(self, where: str, found: re.Match[str]) -> str:
        before, name, optional, after = found.groups()
        inner = f"(?:{self._pattern(where, name)})"
        if not optional:
            return f"{before}{inner}{after}"
        return f"(?:{before}{inner})?{after}" if before else f"(?:{inner}{after})?"

    def _pattern(self, where: str, name: str) -> str:
        if name not in self._patterns:
            entries = self._entries(where, name)
            self._open.append(name)
            words = _words(entries)
            if name in self._mark_of:
                words = [rf"[a-z0-9]+{MARKS}\x{ord(self._mark_of[name]):02x}"]
            others = [self._references(f"slot {name}", each) for each in entries if not _WORD.fullmatch(each)]
            self._open.pop()
            self._patterns[name] = "|".join([*words, *others])
        return self._patterns[name]

    def _reach(self, where: str, pattern: str) -> None:
        """Note the slots of a pattern, inner before outer ones, each with whether its words are worth a mark."""
        for name in _NAMED.findall(pattern):
            if name in self._reached:
                continue
            entries = self._entries(where, name)
            self._reach(f"slot {name}", "".join(self._inner[name]))
            self._reached[name] = len(_words(entries)) >= _WORTH_A_MARK
            self._reach(f"slot {name}", "|".join(entries))

    def _entries(self, where: str, name: str) -> list[str]:
        """Alternatives of a slot, those of the slots it lists among them."""
        if name not in self._written:
            raise PackInvalid(f"{self._file}: {where}: there is no slot {name}")
        if name in self._open:
            raise PackInvalid(f"{self._file}: slot {name} uses itself")
        if name not in self._listed:
            self._open.append(name)
            entries = list(_alternatives(self._written[name]))
            self._inner[name] = [entry for entry in entries if _ONE_REFERENCE.fullmatch(entry)]
            self._listed[name] = [one for entry in entries for one in self._meant(name, entry)]
            self._open.pop()
        return self._listed[name]

    def _meant(self, name: str, entry: str) -> list[str]:
        if not entry:
            raise PackInvalid(f"{self._file}: slot {name} has an empty entry")
        listed = _ONE_REFERENCE.fullmatch(entry)
        return self._entries(f"slot {name}", listed.group(1)) if listed else [entry]


def _words(entries: Iterable[str]) -> list[str]:
    """Those entries that are one plain word."""
    return [entry for entry in entries if _WORD.fullmatch(entry)]


def _alternatives(written: str) -> Iterator[str]:
    """Parts between the bars that stand in no bracket."""
    written = " ".join(written.split())
    depth = start = 0
    for found in _BRACKET_OR_BAR.finditer(written):
        depth += {"(": 1, ")": -1}.get(found[0], 0)
        if found[0] == "|" and depth == 0:
            yield written[start : found.start()].strip()
            start = found.end()
    yield written[start:].strip()
