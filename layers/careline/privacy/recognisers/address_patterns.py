"""What street addresses look like in figures: the patterns behind `address`."""

from __future__ import annotations

from functools import cache
from typing import Any

from careline.privacy.vocabulary import either, folded, pattern, tables, words

_NUMBER = r"(?:[1-9]\d{0,3}(?: ?[a-z]\b)?|\d{1,3}000)"
"""A house number; "forty-four thousand brussels" is said for number 44 in 1000 Brussels."""
_NAME = r"[a-z~.'-]+"


def _of(language: str, name: str) -> str:
    listed = {folded(word) for word in tables(language)["address"][name]}
    return either(sorted(listed, key=lambda word: (-len(word), word)))


@cache
def dutch() -> Any:
    """`kerkstraat 12`. Group 1 is the last word of the street."""
    return pattern(rf"\b([a-z~'-]*{_of('nl', 'endings')})[ ,]{{1,2}}(?:{_of('nl', 'number')}[ .]{{1,2}})?{_NUMBER}\b")


@cache
def toward() -> Any:
    """`steenweg op gent 27`."""
    return pattern(rf"\b[a-z]*{_of('nl', 'toward')} {_NAME}[ ,]{{1,2}}(?:{_of('nl', 'number')}[ .]{{1,2}})?{_NUMBER}\b")


@cache
def with_box() -> Any:
    """`de meir 80 bus 4`: any name, when a box follows. Group 1 is the name."""
    return pattern(rf"\b([a-z~'-]{{4,}})[ ,]{{1,2}}{_NUMBER}[ ,/]{{1,2}}bus \d{{1,4}}\b")


@cache
def with_postcode() -> Any:
    """`veldkant 33a bus 12 te 2550 kontich`: any name, when box and postcode follow. Group 1 is the name."""
    box = rf"(?:[ ,/]{{1,2}}{either(words('address', 'box'))}\.? ?\w{{1,4}}\b)?"
    town = rf"[ ,]{{1,2}}(?:{either(words('address', 'town'))} )?(?:b-)?[1-9]\d{{3}} [a-z~'-]{{3,}}"
    return pattern(rf"\b([a-z~'-]{{4,}})[ ,]{{1,2}}{_NUMBER}{box}{town}")


@cache
def english() -> Any:
    """`22 park road`, `flat 3, 22 park road`. Groups: number, name, type."""
    unit = rf"(?:{_of('en', 'unit')} (?:\d{{1,4}}(?: [a-z]\b)?|\d\w{{0,3}}|[a-z]),? )?"
    name = rf"(?:(?:{_NAME}|\d{{1,3}}(?:st|nd|rd|th)) )"
    number = r"(\d{1,2} \d\d|\d{1,4}(?: ?[a-z]\b)?)"
    return pattern(rf"\b{unit}{number},? ({name}{{1,3}}){_group(_of('en', 'types'))}\b")


@cache
def english_long() -> Any:
    """`1 the old bakery church street`, where somebody lives. Group 1 is the name."""
    return pattern(rf"\b\d{{1,4}}[a-z]? ((?:{_NAME} ){{4,5}}){_of('en', 'strong')}\b")


@cache
def english_with_postcode() -> Any:
    """`71 the strand, london wc2r 0dt`: any name, when a postcode follows."""
    words_between = rf"(?:[ ,]{{1,2}}{_NAME}){{2,6}}"
    return pattern(rf"\b\d{{1,4}}[a-z]?\b{words_between}[ ,]{{1,2}}[a-z]{{1,2}}\d[a-z\d]? \d[a-z]{{2}}\b")


@cache
def english_lone() -> Any:
    """`17 the willows`, `84 queensway`: a street whose name says alone what it is, when somebody lives there."""
    lone = _of("en", "lone")
    return pattern(rf"\b\d{{1,4}}[a-z]?,? (?:the (?:[a-z~'-]+ )?{lone}|[a-z~'-]{{3,}}{lone})\b")


@cache
def english_house() -> Any:
    """`rose cottage mill lane`: a house with a name, then a street; `rural route 2 box 114`, `p o box 7`."""
    house, strong = _of("en", "houses"), _of("en", "strong")
    none = "(?:(?:no|without a|has no|hasn't got a) (?:house )?number,? )?"
    named = rf"(?:(?:the|old|new|little|great|upper|lower) )*[a-z~'-]+ {house},? {none}(?:[a-z~'-]+ ){{1,5}}?{strong}"
    boxed = r"(?:rural route|rr) \d{1,3} box \d{1,5}[a-z]?"
    boxed += r"|(?:(?:po|p\.? ?[o0]\.?) box|casella postale|postbus) \d(?: ?\d){0,5}"
    return pattern(rf"\b(?:{named}|{boxed})\b")


@cache
def english_street_first() -> Any:
    """`church street number 14`. Group 1 is the name."""
    number, types = _of("en", "number"), _of("en", "types")
    kinds = rf"(?:{_of('en', 'strong')},? (?:{number} )?|{types},? (?:at )?{number} )"
    return pattern(rf"\b((?:{_NAME} )){kinds}\d{{1,4}}[a-z]?\b")


@cache
def french_number_first() -> Any:
    """`14 bis, rue`; the name follows."""
    suffix = rf"(?: ?{_of('fr', 'suffix')}\b| ?[a-e]\b)?"
    return pattern(rf"\b\d{{1,4}}{suffix},? (?:de la |de l'|du )?{_of('fr', 'types')}\b\.? ")


@cache
def french_named() -> Any:
    """`14, grand-rue`, `grand-place 1`: streets whose name is their kind."""
    name, number = _of("fr", "named"), rf"(?:{_of('fr', 'number')}[ .]{{1,2}})?{_NUMBER}"
    return pattern(rf"\b{_NUMBER},? {name}\b|\b{name},? {number}\b")


@cache
def french_street_first() -> Any:
    """`avenue louise 54`. Groups: type, name."""
    number = rf"(?:{_of('fr', 'number')}[ .]{{1,2}})?"
    return pattern(rf"\b{_group(_of('fr', 'types'))}\.? ((?:{_NAME} ){{0,5}}?{_NAME}),? {number}{_NUMBER}\b")


@cache
def dated_street() -> Any:
    """`rue du 8 mai 1945 14`: a street named after a day."""
    number = rf"(?:{_of('fr', 'number')}[ .]{{1,2}})?"
    day = rf"du \d{{1,2}}(?:er)? {either(folded(m.split('|')[0]) for m in tables('fr')['months'])}(?: \d{{4}}\b)?"
    types = _of("fr", "types")
    return pattern(rf"\b{types} {day},? {number}{_NUMBER}\b|\b{_NUMBER},? {types} {day}")


@cache
def before_day() -> Any:
    """A kind of street right before a day that it is named after, or before that day's month."""
    return pattern(rf"\b(?:{_of('fr', 'types')} du|{_of('it', 'types')}) (?:\d{{1,2}} )?$")


@cache
def instead() -> Any:
    """`à la place du`, which is no square."""
    return pattern(r"\ba la place du (?:\d{1,2} )?$")


@cache
def italian() -> Any:
    """`via garibaldi 12`. Groups: type, name."""
    number = rf"(?:{_of('it', 'number')}[ .]{{1,2}})?"
    # "via dei mille", of which the number is the name
    name = rf"(?:dei 1000|(?:\d{{1,4}} )?(?:{_NAME} ){{0,4}}?{_NAME})"
    return pattern(
        rf"\b{_group(_of('it', 'types'))}\.? ({name}),? {number}\d{{1,4}}(?: s?barra [a-z\d]\b|[ /]?[a-z]\b)?"
    )


@cache
def box() -> Any:
    """The box, flat or floor behind a number."""
    which = rf"(?:\w{{1,4}}|{either(words('address', 'storeys'))})"
    unit = rf"{either(words('address', 'box', 'unit'))}\.? ?{which}"
    storey = rf"(?:\d{{1,2}}[a-z^]{{0,3}}|{either(words('address', 'storeys'))}) {either(words('address', 'floor'))}"
    return pattern(rf"(?:[ ,/-]{{1,3}}(?:{unit}|{storey})\b){{1,4}}|[/-]\d{{1,3}}\b")


@cache
def corrected() -> Any:
    """Another number right behind one, after a word that takes the first back."""
    more = either(words("dates", "corrections", "corrected_with"))
    again = rf"{either(words('dates', 'corrections'))}(?:[ ,]{{1,2}}{more}){{0,4}}"
    return pattern(rf"[ ,]{{1,2}}{again}[ ,]{{1,2}}\d{{1,4}}(?: (?:e|en|and|et) \d{{1,2}})?\b")


@cache
def town() -> Any:
    """Postcode and town."""
    postcode = r"(?:[a-z]{1,2}-)?(?:\d{4,5}(?: ?[a-z]{2}\b)?|\d\d \d{2,3})"
    return pattern(
        rf"[ ,]{{1,2}}(?:{either(words('address', 'town'))} )?{postcode},? [a-z~'-]{{2,}}(?: \([a-z]{{2}}\))?"
    )


@cache
def british_town() -> Any:
    """Town and British or Irish postcode."""
    return pattern(rf"(?:[ ,]{{1,2}}{_NAME}){{0,2}}[ ,]{{1,2}}[a-z]{{1,2}}\d[a-z\d]? \d[a-z]{{2}}\b")


@cache
def next_word() -> Any:
    """The word after a space or a comma. Group 1 is the word."""
    return pattern(r",? ([a-z~'-]+)(?:[^a-z0-9~'-]|$)")


@cache
def last_word() -> Any:
    """The last word before a place (`leopold 2 laan` has a number behind it). Group 1 is the word."""
    return pattern(r"\b([a-z~'.-]+)(?: [1-3])? $")


@cache
def cue() -> Any:
    """Words that say that somebody lives somewhere."""
    return pattern(rf"\b{either(words('address', 'cues'))}\b[^.!?]*$")


@cache
def cue_behind() -> Any:
    """The same words after an address: `that's my address`."""
    return pattern(rf"^,? (?:[a-z'~]+ ){{0,4}}{either(words('address', 'cues'))}\b")


@cache
def unit() -> Any:
    """What is counted after a number that is no house number."""
    return pattern(rf"^(?: ?{either(words('dates', 'units'))}\b|:\d| ?[%$])")


def _group(alternatives: str) -> str:
    return alternatives.replace("(?:", "(", 1)
