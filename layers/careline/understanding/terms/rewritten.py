"""Keeps the clinical name beside what a caller says, so that a search finds pages that use either."""

from __future__ import annotations

from careline.understanding.terms.index import content_words, medical_terms
from careline.understanding.terms.lookup import Term, find_terms

_MOST_NAMES = 2


def rewritten(text: str, language: str | None) -> str:
    """A text with the clinical name in brackets behind each lay wording: "snurken" is "snurken (ronchopathie)".

    Names that the text has already are not said again, so that what was rewritten stays as it is.
    """
    pieces: list[str] = []
    done = 0
    terms = find_terms(text, language)
    names_in = {(term.kind, term.key) for term in terms if not term.is_lay}
    for term in terms:
        if not term.is_lay or (term.kind, term.key) in names_in:
            continue
        names_in.add((term.kind, term.key))
        pieces += [text[done : term.end], f" ({', '.join(_names(term, language))})"]
        done = term.end
    return "".join((*pieces, text[done:]))


def _names(term: Term, language: str | None) -> list[str]:
    """The clinical name, and a second one that has no word of the first."""
    index = medical_terms().of(language)
    names = term.entry.wordings[index.language].clinical
    first = set(content_words(names[0], index.small_words))
    others = (name for name in names[1:] if first.isdisjoint(content_words(name, index.small_words)))
    return [names[0], *others][:_MOST_NAMES]
