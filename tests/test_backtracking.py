"""The matcher that counts steps agrees with `re`, and tells patterns that read a text once from those that do not."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.attacks import worst
from tests.backtracking import Matcher

PATTERNS = [
    r"a+b", r"(?:ab|a)+c?", r"(a|b)*?c", r"\ba\b", r"(?<!a)b+(?=c)", r"(a+)-\1", r"^a|b$", r"[^a]{2,3}", r"(?i)AB?c",
    r"(?:a?b?){1,3}c", r"a++b", r"(?>ab?)b", r"(?s).+?c", r"(?m)^b", r"(a)?(?(1)b|c)",
]  # fmt: skip


@pytest.mark.parametrize("pattern", PATTERNS)
@settings(max_examples=60, deadline=None)
@given(text=st.text("abc- \nAB", max_size=12))
def test_it_finds_what_re_finds(pattern: str, text: str) -> None:
    found = [one.span() for one in re.finditer(pattern, text) if one.end() > one.start()]
    assert [span for span in Matcher(pattern).matches(text) if span[1] > span[0]] == found


@pytest.mark.parametrize(
    "pattern",
    [
        r"(a+)+b",
        r"(a|a)*b",
        r"(a|ab|b)*c",
        r"a+a+b",
        r"(?:a?){30}b",
        r"\s+$",
        r"\s*\|\s*",
        r"[ \t]*\[\d{1,2}\]",
        r"\s*;\s*|\s+and\s+",
        r"<!--.*?-->",
        r"\[([^\]]+)\]\(",
        r"(\*\*|\*)(?=\S)(.+?)(?<=\S)\1",
        r"https?://\S+?(?=[.,]*(?:\s|$))",
        r"(\w)\1+x",
        r"\S*@\S*",
        r"[a-z]{0,5000}!",
        r"^\s*(?:-{3,}|={3,}|(?:\|?\s*:?-{2,}:?\s*)+\|?)\s*$",
        rb"\s+$",
    ],
)
def test_a_pattern_that_reads_a_text_again_and_again_is_found_and_the_text_is_told(pattern: str | bytes) -> None:
    assert "takes" in (worst(pattern) or "")


@pytest.mark.parametrize(
    "pattern",
    [r"\w+", r"(?<!\s)\s+$", r"(?:[a-z]+-)*[a-z]+", r"a{1,30}b", r"\[([^\[\]\n]{0,500})\]", r"(?>a+)b?", rb"\d+"],
)
def test_a_pattern_that_reads_a_text_once_passes(pattern: str | bytes) -> None:
    assert worst(pattern) is None


def test_a_pattern_is_judged_by_how_it_is_used() -> None:
    assert worst(r"\s*x", how="search") is not None
    assert worst(r"\s*x", how="match") is None
    assert worst(r"a*[ab]*a*", how="search") is None
    assert worst(r"a*[ab]*a*", how="fullmatch") is not None
