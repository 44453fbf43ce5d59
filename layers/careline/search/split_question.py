"""Takes a double question apart: "what does it cost, and until when is it open?" asks two things."""

from __future__ import annotations

from functools import cache

from careline.text.answer_kind import answer_kinds
from careline.text.asked_words import named, said_to_be_about
from careline.text.languages import word_lists

AND = {"nl": " en ", "en": " and ", "fr": " et ", "it": " e "}
PRICE = "amount"
SHORTEST = 2
"""Words of a part."""


def parts_of(question: str, language: str) -> tuple[str, ...]:
    """The one or two questions of a question; it is left whole where it is not clearly double."""
    text = " ".join(question.split())
    parts = _at_question_marks(text) or _at_and(text, language)
    return _with_subject(*parts, language) if parts else (text,)


def _with_subject(first: str, second: str, language: str) -> tuple[str, str]:
    """Both parts; a second that asks for a price and of nothing, as "what does it cost?", with what the first is about:
    anything has a price."""
    about = said_to_be_about(first, language)
    if not about or PRICE not in answer_kinds(second) or named(second, language):
        return first, second
    return first, f"{second.rstrip(' ?')}, {about}?"


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
