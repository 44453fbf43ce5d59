"""Finds names of medicines in a text, by a list and by how such names end, one spelling for four languages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from careline.bounded_re2 import compile_bounded
from careline.safety.grounding.figures import readable
from careline.search.asked_cells import WholeTable

_WORD = re.compile(r"[a-z]{4,}(?:-[a-z]{4,})?")
_SHORTEST = 5


@dataclass(frozen=True, slots=True)
class _Known:
    """Names in their one spelling, the name each stands for, and how unlisted names end."""

    names: frozenset[str]
    same: dict[str, str]
    ending: Any


def medicines(text: str) -> frozenset[str]:
    """The medicines that a text in plain letters names, each in one spelling and as one name of its substance."""
    known = _known()
    return frozenset(known.same.get(name, name) for name in _named(text, known))


def speaks_of_medicines(question: str, whole: WholeTable) -> bool:
    """Whether a table speaks of every medicine that the question names: the dose of another one is no answer."""
    asked = medicines(readable(question))
    if not asked:
        return True
    passage = whole.hits[0].passage
    about = passage.facts.title, passage.facts.drug_name or "", *passage.chunk.heading_path, passage.chunk.text
    return asked <= medicines(readable("\n".join((*about, *whole.labels()))))


def one_spelling(word: str) -> str:
    """A plain word without its last vowels and with the letters that languages disagree on made the same."""
    word = word.replace("ph", "f").replace("th", "t").replace("y", "i").replace("ks", "x").replace("oo", "o")
    return word.rstrip("aeo")


def _named(text: str, known: _Known) -> Iterator[str]:
    for word in set(_WORD.findall(text)):
        spelled = one_spelling(word)
        if spelled in known.names or (len(word) > _SHORTEST and known.ending.search(word)):
            yield spelled


@cache
def _known() -> _Known:
    content = files("careline.safety").joinpath("data", "medicines.yaml").read_text("utf-8")
    held = yaml.load(content, Loader=yaml.CSafeLoader)
    same = {one_spelling(word): one_spelling(group.split()[0]) for group in held["same"] for word in group.split()}
    names = frozenset(one_spelling(word) for word in f"{held['substances']} {held['brands']}".split())
    return _Known(
        names | frozenset(same), same, compile_bounded(rf"^[a-z]{{3,}}(?:{'|'.join(held['endings'].split())})$")
    )
