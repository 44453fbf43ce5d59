"""What RE2 may keep of the texts that it has read."""

from __future__ import annotations

import platform

import pytest
import re2

from careline.privacy.vocabulary import either, pattern
from careline.text.bounded_re2 import KEPT_BYTES, compile_bounded
from tests.kept_by_pattern import bytes_kept


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc tells what is in use")
def test_what_a_pattern_keeps_of_the_texts_it_has_read_is_bounded() -> None:
    kept = bytes_kept(
        "from careline.text.bounded_re2 import compile_bounded", 'compile_bounded(b"a[ab]{14}c", latin1=True)'
    )
    assert kept < 2 * KEPT_BYTES


@pytest.mark.parametrize("written", [r"x\pL{60}", "|".join(f"[a-z]{{1,64}}{n}" for n in range(40))])
def test_a_short_pattern_that_stands_for_much_is_compiled_with_room_for_both_its_directions(written: str) -> None:
    compiled = compile_bounded(written)
    assert compiled.options.max_mem > 192 * compiled.programsize
    assert compiled.search("x" + "é" * 60 + " abc39")


def test_what_is_no_pattern_is_refused() -> None:
    with pytest.raises(re2.error):
        compile_bounded("(")


def test_a_pattern_over_bytes_finds_them_as_characters() -> None:
    found = compile_bounded(b"caf.", latin1=True).search("un café".encode("latin-1"))
    assert found.group() == "café".encode("latin-1")


def test_patterns_of_identifiers_may_keep_little_beside_their_own_size() -> None:
    listed = pattern(rf"\b{either(f'word {n}' for n in range(200))}\b")
    assert listed.options.max_mem < 4 * KEPT_BYTES + 1000 * len(listed.pattern)
    assert listed.search(b"say word-151 now")
