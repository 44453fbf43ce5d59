"""Names people by what they said of themselves, so that all that is held about a caller is found by any of it.

A telephone number, an e-mail address, a national or record number identifies by itself; a name does together with a
date of birth. Each is brought to one form, however it was said or written, and kept as a keyed digest.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from itertools import combinations
from typing import Any

from careline.errors import BadRequest
from careline.model import LANGUAGES, Span, SpanType
from careline.privacy.normalised_text import NormalisedText
from careline.privacy.redaction.keyed_digest import digest
from careline.privacy.redaction.pseudonym import LENGTH, pseudonym
from careline.privacy.vocabulary import either, fold, folded, pattern, tables, words

NUMBERS = frozenset(
    {SpanType.NISS, SpanType.NIR, SpanType.CODICE_FISCALE, SpanType.NHS, SpanType.SSN, SpanType.MRN, SpanType.IBAN}
)
BIRTHS = frozenset({SpanType.DATE_OF_BIRTH, SpanType.DATE})
LEAST_DIGITS = 5
"""Digits that a subject must hold to be looked for as a number."""
MOST = 200
"""Identifiers of one kind that a conversation is found by; the newest ones."""
MOST_PEOPLE = 12
"""Names, and dates, that are paired with each other."""
MOST_WORDS = 6
"""Words of a name that is asked for."""
ALONE = (
    "subject: a name alone fits too many people; give the date of birth too, as in `Jan Peeters 1960-03-12`, or a "
    "telephone number, e-mail address, national number or user id"
)
_THIS_CENTURY = 30
"""Years of two digits up to this one are of this century."""


@dataclass(frozen=True, slots=True)
class PersonIdentity:
    """What identifies the people of a conversation, in one form each: `alone` by itself, a name with a birth date."""

    alone: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    births: tuple[str, ...] = ()

    def joined(self, other: PersonIdentity) -> PersonIdentity:
        """What is known from both."""
        return PersonIdentity(
            _newest((*self.alone, *other.alone), MOST),
            _newest((*self.people, *other.people), MOST_PEOPLE),
            _newest((*self.births, *other.births), MOST_PEOPLE),
        )

    def names(self, key: bytes) -> tuple[str, ...]:
        """The names under which the records of these people are listed, 16 hexadecimal digits each.

        Raises: SettingsInvalid when the installation has no key.
        """
        single = [_name(each, key) for each in self.alone]
        paired = [_name(f"person:{said}:{born}", key) for said in self.people for born in self.births]
        return tuple(dict.fromkeys((*single, *paired)))

    def to_json(self) -> dict[str, list[str]]:
        """For a record that is encrypted."""
        return {"alone": list(self.alone), "people": list(self.people), "births": list(self.births)}


def read(kept: dict[str, Any] | None) -> PersonIdentity:
    """The identity that `to_json` wrote; nobody's for None."""
    return PersonIdentity(*(tuple(kept[name]) for name in ("alone", "people", "births"))) if kept else PersonIdentity()


def found(text: str, spans: Iterable[Span]) -> PersonIdentity:
    """What the personal data in a text identifies people by."""
    alone: list[str] = []
    people: list[str] = []
    births: list[str] = []
    for span in spans:
        said = text[span.start : span.end]
        if span.type is SpanType.PHONE:
            alone.append(_phone(said))
        elif span.type is SpanType.EMAIL:
            alone.append(f"email:{_email(said)}")
        elif span.type in NUMBERS:
            alone.append(f"number:{_number(said)}")
        elif span.type is SpanType.PERSON:
            people.append(_person(said))
        elif span.type in BIRTHS:
            births += _dates(said)
    return PersonIdentity().joined(PersonIdentity(tuple(alone), tuple(filter(None, people)), tuple(births)))


def asked(subject: str, key: bytes) -> tuple[str, ...]:
    """Every name that a person may be listed under who is asked for by user id, number, address, or name and birth.

    Raises: BadRequest for an empty subject and for a name without a date of birth, SettingsInvalid without a key.
    """
    subject = subject.strip()
    if not subject:
        raise BadRequest("subject: a user id or a caller number is needed")
    if "@" in subject:
        return _name(f"email:{_email(subject)}", key), pseudonym(subject, key)
    dates, rest = _split(subject)
    name = _person(rest)
    if dates and name:
        return tuple(_name(f"person:{form}:{born}", key) for form in _parts(name) for born in dates)
    names = [pseudonym(subject, key)]
    if sum(character.isdigit() for character in subject) >= LEAST_DIGITS:
        names += [_name(_phone(subject), key), _name(f"number:{_number(subject)}", key)]
    elif len(subject.split()) > 1:
        raise BadRequest(ALONE)
    return tuple(dict.fromkeys(names))


def _name(identifier: str, key: bytes) -> str:
    """A caller's number has the name that it has as the caller's; anything else one of its own kind."""
    kind, _, value = identifier.partition(":")
    return pseudonym(value, key) if kind == "phone" else digest(identifier, key, "identifier")[:LENGTH]


def _newest(listed: Sequence[str], most: int) -> tuple[str, ...]:
    return tuple(dict.fromkeys(reversed(listed)))[:most][::-1]


def _phone(said: str) -> str:
    """A telephone number with its country's plus, digits alone, as it was said or written."""
    figures = NormalisedText(said).figures.decode("ascii").strip()
    international = figures.startswith("+") or figures.split(" ")[0] in words("phone", "plus")
    digits = "".join(filter(str.isdigit, figures.replace("(0)", "") if international else figures))
    return f"phone:{'+' if international else ''}{digits}"


def _number(said: str) -> str:
    """Letters and digits of a number, in capitals; of one that was dictated, those without what was said between."""
    reading = NormalisedText(said)
    plain = "".join(filter(str.isalnum, reading.figures.decode("ascii")))
    if len(reading.figures) == len(said):
        return plain.upper()
    return ("".join(group.digits for run in reading.dictated for group in run.groups) or plain).upper()


def _email(said: str) -> str:
    """An address as it is typed, also one that was dictated ("jan punt peeters apenstaartje gmail punt com")."""
    written = f" {NormalisedText(said).figures.decode('ascii')} "
    if "@" not in written:
        written = _replaced(written, words("email", "at"), "@")
    written = _replaced(written, words("email", "dot"), ".")
    for code in LANGUAGES:
        for word, sign in tables(code)["email"]["other"].items():
            written = _replaced(written, (folded(word),), sign)
    return "".join(written.split())


def _replaced(written: str, spoken: Iterable[str], sign: str) -> str:
    for word in spoken:
        written = written.replace(f" {word} ", f" {sign} ")
    return written


def _person(said: str) -> str:
    """The words of a name without accents and capitals, in the order of the alphabet."""
    parts = (each for each in unicodedata.normalize("NFKD", said.casefold()) if not unicodedata.combining(each))
    return " ".join(sorted("".join(each if each.isalpha() else " " for each in parts).split()))


def _parts(name: str) -> Iterator[str]:
    """A name as it may have been said: all of its words, or some of them."""
    said = name.split()[:MOST_WORDS]
    for length in range(len(said), 0, -1):
        yield from (" ".join(part) for part in combinations(said, length) if len(part[0]) > 1 or length > 1)


def _split(subject: str) -> tuple[list[str], str]:
    """The dates in a subject, and what stands around them without the word for being born."""
    reading = NormalisedText(subject)
    listed: list[str] = []
    rest, done = "", 0
    for match in _written().finditer(reading.figures):
        if dates := list(_read_date(match.group(0))):
            start, end = reading.origin(match.start(), match.end())
            rest += f"{subject[done:start]} "
            done = end
            listed += dates
    rest = f"{rest}{subject[done:]} "
    born = _born().search(fold(rest)) if listed else None
    return listed, f"{rest[: born.start()]} {rest[born.end() :]}" if born else rest


def _dates(said: str) -> list[str]:
    """The dates in a text, as ISO 8601; both readings where day and month may be either."""
    return [each for match in _written().finditer(NormalisedText(said).figures) for each in _read_date(match.group(0))]


def _read_date(figures: bytes) -> Iterator[str]:
    written = figures.decode("ascii")
    month = next((number for name, number in _months() if re.search(rf"\b{re.escape(name)}\b", written)), None)
    numbers = re.findall(r"[0-9]+", written)
    if month is not None:
        day, year = numbers[0], "".join(numbers[1:])
        yield from _valid(year, month, int(day))
    elif len(numbers[0]) == 4:
        yield from _valid(numbers[0], int(numbers[1]), int(numbers[2]))
    else:
        day, other, year = int(numbers[0]), int(numbers[1]), "".join(numbers[2:])
        yield from dict.fromkeys((*_valid(year, other, day), *_valid(year, day, other)))


def _valid(year: str, month: int, day: int) -> Iterator[str]:
    if len(year) not in (2, 4):
        return
    full = int(year) if len(year) == 4 else int(year) + (2000 if int(year) <= _THIS_CENTURY else 1900)
    try:
        yield date(full, month, day).isoformat()
    except ValueError:
        return


@cache
def _months() -> tuple[tuple[str, int], ...]:
    """Names of months in every language, longest first."""
    named = {
        folded(spelling): number
        for code in LANGUAGES
        for number, spellings in enumerate(tables(code)["months"], 1)
        for spelling in spellings.split("|")
    }
    return tuple(sorted(named.items(), key=lambda pair: -len(pair[0])))


@cache
def _written() -> Any:
    """RE2 for a whole date in figures, or with the month's name."""
    month = either(name for name, _ in _months())
    year = r"(?:(?:1[89]|20) ?[0-9]{2}|'?[0-9]{2})"
    of = r"(?:[ .,'-]{1,3}|[ ,]{1,2}(?:of|van|de|del|di)[ ,]{1,2})"
    ending = r"(?:[a-z]{1,4}|\^)?"
    day = r"[0-9]{1,2}"
    return pattern(
        rf"\b(?:(?:1[89]|20)[0-9]{{2}}[-/.]{day}[-/.]{day}|{day} ?[-/. ] ?{day} ?[-/. ] ?{year}"
        rf"|[0-9]{{1,2}}{ending}{of}{month}{of}{year}|{month}{of}[0-9]{{1,2}}{ending}{of}{year})\b"
    )


@cache
def _born() -> Any:
    """What is written between a name and a date of birth."""
    return pattern(r"(?i)[ ,;(](?:geboren|born|nee?|nat[oa]|dob|geb\.?)(?: (?:op|on|le|il|the))?[ :,)]")
