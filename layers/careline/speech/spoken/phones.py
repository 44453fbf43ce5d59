"""Says telephone numbers: a comma between the country's groups, digits in pairs or one by one as the language does."""

from __future__ import annotations

import re

from careline.speech import language_data
from careline.speech.spoken.number_words import one_by_one, pair
from careline.speech.spoken.written_number import AnswerAccumulator, signs
from careline.text.phone_numbers import WRITTEN_PHONE

LEAST_DIGITS = 8
LONGEST_GROUP = 4
"""Digits of a written group beyond which the grouping is looked up."""
REGIONS = {"nl": ("BE", "NL"), "en": ("BE", "GB"), "fr": ("BE", "FR"), "it": ("BE", "IT")}
"""Where a number without a country may belong, the hospital's own country first."""

_COUNTRY = r"(?:\+[0-9]{1,3}[ .]?(?:\(0\)[ .]?)?)?"
_IN_TWOS_AND_THREES = re.compile(rf"{_COUNTRY}\(?0?[0-9]{{1,3}}\)?(?:[ ./-][0-9]{{2,3}}){{2,4}}(?![0-9,.]?[0-9])")
_IN_FOURS = re.compile(r"(?:\+[0-9]{2} ?0?|0)[0-9]{1,3}(?: [0-9]{3,4}){2}(?![0-9,.]?[0-9])")
_ZONE_AND_REST = re.compile(r"\(?[+0][0-9]{1,3}\)?[ ./-][0-9]{5,8}(?![0-9,.]?[0-9])")
_RUN = re.compile(r"(?:\+[0-9]|0)[0-9]{8,13}(?![0-9,.]?[0-9])")
_AS_WRITTEN = re.compile(rf"{WRITTEN_PHONE}(?![,.][0-9])")
_PATTERNS = (_IN_TWOS_AND_THREES, _IN_FOURS, _ZONE_AND_REST, _RUN, _AS_WRITTEN)
SERVICE_REGIONS = ("IT", "LU")
"""Countries whose service numbers begin with no zero; those of other countries are read by their zero."""
_SERVICE_TYPES = frozenset((3, 4, 5, 7))
"""`phonenumbers.PhoneNumberType`: toll free 3, premium rate 4, shared cost 5, personal number 7."""
_SERVICE = re.compile(
    r"(?:[1-9][0-9]{2}([ .\u00a0/-]?)[0-9]{3}(?:\1[0-9]{2,3})?|[1-9][0-9]{2}[ .\u00a0/-][0-9]{5,6}"
    r"|800[0-9][ .\u00a0-]?[0-9]{2}[ .\u00a0-]?[0-9]{2})(?![0-9]|[.,/-][0-9])"
)
_KNOWN = re.compile(r"116[01][0-9]{2}|803(?:[0-9]{3}){1,2}")
"""Six digits that are dialled alike in all of Europe, such as 116 117 (Commission Decision 2007/116/EC), and a free
code of Italy that the library does not know."""
_COUNTED = re.compile(
    r"[ \u00a0]?(?:[€$£%°]|(?:EUR|CHF|euros?|francs?|franchi|frank|dollar[si]?|km|m[²2]?|kg|mg|m?l)(?![^\W\d_]))"
)
_TWO_DECIMALS = re.compile(r"[0-9]{1,2}\.[0-9]{2}[ \u00a0]?[-–][ \u00a0]?[0-9]{1,2}\.[0-9]{2}(?![0-9]|[.,][0-9])")
"""A range of prices or measures: no country groups a number so."""
_THOUSANDS = re.compile(r"[1-9][0-9]{0,2}(?:([ .])[0-9]{3})(?:\1[0-9]{3})+$")
_PARTING = re.compile(r"[ ./\u2010-\u2013-]+")


def phone(text: str, at: int, language: str) -> AnswerAccumulator | None:
    """The telephone number that begins at `at`. Groups are those that are written, or the country's where none are.

    The (0) after a country's number is not dialled and not said.
    """
    if _TWO_DECIMALS.match(text, at):
        return None
    if (service := _service(text, at, language)) is not None:
        return service
    for pattern in _PATTERNS:
        match = pattern.match(text, at)
        if match and sum(c.isdigit() for c in match[0]) >= LEAST_DIGITS and not _THOUSANDS.match(match[0]):
            written = match[0].replace("(0)", " ").replace("(", "").replace(")", " ")
            return match.end(), ", ".join(_group(group, language) for group in _groups(written, language))
    return None


def _service(text: str, at: int, language: str) -> AnswerAccumulator | None:
    """A number that no zone begins: free and shared ones of Italy and Luxembourg, and those of all of Europe (116).

    Digits are said as they are grouped, or in threes. What is counted in a unit or in money is none.
    """
    match = _SERVICE.match(text, at)
    if match is None or _COUNTED.match(text, match.end()):
        return None
    digits = "".join(c for c in match[0] if c.isdigit())
    if not (_KNOWN.fullmatch(digits) or _is_service_number(digits)):
        return None
    groups = [group for group in _PARTING.split(match[0]) if group]
    if max(map(len, groups)) > LONGEST_GROUP:
        groups = [digits[start : start + 3] for start in range(0, len(digits), 3)]
    return match.end(), ", ".join(_group(group, language) for group in groups)


def _is_service_number(digits: str) -> bool:
    """Whether a number is one of those that are called at nobody's or at the called one's cost, or at a fixed one."""
    import phonenumbers

    for region in SERVICE_REGIONS:
        try:
            parsed = phonenumbers.parse(digits, region)
        except phonenumbers.NumberParseException:
            continue
        if phonenumbers.number_type(parsed) in _SERVICE_TYPES:
            return True
    return False


def _groups(written: str, language: str) -> list[str]:
    groups = [group for group in _PARTING.split(written) if group]
    if all(len(group.lstrip("+")) <= LONGEST_GROUP for group in groups):
        return groups
    return _of_country("".join(groups), language) or groups


def _of_country(number: str, language: str) -> list[str] | None:
    """The groups that a country writes, None for a number that is none there."""
    import phonenumbers

    international = number.startswith("+")
    form = phonenumbers.PhoneNumberFormat.INTERNATIONAL if international else phonenumbers.PhoneNumberFormat.NATIONAL
    for region in REGIONS[language]:
        try:
            parsed = phonenumbers.parse(number, region)
        except phonenumbers.NumberParseException:
            continue
        grouped = _PARTING.split(phonenumbers.format_number(parsed, form))
        if phonenumbers.is_valid_number(parsed) and "".join(grouped) == number:
            return grouped
    return None


def _group(group: str, language: str) -> str:
    digits = group.lstrip("+")
    in_pairs = language_data.text(language, "numbers", "phone") == "pairs"
    if len(digits) > LONGEST_GROUP:
        said = ", ".join(one_by_one(digits[start : start + 3], language) for start in range(0, len(digits), 3))
    else:
        said = pair(digits, language) if in_pairs and len(digits) == 2 else one_by_one(digits, language)
    return f"{signs(language)['plus']} {said}" if group.startswith("+") else said
