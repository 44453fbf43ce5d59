"""Takes groups of an answer's parts out, in memory, so that what each is worth can be measured.

A group is what one idea adds to a turn; its plain replacement is what is left without it. A rule over words enters the
product only with the figure of the unread questions with and without its group (see CONTRIBUTING.md).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any
from unittest import mock

from careline.errors import BadRequest
from careline.passages.quotable import quotables
from careline.quoting.quotes import Quote
from careline.quoting.quoting_input import QuotingInput

AS_IT_IS = "as it is"


@dataclass(frozen=True, slots=True)
class Replacement:
    """One name of a module, or of a class in it ("Class.method"), and what stands there instead."""

    module: str
    name: str
    by: Any


@dataclass(frozen=True, slots=True)
class Group:
    """What a group does, what is left without it, and how that is brought about: by names that stand for others."""

    does: str
    without: str
    replaced: tuple[Replacement, ...]


@dataclass(frozen=True, slots=True)
class Variant:
    """The product with some groups of it, or one of its limits, replaced."""

    name: str
    without: tuple[str, ...] = ()
    replaced: tuple[Replacement, ...] = ()


def _nothing(*_given: Any, **_named: Any) -> Iterator[Any]:
    return iter(())


def _passage_first(quoting_input: QuotingInput, most: int, _characters: int) -> list[Quote]:
    """The first sentences of the passage that comes first, or the first row of a table."""
    for source in quoting_input.sources[:1]:
        said = tuple(quotables(source.hit.passage.chunk, source.language))[:most]
        return [Quote(source, said, source.read[0].confidence if source.read else 0.0)] if said else []
    return []


def _whole(question: str, _language: str) -> tuple[str, ...]:
    return (question,)


GROUPS: Mapping[str, Group] = {
    "quoting": Group(
        "the window that the reader likes best is quoted",
        "the first sentences of the best passage; nothing of a table",
        (Replacement("careline.quoting.writer", "quotes", _passage_first),),
    ),
    "second_window": Group(
        "a second window of the same document is quoted where it answers nearly as well",
        "one window",
        (Replacement("careline.quoting.quotes", "MOST_WINDOWS", 1),),
    ),
    "sentences": Group(
        "of a window only the sentences are said that the reader likes about as well as its best",
        "its first sentences",
        (Replacement("careline.quoting.quotes", "REACH", float("inf")),),
    ),
    "tables": Group(
        "a row of a table is told, whole with its labels",
        "nothing of a table is told",
        (Replacement("careline.quoting.quotes", "said_cells", lambda *_: None),),
    ),
    "whole_table": Group(
        "a short table is shown whole where the reader does not tell its rows apart",
        "the row that it likes best",
        (Replacement("careline.quoting.quotes", "said_table", lambda *_: None),),
    ),
    "typed_values": Group(
        "a row leads whose label holds the age, amount or length that is asked for",
        "the reader's order stands",
        (Replacement("careline.quoting.quotes", "typed_row_first", lambda ranked, *_, **_named: list(ranked)),),
    ),
    "label_gate": Group(
        "a figure of a table is told beside the labels of its row and column or not at all",
        "a figure need only stand in the table",
        (Replacement("careline.safety.grounding.grounding", "Grounds._unlabelled", _nothing),),
    ),
    "dose_conditions": Group(
        "a dose is told only for the medicine, patient, route and kidneys that were asked about",
        "the window that the reader likes best is told",
        (
            Replacement("careline.quoting.told_dose", "DoseGate.lets_through", lambda *_: True),
            Replacement("careline.quoting.quotes", "dose_row_first", lambda ranked, _gate: list(ranked)),
        ),
    ),
    "hedge": Group(
        "a quote of low relevance is said behind the notice that it may not answer",
        "no notice",
        (Replacement("careline.turn.turn", "Turn.sure_from", property(lambda _turn: float("-inf"))),),
    ),
    "follow_ups": Group(
        "a short question is read together with the one before it",
        "every question is read by itself",
        (Replacement("careline.understanding.standalone_question", "leans", lambda _question, _language: False),),
    ),
    "two_questions": Group(
        "two questions at once are read one after the other",
        "they are read as one",
        (Replacement("careline.search.read_windows", "parts_of", _whole),),
    ),
    "affinity": Group(
        "passages of the category that is asked for come first where they answer nearly as well, and are not fused",
        "every intent weighs nothing",
        (Replacement("careline.value_framework.affinity", "Affinity.row", lambda *_: None),),
    ),
    "last_clause": Group(
        "where nothing answers, the last clause is read alone",
        "the question is read as it is",
        (Replacement("careline.turn.stages.search.rerank", "_last_clause", lambda _text: ""),),
    ),
}
"""The groups by name."""

LIMITS: Mapping[str, tuple[str, str]] = {
    "reach": ("careline.quoting.quotes", "REACH"),
    "beside": ("careline.quoting.quotes", "BESIDE"),
    "affinity": ("careline.search.read_windows", "AFFINITY"),
    "cell_reach": ("careline.quoting.said_cells", "REACH"),
    "row_unsure": ("careline.quoting.said_cells", "UNSURE"),
    "farthest_ahead": ("careline.search.relevance", "FARTHEST_AHEAD"),
    "min_confidence": ("careline.packs.evidence", "Evidence.min_confidence"),
    "min_relevance": ("careline.packs.evidence", "Evidence.min_relevance"),
    "min_sure": ("careline.packs.evidence", "Evidence.min_sure"),
    "min_closest": ("careline.packs.evidence", "Evidence.min_closest"),
}
"""The limits in logits, by the names they are measured by: where each stands."""


def limited(sweep: str) -> list[Variant]:
    """The product as it is and with a limit at each of some values, given as "min_sure=0.3,0.9". Raises: BadRequest."""
    name, _, listed = sweep.partition("=")
    if name not in LIMITS:
        raise BadRequest(f"there is no limit {name!r}; there are {', '.join(LIMITS)}")
    try:
        values = [float(one) for one in listed.split(",")]
    except ValueError:
        raise BadRequest(f"write the values of {name} as numbers with commas: {name}=0.5,1") from None
    return [Variant(AS_IT_IS), *(Variant(f"{name} {value:g}", replaced=(_at(name, value),)) for value in values)]


def _at(name: str, value: float) -> Replacement:
    module, path = LIMITS[name]
    # A field of a model is no name of its class; a property of the class goes before what each of them holds.
    return Replacement(module, path, property(lambda _: value) if "." in path else value)


def variants(without: str | None, only: str | None) -> list[Variant]:
    """What is measured: the product as it is and without each group of a list ("a,b"), or with the groups of another
    list alone. Raises: BadRequest for a group that there is not."""
    if only is not None:
        kept = _named(only)
        return [Variant(AS_IT_IS), Variant(f"only {', '.join(kept)}", tuple(one for one in GROUPS if one not in kept))]
    left_out = list(GROUPS) if without == "all" else _named(without or "")
    return [Variant(AS_IT_IS), *(Variant(f"without {one}", (one,)) for one in left_out)]


def _named(listed: str) -> list[str]:
    names = [name.strip() for name in listed.split(",") if name.strip()]
    if unknown := [name for name in names if name not in GROUPS]:
        raise BadRequest(f"there is no group {unknown[0]!r}; there are {', '.join(GROUPS)}")
    return names


@contextmanager
def changed(variant: Variant) -> Iterator[None]:
    """The product as a variant has it, until the end of the block; in this process alone."""
    of_groups = (each for name in variant.without for each in GROUPS[name].replaced)
    with ExitStack() as stack:
        for one in (*of_groups, *variant.replaced):
            owner, name = _owner(one)
            is_field = name in getattr(owner, "model_fields", ())
            stack.enter_context(mock.patch.object(owner, name, one.by, create=is_field))
        yield


def _owner(one: Replacement) -> tuple[Any, str]:
    *path, name = one.name.split(".")
    owner: Any = import_module(one.module)
    for step in path:
        owner = getattr(owner, step)
    return owner, name
