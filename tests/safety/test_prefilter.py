"""Patterns that a text cannot meet are left out before they are tried, and never one that it would meet."""

from itertools import chain
from pathlib import Path

import pytest
import re2
from hypothesis import given
from hypothesis import strategies as st

from careline.safety.rules.plain_text import Plain, normalise
from careline.safety.rules.prefilter import LONGEST, PatternIndex, of_patterns, pieces
from careline.safety.rules.review import KINDS, CompiledRules
from careline.safety.rules.rule_sets import RuleSet
from careline.settings import Settings
from tests.safety.shipped_rule_sets import shipped

PACK = Settings().packs / "hospital_line"
FILES = sorted(file for kind in KINDS for file in PACK.glob(f"{kind}/*.yaml"))
WORDS = ["ik", "heb", "pijn", "a", "b", ".", "aspirine", "neem", "12", "mag"]
PATTERNS = st.recursive(
    st.sampled_from(
        [*WORDS, " ", r"[\x01-\x1f]* ", "[ab]", r"\b", r"\d+", r"\w*", "[^.]{0,9}", r"[a-z0-9]+[\x01-\x1f]*\x03"]
    ),
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=4).map("".join),
        st.lists(inner, min_size=1, max_size=3).map(lambda each: f"({'|'.join(each)})"),
        inner.map(lambda each: f"(?:{each})?"),
        inner.map(lambda each: f"(?:{each}){{1,2}}"),
    ),
)


@pytest.mark.parametrize("file", FILES, ids=lambda file: "/".join(file.parts[-2:]))
def test_a_compiled_rule_set_finds_in_any_rule_set_s_examples_what_it_finds_with_every_pattern(file: Path) -> None:
    compiled, plain = RuleSet(file, CompiledRules().of(file)), shipped(file)
    beside = [other for other in FILES if other.parent == file.parent]
    rules = chain.from_iterable((*rule_set.rules, *rule_set.asides) for rule_set in map(shipped, beside))
    texts = {normalise(text) for rule in rules for text in (*rule.must_match, *rule.must_pass)}
    met = met_by_any(plain, texts)
    assert {text: compiled.find(text) for text in texts} == {
        text: plain.find(text) if text in met else {} for text in texts
    }


def met_by_any(plain: RuleSet, texts: set[Plain]) -> set[Plain]:
    """The texts that some pattern meets. Most texts meet none, which ten patterns in one tell in a fifth of the time:
    only the others have to be read with each pattern by itself."""
    patterns = [pattern for rule in plain.rules for pattern in rule.patterns]
    options = re2.Options()
    options.never_capture = True
    tens = [re2.compile("|".join(patterns[at : at + 10]).encode(), options) for at in range(0, len(patterns), 10)]
    marked = {text: plain.slots.mark(text).encode() for text in texts}
    return {text for text in texts if any(ten.search(marked[text]) for ten in tens)}


@given(PATTERNS, st.lists(st.sampled_from([*WORDS, "aspirine\x03", "pijn\x02\x03"])))
def test_what_a_pattern_matches_holds_what_it_needs(pattern: str, words: list[str]) -> None:
    marked = f" {' '.join(words)} "
    table = PatternIndex(of_patterns([pattern], [" ik heb pijn "]))
    unmarked = marked.translate(dict.fromkeys(range(1, 32)))
    if re2.search(pattern, marked):
        assert table.candidates(pieces(unmarked), marked) == [0]


def test_a_pattern_is_left_out_when_a_word_it_needs_is_missing() -> None:
    table = PatternIndex(of_patterns(["hoeveel (aspirine|zink)", "waar is"], ["hoeveel is het", "waar is het"]))
    assert table.candidates(pieces("hoeveel is het"), "hoeveel is het") == []
    assert table.candidates(pieces("hoeveel zink en waar is het"), "hoeveel zink en waar is het") == [0, 1]


def test_a_choice_of_short_words_needs_what_stands_beside_them_too() -> None:
    table = PatternIndex(of_patterns([r"mag[\x01-\x1f]* (?:ik|[we])[\x01-\x1f]* "], [" mag dat ", " dat mag "]))
    for text, tried in {" mag ik ": [0], " mag e ": [0], " mag het ": [], " ik mag ": []}.items():
        assert table.candidates(pieces(text), text) == tried


def test_of_a_long_word_the_rarest_part_is_looked_for() -> None:
    ((parts,),) = of_patterns(["parkeren"], ["parken", "park"])
    assert parts == ("eren",) or (len(parts[0]) == LONGEST and parts[0] not in "parken")


@pytest.mark.parametrize("pattern", ["", r"\w+", "(pijn|)", "(?:pijn)?", r"\pL+"])
def test_a_pattern_that_needs_nothing_is_always_tried(pattern: str) -> None:
    assert PatternIndex(of_patterns([pattern], [])).candidates(set(), "") == [0]


def test_a_letter_that_may_be_any_parts_what_stands_before_it_from_what_follows() -> None:
    """`risultat\\w ` needs no piece "ultat ", which no text that it matches holds."""
    table = PatternIndex(of_patterns([r"risultat\w pront\w oggi"], [" i risultati pronti oggi "]))
    assert table.candidates(pieces(" risultati pronti oggi "), "") == [0]
    assert table.candidates(pieces(" risultati oggi "), "") == []
