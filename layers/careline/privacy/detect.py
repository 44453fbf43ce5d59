"""Finds personal data in a text: asks every recogniser and settles which of their finds stand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from careline.errors import SettingsInvalid
from careline.model import LANGUAGES, Span, SpanType
from careline.privacy import pasted_tables as rows
from careline.privacy.normalised_text import NormalisedText
from careline.privacy.recognisers import address, dates, email, iban, mrn, national, phone, web

Mode = Literal["strict", "lenient", "off"]

_RECOGNISERS = (iban.find, national.find, email.find, web.find, mrn.find, address.find, dates.find, phone.find)
_CERTAIN = frozenset({"checksum", "cue", "form", "cell"})
"""Last part of the rules that say that something was proven or announced, not merely that it looks like it."""
_WEIGHTS = (
    (SpanType.EMAIL, SpanType.URL, SpanType.IP),
    (SpanType.MRN, SpanType.IBAN, SpanType.NISS, SpanType.NIR, SpanType.CODICE_FISCALE, SpanType.NHS, SpanType.SSN),
    (SpanType.ADDRESS,),
    (SpanType.DATE, SpanType.DATE_OF_BIRTH),
    (SpanType.PHONE,),
    (SpanType.PERSON,),
)
"""Most specific first; what has a right checksum, or a country and the length for it, comes before all of them."""
_WEIGHT = {kind: weight for weight, kinds in enumerate(_WEIGHTS) for kind in kinds}


class Detector:
    """The detector port.

    `strict` keeps everything; `lenient` only what is certain by its form, its checksum or a word that announces it;
    `off` finds nothing. `types` are the kinds to look for, all when empty. Raises: SettingsInvalid for an unknown one.
    """

    def __init__(self, mode: Mode = "strict", types: Sequence[str] = ()) -> None:
        try:
            self._types = frozenset(SpanType(each.upper()) for each in types) or frozenset(SpanType)
        except ValueError:
            listed = ", ".join(SpanType)
            raise SettingsInvalid(f"CARELINE_PHI_TYPES: the kinds of personal data are {listed}") from None
        self._mode = mode

    def find(self, text: str, language: str | None, staff: Sequence[str] = ()) -> tuple[Span, ...]:
        """Spans in order, none overlapping another; names of `staff` are none. An unknown language means all four."""
        if self._mode == "off" or not text:
            return ()
        known = language if language in LANGUAGES else None
        return settled(self._wanted(_found(text, known, staff)))

    def _wanted(self, spans: Iterable[Span]) -> Iterator[Span]:
        for span in spans:
            if span.type in self._types and (self._mode == "strict" or _certain(span)):
                yield span


def settled(spans: Iterable[Span]) -> tuple[Span, ...]:
    """The spans that stand where several overlap: the most specific, then the longest; in order."""
    kept: dict[int, Span] = {}
    taken = bytearray()
    for span in sorted(spans, key=_rank):
        if len(taken) < span.end:
            taken.extend(bytes(span.end - len(taken)))
        if span.start < span.end and not any(taken[span.start : span.end]):
            taken[span.start : span.end] = b"\x01" * (span.end - span.start)
            kept[span.start] = span
    return tuple(kept[start] for start in sorted(kept))


def _found(text: str, language: str | None, staff: Sequence[str]) -> Iterator[Span]:
    from careline.privacy.names import person

    table = rows.read(text)
    people = tuple(span for span in person.find(text, language, staff) if not table.heads(span))
    yield from table.cells
    reading = NormalisedText(text, language, [each.end for each in people])
    yield from (each for each in people if not reading.is_spelled(each.start, each.end))
    for find in _RECOGNISERS:
        yield from find(reading)


def _certain(span: Span) -> bool:
    return span.rule.rpartition("/")[2].partition("-")[0] in _CERTAIN


def _rank(span: Span) -> tuple[int, int, int]:
    proven = -1 if span.rule.endswith(("/checksum", "/cell", "/country")) else _WEIGHT[span.type]
    return proven, span.start - span.end, span.start
