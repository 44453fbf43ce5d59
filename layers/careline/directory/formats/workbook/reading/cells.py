"""What the cells of a workbook hold, as people and Excel write it: text, numbers, dates, prices, yes and no."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal, InvalidOperation
from functools import cache
from types import MappingProxyType
from typing import Any

from careline.directory.formats.identifiers import folded, identifier_of, plain
from careline.directory.formats.workbook.hours_writing import (
    BY_APPOINTMENT,
    LONGEST,
    NO_END,
    NOT_A_TIME,
    Written,
    clock,
    is_by_appointment,
    read_days,
    read_hours,
    read_time,
)
from careline.directory.formats.workbook.layout import Column
from careline.directory.formats.workbook.lists import split_list
from careline.directory.formats.workbook.numbers_writing import count_in_words, date_in_words
from careline.directory.formats.workbook.reading.archive import CellValue
from careline.directory.formats.workbook.weekday_writing import DayAndPart, read_days_and_parts, read_frequencies
from careline.directory.formats.workbook.words import CellWrong, NoSuchWord, Phrases, choice, tokens, written

LOST_ZERO = "is a number in Excel, which drops a zero or + in front; format the cell as Text and write the number again"
MADE_A_DATE = "was made a date by Excel; format the cell as Text and write it again"
NO_VALUE = "is a formula whose value is not in the file; open it in Excel and save it, or write the value itself"
EXCEL_ERROR = "holds an error of Excel (as #REF! or #N/A); write the value itself"
NOT_A_DATE = "is no date; write the day first, as 31/12/2027, 31 December 2027, or 2027-12-31"
NOT_A_PRICE = "is no price; write the number alone, as 2.20 or € 2,20 or free, and the rest in its own columns"
NO_LANGUAGE = "names a language that is not known; write its code, as nl or fr"
NOT_A_NUMBER = "is no number; write digits alone"
SHORT_NUMBER = 4
"""Digits of numbers such as 112 and 1733, which begin with no zero."""
_MINUTES = 24 * 60
_ISO_DAY = re.compile(r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})")
_DAY = re.compile(r"([0-9]{1,2}) ?[./-] ?([0-9]{1,2}) ?[./-] ?([0-9]{4})")
_AMOUNT = re.compile(r"[0-9]{1,9}(?:[.,' ][0-9]{1,9}){0,3}")
_LANGUAGE = re.compile(r"[a-z]{2,3}")
_AND = re.compile(r" (?:and|en|et|ed|e|&|\+) ")


def read_cell(cell: CellValue, column: Column, language: str) -> Any:
    """What a cell holds that names no other row. Raises: CellWrong."""
    if cell.is_unknown:
        raise CellWrong(NO_VALUE)
    if cell.is_error:
        raise CellWrong(EXCEL_ERROR)
    return _READERS[column.holds](cell, column, language)


def text_of(cell: CellValue) -> str:
    """The text of a cell; a whole number as its digits. Raises: CellWrong."""
    value = cell.value
    if isinstance(value, datetime | date | time | timedelta):
        raise CellWrong(MADE_A_DATE)
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else repr(value)
    return str(value).strip()


def _text(cell: CellValue, column: Column, language: str) -> str:
    return text_of(cell)


def _identifier(cell: CellValue, column: Column, language: str) -> str:
    found = identifier_of(text_of(cell))
    if not found:
        raise CellWrong("is no id; write letters a to z, digits and - alone")
    return found


def _list(cell: CellValue, column: Column, language: str) -> list[str]:
    return split_list(text_of(cell))


def _choice(cell: CellValue, column: Column, language: str) -> str:
    return _chosen(text_of(cell), column.of, language)


def _choices(cell: CellValue, column: Column, language: str) -> list[str]:
    items = [one.strip() for part in split_list(text_of(cell)) for one in _parted(part, column, language)]
    return [_chosen(one, column.of, language) for one in items if one]


def _parted(text: str, column: Column, language: str) -> list[str]:
    """The things that stand with commas or a word for "and" between, where the text as it stands is none of them."""
    if len(text) > LONGEST or choice(column.of).value(text, language) is not None:
        return [text]
    return [one for part in text.split(",") for one in _AND.split(part)]


def _chosen(text: str, of: str, language: str) -> str:
    known = choice(of)
    found = known.value(text, language)
    if found is None and of == "unit":
        found = known.value(_bare_unit(text), language)
    if found is None:
        raise NoSuchWord(of)
    return found


def _bare_unit(text: str) -> str:
    """What a price is for one of, without the words around it: "per begonnen uur" is "uur"."""
    if len(text) > LONGEST:
        return text
    return " ".join(token for meaning, token in _around_units().read(tokens(text)) if not meaning)


@cache
def _around_units() -> Phrases:
    return Phrases((word, "around") for word in written()["around_units"])


def _word(cell: CellValue, column: Column, language: str) -> str:
    """One of some words, or any other."""
    text = text_of(cell)
    return choice(column.of).value(text, language) or text


def _answer(cell: CellValue, column: Column, language: str) -> bool:
    return cell.value if isinstance(cell.value, bool) else _chosen(text_of(cell), "answer", language) == "yes"


def _spoken(cell: CellValue, column: Column, language: str) -> list[str]:
    text = text_of(cell)
    if len(text) > LONGEST:
        raise CellWrong(NO_LANGUAGE)
    items = (one.strip() for part in split_list(text) for one in part.split(","))
    return list(dict.fromkeys(code for one in items if one for code in _languages(one, language)))


def _languages(text: str, language: str) -> list[str]:
    """The codes of languages, with a word for "and" between; the language itself where a text is its code."""
    code = choice("spoken").value(text, language) or text.lower()
    if _LANGUAGE.fullmatch(code):
        return [code]
    parts = _AND.split(text)
    if len(parts) == 1:
        raise CellWrong(NO_LANGUAGE)
    return [code for part in parts for code in _languages(part, language)]


def _phone(cell: CellValue, column: Column, language: str) -> str:
    text = text_of(cell)
    if isinstance(cell.value, int | float) and len(text) > SHORT_NUMBER:
        raise CellWrong(LOST_ZERO)
    text = " ".join(text.translate(_SPACES).split())
    return text.replace("(", "", 1).replace(")", "", 1) if text.startswith("(") else text


_SPACES = str.maketrans({"\xa0": " ", "\u202f": " ", "–": "-", "‑": "-"})


def _link(cell: CellValue, column: Column, language: str) -> str:
    text = text_of(cell)
    return text if "://" in text else f"https://{text}"


def _email(cell: CellValue, column: Column, language: str) -> str:
    return text_of(cell).removeprefix("mailto:")


def _country(cell: CellValue, column: Column, language: str) -> str:
    text = text_of(cell)
    return choice("country").value(text, language) or text.upper()


def _place(cell: CellValue, column: Column, language: str) -> int | str:
    """A floor or route: a number, or words."""
    text = text_of(cell)
    for floor, words in written()["floors"].items():
        if folded(text) in {folded(one) for one in words}:
            return int(floor)
    digits = text.removeprefix("-")
    is_number = digits.isascii() and digits.isdecimal() and len(digits) <= 9 and text == str(int(text))
    return int(text) if is_number else text


def _count(cell: CellValue, column: Column, language: str) -> int:
    found = count_in_words(text_of(cell))
    if found is None:
        raise CellWrong(NOT_A_NUMBER)
    return found


def _number(cell: CellValue, column: Column, language: str) -> float:
    text = text_of(cell).lower().replace(",", ".")
    for unit in ("meter", "mètres", "metri", "m"):
        text = text.removesuffix(unit)
    try:
        return float(_digits(text.strip()))
    except ValueError:
        raise CellWrong(NOT_A_NUMBER) from None


def _digits(text: str) -> str:
    if not text or set(text) - set("0123456789.") or len(text) > 30:
        raise ValueError
    return text


def _date(cell: CellValue, column: Column, language: str) -> date:
    value = cell.value
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    text = str(value).strip() if isinstance(value, str) else ""
    iso, day_first = _ISO_DAY.fullmatch(text), _DAY.fullmatch(text)
    try:
        if iso:
            return date(int(iso[1]), int(iso[2]), int(iso[3]))
        if day_first:
            return date(int(day_first[3]), int(day_first[2]), int(day_first[1]))
    except ValueError:
        raise CellWrong(NOT_A_DATE) from None
    if (named := date_in_words(text)) is not None:
        return named
    raise CellWrong(NOT_A_DATE)


def _time(cell: CellValue, column: Column, language: str) -> str:
    value = cell.value
    if isinstance(value, time):
        return clock(value.hour * 60 + value.minute)
    if isinstance(value, timedelta):
        return _whole_minutes(value.total_seconds() / 60)
    if isinstance(value, datetime) and value.year < 1901:
        # Excel's 24:00 is midnight of its first day.
        return _whole_minutes(_MINUTES + value.hour * 60 + value.minute)
    if isinstance(value, datetime | date):
        raise CellWrong(MADE_A_DATE)
    if isinstance(value, float) and 0 < value < 1:
        return _whole_minutes(value * _MINUTES)
    return read_time(text_of(cell))


def _whole_minutes(minutes: float) -> str:
    if not 0 <= minutes <= _MINUTES:
        raise CellWrong(NOT_A_TIME)
    return clock(round(minutes))


def _hours(cell: CellValue, column: Column, language: str) -> Written:
    if isinstance(cell.value, time | timedelta) or (isinstance(cell.value, datetime) and cell.value.year < 1901):
        raise CellWrong(NO_END)
    text = text_of(cell)
    return BY_APPOINTMENT if is_by_appointment(text) else read_hours(text)


def _days(cell: CellValue, column: Column, language: str) -> list[str]:
    return read_days(text_of(cell), language)


def _day_parts(cell: CellValue, column: Column, language: str) -> list[DayAndPart]:
    return read_days_and_parts(text_of(cell), language)


def _frequencies(cell: CellValue, column: Column, language: str) -> list[str]:
    return read_frequencies(text_of(cell), language)


def _currency(cell: CellValue, column: Column, language: str) -> str:
    text = text_of(cell)
    for code, words in written()["currencies"].items():
        if plain(text) in words:
            return str(code)
    return text.upper()


def _price(cell: CellValue, column: Column, language: str) -> tuple[Decimal, str | None]:
    """An amount, and the currency where that stands beside it."""
    if isinstance(cell.value, int | float) and not isinstance(cell.value, bool):
        return _shown(cell.value, cell.number_format), None
    text, currency = plain(text_of(cell)), None
    if text in written()["free"]:
        return Decimal(0), None
    for code, words in written()["currencies"].items():
        for word in sorted(words, key=len, reverse=True):
            bare = text.removeprefix(word).removesuffix(word).strip()
            if bare != text and currency is None:
                text, currency = bare, str(code)
    for no_cents in (",-", ".-", ",--", ",="):
        text = text.removesuffix(no_cents)
    if not _AMOUNT.fullmatch(text):
        raise CellWrong(NOT_A_PRICE)
    return _amount(text.replace("'", "").replace(" ", "")), currency


def _amount(text: str) -> Decimal:
    """A number whose last sign parts its decimals, if there is one."""
    sign = max(text.rfind("."), text.rfind(","))
    whole, decimals = (text, "") if sign < 0 else (text[:sign], text[sign + 1 :])
    if len(decimals) == 3 and whole != "0" and "," not in whole and "." not in whole:
        raise CellWrong("may be a thousand or a part of one; write 1250.00 or 1.25")
    is_grouped = all(len(group) == 3 for group in re.split(r"[.,]", whole)[1:])
    if not is_grouped or (len(decimals) == 3 and text[sign] in whole):
        whole, decimals = (whole + decimals, "") if is_grouped else ("", "")
    try:
        return Decimal(f"{whole.replace('.', '').replace(',', '')}.{decimals}" if decimals else _joined(whole))
    except InvalidOperation:
        raise CellWrong(NOT_A_PRICE) from None


def _joined(whole: str) -> str:
    return whole.replace(".", "").replace(",", "")


def _shown(value: int | float, number_format: str) -> Decimal:
    """A number with as many decimals as its format shows, at least those that it has."""
    if value < 0:
        raise CellWrong("is less than nothing; write the price that is paid")
    amount = Decimal(repr(round(value, 6))) if isinstance(value, float) else Decimal(value)
    amount = Decimal(int(amount)) if amount == int(amount) else amount.normalize()
    decimals = number_format.partition(";")[0].partition(".")[2]
    shown = len(decimals) - len(decimals.lstrip("0"))
    has = max(0, -int(amount.as_tuple().exponent))
    return amount.quantize(Decimal(1).scaleb(-max(shown, has))) if shown or has else amount


_Reader = Callable[[CellValue, Column, str], Any]
_READERS: Mapping[str, _Reader] = MappingProxyType(
    {
        "name": _text, "sentence": _text, "id": _identifier, "list": _list, "choice": _choice, "choices": _choices,
        "word": _word, "answer": _answer, "spoken": _spoken, "phone": _phone, "link": _link, "email": _email,
        "country": _country, "postcode": _text, "place": _place, "count": _count, "number": _number, "date": _date,
        "time": _time, "hours": _hours, "days": _days, "day_parts": _day_parts,
        "frequencies": _frequencies, "currency": _currency, "price": _price,
    }
)  # fmt: skip
