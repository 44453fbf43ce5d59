"""The rule sets that are shipped, each read, compiled and held against its own examples once for all tests."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from careline.safety.rules.rule_sets import RuleSet, read_rule_set


@cache
def shipped(file: Path) -> RuleSet:
    """A rule set as it stands in its file, without what was compiled of it. For reading. Raises: PackInvalid."""
    return read_rule_set(file)
