"""Replaces personal data by typed tokens that stay the same through a conversation, and puts it back in this process.

A token such as `[PERSON_1]` tells a model that there is a person, and that it is the same one as before. Between turns
only keyed digests are kept, in the order of the numbers; what a token stands for is known only where it was redacted.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence

from careline.model import Span, SpanType
from careline.privacy.redaction.keyed_digest import digest

_LITERAL = "LITERAL"
"""Kind of a text that merely looks like a token, as somebody may type it; it is put back as it was."""
_KINDS = "|".join([*sorted(SpanType, key=len, reverse=True), _LITERAL])
_TOKEN = re.compile(rf"\[({_KINDS})\\?_([1-9]\d{{0,8}})\]")
"""Models that write Markdown escape the last underscore of a token."""
_WORDY = frozenset({SpanType.PERSON, SpanType.EMAIL, SpanType.URL, SpanType.ADDRESS, _LITERAL})
"""Kinds in whose values punctuation makes a difference."""
_NAMES = frozenset({SpanType.PERSON, SpanType.ADDRESS})
_DIGEST_LENGTH = 32
"""Hexadecimal digits that are kept of a digest."""


class Vault:
    """The tokens of one conversation, and the values of those that this process has seen.

    `key` is the installation's secret; `state` is what `state()` returned after the last turn.
    """

    def __init__(self, key: bytes, state: Mapping[str, Sequence[str]] | None = None) -> None:
        self._key = key
        self._digests = {kind: list(listed) for kind, listed in (state or {}).items()}
        self._numbers = {kind: _numbered(listed) for kind, listed in self._digests.items()}
        self._values: dict[str, str] = {}

    def __repr__(self) -> str:
        return f"Vault({sum(map(len, self._digests.values()))} tokens)"

    def redact(self, text: str, spans: Sequence[Span]) -> str:
        """The text with each span replaced by its token. Spans are code points in order and do not overlap.

        Values that differ only in capitals and spaces (and, where it means nothing, punctuation) have the same token.
        Raises: SettingsInvalid when the installation has no key.
        """
        replaced = [*((span.start, span.end, str(span.type)) for span in spans), *_lookalikes(text, spans)]
        replaced.sort()
        # Numbers are given from left to right, as they are read; the text is changed from right to left, so that
        # offsets stay true.
        tokens = [self._token(kind, text[start:end]) for start, end, kind in replaced]
        for (start, end, _), token in zip(reversed(replaced), reversed(tokens), strict=True):
            text = text[:start] + token + text[end:]
        return text

    def knows(self, kind: SpanType, value: str) -> bool:
        """Whether the value was given in this conversation: it has a token, or is words of one that was redacted here.

        "Peeters" alone is as personal as "Jan Peeters" was; "Jan" of "Janssens" is somebody else.
        """
        if self._hashed(kind, value) in self._numbers.get(kind, {}):
            return True
        words = set(value.casefold().split())
        own = (given for token, given in self._values.items() if token.startswith(f"[{kind}_"))
        return any(words <= set(given.casefold().split()) for given in own)

    def found_again(self, text: str) -> list[Span]:
        """Where a text has values that were redacted in this process, letter for letter, in order and none overlapping;
        of two that do the longer one."""
        kinds = ((token[1:].rpartition("_")[0], value) for token, value in self._values.items())
        return without_overlaps(
            Span(start, start + len(value), SpanType(kind))
            for kind, value in kinds
            if kind != _LITERAL and value
            for start in _places(value, text)
        )

    def restore(self, text: str) -> str:
        """The text with each token that was redacted in this process replaced by its value, as it was first written.

        A token that is not known here stays as it is.
        """
        return _TOKEN.sub(lambda found: self._values.get(_name(found[1], int(found[2])), found[0]), text)

    def state(self) -> dict[str, list[str]]:
        """What to keep until the next turn: for each kind the digests of its values, in the order of their numbers."""
        return {kind: list(listed) for kind, listed in self._digests.items()}

    def _token(self, kind: str, value: str) -> str:
        hashed = self._hashed(kind, value)
        numbers = self._numbers.setdefault(kind, {})
        if hashed not in numbers:
            self._digests.setdefault(kind, []).append(hashed)
            numbers[hashed] = len(self._digests[kind])
        token = _name(kind, numbers[hashed])
        self._values.setdefault(token, value)
        return token

    def _hashed(self, kind: str, value: str) -> str:
        return digest(_normal(kind, value), self._key, f"redaction/{kind}")[:_DIGEST_LENGTH]


def without_overlaps(spans: Iterable[Span]) -> list[Span]:
    """The spans in order, of those that overlap the longest."""
    kept: list[Span] = []
    for span in sorted(spans, key=lambda one: (one.start - one.end, one.start)):
        if all(span.end <= one.start or one.end <= span.start for one in kept):
            kept.append(span)
    return sorted(kept, key=lambda one: one.start)


def _places(value: str, text: str) -> Iterator[int]:
    start = text.find(value)
    while start >= 0:
        yield start
        start = text.find(value, start + len(value))


def tokens(text: str) -> list[str]:
    """The tokens of a text, in order."""
    return [_name(found[1], int(found[2])) for found in _TOKEN.finditer(text)]


def name_tokens(text: str) -> list[str]:
    """The tokens of a text that stand for a name of somebody or for an address, in order."""
    return [found[0] for found in _TOKEN.finditer(text) if found[1] in _NAMES]


def without_tokens(text: str) -> str:
    """The text with its tokens taken out, for a search that they would only mislead."""
    return " ".join(_TOKEN.sub(" ", text).split()) if _TOKEN.search(text) else text


def without_names(text: str, spans: Iterable[Span]) -> str:
    """The text with each span, in order and none overlapping, replaced by `[NAME]`; nothing puts these back."""
    kept, done = [], 0
    for span in spans:
        kept += [text[done : span.start], "[NAME]"]
        done = span.end
    return "".join((*kept, text[done:]))


def _numbered(digests: Sequence[str]) -> dict[str, int]:
    numbers: dict[str, int] = {}
    for number, hashed in enumerate(digests, 1):
        numbers.setdefault(hashed, number)
    return numbers


def _name(kind: str, number: int) -> str:
    return f"[{kind}_{number}]"


def _lookalikes(text: str, spans: Sequence[Span]) -> list[tuple[int, int, str]]:
    """Stretches outside the spans that a reader would take for tokens."""
    found: list[tuple[int, int, str]] = []
    starts = [0, *(span.end for span in spans)]
    ends = [*(span.start for span in spans), len(text)]
    for start, end in zip(starts, ends, strict=True):
        found.extend((match.start(), match.end(), _LITERAL) for match in _TOKEN.finditer(text, start, end))
    return found


def _normal(kind: str, value: str) -> str:
    """What values with the same token have in common. A literal is only itself."""
    if kind == _LITERAL:
        return value
    plain = unicodedata.normalize("NFKC", value).casefold()
    kept = plain if kind in _WORDY else "".join(character if character.isalnum() else " " for character in plain)
    return "".join(kept.split()) or plain
