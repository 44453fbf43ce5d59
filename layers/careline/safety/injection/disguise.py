"""Undoes the disguises that hide an instruction from a screen, and gives each thing the text may be read as."""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from careline.safety.classifiers.letter_statistics import Letters, read_letters
from careline.safety.injection.decode import decodings
from careline.safety.rules.plain_text import normalise

DATA = Path(__file__).parent / "data"
_TAGS = {code: chr(code - 0xE0000) for code in range(0xE0020, 0xE007F)}
_INVISIBLE = dict.fromkeys(
    [0xAD, 0x180E, 0xFEFF, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070)]
)
_HIDDEN_INSIDE = re.compile(
    "[A-Za-z][\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]+[A-Za-z]|[\U000e0020-\U000e007e]|\u202e"
)
_TOKEN = re.compile(r"\S+")
_SPELLED = re.compile(r"(?<![^\W_])[^\W\d_](?:[\s.\-_*/|,·+:]{1,4}[^\W\d_](?![^\W_])){4,}")
_WIDE_GAP = re.compile(r"\s{2,}|\s*[/|]\s*|\s[._\-]\s")
_INNER_MARKS = re.compile(r"(?<=[^\W\d_])[.\-_*~|'’^\\`/]{1,3}(?=[^\W\d_])")
_LONG_TOKEN, _LONGEST_WORD, _SPELLED_OUT = 14, 24, 20
_ENOUGH = 3
"""Words that must come out of a disguise before the disguise alone tells."""


@dataclass(frozen=True, slots=True)
class PlainReading:
    """The text without one disguise. `telling`: it is hidden on purpose, whatever it says."""

    trick: str
    text: str
    telling: bool


@dataclass(frozen=True, slots=True)
class Disguises:
    """What letters are hidden behind."""

    look_alikes: Mapping[int, str]
    digits: Mapping[int, str]
    digits_otherwise: Mapping[int, str]
    glosses: re.Pattern[str]
    meanings: Mapping[str, str]
    letters: Letters

    def readings(self, text: str) -> Iterator[PlainReading]:
        """Further readings of a text, none for most. Decoded text is read once more. Time is linear in the text."""
        yield from self._readings(text)
        for code, decoded in decodings(text):
            known = self._known(decoded)
            yield PlainReading(code, decoded, known >= 2 or (known == 1 and len(decoded) < 12))
            yield from self._readings(decoded)

    def _readings(self, text: str) -> Iterator[PlainReading]:
        seen = text
        if not text.isascii():
            seen = self._unveil(text)
            if seen != text:
                yield PlainReading("look-alikes", seen, bool(_HIDDEN_INSIDE.search(text)) or _mixes_scripts(text))
            if self.glosses.search(seen):
                yield PlainReading("other-script", self.glosses.sub(self._gloss, seen), False)
        yield from self._digits(seen)
        yield from self._spelled(seen)
        words = normalise(seen).split()
        yield from self._parted(seen, words)
        yield from self._glued(words)
        yield from self._turned(words)

    def _unveil(self, text: str) -> str:
        text = unicodedata.normalize("NFKC", text.translate(_TAGS)).translate(_INVISIBLE)
        if not re.search("[a-zA-Z]", text):
            return text
        return _TOKEN.sub(lambda found: self._latin(found.group()), text)

    def _latin(self, token: str) -> str:
        meant = token.lower().translate(dict(self.look_alikes))
        return meant if not token.isascii() and any("a" <= each <= "z" for each in meant) else token

    def _gloss(self, found: re.Match[str]) -> str:
        return f" {self.meanings[found.group()]} "

    def _digits(self, text: str) -> Iterator[PlainReading]:
        """Words with digits for letters, where a known word comes out."""
        meant = 0

        def undo(found: re.Match[str]) -> str:
            nonlocal meant
            token = found.group().lower()
            if token.isalpha() or not any(each.isalpha() for each in token):
                return token
            for table in (self.digits, {**self.digits, **self.digits_otherwise}):
                word = normalise(token.translate(dict(table))).strip(" .")
                if len(word) > 1 and word in self.letters.known and word != normalise(token).strip(" ."):
                    meant += len(word) > 3 and any(map(str.isdigit, token.strip(string.punctuation)))
                    return word
            return token

        undone = _TOKEN.sub(undo, text)
        if meant:
            yield PlainReading("digits-for-letters", undone, meant >= _ENOUGH)

    def _spelled(self, text: str) -> Iterator[PlainReading]:
        spelled = [found.group() for found in _SPELLED.finditer(text)]
        if spelled:
            longest = max(sum(map(str.isalpha, each)) for each in spelled)
            joined = _SPELLED.sub(lambda found: self._joined(found.group()), text)
            yield PlainReading("spelled-out", joined, longest >= _SPELLED_OUT and "@" not in text)

    def _joined(self, spelled: str) -> str:
        words = ["".join(filter(str.isalpha, part)) for part in _WIDE_GAP.split(spelled)]
        words = [spelled] if any(len(word) < 2 for word in words) and len(words) > 3 else words
        plain = [normalise("".join(filter(str.isalpha, word))).strip() for word in words]
        return " ".join(word if word in self.letters.known else self._segmented(word) for word in plain)

    def _parted(self, text: str, words: list[str]) -> Iterator[PlainReading]:
        """Words split by marks or spaces, put together where that makes a known word."""
        bare = _INNER_MARKS.sub("", text)
        known = self.letters.known
        if bare == text and known.issuperset(words):
            return
        joined: list[str] = []
        for word in words if bare == text else normalise(bare).split():
            for back in (2, 1):
                parts = joined[-back:]
                whole = "".join(parts) + word
                if len(parts) == back and len(whole) > 4 and whole in known and not known.issuperset([*parts, word]):
                    del joined[-back:]
                    word = whole
                    break
            joined.append(word)
        if joined != words:
            yield PlainReading("parted-words", " ".join(joined), False)

    def _glued(self, words: list[str]) -> Iterator[PlainReading]:
        if any(len(word) >= _LONG_TOKEN and word not in self.letters.known for word in words):
            yield PlainReading("glued-words", " ".join(self._segmented(each) for each in words), False)

    def _segmented(self, run: str) -> str:
        """The run of letters as known words, as few and long as they come; unchanged where too much stays unknown."""
        if len(run) < _LONG_TOKEN // 2 or run in self.letters.known:
            return run
        run = run[:400]
        best: list[tuple[float, int]] = [(0.0, 0)]
        for end in range(1, len(run) + 1):
            best.append(
                min(
                    (best[start][0] + self._cost(run[start:end]), start)
                    for start in range(max(0, end - _LONGEST_WORD), end)
                )
            )
        words: list[str] = []
        end = len(run)
        while end:
            words.append(run[best[end][1] : end])
            end = best[end][1]
        return " ".join(reversed(words))

    def _cost(self, piece: str) -> float:
        return 1.0 + 2.0 / len(piece) if piece in self.letters.known else 3.0 * len(piece)

    def _turned(self, words: list[str]) -> Iterator[PlainReading]:
        """Text written backwards or with its letters moved along the alphabet, where known words come out."""
        strange = [word for word in words if len(word) > 3 and word not in self.letters.known]
        if not strange or len(strange) * 3 < sum(len(word) > 3 for word in words):
            return
        for trick, turn in _TURNS:
            meant = sum(turn(word) in self.letters.known for word in strange)
            if meant >= 2 or (meant and len(strange) == 1):
                turned = [turn(word) for word in words]
                yield PlainReading(trick, " ".join(turned), meant >= _ENOUGH)
                if trick == "backwards":
                    yield PlainReading(trick, " ".join(reversed(turned)), False)

    def _known(self, text: str) -> int:
        return sum(len(word) > 3 and word in self.letters.known for word in normalise(text).split())


def _mixes_scripts(text: str) -> bool:
    return any(_mixed(token) for token in text.split())


def _mixed(token: str) -> bool:
    """Latin beside Cyrillic in one word, or beside two Greek letters: one alone is a unit or a medicine."""
    latin = any(each.isascii() and each.isalpha() for each in token)
    cyrillic = sum("\u0400" <= each <= "\u052f" for each in token)
    greek = sum("\u0370" <= each <= "\u03ff" for each in token)
    return latin and (cyrillic > 0 or greek > 1)


def _moved(by: int) -> Callable[[str], str]:
    table = str.maketrans(string.ascii_lowercase, string.ascii_lowercase[by:] + string.ascii_lowercase[:by])
    return lambda word: word.translate(table)


def _mirrored(word: str) -> str:
    return word.translate(str.maketrans(string.ascii_lowercase, string.ascii_lowercase[::-1]))


_TURNS: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("backwards", lambda word: word[::-1]),
    ("mirrored-alphabet", _mirrored),
    *((f"moved-alphabet-{by}", _moved(by)) for by in range(1, 26)),
)


@cache
def read_disguises() -> Disguises:
    """The disguises as the data files describe them, read when first asked for."""
    held = yaml.load((DATA / "disguises.yaml").read_bytes(), Loader=yaml.CSafeLoader)
    scripts = yaml.load((DATA / "scripts.yaml").read_bytes(), Loader=yaml.CSafeLoader)
    meanings = {unicodedata.normalize("NFKC", word): meaning for meaning, words in scripts.items() for word in words}
    longest_first = sorted(meanings, key=len, reverse=True)
    digits = _table(held["digits"])
    return Disguises(
        look_alikes=_table(held["look_alikes"]),
        digits=digits,
        digits_otherwise=_table(held["digits_otherwise"]),
        glosses=re.compile("|".join(map(re.escape, longest_first))),
        meanings=meanings,
        letters=read_letters(),
    )


def _table(written: Mapping[str, Any]) -> dict[int, str]:
    return {ord(seen): meant.lower() for seen, meant in zip(written["seen"], written["meant"], strict=True)}
