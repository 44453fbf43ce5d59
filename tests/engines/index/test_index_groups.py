"""What is kept of the live passages of one language and audience."""

from __future__ import annotations

import numpy as np
import pytest

from careline.engines.aws.passage_index import index_groups
from careline.engines.aws.passage_index.index_groups import (
    GroupSums,
    field_words,
    means_of,
    moved,
    nothing,
    of_passages,
)
from tests.builders import a_passage

ORDINARY = np.zeros(2, np.float32)


def a_group(language: str = "nl", audience: str = "public", passages: int = 2, first: float = 1.0) -> GroupSums:
    return GroupSums(language, audience, passages, np.asarray([first, 0], np.float32), 3, 40)


def same(one: GroupSums, other: GroupSums) -> bool:
    return index_groups.written(one) == index_groups.written(other)


def test_what_comes_and_goes_leaves_nothing() -> None:
    before, by = a_group(passages=5, first=3.0), a_group()
    assert same(moved(moved(before, by, 1), by, -1), before)
    assert same(moved(by, by, -1), nothing(by))


def test_sums_are_kept_as_a_record() -> None:
    assert same(index_groups.read(index_groups.written(a_group())), a_group())


def test_the_informative_words_of_titles_and_texts_are_counted_as_the_language_writes_them() -> None:
    passages = [a_passage("De parking is open", heading_path=("Uren",)), a_passage("Bezoek", heading_path=("Uren",))]
    sums = of_passages(passages, np.ones((2, 2), np.float32))
    words = field_words([sums])
    assert (words["text_nl"], words["title_nl"]) == (sums.text_words, sums.title_words)
    assert sums.text_words == 3
    assert sums.total == pytest.approx([2, 2])


def test_fields_of_languages_without_an_analyser_of_their_own_are_one() -> None:
    assert field_words([a_group("de"), a_group("es")]) == {"title_xx": 6, "text_xx": 80}


def test_means_are_those_of_the_audiences_and_languages_that_are_searched() -> None:
    groups = [a_group(), a_group(audience="clinician", passages=500, first=500.0), a_group("fr")]
    everywhere, public = means_of(groups, {}, ORDINARY), means_of(groups, {"audience": ("public",)}, ORDINARY)
    assert everywhere.overall[0] > 10 * public.overall[0] > 0
    assert set(means_of(groups, {"audience": ("public",), "language": ("fr",)}, ORDINARY).languages) == {"fr"}


def test_vectors_of_another_model_begin_a_sum_anew() -> None:
    longer = GroupSums("nl", "public", 1, np.ones(4, np.float32), 1, 1)
    assert moved(a_group(), longer, 1).total == pytest.approx(np.ones(4))
