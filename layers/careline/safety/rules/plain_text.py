"""The one form of text that safety patterns are written against, so that a pattern never meets an accent or a comma."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import NewType

from careline.text.bounded_re2 import compile_bounded

Plain = NewType("Plain", str)
"""Text as patterns see it; only this module makes it."""

_HESITATIONS = frozenset("uh uhm um euh euhm ehm eh hum hm hmm mmm mm".split())
_ENDS_SENTENCE = "?!;\n"
_LIGATURES = str.maketrans({"œ": "oe", "Œ": "oe", "æ": "ae", "Æ": "ae", "ß": "ss", "ø": "o", "Ø": "o"})
_DIGITS = "0123456789"
_MARKDOWN = (
    (r"```[^`]*```|\[(\d+)(, ?\d+)*\]", " "),
    (r"!?\[([^\]]*)\]\([^)]*\)", r"\1"),
    (r"(?m)^\s*\|?[ :|-]*-{3,}[ :|-]*$", " "),
    (r"(?m)^[ \t]*\|", "\n"),
    (r"(?m)^\s*(#{1,6}|>|[-*+•–]|\d{1,2}[.)])\s+", "\n"),
    (r"\n\s*\n", "\n\n"),
    (r"[*_~`|]+", " "),
)


class _Letters(dict[int, str]):
    """What becomes of each character: letters and digits stay, accents vanish, the rest parts words or sentences."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        if character in _ENDS_SENTENCE:
            kept = " . "
        elif character == "." or (character.isascii() and character.isalnum()):
            kept = character
        else:
            kept = "" if unicodedata.combining(character) else " "
        self[code] = kept
        return kept


_LETTERS = _Letters()


def normalise(text: str) -> Plain:
    """The text as typed or as speech-to-text wrote it, made plain.

    Compatibility forms are unfolded, letters are lower case without accents, `œ` is `oe`. Apostrophes, hyphens and
    other punctuation become spaces (`j'ai` is `j ai`); what ends a sentence becomes the word `.`. A number is parted
    from its unit (`500mg` is `500 mg`). Hesitations and stuttered words are dropped. One space stands between words
    and at both ends, so that a space in a pattern is a word boundary. The result is ASCII.
    """
    if not text.isascii():
        text = unicodedata.normalize("NFKD", text.translate(_LIGATURES))
    words: list[str] = []
    for word in _words(text.lower().translate(_LETTERS)):
        if word not in _HESITATIONS and (not words or word != words[-1]):
            words.append(word)
    return Plain(f" {' '.join(words)} ") if words else Plain(" ")


def _words(text: str) -> Iterator[str]:
    for run in text.split():
        core = run.rstrip(".")
        for word in core.split("."):
            unit = word.lstrip(_DIGITS)
            if unit != word:
                yield word[: len(word) - len(unit)]
            if unit:
                yield unit
        if core != run:
            yield "."


def normalise_answer(text: str) -> Plain:
    """An answer made plain: without Markdown, citation markers and table rules; list items and cells stay apart.

    A line break inside a paragraph is a space, as documents break lines anywhere; a blank line or a list item ends a
    sentence.
    """
    if _MAYBE_MARKED.search(text):
        for pattern, replacement in _COMPILED:
            text = pattern.sub(replacement, text)
    return normalise("\n".join(" ".join(part.split()) for part in text.split("\n\n")))


_MAYBE_MARKED = compile_bounded(r"[`\[*_~|#>•–+\n]|---|^\s*[-\d]")
"""What a text holds that any of the Markdown is in; most sentences hold none."""
_COMPILED = tuple((compile_bounded(pattern), replacement) for pattern, replacement in _MARKDOWN)
