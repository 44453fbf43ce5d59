"""Tells whether words ask for what only a document says: when, for how long or how long before, how much.

Who asks so asks the documents, though a model supposes that somebody is asked for, or the last answer again.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import yaml

from careline.safety.rules.plain_text import Plain

WHEN, HOW_LONG, HOW_MUCH = "when", "how_long", "how_much"
"""What is asked for: a time or a day, a length of time, an amount. Tables of `data/asks_documents.yaml`."""
_NO_AMOUNT = "not_how_much"


def asks_documents(words: Plain, *kinds: str) -> bool:
    """Whether words ask for something of these kinds; of any of the three where none is named."""
    asked = str(words)
    for phrase in _phrases(_NO_AMOUNT):
        asked = asked.replace(phrase, " ")
    return any(phrase in asked for kind in kinds or (WHEN, HOW_LONG, HOW_MUCH) for phrase in _phrases(kind))


@cache
def _phrases(table: str) -> tuple[str, ...]:
    return tuple(f" {phrase.strip()} " for phrase in _tables()[table].split(",") if phrase.strip())


@cache
def _tables() -> dict[str, str]:
    text = files("careline.safety").joinpath("data", "asks_documents.yaml").read_text("utf-8")
    tables: dict[str, str] = yaml.load(text, Loader=yaml.CSafeLoader)
    return tables
