"""Finds what stands right after (or right before) a word that announces it: `patiëntnummer`, `account`, `my dob is`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from careline.privacy.dictation.runs import Run
from careline.privacy.normalised_text import NormalisedText
from careline.privacy.vocabulary import either, pattern, words

_MARKS = r"[ :.,;#=()\"'?^-]"
"""Punctuation that may stand between a cue and its value; `^` is what folding makes of `°`."""
_NUMBER = tuple("num|nr|codice| id|mrn|nhs|niss|insz|ssn|secu|rijksregister|registre|registro".split("|"))
"""Parts of cues that cannot be about anything but a number."""


def after(reading: NormalisedText, section: str, name: str) -> Iterator[int]:
    """Where in the figures something starts that a cue announces, whatever it is."""
    yield from (match.end() for match in _before(section, name).finditer(reading.figures))


def digits_after(reading: NormalisedText, section: str, name: str) -> Iterator[int]:
    """Where digits start that a cue announces with a few words of any kind between (`number starts, I think, with`)."""
    for look in (_loosely_before(section, name), _after_a_slip(section, name), *_numbered(section)):
        yield from (match.start(1) for match in look.finditer(reading.figures))


def runs_after(reading: NormalisedText, section: str, name: str) -> Iterator[tuple[Run, int]]:
    """The digits that a cue announces: their run, and the index of the first group in it."""
    for position in after(reading, section, name):
        found = reading.run_at.get(position)
        if found is not None:
            yield found


def runs_loosely_after(reading: NormalisedText, section: str, name: str) -> Iterator[tuple[Run, int]]:
    """The same with a few words of any kind between (`my nhs number from home is`)."""
    for position in digits_after(reading, section, name):
        found = reading.run_at.get(position)
        if found is not None:
            yield found


def runs_before(reading: NormalisedText, section: str, name: str) -> Iterator[Run]:
    """Runs of digits that are said first and named afterwards (`4471902 is my patient number`)."""
    for match in _behind(section, name).finditer(reading.figures):
        found = reading.run_at.get(match.start(1))
        if found is not None and found[1] == len(found[0].groups) - 1:
            yield found[0]


@cache
def _before(section: str, name: str) -> Any:
    links = either(words("link", "is"))
    return pattern(rf"\b{either(words(section, name))}(?:{_MARKS}+|\b)(?:{links}{_MARKS}+){{0,6}}\+?")


@cache
def _loosely_before(section: str, name: str) -> Any:
    certain = [word for word in words(section, name) if any(part in word for part in _NUMBER)]
    return pattern(rf"\b{either(certain)}{_MARKS}+(?:[a-z~]{{1,12}}{_MARKS}+){{0,4}}?(\d)")


@cache
def _numbered(section: str) -> tuple[Any, ...]:
    """`my son's file has the number`: what is numbered first, then the word number."""
    files, numbers = words(section, "files"), words(section, "numbers")
    if not files:
        return ()
    said = rf"{either(files)}(?:{_MARKS}+[a-z~]{{1,12}}){{1,5}}?{_MARKS}+{either(numbers)}"
    return (pattern(rf"\b{said}{_MARKS}+(?:{either(words('link', 'is'))}{_MARKS}+){{0,3}}(\d)"),)


@cache
def _after_a_slip(section: str, name: str) -> Any:
    """`patient number three no wait 4417`: a long number after a short one that was taken back."""
    certain = [word for word in words(section, name) if any(part in word for part in _NUMBER)]
    said = rf"(?:[a-z~]{{1,12}}|\d{{1,2}}){_MARKS}+"
    return pattern(rf"\b{either(certain)}{_MARKS}+(?:{said}){{1,5}}?(\d{{4,}})")


@cache
def _behind(section: str, name: str) -> Any:
    links = either(words("link", "is"))
    return pattern(rf"\b(\d+)[ ,]+(?:{links}[ ,']+){{1,5}}{either(words(section, name))}\b")
