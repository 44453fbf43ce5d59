"""Groups of an answer's parts can be taken out by name, each alone, and come back afterwards."""

from __future__ import annotations

import ast
from importlib import import_module
from typing import Any

import pytest

from careline.errors import BadRequest
from careline.packs.packs import load_pack
from careline.settings import Settings
from careline_local.bench.hospital.ablation import (
    AS_IT_IS,
    GROUPS,
    LIMITS,
    Replacement,
    Variant,
    changed,
    limited,
    variants,
)
from careline_local.bench.worth import worth
from careline_local.cli.benches.ablation import listed
from tests.local.bench.hospital_builders import a_question, an_answer, an_outcome, declined
from tests.source_roots import ROOT

SHIPPED = load_pack(Settings().packs / "hospital_line")
UNKNOWN = a_question(id="en-90", kind="unanswerable", expect="decline", ask="who feeds the swans")
FOLLOW_UP = a_question(id="en-91", kind="follow_up", before=["where is the car park"])


def standing(one: Replacement) -> Any:
    found: Any = import_module(one.module)
    for step in one.name.split("."):
        found = getattr(found, step)
    return found


@pytest.mark.parametrize("name", GROUPS)
def test_every_group_is_in_the_product_and_comes_back_after_it_was_taken_out(name: str) -> None:
    group = GROUPS[name]
    before = [standing(one) for one in group.replaced]
    with changed(Variant("without it", (name,))):
        assert [standing(one) for one in group.replaced] == [one.by for one in group.replaced]
    assert [standing(one) for one in group.replaced] == before
    assert group.replaced


def test_a_group_comes_back_after_an_error_too() -> None:
    before = standing(GROUPS["quoting"].replaced[0])
    with pytest.raises(RuntimeError), changed(Variant("without it", ("quoting",))):
        raise RuntimeError
    assert standing(GROUPS["quoting"].replaced[0]) == before


def test_each_group_is_left_out_alone_beside_the_product_as_it_is() -> None:
    found = variants("hedge, follow_ups", None)
    assert [(one.name, one.without) for one in found] == [
        (AS_IT_IS, ()), ("without hedge", ("hedge",)), ("without follow_ups", ("follow_ups",)),
    ]  # fmt: skip
    assert len(variants("all", None)) == 1 + len(GROUPS)


def test_only_some_groups_are_all_others_left_out() -> None:
    _, alone = variants(None, "quoting,hedge")
    assert alone.without == tuple(name for name in GROUPS if name not in {"quoting", "hedge"})


def test_a_group_that_there_is_not_is_said_with_those_that_there_are() -> None:
    with pytest.raises(BadRequest, match=r"'hegde'.*second_window"):
        variants("hegde", None)


@pytest.mark.parametrize("name", LIMITS)
def test_every_limit_is_in_the_product_and_comes_back_after_it_was_set(name: str) -> None:
    module, path = LIMITS[name]
    *owner, attribute = path.split(".")
    holder = SHIPPED.evidence if owner else import_module(module)
    before = getattr(holder, attribute)
    _, other = limited(f"{name}={before + 1}")
    with changed(other):
        assert getattr(holder, attribute) == before + 1
    assert getattr(holder, attribute) == before


@pytest.mark.parametrize("name", [name for name in LIMITS if "." not in LIMITS[name][1]])
def test_no_other_module_holds_a_copy_of_a_limit_that_would_stay_as_it_is(name: str) -> None:
    module, attribute = LIMITS[name]
    taken = (
        (str(path), node)
        for path in (ROOT / "layers" / "careline").rglob("*.py")
        if attribute in (text := path.read_text(encoding="utf-8"))
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.ImportFrom) and node.module == module
    )
    assert [path for path, node in taken if attribute in {each.name for each in node.names}] == []


@pytest.mark.parametrize("sweep", ["min_shure=1", "min_sure", "min_sure=", "min_sure=a,b", "="])
def test_a_limit_that_cannot_be_measured_is_refused_with_what_to_write(sweep: str) -> None:
    with pytest.raises(BadRequest, match=r"min_sure=0\.5,1|there are reach, "):
        limited(sweep)


def test_each_group_says_in_a_line_what_it_does_and_what_is_left_without_it() -> None:
    assert len(listed().splitlines()) == len(GROUPS)


def test_a_variant_is_counted_by_what_it_says_and_whether_it_says_it_as_sure() -> None:
    told = [
        an_outcome(an_answer("A day costs 4.50 euro. [1]")),
        an_outcome(an_answer("I am not sure. A day costs 4.50 euro, elsewhere 8.00. [1]"), is_unsure=True),
        an_outcome(an_answer("A day costs 8.00 euro. [1]"), FOLLOW_UP, how="conversation"),
        an_outcome(declined()),
        an_outcome(declined(), UNKNOWN),
        an_outcome(an_answer("The park is open. [1]"), UNKNOWN, is_unsure=True),
    ]
    one = worth("own", "as it is", told)
    assert (one.facts, one.answerable, one.right_document, one.declined, one.wrong_figures) == (2, 4, 3, 1, 1)
    assert (one.admitted, one.unanswerable, one.follow_ups, one.asked_on, one.beside) == (1, 2, 0, 1, 1)
    assert (one.unhedged, one.not_right, one.hedged) == (1, 2, 1)
