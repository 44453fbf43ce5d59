"""Tells "mhm" and "ja" of a listening caller from words that want the floor.

Only an utterance made of listed words from beginning to end counts, so a question, a "stop", a "ja maar" and every
word of danger interrupt without being listed anywhere.
"""

from __future__ import annotations

from careline.speech.phrases import phrases, plain_words

MOST_WORDS = 5


def is_backchannel(text: str, language: str) -> bool:
    """Whether a caller who says this while the line speaks only shows that he listens.

    `language` is the call's, one of the four. Whether the line was waiting for a yes is for the caller of this to know.
    """
    words = plain_words(text)
    return "?" not in text and 0 < len(words) <= MOST_WORDS and phrases(language, "backchannel").make_up(words)
