"""Tells what an answer must hold from how it is asked: an amount, a time of day or a duration."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from careline.text.languages import word_lists

_AMOUNT = re.compile(
    r"[€£]|\b(?:euros?|eur|chf|fr|francs?|frank|franken|franchi|gratis|kosteloos|free)\b|\bgratuit|\d\.[–—]",
    re.IGNORECASE,
)
"""What an amount looks like in the four languages."""
_WORD = re.compile(r"[^\W_]+")


def answer_kinds(question: str) -> frozenset[str]:
    """The kinds of answer a question asks for; none when its words do not tell."""
    asked, listed = _plain(question), _listed("answer_kinds").items()
    return frozenset(kind for kind, phrases in listed if any(phrase in asked for phrase in phrases))


def asks_for_price(question: str) -> bool:
    """Whether a question is what something costs, and says so: "how much may I take" asks something else."""
    return answer_kinds(question) == {"amount"} and tells_of_cost(question)


def tells_of_cost(text: str) -> bool:
    """Whether a text says anything of what is paid: an amount, a share, or who pays."""
    said = _plain(text)
    return bool(_AMOUNT.search(text)) or "%" in text or any(phrase in said for phrase in _listed("cost")["all"])


def is_open_question(question: str) -> bool:
    """Whether a question is none that yes or no answers."""
    begins = set(_plain(question).split()[:2])
    return any(phrase.strip() in begins for phrase in _listed("open_questions")["all"])


def _plain(text: str) -> str:
    """Words in lower case without accents, one space between and around them."""
    plain = text.lower()
    if not plain.isascii():
        plain = "".join(c for c in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(c))
    return f" {' '.join(_WORD.findall(plain))} "


@cache
def _listed(table: str) -> dict[str, tuple[str, ...]]:
    """The phrases of a table of `words.yaml`, each with a space around it."""
    return {
        name: tuple(f" {phrase.strip()} " for phrase in listed.split(",") if phrase.strip())
        for name, listed in word_lists()[table].items()
    }
