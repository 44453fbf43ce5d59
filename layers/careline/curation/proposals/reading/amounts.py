"""Reads prices as tables write them: the amount, its currency, what it is for one of, and the words beside it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from careline.curation.proposals.reading.words import concepts, is_price_word, told, words
from careline.directory.entries import Unit
from careline.text.figure_words import plain
from careline.text.figure_words import words as figure_words
from careline.text.label_words import label_words

CURRENCIES = {"€": "EUR", "eur": "EUR", "euro": "EUR", "euros": "EUR", "chf": "CHF", "fr.": "CHF", "£": "GBP",
              "gbp": "GBP", "$": "USD", "usd": "USD"}  # fmt: skip
"""What currencies are called in tables, by their ISO 4217 code."""
_SIGN = r"€|£|\$|(?<![a-z])(?:eur|euros?|chf|gbp|usd)(?![a-z])|(?<![a-z])fr\."
_CURRENCY = re.compile(_SIGN)
_NUMBER = r"(?:[0-9]{1,3}(?:[ .,'][0-9]{3}){1,2}|[0-9]{1,7})(?:[.,][0-9]{1,2})?"
_AMOUNT = re.compile(rf"(?:({_SIGN})\s?)?(?<![0-9.,])({_NUMBER})(?:,-|\.-)?(?![0-9])(?:\s?({_SIGN}))?")
_IN_BRACKETS = re.compile(r"\([^()]{1,60}\)")
_TOKEN = re.compile(r"[a-z]+|[0-9]+|/")
_TIMES: dict[float, Unit] = {1: "minute", 15: "quarter", 30: "half_hour", 60: "hour", 1_440: "day", 10_080: "week"}
_MOST_BESIDE = 90
"""Characters beside an amount that are kept as its condition."""


@dataclass(frozen=True, slots=True)
class Amount:
    """A price. `beside` are the words around it that say for whom, when or of what; `unit` is None where it is not
    said."""

    amount: Decimal
    currency: str | None
    unit: Unit | None = None
    beside: str = ""


def amount_in(value: str, language: str) -> Amount | None:
    """The price that a cell holds, with the words beside it; None where there is none, or more than one."""
    said = plain(value).strip()
    found = [one for one in _AMOUNT.finditer(said) if one[1] or one[3]] or _alone(said)
    if len(found) != 1:
        return _for_nothing(value, language) if not found else None
    one = found[0]
    number = decimal_of(one[2])
    beside = _rest(value, said, one)
    if said[: one.start()].strip(" (") or number is None:
        # What stands before it is of what the amount is one part: "met een muntstuk van € 1".
        return None
    if not _follows_price(said[one.end() :]):
        return None
    if any(character.isdigit() for character in _without_unit(beside)) or len(beside) > _MOST_BESIDE:
        return None
    return Amount(number, CURRENCIES.get(one[1] or one[3] or ""), unit_in(beside), beside)


def _alone(said: str) -> list[re.Match[str]]:
    """A number without a currency, which its column names, and no other words than those of a unit: "0,30 al km"."""
    found = list(_AMOUNT.finditer(said))
    if len(found) != 1:
        return []
    beside = _TOKEN.findall(f"{said[: found[0].start()]} {said[found[0].end() :]}")
    if not beside:
        return found if found[0].span() == (0, len(said)) else []
    is_unit = beside[0] in words().per_or_slash and unit_in(" ".join(beside)) is not None
    return found if is_unit and len(beside) <= 3 else []


def _rest(value: str, said: str, found: re.Match[str]) -> str:
    """The words beside the amount, as the document spells them where plain letters are as many as written ones."""
    source = value.strip() if len(value.strip()) == len(said) else said
    rest = f"{source[: found.start()]} {source[found.end() :]}"
    return " ".join(rest.split()).strip(" ,;:.()")


def _follows_price(behind: str) -> bool:
    """Whether what stands behind an amount is a remark, a unit or an addition: "€ 2 coin" is a coin and no price."""
    rest = behind.strip()
    first = re.match(r"[a-z]+", rest)
    return first is None or first[0] in words().per or first[0] in words().added


def _without_unit(beside: str) -> str:
    """What is said beside an amount without the number of a unit: "per 24 uur"."""
    return re.sub(r"(?<![0-9])(?:7|15|24|30|60)\s?[a-z]+", "", plain(beside))


def _for_nothing(value: str, language: str) -> Amount | None:
    """A price of nothing: "gratis", and nothing else that tells when."""
    said = label_words(value, language)
    if not said or not all("free" in word.concepts for word in said):
        return None
    return Amount(Decimal(0), None)


def decimal_of(written: str) -> Decimal | None:
    """A number as it is written in any of the four languages: a mark before one or two last digits is the decimal."""
    bare = re.sub(r"[ ']", "", written)
    whole, mark, fraction = "", "", ""
    for at, character in enumerate(reversed(bare)):
        if character in ".,":
            mark, whole, fraction = character, bare[: len(bare) - at - 1], bare[len(bare) - at :]
            break
    if mark and len(fraction) <= 2:
        digits = re.sub(r"[.,]", "", whole)
        return Decimal(f"{digits}.{fraction}") if digits else None
    return Decimal(re.sub(r"[.,]", "", bare))


def currency_in(text: str) -> str | None:
    """The one currency that a label names; None where it names none or several."""
    found = {CURRENCIES[one[0]] for one in _CURRENCY.finditer(plain(text))}
    return next(iter(found)) if len(found) == 1 else None


_PARTS = re.compile(r"( ?[,;:()–])")


def unit_of_row(label: str, language: str) -> Unit | None:
    """What a price is for one of, where the label of its row says so apart: "Televisie, per dag", "Prijs per dag"; not
    "more than once a year"."""
    for part in re.split(r"[,;:()–]", label):
        words_before = label_words(part, language)
        begins = _TOKEN.match(plain(part).strip())
        is_apart = begins is not None and begins[0] in words().per
        if is_apart or any(is_price_word(word.text, language) for word in words_before[:1]):
            unit = unit_in(part)
            if unit is not None:
                return unit
    return None


def without_unit(label: str, language: str, unit: Unit) -> str:
    """A label without the part behind a comma or in brackets that says what its price is for one of: "Televisie" of
    "Televisie, per dag"."""
    parts = _PARTS.split(label)
    # The first part is what is paid for; of the marks between parts each stands before the part that it begins.
    kept, is_opened = parts[0], False
    for mark, part in zip(parts[1::2], parts[2::2], strict=True):
        if says_unit(part, language, unit):
            is_opened = mark.endswith("(")
            continue
        # A bracket that was left out with the unit is not closed either.
        kept += part if is_opened and mark.endswith(")") else mark + part
        is_opened = False
    return " ".join(kept.split()).strip(" ,;:–-")


def says_unit(text: str, language: str, unit: Unit) -> bool:
    """Whether a text says what a price is for one of, and nothing else: "per dag", "/ 24 uur"."""
    tokens = _TOKEN.findall(plain(text))
    if not tokens or tokens[0] not in words().per_or_slash or unit_in(text) != unit:
        return False
    return len(tokens) == (3 if tokens[1].isdigit() else 2)


def unit_alone(value: str) -> Unit | None:
    """The unit that a cell is: "notte", "per dag"; none where it says more."""
    tokens = [one for one in _TOKEN.findall(plain(value)) if one not in words().per_or_slash]
    return unit_named(tokens[0]) if len(tokens) == 1 and not tokens[0].isdigit() else None


def unit_in(text: str) -> Unit | None:
    """What a price is for one of, where a label says so behind "per" or the like: "per dag", "CHF/kWh"."""
    tokens = _TOKEN.findall(plain(text))
    for at, one in enumerate(tokens):
        if one not in words().per_or_slash:
            continue
        behind = tokens[at + 1 :]
        while behind and behind[0] in words().between:
            behind = behind[1:]
        unit = unit_named(behind[0], behind[1] if len(behind) > 1 else None) if behind else None
        if unit is not None:
            return unit
    return None


def unit_named(word: str, behind: str | None = None) -> Unit | None:
    """The unit that a word names, or a number with the word behind it: "24 uur" is a day."""
    number = 1.0
    if word.isdigit():
        number, word = float(word), behind or ""
        if not word or number not in {1, 7, 15, 24, 30, 60}:
            return None
    if number == 1 and word in words().units:
        return words().units[word]
    unit = figure_words().units.get(word)
    if unit is None:
        return None
    if unit.kind == "minutes":
        return _TIMES.get(number * unit.one)
    named: dict[tuple[str, float], Unit] = {
        ("months", 1): "month", ("months", 12): "year", ("nights", 1): "night", ("energy", 1): "kwh",
        ("length", 1_000_000): "km",
    }  # fmt: skip
    return named.get((unit.kind, unit.one)) if number == 1 else None


def without_currency(label: str) -> str:
    """A label without the currency that stands in it, in brackets or not."""
    bare = _IN_BRACKETS.sub(lambda found: "" if _CURRENCY.search(plain(found[0])) else found[0], label)
    spelled = re.sub(r"€|£|\$|\b(?:EUR|CHF|GBP|USD)\b", "", bare)
    return " ".join(spelled.split()).strip(" ,;:–-")


def says_price_alone(label: str, language: str) -> bool:
    """Whether a label names a price and nothing else: "Prijs (EUR)", "Tarif"."""
    said = label_words(without_currency(label), language)
    if said and not any(is_price_word(word.text, language) for word in said):
        return False
    return all(is_price_word(word.text, language) or (word.is_talk and not word.concepts) for word in said)


def names_price(label: str, language: str) -> bool:
    """Whether a label asks for or names a price."""
    return any(is_price_word(word.text, language) for word in label_words(label, language))


_NO_THING = frozenset(
    "first second third next maximum minimum hour half_hour minute day week month year night morning afternoon evening "
    "monday tuesday wednesday thursday friday saturday sunday weekend weekday holiday free before after percent".split()
)
"""Concepts that say how long or when, and not what is paid for."""


def is_duration(label: str, language: str) -> bool:
    """Whether a label says how long or when alone: "Tot 2 uur", "Dagmaximum", "Ogni ora successiva"."""
    said = [word for word in told(label, language) if word.number is None]
    if not concepts(label, language) & {"hour", "half_hour", "minute", "day", "maximum"}:
        return False
    known = {*words().between, *words().when, *words().per, *figure_words().units}
    return all(word.concepts & _NO_THING or word.text in known for word in said)
