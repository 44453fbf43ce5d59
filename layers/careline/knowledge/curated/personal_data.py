"""Refuses a curated answer that holds somebody's personal data: it would be told to every caller.

A question may name days, and an answer the hospital's own telephone numbers, addresses and accounts, which are nobody's
secret; names of staff are none where the detector knows them or the writer says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from careline.knowledge.extract.rejections import rejected
from careline.model import Span, SpanType
from careline.ports import PhiDetector
from careline.privacy.redaction.redact import tokens

NEVER_IN_QUESTIONS = frozenset(SpanType) - {SpanType.DATE, SpanType.URL}
NEVER_IN_ANSWERS = frozenset(
    {
        SpanType.PERSON, SpanType.DATE_OF_BIRTH, SpanType.MRN, SpanType.SSN, SpanType.NISS, SpanType.NIR,
        SpanType.CODICE_FISCALE, SpanType.NHS,
    }
)  # fmt: skip
"""What belongs to one person and never to a hospital."""


def check_personal_data(
    questions: Sequence[str],
    text: str,
    language: str,
    detector: PhiDetector,
    *,
    staff: Sequence[str] = (),
    not_phi: Iterable[str] = (),
) -> None:
    """Raises: DocumentRejected (`personal_data`) naming the part and the kinds, never the words.

    `not_phi` are stretches that the writer says are nobody's. What a question shares with its answer, such as the
    number that it asks about, is judged as the answer is.
    """
    said = {_folded(one) for one in not_phi}
    for part, told, never in (("question", questions, NEVER_IN_QUESTIONS), ("answer", (text,), NEVER_IN_ANSWERS)):
        kinds = {
            str(span.type)
            for one in told
            for span in detector.find(one, language, staff)
            if span.type in never and not _is_settled(span, one, text, said)
        }
        # Words of a turn's record hold such a token where a person's data stood.
        kinds |= {token for one in told for token in tokens(one)}
        if kinds:
            raise rejected("personal_data", part=part, kinds=", ".join(sorted(kinds)))


def _is_settled(span: Span, within: str, answer: str, said: set[str]) -> bool:
    value = within[span.start : span.end]
    shared = span.type not in NEVER_IN_ANSWERS and value in answer
    return shared or _folded(value) in said


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
