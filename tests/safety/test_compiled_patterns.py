"""Of the patterns that were compiled those are kept that were used last."""

from collections.abc import Callable

import pytest

from careline.safety.rules.compiled_patterns import CompiledPatterns


def test_a_pattern_that_is_kept_is_not_compiled_again() -> None:
    made: list[str] = []
    patterns = CompiledPatterns()
    for name in ("chest", "chest", "leg", "chest"):
        assert patterns.get(name, _making(name, made)) == name.upper()
    assert made == ["chest", "leg"]


def test_no_more_patterns_are_kept_than_may_be_and_the_last_used_ones_are() -> None:
    made: list[str] = []
    patterns = CompiledPatterns(most=2)
    for name in ("chest", "leg", "chest", "arm", "chest", "leg"):
        patterns.get(name, _making(name, made))
    assert made == ["chest", "leg", "arm", "leg"]


def test_a_pattern_that_cannot_be_compiled_is_not_kept() -> None:
    def fail() -> str:
        raise ValueError("no pattern")

    patterns = CompiledPatterns()
    with pytest.raises(ValueError, match="no pattern"):
        patterns.get("chest", fail)
    assert patterns.get("chest", _making("chest", [])) == "CHEST"


def _making(name: str, made: list[str]) -> Callable[[], str]:
    def make() -> str:
        made.append(name)
        return name.upper()

    return make
