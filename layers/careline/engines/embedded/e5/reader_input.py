"""What the reader sees of a question and a text: token numbers of both, one behind the other."""

from __future__ import annotations

from careline.engines.embedded.e5.tokens import Tokeniser
from careline.engines.embedded.e5.weights import Weights

LONGEST = 128
"""Tokens in all."""
LONGEST_QUESTION = 40
LONGEST_CONTEXT = 28


def reader_tokens(tokeniser: Tokeniser, weights: Weights, question: str, context: str, text: str) -> list[int]:
    """Begin, question, end, end, what the text stands under, the text, end. A long question keeps its end, where
    callers ask; a long text is cut."""
    asked = tokeniser.tokens("query: " + question)[-LONGEST_QUESTION:]
    head = [weights.begin, *asked, weights.end, weights.end, *tokeniser.tokens(context)[:LONGEST_CONTEXT]]
    return [*head, *tokeniser.tokens(text)[: LONGEST - len(head) - 1], weights.end]
