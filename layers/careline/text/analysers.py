"""The informative words of a text, as each language's analyser writes them: lower case, no accents, no endings.

The same analysers write the embedded keyword index, weigh how much of a question a passage covers and choose the
sentences of an extractive answer, so that all three agree on what a word is.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from careline.text.languages import word_lists

if TYPE_CHECKING:
    from tantivy import TextAnalyzer

STEMMERS = {"nl": "dutch", "en": "english", "fr": "french", "it": "italian"}
OTHER = "xx"
"""The analyser of every other language: lower case and no accents."""
CODES = (*STEMMERS, OTHER)
LONGEST_WORD = 40


def code_of(language: str) -> str:
    """The analyser that is used for a language."""
    return language if language in STEMMERS else OTHER


def terms(text: str, language: str) -> list[str]:
    """The informative words of a text, in order, repeated as they are."""
    found: list[str] = analyser(code_of(language)).analyze(text)
    return found


@cache
def analyser(code: str) -> TextAnalyzer:
    """The analyser of a language code. Accents go before stemming, because callers' words come without them."""
    import tantivy

    words = tantivy.Filter
    builder = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple()).filter(words.remove_long(LONGEST_WORD))
    builder = builder.filter(words.lowercase())
    if code == OTHER:
        return builder.filter(words.ascii_fold()).build()
    language = STEMMERS[code]
    builder = builder.filter(words.stopword(language)).filter(words.ascii_fold())
    builder = builder.filter(words.custom_stopword(word_lists()["asking"][code].split()))
    return builder.filter(words.stemmer(language)).build()
