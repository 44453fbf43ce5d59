"""Writes what a capability is asked as a question, with the names that the directory has."""

from __future__ import annotations

import string
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import yaml


@cache
def _questions() -> Mapping[str, Mapping[str, list[str]]]:
    text = files("careline.directory").joinpath("rendering", "questions.yaml").read_text("utf-8")
    content: Mapping[str, Mapping[str, list[str]]] = yaml.load(text, Loader=yaml.CSafeLoader)
    return content


def question_of(label: str, language: str, values: Mapping[str, str]) -> str:
    """The question of a label in a language: the first of its forms whose names are all known; empty where none is."""
    for form in _questions().get(label, {}).get(language, ()):
        if all(values.get(name) for name in _placeholders(form)):
            return form.format_map(values)
    return ""


def _placeholders(form: str) -> list[str]:
    return [name for _, name, _, _ in string.Formatter().parse(form) if name]
