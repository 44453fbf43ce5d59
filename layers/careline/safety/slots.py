"""Named alternatives inside patterns, and the marks that keep long word lists out of the compiled patterns.

A medicine list of two hundred names used by thirty patterns would be compiled thirty times. Instead each word of such
a list is looked up once per text and marked: `dafalgan` becomes `dafalgan` followed by the control character that
stands for the slot, and the pattern asks for the mark. Entries of several words, or with RE2 in them, stay there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from careline.errors import PackInvalid
from careline.safety.plain_text import Plain

MARKS = r"[\x01-\x1f]*"
"""RE2 for the marks that may follow any word."""

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
_ONE_REFERENCE = re.compile(r"\{([a-z_]+)\}")
_WORD = re.compile(r"[a-z0-9]+")


class Slots:
    """The slots of one book. Patterns made by `fill` find their slots in text made by `mark`."""

    def __init__(self, file: str, written: Mapping[str, str]) -> None:
        self._file = file
        self._written = written
        self._patterns: dict[str, str] = {}
        self._open: list[str] = []
        self._marks: dict[str, str] = {}
        self._next_mark = 1

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
        return tuple(name for name in self._written if name not in self._patterns)

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
            words: list[str] = []
            others: list[str] = []
            for entry in self._entries(where, name):
                (words if _WORD.fullmatch(entry) else others).append(entry)
            if len(words) >= _WORTH_A_MARK and self._next_mark <= _MOST_MARKS:
                words = [self._marked(words)]
            self._patterns[name] = "|".join([*words, *(self._references(f"slot {name}", each) for each in others)])
        return self._patterns[name]

    def _marked(self, words: list[str]) -> str:
        mark = chr(self._next_mark)
        self._next_mark += 1
        for word in dict.fromkeys(words):
            self._marks[word] = self._marks.get(word, "") + mark
        return rf"[a-z0-9]+{MARKS}\x{ord(mark):02x}"

    def _entries(self, where: str, name: str) -> Iterator[str]:
        """Alternatives of a slot, those of the slots it lists among them."""
        if name not in self._written:
            raise PackInvalid(f"{self._file}: {where}: there is no slot {name}")
        if name in self._open:
            raise PackInvalid(f"{self._file}: slot {name} uses itself")
        self._open.append(name)
        for entry in _alternatives(self._written[name]):
            if not entry:
                raise PackInvalid(f"{self._file}: slot {name} has an empty entry")
            listed = _ONE_REFERENCE.fullmatch(entry)
            if listed:
                self._pattern(f"slot {name}", listed.group(1))
                yield from self._entries(f"slot {name}", listed.group(1))
            else:
                yield entry
        self._open.pop()


def _alternatives(written: str) -> Iterator[str]:
    """Parts between the bars that stand in no bracket."""
    depth = 0
    entry = ""
    for character in " ".join(written.split()):
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == "|" and depth == 0:
            yield entry.strip()
            entry = ""
        else:
            entry += character
    yield entry.strip()
