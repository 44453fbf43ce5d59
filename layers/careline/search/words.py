"""The informative words of a text, as each language's analyser writes them: lower case, no accents, no endings.

The same analysers write the embedded keyword index, weigh how much of a question a passage covers and choose the
sentences of an extractive answer, so that all three agree on what a word is.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tantivy import TextAnalyzer

STEMMERS = {"nl": "dutch", "en": "english", "fr": "french", "it": "italian"}
OTHER = "xx"
"""The analyser of every other language: lower case and no accents."""
CODES = (*STEMMERS, OTHER)
LONGEST_WORD = 40

ASKING_WORDS = {
    "nl": "wat hoe hoeveel waar wanneer welke welk waarom wie kan kunnen mag mogen moet moeten ik mij mijn u uw jullie wij "
    "graag euh eh heb hebt heeft hebben ben bent is zijn wordt worden doe doen ga gaat gaan daar er alstublieft dank "
    "goedendag dag vraag weten zou zouden wil wilt willen ook nog eens",
    "en": "what how much many where when which why who can could may might must should shall i me my you your we do does "
    "did please have has had am is are get there would want know like tell hello hi about need",
    "fr": "quel quelle quels quelles comment combien ou quand pourquoi qui que quoi est ce puis peux peut pouvez pouvons je "
    "moi mon ma mes vous votre nous dois doit devez faut avoir ai avez a bonjour svp voudrais veux savoir y il elle on "
    "l d c s n j m t qu",
    "it": "che cosa come quanto quanta quanti quante dove quando quale quali perche chi posso puo possono devo deve io mi "
    "mio mia lei suo sua noi ho ha hanno avere essere sono e buongiorno vorrei sapere ci c l d s n m t un",
}
"""Words that ask but do not inform; they would let any page that says "how much" match."""


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
    builder = builder.filter(words.custom_stopword(ASKING_WORDS[code].split()))
    return builder.filter(words.stemmer(language)).build()
