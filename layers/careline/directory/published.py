"""What a hospital publishes of itself: its numbers, addresses and names, which are no caller's personal data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from careline.model import Span, SpanType
from careline.text.asked_words import Phrases, phrase_at, words_of

COUNTRY_CODES = {"BE": "32", "NL": "31", "FR": "33", "IT": "39", "LU": "352", "CH": "41", "GB": "44", "DE": "49"}
"""What stands before a number of a country that is called from another one (ITU-T E.164)."""
FAINT = "person.faint"
"""The rule by which a word is taken for a name though nothing around it says so."""


@dataclass(frozen=True, slots=True)
class Published:
    """What a directory holds, as it is looked up: numbers by their digits, addresses and names by their words."""

    phones: frozenset[str]
    mails: frozenset[str]
    addresses: tuple[tuple[str, ...], ...]
    """Street, postcode and town of each."""
    streets: tuple[tuple[str, ...], ...]
    names: Phrases

    @classmethod
    def of(
        cls,
        phones: Iterable[str],
        mails: Iterable[str],
        addresses: Iterable[tuple[str, str]],
        names: Iterable[str],
        country: str | None,
    ) -> Published:
        """`addresses` as street, and postcode with town; `country` is whose the numbers are."""
        code, written = COUNTRY_CODES.get(country or "", ""), list(addresses)
        phrases: dict[str, set[tuple[str, ...]]] = {}
        for words in filter(None, map(_words, names)):
            phrases.setdefault(words[0], set()).add(words)
        return cls(
            frozenset(form for phone in phones for form in _forms(phone, code)),
            frozenset(mail.casefold() for mail in mails),
            tuple(_words(f"{street} {town}") for street, town in written),
            tuple(_words(street) for street, _ in written),
            {first: tuple(sorted(found, key=len, reverse=True)) for first, found in phrases.items()},
        )

    def holds(self, span: Span, text: str) -> bool:
        """Whether what was taken for personal data in a text is the hospital's own."""
        value = text[span.start : span.end]
        match span.type:
            case SpanType.PHONE:
                return _dialled(value) in self.phones
            case SpanType.EMAIL:
                return value.casefold() in self.mails
            case SpanType.ADDRESS:
                return self._is_address(value, at_start=span.start == 0)
            case SpanType.PERSON:
                return self._is_named(span, text)
            case _:
                return False

    def without(self, spans: Iterable[Span], text: str) -> tuple[Span, ...]:
        """The spans that are somebody else's."""
        return tuple(span for span in spans if not self.holds(span, text))

    def _is_address(self, value: str, *, at_start: bool) -> bool:
        """Whether it is a street with its number, alone or with what follows it; a town alone is anybody's. The word
        before may be none of the street: "is Waterpoortlaan 120"."""
        words = words_of(value)
        apart = len(words) > 1 and (at_start or words[0].text.islower())
        readings = [_words(value), *([_words(value)[1:]] if apart else [])]
        return any(
            whole[: len(reading)] == reading and len(reading) >= len(street)
            for whole, street in zip(self.addresses, self.streets, strict=True)
            for reading in readings
        )

    def _is_named(self, span: Span, text: str) -> bool:
        """Whether it lies within a name of the directory. A name of one word is also that of a person ("Bill"), unless
        nothing but the word itself says so."""
        words = words_of(text)
        for at, word in enumerate(words):
            if word.start > span.start:
                return False
            size = phrase_at(words, at, self.names)
            covers = size > 0 and words[at + size - 1].end >= span.end
            if covers and (size > 1 or span.rule == FAINT):
                return True
        return False


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.plain for word in words_of(text))


def _is_from_abroad(number: str) -> bool:
    return number.lstrip(" (").startswith(("+", "00"))


def _dialled(number: str) -> str:
    """The digits of a number, without what leads to another country."""
    digits = "".join(sign for sign in number if sign.isdecimal())
    return digits.removeprefix("00") if _is_from_abroad(number) else digits


def _forms(number: str, code: str) -> Iterator[str]:
    """The ways to dial a number: within its country, and from another one, which Italy does with the zero."""
    dialled = _dialled(number)
    yield dialled
    if code:
        national = dialled.removeprefix(code) if _is_from_abroad(number) else dialled
        national = national.removeprefix("0")
        yield from (f"0{national}", f"{code}{national}", f"{code}0{national}")
