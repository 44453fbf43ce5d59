"""Labels that a pack adds stand beside those that are shipped, which keep their order and nearly all of their share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from careline.errors import PackInvalid
from careline.packs.intent_examples import IntentExample, shipped_examples
from careline.understanding.intents.classifier import intent_classifier
from careline.understanding.intents.own_head import OwnHead, fit
from careline.understanding.intents.pack_classifier import PackClassifier, pack_classifier
from tests.turn.turns import packs

DIMENSIONS = 384
LINE = packs()["hospital_line"]
SHIPPED = sorted(LINE.intents)
ADDED = ("lost_property", "shop/flowers")
Embedded: TypeAlias = tuple[list[IntentExample], npt.NDArray[np.float32]]


def some_examples(label: str, count: int, about: int, chance: np.random.Generator) -> Embedded:
    """Examples of a label and vectors that lie around one of their own."""
    rows = chance.normal(0, 0.02, (count, DIMENSIONS))
    rows[:, about] += 0.3
    listed = [IntentExample("nl", label, f"{label} bloemen nummer {number}") for number in range(count)]
    return listed, rows.astype(np.float32)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two labels fitted beside four shipped ones, each around a direction of its own."""
    chance, path = np.random.default_rng(1), tmp_path_factory.mktemp("own") / "intents.npz"
    own = [some_examples(label, 12, number, chance) for number, label in enumerate(ADDED)]
    theirs = [some_examples(label, 100, 10 + number, chance) for number, label in enumerate(SHIPPED[:4])]
    found = fit(*joined(own), *joined(theirs), path)
    assert [(one.name, one.examples, one.found_again, one.taken) for one in found] == [
        (ADDED[0], 12, 12, 0), (ADDED[1], 12, 12, 0),
    ]  # fmt: skip
    return path


def joined(of: Sequence[Embedded]) -> Embedded:
    return [one for examples, _ in of for one in examples], np.concatenate([rows for _, rows in of])


def around(direction: int) -> npt.NDArray[np.float32]:
    vector = np.zeros(DIMENSIONS, np.float32)
    vector[direction] = 0.3
    return vector


def beside(file: Path) -> PackClassifier:
    return PackClassifier(intent_classifier("hospital_line"), OwnHead(file))


def test_what_is_near_the_examples_of_a_label_has_it_and_its_sub_intent(file: Path) -> None:
    first = [beside(file).labels(around(number), [*SHIPPED, *ADDED])[0] for number in range(2)]
    assert [(one.intent, one.sub_intent) for one in first] == [("lost_property", ""), ("shop", "flowers")]
    assert all(one.share > 0.9 for one in first)


def test_what_is_far_from_them_keeps_its_shipped_shares(file: Path) -> None:
    alone = intent_classifier("hospital_line").labels(around(11), SHIPPED)
    told = {one.name: one.share for one in beside(file).labels(around(11), [*SHIPPED, *ADDED])}
    assert all(abs(told[one.name] - one.share) < 0.01 for one in alone)


@given(st.integers(0, 2**32 - 1), st.floats(0, 10))
def test_shares_sum_to_one_and_the_shipped_ones_keep_their_order(
    file: Path, seed: int, length: float
) -> None:
    seen = (length * np.random.default_rng(seed).normal(0, 0.1, DIMENSIONS)).astype(np.float32)
    labels = beside(file).labels(seen, [*SHIPPED, *ADDED])
    assert sum(one.share for one in labels) == pytest.approx(1.0)
    assert [one.share for one in labels] == sorted((one.share for one in labels), reverse=True)
    alone = [one for one in intent_classifier("hospital_line").labels(seen, SHIPPED) if one.share > 1e-6]
    told = {one.name: one.share for one in labels}
    assert all(told[first.name] >= told[second.name] for first, second in pairwise(alone))


def test_a_label_that_is_not_asked_for_takes_nothing(file: Path) -> None:
    alone = intent_classifier("hospital_line").labels(around(0), SHIPPED)
    assert beside(file).labels(around(0), SHIPPED) == alone


def test_a_vector_of_another_model_has_no_label(file: Path) -> None:
    assert beside(file).labels(np.ones(1024, np.float32), [*SHIPPED, *ADDED]) == []


def test_more_examples_of_a_shipped_label_add_to_its_share(tmp_path: Path) -> None:
    chance, path, label = np.random.default_rng(2), tmp_path / "intents.npz", "visiting_hours"
    theirs = [some_examples(each, 100, 10 + number, chance) for number, each in enumerate((label, *SHIPPED[:3]))]
    fit(*some_examples(label, 3, 0, chance), *joined(theirs), path)
    told = beside(path).labels(around(0), SHIPPED)
    assert (told[0].name, told[0].share > 0.8) == (label, True)
    assert [one.name for one in told].count(label) == 1


def test_words_of_own_examples_are_words_of_their_label(file: Path) -> None:
    classifier = beside(file)
    assert classifier.words("lost_property", "nl")
    assert classifier.words("lost_property", "nl") <= classifier.words("", "nl")
    assert classifier.words("visiting_hours", "nl") == intent_classifier("hospital_line").words("visiting_hours", "nl")


def test_an_example_left_out_is_judged_as_if_it_had_never_been_there(tmp_path: Path) -> None:
    """The leverage says what fitting again without it would: an example unlike all others is not told by them."""
    chance = np.random.default_rng(3)
    listed, rows = some_examples("lost_property", 12, 0, chance)
    rows[0] = around(200)
    theirs = [some_examples(each, 100, 10 + number, chance) for number, each in enumerate(SHIPPED[:4])]
    (found,) = fit(listed, rows, *joined(theirs), tmp_path / "intents.npz")
    fit(listed[1:], rows[1:], *joined(theirs), tmp_path / "without.npz")
    told = OwnHead(tmp_path / "without.npz").odds(rows[0], ["lost_property"])["lost_property"]
    assert told < 1
    assert found.found_again == 11


def test_a_file_that_cannot_be_read_says_what_makes_it(tmp_path: Path) -> None:
    (tmp_path / "intents.npz").write_bytes(b"PK\x03\x04 but no more")
    with pytest.raises(PackInvalid, match="careline pack compile"):
        OwnHead(tmp_path / "intents.npz").load()


def test_a_pack_without_own_examples_is_told_as_it_is_shipped() -> None:
    classifier = pack_classifier(LINE)
    assert classifier is not None
    shipped = intent_classifier("hospital_line")
    assert classifier.labels(around(5), LINE.intents) == shipped.labels(around(5), LINE.intents)
    assert pack_classifier(replace(LINE, intent_classifier=None)) is None


def test_the_shipped_examples_are_those_that_the_head_stands_against() -> None:
    assert len(shipped_examples("hospital_line")) > 1_000
