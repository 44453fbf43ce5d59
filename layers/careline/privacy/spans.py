"""The vocabulary of recognisers and redaction: where protected data stands in a text, and how finds are settled."""

from __future__ import annotations

from careline.model import Span, SpanType

__all__ = ["Span", "SpanType"]
