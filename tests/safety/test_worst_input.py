"""The slowest text is looked for among texts that come near to the patterns and may be as long as a question."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from careline.safety import worst_input
from careline.safety.patterns import Book, read_book
from careline.settings import Settings
from careline.wire import MAX_QUESTION


@pytest.fixture(scope="module")
def book() -> Book:
    return read_book(Path(Settings().packs) / "hospital_line" / "harm" / "nl.yaml")


def test_the_texts_are_made_of_the_books_own_words_and_some_are_as_long_as_a_question_may_be(book: Book) -> None:
    texts = list(worst_input.random_inputs(book, 201, seed=3))
    assert len(texts) == 201
    assert max(map(len, texts)) == MAX_QUESTION
    own = {word for rule in book.rules for example in rule.must_match for word in example.split()}
    assert all(own & set(text.split()) for text in texts[::100])


def test_the_same_seed_gives_the_same_texts(book: Book) -> None:
    first, again, other = (list(worst_input.random_inputs(book, 20, seed)) for seed in (1, 1, 2))
    assert first == again != other


def test_a_text_that_is_slow_each_time_is_found(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = list(worst_input.random_inputs(book, 30, seed=0))[17]

    def find(text: str) -> dict[str, tuple[str, ...]]:
        time.sleep(0.02 if text == slow else 0)
        return {}

    monkeypatch.setattr(worst_input, "normalise", lambda text: text)
    monkeypatch.setattr(Book, "find", lambda self, text: find(text))
    worst = worst_input.slowest(book, 30)
    assert (worst.characters, worst.file) == (len(slow), book.file)
    assert worst.milliseconds >= 20
