"""Names that a misspelt word may be are found by a few of their letters, and none of them is lost by that."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz import fuzz

from careline.understanding.entities.near_names import LONGEST_MORE, MOST_LIKE, NearNames

NAMES = st.lists(st.text("abcdef", min_size=5, max_size=14), min_size=1, max_size=60, unique=True)
SLIPS = st.lists(st.tuples(st.sampled_from(("out", "in", "other")), st.integers(0, 13)), max_size=3)


def slipped(name: str, slips: list[tuple[str, int]]) -> str:
    """A name with letters left out, put in or changed."""
    for kind, place in slips:
        at = place % (len(name) + 1)
        name = name[:at] + ("" if kind == "out" else "f") + name[at if kind == "in" else at + 1 :]
    return name


@given(names=NAMES, slips=SLIPS, least=st.sampled_from((80.0, 86.0, 92.0)))
def test_every_name_as_near_as_asked_is_found_as_if_all_had_been_compared(
    names: list[str], slips: list[tuple[str, int]], least: float
) -> None:
    word = slipped(names[0], slips)
    found = dict(NearNames(names).like(word, least))
    near = {
        n: fuzz.ratio(word, name)
        for n, name in enumerate(names)
        if fuzz.ratio(word, name) >= least and abs(len(name) - len(word)) <= LONGEST_MORE
    }
    assert found == near or (len(near) > MOST_LIKE and found.items() <= near.items())
