"""The words that tell a specialty or a ward from others, part of its name as they are: "intensive", "palliative"."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import yaml

from careline.text.label_words import question_words, vocabulary
from careline.understanding.terms.entries import Kind
from careline.understanding.terms.index import medical_terms

SHORTEST = 6
"""Letters of such a word."""


@cache
def specialty_words(language: str) -> frozenset[str]:
    """The stems of the words of which a specialty may be called by one alone, as in "on intensive"."""
    file = files("careline.understanding.terms").joinpath("specialty_words.yaml")
    held = yaml.load(file.read_text("utf-8"), Loader=yaml.CSafeLoader)
    of_much = {word.stem for text in held["of_much"] for word in question_words(text, language)}
    generic = vocabulary().generic
    names = [
        question_words(name, language)
        for entry in medical_terms().entries.values()
        if entry.kind is Kind.SPECIALTY
        for name in entry.wordings[language].clinical
    ]
    telling = [words[held["at"][language]] for words in names if len(words) > 1]
    return frozenset(
        word.stem
        for word in telling
        if len(word.text) >= SHORTEST and not word.is_talk and not word.concepts & generic
    ) - of_much
