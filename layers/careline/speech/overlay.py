"""Names that the recogniser should listen for, and the repair of what it is known to mishear.

An overlay is a file of the tenant's:

    nl:
      Ameloot: [amelot, "a me loot"]     what was meant: what is heard instead
      cardiologie: [kar die logie]

It is applied to a transcript before anything is understood: whole words, the longest first, in one pass.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from types import MappingProxyType
from typing import Annotated

from pydantic import Field, StringConstraints, TypeAdapter, ValidationError

from careline.directory.directory import Directory
from careline.directory.entries import name_in
from careline.directory.yaml_file import read_yaml
from careline.errors import SettingsInvalid
from careline.model import LANGUAGES
from careline.speech.phrases import plain_words

KEYTERM_BYTES = 500
MOST_KEYTERMS = 50
"""Deepgram takes keyterms of 500 tokens together and answers more with an error, or stops transcribing where they are
changed during a call (developers.deepgram.com/docs/keyterm, changelog of 8 October 2026). Its tokenizer is not public;
no tokenizer of bytes makes more tokens than a text has bytes, so 500 bytes always fit."""
LARGEST = 200_000
MOST_WORDS = 6
LEAST_LETTERS = 3
_WORD = re.compile(r"[^\W_]+")
_BETWEEN = frozenset(" -'’")

_Phrase = Annotated[str, StringConstraints(min_length=LEAST_LETTERS, max_length=80, strip_whitespace=True)]
_Heard = Annotated[list[_Phrase], Field(min_length=1, max_length=50)]
_WRITTEN = TypeAdapter(dict[str, Annotated[dict[_Phrase, _Heard], Field(max_length=5000)]])


@dataclass(frozen=True, slots=True)
class Overlay:
    """Repairs of one language: what is meant by the plain words that are heard; `longest` counts their words."""

    meant: Mapping[tuple[str, ...], str]
    longest: int


EMPTY = Overlay(MappingProxyType({}), 0)


def keyterms(directory: Directory, language: str, staff: Sequence[str] = ()) -> list[str]:
    """Surnames of doctors, names of departments and of campuses, in turns and in the directory's order, then `staff`,
    as many as Deepgram takes.

    At most 50 terms and 500 bytes; a term is never cut.
    """
    doctors = [doctor.last_name for doctor in directory.doctors]
    departments = [name_in(department.names, language) or "" for department in directory.departments]
    campuses = [name_in(campus.names, language) or campus.name or "" for campus in directory.campuses]
    named = chain(*zip_longest(doctors, departments, campuses, fillvalue=""), staff)
    in_turns = dict.fromkeys(term for term in named if term)
    chosen: list[str] = []
    room = KEYTERM_BYTES
    for term in in_turns:
        size = len(term.encode())
        if size <= room and len(chosen) < MOST_KEYTERMS:
            chosen.append(term)
            room -= size
    return chosen


def read_overlays(source: str, name: str) -> Mapping[str, Overlay]:
    """The overlays of a file by language, for all four. Raises: SettingsInvalid naming the entry that is wrong."""
    if len(source) > LARGEST:
        raise SettingsInvalid(f"{name}: longer than {LARGEST:,} characters; keep to mishearings that were observed")
    try:
        written = _WRITTEN.validate_python(read_yaml(source, name))
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        raise SettingsInvalid(f"{name}: {'.'.join(map(str, first['loc']))}: {first['msg']}") from None
    unknown = sorted(set(written) - set(LANGUAGES))
    if unknown:
        raise SettingsInvalid(f"{name}: {unknown[0]}: no language of the line; known: {', '.join(sorted(LANGUAGES))}")
    made = {language: _overlay(entries, f"{name}: {language}") for language, entries in written.items()}
    return MappingProxyType({language: made.get(language, EMPTY) for language in LANGUAGES})


def _overlay(entries: Mapping[str, list[str]], place: str) -> Overlay:
    meant: dict[tuple[str, ...], str] = {}
    for meaning, heard in entries.items():
        for phrase in heard:
            words = tuple(plain_words(phrase))
            if not 0 < len(words) <= MOST_WORDS:
                raise SettingsInvalid(f"{place}.{meaning}: give what is heard in one to {MOST_WORDS} words")
            if meant.setdefault(words, meaning) != meaning:
                raise SettingsInvalid(f"{place}.{meaning}: {phrase!r} also stands under {meant[words]!r}; keep one")
    overlay = Overlay(MappingProxyType(meant), max(map(len, meant), default=0))
    for meaning in entries:
        if repair(meaning, overlay) != meaning:
            raise SettingsInvalid(f"{place}.{meaning}: this would itself be repaired into something else")
    return overlay


def repair(text: str, overlay: Overlay) -> str:
    """A transcript with its known mishearings put right; everything else, white space included, stays as it is.

    Takes time in proportion to the length of the text.
    """
    if not overlay.meant:
        return text
    words = list(_words(text))
    parts: list[str] = []
    done, at = 0, 0
    while at < len(words):
        length = _longest_at(text, words, at, overlay)
        if length:
            parts += [text[done : words[at].start], overlay.meant[_plain(words[at : at + length])]]
            done = words[at + length - 1].end
        at += max(1, length)
    return "".join([*parts, text[done:]])


@dataclass(frozen=True, slots=True)
class _TranscriptWord:
    start: int
    end: int
    plain: tuple[str, ...]


def _words(text: str) -> Iterator[_TranscriptWord]:
    for match in _WORD.finditer(text):
        yield _TranscriptWord(match.start(), match.end(), tuple(plain_words(match[0])))


def _plain(words: list[_TranscriptWord]) -> tuple[str, ...]:
    return tuple(chain(*(word.plain for word in words)))


def _longest_at(text: str, words: list[_TranscriptWord], at: int, overlay: Overlay) -> int:
    """Number of words, from `at`, of the longest mishearing there; nothing but a space or a hyphen parts them."""
    longest = 0
    for length in range(1, min(overlay.longest, len(words) - at) + 1):
        last = words[at + length - 1]
        parted = length > 1 and text[words[at + length - 2].end : last.start] not in _BETWEEN
        if parted or not last.plain:
            break
        if _plain(words[at : at + length]) in overlay.meant:
            longest = length
    return longest
