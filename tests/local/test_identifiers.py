"""Which job, turn or document somebody means by the beginning of its id, and what is said when there is none."""

from __future__ import annotations

import pytest

from careline.errors import BadRequest, NotFound
from careline_local.cli.batch.identifiers import DOCUMENT, JOB, among, meant, nearest, whole

IDS = among(["1a20aaaa01", "1a20aaaa02", "1a20bbbb01", "brochure", "brochure-parkeren"])


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ("1a20bbbb01", "1a20bbbb01"),
        ("1a20b", "1a20bbbb01"),
        ("brochure", "brochure"),
        ("brochure-", "brochure-parkeren"),
    ],
)
async def test_an_id_is_given_whole_or_by_a_beginning_that_is_its_own(given: str, found: str) -> None:
    assert await meant(given, JOB, IDS) == found


async def test_a_beginning_of_several_ids_names_them() -> None:
    with pytest.raises(BadRequest, match=r"several jobs begin with this: 1a20aaaa01, 1a20aaaa02; give more"):
        await meant("1a20aaaa", JOB, IDS)


async def test_of_many_ids_only_the_first_are_named() -> None:
    with pytest.raises(BadRequest, match=r"many0, many1, many2, many3, many4, …; give more"):
        await meant("many", JOB, among(f"many{number}" for number in range(9)))


@pytest.mark.parametrize("given", ["1a2", "b"])
async def test_a_beginning_that_is_too_short_stands_for_nothing(given: str) -> None:
    with pytest.raises(BadRequest, match="at least the first 4 characters"):
        await meant(given, JOB, IDS)


async def test_an_id_that_does_not_exist_brings_up_the_one_that_is_nearly_the_same() -> None:
    with pytest.raises(NotFound, match=r"no such document; did you mean brochure-parkeren or brochure\?"):
        await meant("brochure-parkern", DOCUMENT, IDS)


@pytest.mark.parametrize("given", ["", "zzzzzzzz", "\udcff\x00", "x" * 300])
async def test_where_nothing_is_near_the_command_that_lists_them_is_named(given: str) -> None:
    with pytest.raises(NotFound, match=r"no such job; `careline jobs` lists those there are"):
        await meant(given, JOB, IDS)


async def test_what_cannot_be_undone_takes_whole_ids_alone() -> None:
    assert await whole("brochure", DOCUMENT, IDS) == "brochure"
    with pytest.raises(NotFound, match=r"did you mean brochure-parkeren\?"):
        await whole("brochure-", DOCUMENT, IDS)


def test_a_name_with_a_slip_in_it_is_put_right() -> None:
    assert nearest("Hospital_lin", ["hospital_line", "clinical_assistant"]) == " (did you mean hospital_line?)"
    assert nearest("iets anders", ["hospital_line"]) == ""
