"""Reads "and the last one?" in the light of a question about the first of what follows one another in time."""

from __future__ import annotations

from careline.search.asked_words import AskedWord, listed, named, words_of

_ENDS = ("earliest", "latest")


def with_other_end(earlier: str, follow_up: str, language: str) -> str:
    """The earlier question with the last of what it asked the first of, or the other way round; empty where a
    follow-up names anything besides, or where the two do not name an end each, and not the same."""
    old, own = _end_in(earlier, language), _end_in(follow_up, language)
    if old is None or own is None or old[0] == own[0] or named(_without(follow_up, own[1]), language):
        return ""
    return f"{earlier[: old[1].start]}{own[1].text}{earlier[old[1].end :]}"


def names_an_end_alone(text: str, language: str) -> bool:
    """Whether a text names an end, as "the last one", and nothing besides."""
    found = _end_in(text, language)
    return found is not None and not named(_without(text, found[1]), language)


def _end_in(text: str, language: str) -> tuple[str, AskedWord] | None:
    """The one word that names an end, and which; None for none or several."""
    found = [(end, word) for word in words_of(text) for end in _ENDS if word.plain in listed(end, language)]
    return found[0] if len(found) == 1 else None


def _without(text: str, word: AskedWord) -> str:
    return f"{text[: word.start]} {text[word.end :]}"
