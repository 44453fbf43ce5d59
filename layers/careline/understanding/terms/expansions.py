"""Writes what an abbreviation stands for behind it, once, as a reader of another department would need it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from careline.model import LANGUAGES
from careline.understanding.terms.lookup import specialties_of
from careline.understanding.terms.words import Word, plain, words_of

_SHORTEST_SAFE = 3
"""Letters from which an abbreviation is read in small letters too."""
_JOINTS = "-'’"
_FEWEST_WORDS = 2
"""Words of a text in capitals, beside its abbreviations, from which capitals mean nothing in it."""


@dataclass(frozen=True, slots=True)
class Expansion:
    """An abbreviation of a text, from `start` to `end` (exclusive), and what it stands for there."""

    abbreviation: str
    expansion: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Abbreviation:
    """How an abbreviation is written, and what it stands for by specialty; by "" where it stands for one thing."""

    written: str
    expansions: Mapping[str, str]

    def meant(self, specialties: tuple[str, ...]) -> str | None:
        """What it stands for in a text about these specialties; None where it is not clear."""
        if "" in self.expansions:
            return self.expansions[""]
        meant = {text for specialty, text in self.expansions.items() if specialty in specialties}
        return meant.pop() if len(meant) == 1 else None


@dataclass(frozen=True, slots=True)
class Abbreviations:
    """The abbreviations of one language by their plain letters; `also_words` are ordinary words besides."""

    known: Mapping[str, Abbreviation]
    also_words: frozenset[str]


@cache
def abbreviations(language: str | None) -> Abbreviations:
    """The abbreviations of a language, or those of English for one that has none; read once."""
    code = language if language in LANGUAGES else "en"
    text = (files(__package__) / "abbreviations" / f"{code}.yaml").read_text("utf-8")
    content: dict[str, Any] = yaml.load(text, Loader=yaml.CSafeLoader)
    known = {
        plain(written): Abbreviation(written, {"": meaning} if isinstance(meaning, str) else meaning)
        for written, meaning in content["abbreviations"].items()
    }
    return Abbreviations(known, frozenset(content["also_words"].split()))


def expanded(text: str, language: str | None) -> tuple[str, tuple[Expansion, ...]]:
    """A text with what each abbreviation stands for in brackets behind it, and where they are in the text as it was.

    "HTN treatment" is "HTN (hypertension) treatment"; one that is explained already stays as it is, and is among the
    expansions. Each is explained where it stands first. Two letters count in capitals only, unless the text has none
    and they are no word of the language. What may stand for several things is left unless another word of the text
    belongs to the specialty of one of them.
    """
    held = abbreviations(language)
    words = words_of(text)
    if not any(_known(text[word.start : word.end], held) for word in words):
        return text, ()
    explained = dict(_explained(text, words, held))
    words = [word for word in words if not any(start <= word.start < end for start, end in explained.items())]
    candidates = list(_candidates(text, words, held))
    expansions: dict[int, Expansion] = {}
    while True:
        specialties = specialties_of(_written(text, expansions, explained), language)
        before = len(expansions)
        for word, abbreviation in candidates:
            meaning = abbreviation.meant(specialties)
            if meaning is not None and all(each.expansion != meaning for each in expansions.values()):
                expansions.setdefault(word.start, Expansion(abbreviation.written, meaning, word.start, word.end))
        if len(expansions) == before:
            break
    return _written(text, expansions, explained), tuple(expansions[start] for start in sorted(expansions))


def _known(word: str, held: Abbreviations) -> Abbreviation | None:
    """The abbreviation that a word is, or is several of ("NSAIDs")."""
    found = held.known.get(plain(word))
    if found is None and word.endswith("s") and (len(word) > _SHORTEST_SAFE or word[:-1].isupper()):
        found = held.known.get(plain(word[:-1]))
    if found is None and word[-1:].isdigit():
        # A stage is written behind what it is of: "CKD3".
        bare = word.rstrip("0123456789")
        found = held.known.get(plain(bare)) if len(bare) >= _SHORTEST_SAFE and bare.isupper() else None
    return found


def _explained(text: str, words: Sequence[Word], held: Abbreviations) -> Iterator[tuple[int, int]]:
    """Where brackets start and end that hold what the abbreviation before them stands for."""
    begun = done = 0
    for word in words:
        found = None if begun <= word.start < done else _known(text[word.start : word.end], held)
        if found is None:
            continue
        at = max(_behind(text, word.end), done)
        begun = begun if begun < at == done else at
        while (end := _end_of_meaning(text, at, found)) is not None:
            yield at, end
            at = done = end


def _end_of_meaning(text: str, at: int, abbreviation: Abbreviation) -> int | None:
    inserts = (f" ({meaning})" for meaning in abbreviation.expansions.values())
    return next((at + len(insert) for insert in inserts if text.startswith(insert, at)), None)


def _behind(text: str, at: int) -> int:
    """Where a word ends with what is joined to it by hyphens: behind "CT-scan"."""
    while at < len(text) and (text[at].isalnum() or (text[at] in _JOINTS and text[at + 1 : at + 2].isalnum())):
        at += 1
    return at


def _candidates(text: str, words: Sequence[Word], held: Abbreviations) -> Iterator[tuple[Word, Abbreviation]]:
    """The abbreviations of a text where they stand first, but for those whose meaning the text has already."""
    all_words = f" {' '.join(word.plain for word in words)} "
    written = [text[word.start : word.end] for word in words]
    others = [word for word in written if _known(word, held) is None]
    means_nothing = not any(map(_has_capital, written)) or (
        len(others) >= _FEWEST_WORDS and not any(c.islower() for word in written for c in word)
    )
    seen: set[str] = set()
    for word, as_written in zip(words, written, strict=True):
        found = _known(as_written, held)
        if found is None or found.written in seen or not _is_meant(as_written, found, held, means_nothing):
            continue
        seen.add(found.written)
        if not any(f" {_plain_words(meaning)} " in all_words for meaning in found.expansions.values()):
            yield word, found


def _has_capital(word: str) -> bool:
    return any(c.isupper() for c in word)


def _is_meant(word: str, found: Abbreviation, held: Abbreviations, means_nothing: bool) -> bool:
    """Whether a word is the abbreviation and no ordinary word; `means_nothing` of capitals in its text."""
    if not means_nothing and word.removesuffix("s") in (found.written, found.written.upper()):
        return True
    letters = plain(found.written)
    return letters not in held.also_words and (means_nothing or len(letters) >= _SHORTEST_SAFE)


def _plain_words(text: str) -> str:
    return " ".join(word.plain for word in words_of(text))


def _written(text: str, expansions: Mapping[int, Expansion], explained: Mapping[int, int]) -> str:
    """A text with its expansions, and without the explanations that it had."""
    behind: dict[int, str] = {}
    for start in sorted(expansions):
        at = _behind(text, expansions[start].end)
        behind[at] = f"{behind.get(at, '')} ({expansions[start].expansion})"
    pieces: list[str] = []
    done = 0
    for at in sorted({*behind, *explained}):
        pieces += [text[done:at], behind.get(at, "")]
        done = explained.get(at, at)
    return "".join((*pieces, text[done:]))
