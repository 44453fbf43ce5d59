"""Cuts what is too long for a chunk: between words, and inside a word only when the word itself is too long."""

from __future__ import annotations

from collections.abc import Callable, Iterator

_SAFE_CHARACTERS = 200
"""Length of the pieces of an endless word; a tokenizer makes at most one token of a byte, so they are checked again."""


def cut(text: str, count: Callable[[str], int], longest: int) -> Iterator[tuple[str, int]]:
    """Pieces of at most `longest` tokens, each with its tokens; a single character is one whatever it counts."""
    words: list[str] = []
    tokens = 0
    for word, size in _small_words(text, count, longest):
        if words and tokens + size > longest:
            yield " ".join(words), tokens
            words, tokens = [], 0
        words.append(word)
        tokens += size
    if words:
        yield " ".join(words), tokens


def _small_words(text: str, count: Callable[[str], int], longest: int) -> Iterator[tuple[str, int]]:
    for word in text.split():
        size = count(word)
        if size <= longest:
            yield word, size
        else:
            yield from _pieces(word, count, longest)


def _pieces(word: str, count: Callable[[str], int], longest: int) -> Iterator[tuple[str, int]]:
    length = min(_SAFE_CHARACTERS, max(1, longest))
    for start in range(0, len(word), length):
        piece = word[start : start + length]
        size = count(piece)
        if size <= longest or len(piece) == 1:
            yield piece, size
        else:
            yield from ((letter, count(letter)) for letter in piece)
