"""Compiles patterns for RE2 with a bound on what each keeps of the texts that it has read.

RE2 keeps the states that it has met, so as to find them again: up to 8 MB for each pattern unless it is told otherwise.
Two hundred patterns would then grow for as long as texts differ, and fastest for who sends letters without order.

The thousands of rules are held to less, by their length alone (`safety.rules.rule_sets.compile_alone`): to be compiled
a second time, once their size is known, would be paid for at every start.
"""

from __future__ import annotations

from typing import Any

import re2

KEPT_BYTES, KEPT_BYTES_A_SIGN, KEPT_BYTES_AN_INSTRUCTION = 256 << 10, 1000, 512
"""What one pattern may take: by its length, or by its compiled size where that needs more, as it holds both directions
of it and then some twenty states."""
MOST_BYTES = 64 << 20
"""What the largest may take while its size is not known yet."""


def compile_bounded(written: str | bytes, *, latin1: bool = False) -> Any:
    """The pattern, over text or over bytes as it is written; `latin1` reads each byte as a character.

    Raises: re2.error.
    """
    bound = KEPT_BYTES + KEPT_BYTES_A_SIGN * len(written)
    try:
        pattern = _compiled(written, bound, latin1)
    except re2.error:
        # A short pattern may be a large one: repetitions of classes of letters.
        bound, pattern = 0, _compiled(written, MOST_BYTES, latin1)
    needed = KEPT_BYTES + KEPT_BYTES_AN_INSTRUCTION * int(pattern.programsize)
    return pattern if needed <= bound else _compiled(written, needed, latin1)


def _compiled(written: str | bytes, bound: int, latin1: bool) -> Any:
    options = re2.Options()
    options.max_mem = bound
    options.log_errors = False
    if latin1:
        options.encoding = re2.Options.Encoding.LATIN1
    return re2.compile(written, options)
