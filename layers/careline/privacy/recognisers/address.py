"""Street addresses: a street with its number, in each language's order, with box, postcode and town if they follow.

A street without a number is a place, and a route or a floor with a number is a way through the hospital; neither is
anybody's address.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from careline.model import Span, SpanType
from careline.privacy.names.lists.files import names
from careline.privacy.normalised_text import NormalisedText
from careline.privacy.recognisers import address_patterns as look
from careline.privacy.vocabulary import folded, tables, words
from careline.text.frequent_words import frequent_words

_REACH = 60
"""Characters before a street in which somebody says that they live there."""
_MOST_NAME_WORDS = 3
_WORD = re.compile(r"[a-z~.-]+|'")
_UNNUMBERED = re.compile(r"\b(?:no|without a|has no|hasn't got a) (?:house )?number\b")
_INITIAL = re.compile(r"[a-z]\.")
_LONGEST_NAME = 80
_YEAR_LAST = re.compile(rb"[a-z] (?:1[789]|20)\d\d$")
"""A square named after a day of some year, without a house number."""


def find(reading: NormalisedText) -> Iterator[Span]:
    """Whole addresses in every language: a caller in Ghent may live in the rue de la Loi."""
    for start, end, rule in (*_dutch(reading), *_english(reading), *_french(reading), *_italian(reading)):
        yield reading.span(start, _with_town(reading, end), SpanType.ADDRESS, f"address/{rule}")


def _dutch(reading: NormalisedText) -> Iterator[tuple[int, int, str]]:
    for match in look.dutch().finditer(reading.figures):
        street = match.group(1).decode("ascii")
        ending = max((each for each in words("address", "endings") if street.endswith(each)), key=len, default="")
        alone = street in _listed("nl", "alone")
        if not ending or (not alone and street in _listed("nl", "not")) or _counted(reading, match.end()):
            continue
        start = _before_street(reading, match.start())
        weak = ending in _listed("nl", "weak") and not _is_road(street, ending)
        named = _first_word(reading, start) in _listed("nl", "before")
        weak = (weak and not (named and start < match.start())) or len(street) < len(ending) + 2
        if (alone and start < match.start()) or (
            not alone and (not weak or _sure(reading, match.start(), match.end()))
        ):
            yield start, match.end(), "nl"
    for match in look.with_box().finditer(reading.figures):
        name = match.group(1).decode("ascii")
        unlisted = name not in _listed("nl", "not") and name not in frequent_words("nl")
        if unlisted or _sure(reading, match.start(), match.end()):
            yield match.start(), match.end(), "nl"
    for match in look.with_postcode().finditer(reading.figures):
        name = match.group(1).decode("ascii")
        named = name not in _listed("nl", "not") or name in _listed("nl", "squares")
        if named and not _counted(reading, match.end()):
            yield _before_rare(reading, match.start()), match.end(), "nl"
    for match in look.toward().finditer(reading.figures):
        if not _counted(reading, match.end()):
            yield match.start(), match.end(), "nl"


def _first_word(reading: NormalisedText, start: int) -> str:
    return reading.figures[start : start + 30].decode("ascii").split()[0]


def _is_road(street: str, ending: str) -> bool:
    """Whether a word that ends as many words do is a street's all the same: it is no ordinary word ("heirweg")."""
    return ending in _listed("nl", "roads") and street not in frequent_words("nl")


def _before_rare(reading: NormalisedText, start: int) -> int:
    """Where a street begins whose last word says nothing of one: `Coupure Links`."""
    before = look.last_word().search(reading.figures[max(0, start - 30) : start])
    begin = start - len(before.group()) if before else start
    word = before.group(1).decode("ascii") if before else ""
    is_name = word and word not in frequent_words("nl") and word not in frequent_words("fr") and "." not in word
    return begin if is_name and word not in _labels() and _capital_inside(reading, begin) else start


def _before_street(reading: NormalisedText, start: int) -> int:
    """Where the name starts: `oude baan`, `Koning Albertlaan`."""
    for _ in range(_MOST_NAME_WORDS):
        before = look.last_word().search(reading.figures[max(0, start - 30) : start])
        if before is None:
            break
        begin = start - len(before.group())
        if before.group(1).decode("ascii") not in _listed("nl", "before") and not _capital_inside(reading, begin):
            break
        start = begin
    return start


def _english(reading: NormalisedText) -> Iterator[tuple[int, int, str]]:
    for match in look.english().finditer(reading.figures):
        name, kind = match.group(2).decode("ascii").split(), match.group(3).decode("ascii")
        strong = kind in _listed("en", "strong")
        # "mg road": half of the towns of India have a Mahatma Gandhi Road.
        no_name = _stopped(name, "en") and not (strong and name == ["mg"])
        if no_name:
            continue
        if (strong and name != ["the"]) or _sure(reading, match.start(), match.end()) or _capital(reading, match, 2):
            yield match.start(), match.end(), "en"
    for match in look.english_with_postcode().finditer(reading.figures):
        yield match.start(), match.end(), "en"
    for match in look.english_street_first().finditer(reading.figures):
        if not _stopped(match.group(1).decode("ascii").split(), "en") and not _counted(reading, match.end()):
            yield match.start(), match.end(), "en"
    yield from _english_home(reading)


def _english_home(reading: NormalisedText) -> Iterator[tuple[int, int, str]]:
    """What is an address only where somebody lives: long names, those without a kind of street, houses with a name."""
    for find_in in (look.english_long(), look.english_lone(), look.english_house()):
        for match in find_in.finditer(reading.figures):
            boxed = find_in is look.english_house() and match.group()[-1:].isdigit()
            said = _UNNUMBERED.sub("", match.group().decode("ascii"))
            if _stopped(said.split(), "en") or _counted(reading, match.end()):
                continue
            if boxed or _sure(reading, match.start(), match.end()):
                yield match.start(), match.end(), "en"


def _french(reading: NormalisedText) -> Iterator[tuple[int, int, str]]:
    for match in look.french_number_first().finditer(reading.figures):
        end = _french_name_end(reading, match.end())
        if end is not None:
            yield match.start(), end, "fr"
    for match in look.french_named().finditer(reading.figures):
        yield match.start(), match.end(), "fr"
    for match in look.dated_street().finditer(reading.figures):
        if not _YEAR_LAST.search(match.group()):
            yield match.start(), match.end(), "fr"
    for match in look.french_street_first().finditer(reading.figures):
        kind, name = match.group(1).decode("ascii"), match.group(2).decode("ascii")
        parts = re.split(r"[ ']+", name.strip())
        weak = kind in _listed("fr", "weak") and parts[0] not in _listed("fr", "articles")
        named = not all(part in _listed("fr", "articles") for part in parts)
        if named and not weak and not _stopped(parts, "fr") and not _counted(reading, match.end()):
            yield match.start(), match.end(), "fr"


def _french_name_end(reading: NormalisedText, start: int) -> int | None:
    """Where the name of a street ends that starts after `rue`; None when no name follows."""
    end, named = start, 0
    for word in _WORD.finditer(reading.figures[start : start + _LONGEST_NAME].decode("ascii")):
        between = reading.figures[end : start + word.start()]
        if between.strip(b" '") or word.group().rstrip(".") in _listed("fr", "stop"):
            break
        if word.group() != "'" and word.group() not in _listed("fr", "articles"):
            if named == _MOST_NAME_WORDS - 1 and not _capital_inside(reading, start + word.start()):
                break
            named += 1
        end = start + word.end()
        if word.group().endswith(".") and len(word.group()) > 3:
            break
    return end if named else None


def _italian(reading: NormalisedText) -> Iterator[tuple[int, int, str]]:
    at = 0
    while (match := look.italian().search(reading.figures, at)) is not None:
        at = match.end()
        if _stopped(_without_origin(match.group(2).decode("ascii").split(), match.group(1)), "it"):
            # "la mia via è via don minzoni 8": the second is the street.
            at = match.end(1)
        elif match.group(1).decode("ascii") in _listed("it", "verbs") and not _sure(reading, match.start(), at):
            # "quanto costa la camera singola quarantacinque"
            at = match.end(1)
        elif not _counted(reading, match.end()):
            yield match.start(), match.end(), "it"


def _with_town(reading: NormalisedText, end: int) -> int:
    """Where an address ends when box, postcode and town are counted in."""
    for each in (look.corrected(), look.box(), look.town(), look.british_town()):
        match = each.match(reading.figures, end)
        if match and not _counted(reading, match.end()):
            end = match.end()
    for _ in range(_MOST_NAME_WORDS):
        word = look.next_word().match(reading.figures, end)
        if word is None or not _is_of_town(reading, end, word):
            break
        end = word.end(1)
    return end


def _is_of_town(reading: NormalisedText, end: int, word: Any) -> bool:
    """Whether a word behind a town is a part of its name, and not what the next line or the next field begins with."""
    start, last = reading.origin(word.start(1), word.end(1))
    between, written = reading.text[reading.origin(end - 1, end)[1] : start], reading.text[start:last]
    if "\n" in between or not _capital_inside(reading, word.start(1)):
        return False
    is_field = "," in between and len(written) > 1 and written.isupper()
    return not is_field and word.group(1).decode("ascii") not in _labels()


def _sure(reading: NormalisedText, start: int, end: int) -> bool:
    """Whether somebody says that they live there, or a postcode follows."""
    if look.cue().search(reading.figures[max(0, start - _REACH) : start]):
        return True
    if look.cue_behind().match(reading.figures[end : end + _REACH]):
        return True
    return bool(look.town().match(reading.figures, end) or look.british_town().match(reading.figures, end))


def _counted(reading: NormalisedText, end: int) -> bool:
    return bool(look.unit().match(reading.figures[end : end + 20]))


def _without_origin(name: list[str], kind: bytes) -> list[str]:
    """The words of an Italian street without the `da` of "leonardo da vinci" and the `in` of "san martino in colle"."""
    if kind.decode("ascii") in _listed("it", "hamlets"):
        name = [word for at, word in enumerate(name) if word not in ("in", "a") or not 0 < at < len(name) - 1]
    known = names()
    return [
        word
        for at, word in enumerate(name)
        if not (word == "da" and 0 < at < len(name) - 1 and name[at - 1] in known.first)
    ]


def _stopped(name: list[str], language: str) -> bool:
    return any(word.strip(".") in _listed(language, "stop") and not _INITIAL.fullmatch(word) for word in name)


def _capital(reading: NormalisedText, match: Any, group: int) -> bool:
    return _capital_inside(reading, match.start(group))


def _capital_inside(reading: NormalisedText, start: int) -> bool:
    """Whether a word has a capital in a text that also has small letters, so that a capital means something."""
    position, _ = reading.origin(start, start + 1)
    return reading.text[position].isupper() and reading.has_small_letters


@cache
def _labels() -> frozenset[str]:
    """What stands before a number of another kind, with a capital in a letter's head."""
    return frozenset((*words("iban", "cues"), *words("phone", "cues"), "email", "e-mail", "mail"))


@cache
def _listed(language: str, name: str) -> frozenset[str]:
    return frozenset(folded(word) for word in tables(language)["address"][name])
