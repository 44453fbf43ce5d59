"""Whether a caller accepts the person who was just offered."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import yaml

from careline.speech.phrases import PhraseSet, plain_words

MOST_WORDS = 10
THANKS = PhraseSet.of(["dank u", "bedankt", "thank you", "thanks", "merci", "grazie"])


def accepts(text: str, language: str) -> bool:
    """Whether the utterance is a yes and nothing else; thanks alone are none. `language` is one of the four."""
    words = plain_words(text)
    if not 0 < len(words) <= MOST_WORDS or THANKS.make_up(words):
        return False
    return _yes(language).make_up(words)


@cache
def _yes(language: str) -> PhraseSet:
    said = yaml.safe_load(Path(__file__).with_name("consent.yaml").read_text("utf-8"))
    return PhraseSet.of(said[language])
