"""What numbers of patients and files look like beside the words that say so: the patterns behind `mrn`."""

from __future__ import annotations

from functools import cache
from typing import Any

from careline.privacy.vocabulary import either, pattern, words

_MARKS = r"[ :.,;#=()\"'?^/-]{1,3}"
_WORD = rf"(?:[a-z~']{{1,18}}{_MARKS})"


def shape() -> str:
    """Letters and the first digits; how far the value goes on from there is for the runs of a reading to tell."""
    mark = rf"(?:{either(words('numbers', 'separators'))} )?"
    return rf"(?:(?:[a-z] (?:{mark}|[/-] ?)){{2,6}}|[a-z]{{1,4}}[ ./-]?{mark})?\d+[a-z]{{0,2}}\b"


@cache
def numbered() -> Any:
    """A number that is said to be a patient's, then up to six words, then its value (group 1)."""
    sure = either(words("mrn", "sure"))
    holders = rf"{either(words('mrn', 'numbers'))}{_MARKS}{_WORD}{{1,6}}?{either(words('mrn', 'holders'))}"
    return pattern(rf"\b(?:{sure}|{holders}){_MARKS}{_WORD}{{0,6}}?({shape()})")


@cache
def filed() -> Any:
    """A file or case, up to six words, and a value (group 1)."""
    return pattern(rf"\b{either(words('mrn', 'files'))}{_MARKS}{_WORD}{{0,6}}?({shape()})")


@cache
def labelled() -> Any:
    """What is read from a label or a wristband (group 1): "on my wristband I read"."""
    return pattern(rf"\b{either(words('mrn', 'labels'))}{_MARKS}{_WORD}{{1,6}}?({shape()})")


@cache
def ordered() -> Any:
    """An order, up to six words, and a value (group 1)."""
    return pattern(rf"\b{either(words('mrn', 'ordered'))}{_MARKS}{_WORD}{{0,6}}?({shape()})")


@cache
def held() -> Any:
    """What follows a value: that it stands on a label or is a patient's number."""
    names = either((*words("mrn", "holders"), *words("mrn", "sure")))
    links = either((*words("link", "is"), *words("mrn", "stands")))
    return pattern(rf"[ ,;:.]{{1,2}}(?:{links}[ ,']{{1,2}}){{1,6}}{names}\b")


@cache
def coded() -> Any:
    """`KP558213`, letters right before digits, and `614-77-203`: a patient's where one speaks of numbers. Group 1."""
    return pattern(r"\b([a-z]{1,4}-?\d{5,9}|[1-9]\d\d-\d\d-\d{3})\b")


@cache
def code_cue() -> Any:
    """What says before a code, up to some words, that it is a patient's or somebody's own."""
    cues = either((*words("mrn", "coded"), *words("mrn", "sure")))
    return pattern(rf"\b{cues}{_MARKS}{_WORD}{{0,6}}$")


@cache
def of_patients() -> Any:
    """What only patients get."""
    return pattern(rf"\b{either(words('mrn', 'patient_words'))}\b")


@cache
def value() -> Any:
    """A value alone."""
    return pattern(shape())


@cache
def amount() -> Any:
    """What is counted after a number that is no value."""
    return pattern(rf" ?(?:{either(words('dates', 'units'))}\b|[$%])")
