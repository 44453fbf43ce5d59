"""The slowest text is looked for among texts that come near to the patterns and may be as long as a question."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from careline.safety.rules import worst_input
from careline.safety.rules.rule_sets import RuleSet, read_rule_set
from careline.schemas.wire import MAX_QUESTION
from careline.settings import Settings


@pytest.fixture(scope="module")
def rule_set() -> RuleSet:
    return read_rule_set(Path(Settings().packs) / "hospital_line" / "harm" / "nl.yaml")


def test_the_texts_are_made_of_the_rule_setsown_words_and_some_are_as_long_as_a_question_may_be(
    rule_set: RuleSet,
) -> None:
    texts = list(worst_input.random_inputs(rule_set, 201, seed=3))
    assert len(texts) == 201
    assert max(map(len, texts)) == MAX_QUESTION
    own = {word for rule in rule_set.rules for example in rule.must_match for word in example.split()}
    assert all(own & set(text.split()) for text in texts[::100])


def test_the_same_seed_gives_the_same_texts(rule_set: RuleSet) -> None:
    first, again, other = (list(worst_input.random_inputs(rule_set, 20, seed)) for seed in (1, 1, 2))
    assert first == again != other


def test_a_text_that_is_slow_each_time_is_found(rule_set: RuleSet, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = list(worst_input.random_inputs(rule_set, 30, seed=0))[17]

    def find(text: str) -> dict[str, tuple[str, ...]]:
        time.sleep(0.02 if text == slow else 0)
        return {}

    monkeypatch.setattr(worst_input, "normalise", lambda text: text)
    monkeypatch.setattr(RuleSet, "find", lambda self, text: find(text))
    worst = worst_input.slowest(rule_set, 30)
    assert (worst.characters, worst.file) == (len(slow), rule_set.file)
    assert worst.milliseconds >= 20
