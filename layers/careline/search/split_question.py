"""Takes a double question apart: "what does it cost, and until when is it open?" asks two things."""

from __future__ import annotations

from functools import cache

from careline.text.languages import word_lists

AND = {"nl": " en ", "en": " and ", "fr": " et ", "it": " e "}
SHORTEST = 2
"""Words of a part."""


def parts_of(question: str, language: str) -> tuple[str, ...]:
    """The one or two questions of a question; it is left whole where it is not clearly double."""
    text = " ".join(question.split())
    return _at_question_marks(text) or _at_and(text, language) or (text,)


def _at_question_marks(text: str) -> tuple[str, str] | None:
    parts = [part.strip(" .!,") for part in text.split("?")]
    told = [part for part in parts if len(part.split()) >= SHORTEST]
    return (f"{told[0]}?", f"{told[1]}?") if len(told) == 2 and text.count("?") >= 2 else None


def _at_and(text: str, language: str) -> tuple[str, str] | None:
    joint, lower = AND.get(language, " and "), text.lower()
    at = lower.find(joint)
    while at >= 0:
        rest = lower[at + len(joint) :]
        if at and len(text[:at].split()) > SHORTEST and rest.startswith(_beginnings(language)):
            return text[:at].rstrip(" ,"), text[at + len(joint) :]
        at = lower.find(joint, at + 1)
    return None


@cache
def _beginnings(language: str) -> tuple[str, ...]:
    listed = word_lists()["second_question"].get(language, "")
    return tuple(f"{' '.join(one.split())} " for one in listed.split(",") if one.strip())
