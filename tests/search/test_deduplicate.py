"""An answer does not lean on one text twice."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from careline.model import Hit
from careline.search.deduplicate import without_near_duplicates
from tests.builders import a_passage

WORDS = "het bezoekuur van de kinderafdeling begint om veertien uur en eindigt om twintig uur elke dag".split()


def hits(*texts: str) -> list[Hit]:
    return [Hit(a_passage(text, ordinal=n), 1 - n / 100) for n, text in enumerate(texts)]


def kept(*texts: str) -> list[str]:
    return [hit.passage.chunk.text for hit in without_near_duplicates(hits(*texts))]


def test_the_first_of_texts_that_say_the_same_is_kept() -> None:
    text = " ".join(WORDS)
    assert kept(text, text.upper(), f"{text}!", "Parkeren kost twee euro.") == [text, "Parkeren kost twee euro."]


def test_one_changed_word_in_a_long_text_is_still_the_same_text() -> None:
    long = WORDS * 6
    assert len(kept(" ".join(long), " ".join([*long[:-1], "nacht"]))) == 1


def test_texts_that_share_half_their_words_are_two_texts() -> None:
    assert len(kept(" ".join(WORDS), " ".join([*WORDS[:8], *"is vandaag gesloten wegens werken".split()]))) == 2


def test_a_price_that_differs_in_a_short_text_makes_another_text() -> None:
    assert len(kept("Parkeren kost twee euro.", "Parkeren kost drie euro.")) == 2


@given(st.lists(st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join), max_size=8))
def test_what_is_kept_is_in_order_without_exact_repeats_and_stays_kept(texts: list[str]) -> None:
    given_hits = hits(*texts)
    first = without_near_duplicates(given_hits)
    assert first == [hit for hit in given_hits if hit in first]
    said = [hit.passage.chunk.text for hit in first]
    assert len(set(said)) == len(said)
    assert without_near_duplicates(first) == first
    assert bool(first) == bool(texts)
