"""Finds names of medicines in a text, by a list and by how such names end, one spelling for four languages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from careline.model import Passage
from careline.text.bounded_re2 import compile_bounded
from careline.text.figures import readable

_WORD = re.compile(r"[a-z]{4,}(?:-[a-z]{4,})?")
_SHORTEST = 5


@dataclass(frozen=True, slots=True)
class _Known:
    """Names in their one spelling, the name each stands for, and the stems that unlisted names are made with."""

    names: frozenset[str]
    same: dict[str, str]
    stems: Any


def medicines(text: str) -> frozenset[str]:
    """The medicines that a text in plain letters names, each in one spelling and as one name of its substance."""
    known = _known()
    return frozenset(known.same.get(name, name) for name in _named(text, known))


def speaks_of_medicines(question: str, passage: Passage) -> bool:
    """Whether a passage speaks of every medicine that the question names: the dose of another one is no answer."""
    asked = medicines(readable(question))
    if not asked:
        return True
    facts, chunk = passage.facts, passage.chunk
    labels = () if chunk.table is None else (text for row in chunk.table.rows for text in row.labels)
    about = facts.title, facts.drug_name or "", *chunk.heading_path, chunk.text, *labels
    return asked <= medicines(readable("\n".join(about)))


def is_about_another(passage: Passage, texts: Iterable[str]) -> bool:
    """Whether a passage is of a document about one medicine or several, none of which the texts name: a name that is
    in no list ("rivoxatrel") is of another one. A table or leaflet of many says in its rows of which it speaks."""
    about = medicines(readable(f"{passage.facts.title}\n{passage.facts.drug_name or ''}"))
    return bool(about) and about.isdisjoint(medicines(readable("\n".join(texts))))


def one_spelling(word: str) -> str:
    """A plain word without its last vowels and with the letters that languages disagree on made the same."""
    word = word.replace("ph", "f").replace("th", "t").replace("y", "i").replace("ks", "x").replace("oo", "o")
    return word.rstrip("aeo")


def _named(text: str, known: _Known) -> Iterator[str]:
    for word in set(_WORD.findall(text)):
        spelled = one_spelling(word)
        if spelled in known.names or (len(word) > _SHORTEST and known.stems.search(word)):
            yield spelled


@cache
def _known() -> _Known:
    content = files("careline.safety").joinpath("data", "medicines.yaml").read_text("utf-8")
    held = yaml.load(content, Loader=yaml.CSafeLoader)
    same = {one_spelling(word): one_spelling(group.split()[0]) for group in held["same"] for word in group.split()}
    names = frozenset(one_spelling(word) for word in f"{held['substances']} {held['brands']}".split())
    begins, ends = ("|".join(held[name].split()) for name in ("beginnings", "endings"))
    stems = compile_bounded(rf"^(?:(?:{begins})[a-z]{{3,}}|[a-z]{{3,}}(?:{ends}))$")
    return _Known(names | frozenset(same), same, stems)
