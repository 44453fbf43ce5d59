"""Finds prices in the tables of a document: cells with an amount, under or beside a currency."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from careline.curation.proposals.proposal import Statement
from careline.curation.proposals.reading.amounts import (
    Amount,
    amount_in,
    currency_in,
    is_duration,
    says_price_alone,
    unit_alone,
    unit_in,
    unit_of_row,
    without_currency,
)
from careline.curation.proposals.reading.cells import Page, PlacedValue, row_text, values_of
from careline.curation.proposals.reading.particulars import names_campus
from careline.curation.proposals.reading.words import is_nothing, told, words
from careline.model import Table
from careline.tables.row_wording import row_wording
from careline.text.figure_words import plain

_LONGEST = 190
"""Characters of a subject; the directory holds two hundred."""


@dataclass(frozen=True, slots=True)
class _Price:
    """A value that is a price, and the currency that it or a label of it names."""

    at: PlacedValue
    amount: Amount
    currency: str | None


def tariffs_in(page: Page, table: Table) -> Iterator[Statement]:
    """One statement for each price of a table."""
    values = list(values_of(table))
    prices = _prices(values, page.language)
    if not prices:
        return
    columns = sorted({one.at.column for one in prices})
    rows = sorted({one.at.row for one in prices})
    durations = sum(is_duration(" ".join(table.rows[row].labels), page.language) for row in rows)
    by_duration = durations >= 2 and durations * 3 >= len(rows)
    default = _common({one.currency for one in prices if one.currency})
    for one in prices:
        currency = one.currency or default
        if currency is not None:
            yield _statement(page, table, one, currency, values, columns, by_duration)


def _common(currencies: set[str]) -> str | None:
    return next(iter(currencies)) if len(currencies) == 1 else None


def _prices(values: Sequence[PlacedValue], language: str) -> list[_Price]:
    """The values that are prices: those with a currency, and in their rows and columns those without one."""
    read = {(one.row, one.column): amount_in(one.value, language) for one in values}
    named = {
        (one.row, one.column): _named_currency(one) for one in values if read[one.row, one.column] is not None
    }
    priced = [at for at, amount in read.items() if amount is not None and (amount.currency or named[at])]
    columns = {column for column in {at[1] for at in priced} if _is_priced(column, 1, values, priced)}
    rows = {row for row in {at[0] for at in priced} if _is_priced(row, 0, values, priced)}
    found: list[_Price] = []
    for one in values:
        at = one.row, one.column
        amount = read[at]
        if amount is None or not (one.column in columns or one.row in rows) or _is_refund(one):
            continue
        currency = amount.currency or named[at]
        if currency or amount.amount == 0:
            found.append(_Price(one, amount, currency))
    return found


def _is_refund(one: PlacedValue) -> bool:
    """Whether a value is what somebody gets back: its column is called so, in one word."""
    said = [plain(without_currency(label)) for label in one.path]
    return any(label.startswith(words().refunds) and " " not in label for label in said)


def _named_currency(one: PlacedValue) -> str | None:
    """The currency in the labels of a value."""
    return currency_in(" ".join((*one.path, *one.labels)))


def _is_priced(
    number: int, axis: int, values: Sequence[PlacedValue], priced: Sequence[tuple[int, int]]
) -> bool:
    """Whether a column (axis 1) or row (axis 0) is one of prices: a third of it at least."""
    there = [one for one in values if (one.row, one.column)[axis] == number and not is_nothing(one.value)]
    return 3 * sum(at[axis] == number for at in priced) >= len(there)


def _statement(
    page: Page, table: Table, price: _Price, currency: str, values: Sequence[PlacedValue], columns: Sequence[int],
    by_duration: bool,
) -> Statement:  # fmt: skip
    one, language = price.at, page.language
    path = [label for label in one.path if len(columns) > 1 or not says_price_alone(label, language)]
    path = [label for label in path if not (_is_shared(label, table, columns) and says_price_alone(label, language))]
    units = (*map(unit_in, reversed(one.path)), *(unit_of_row(label, language) for label in reversed(one.labels)))
    unit = price.amount.unit or next(filter(None, units), None)
    unit_column, beside = _beside(one, values, columns, language)
    subject, rest = _subject(page, table, one, by_duration)
    if not one.labels or all(says_price_alone(label, language) for label in one.labels):
        path = path[:-1]
    narrowed = [*map(without_currency, (*rest, *path)), *beside, price.amount.beside, *one.notes]
    shown = tuple(dict.fromkeys(text for text in narrowed if text and text != "?"))
    missing = ("condition",) if "?" in one.notes else ()
    value = {"amount": str(price.amount.amount), "currency": currency, "unit": unit or unit_column or "once"}
    labels = tuple(text[:_LONGEST] for part in subject if (text := without_currency(part)))
    missing = missing if labels else (*missing, "subject")
    source = page.source(row_text(table, one.row), one.row, one.column)
    return Statement("tariff", language, labels, shown, page.context, value, missing, source)


def _is_shared(label: str, table: Table, columns: Sequence[int]) -> bool:
    """Whether a label stands above every column of prices, so that it tells none apart."""
    return all(label in table.columns[column] for column in columns if column < len(table.columns))


def _beside(
    one: PlacedValue, values: Sequence[PlacedValue], columns: Sequence[int], language: str
) -> tuple[str | None, list[str]]:
    """What the other cells of a row say of its only price: the unit, and for whom or how long it holds."""
    others = [
        other
        for other in values
        if other.row == one.row and other.column not in columns and not is_nothing(other.value)
    ]
    unit = next((unit for other in others if (unit := unit_alone(other.value)) is not None), None)
    if len(columns) > 1:
        # What stands before the prices says of what they are; what stands behind may be of anything.
        others = [other for other in others if other.column < columns[0]]
    told_of = [f"{' '.join(other.path)}: {other.value}" if other.path else other.value for other in others]
    return unit, [text for text in told_of if len(text) <= _LONGEST]


def _subject(page: Page, table: Table, one: PlacedValue, by_duration: bool) -> tuple[list[str], list[str]]:
    """What a price is of, from the widest to the narrowest, and the labels that narrow it."""
    language = page.language
    labels = [label for label in one.labels if not says_price_alone(label, language)]
    if by_duration:
        return [_topic(page)], labels
    if not labels:
        return [_topic(page), *one.path[-1:]], []
    stub = _stub(table, len(one.labels) - 1, language)
    inner = "".join(page.chunk.heading_path[-1:])
    tells = len(page.chunk.heading_path) > 1 and _names(inner, language)
    prefix = _topic(page) if not stub else inner if tells else stub
    if prefix and _stems(labels[-1], language) >= _stems(prefix, language):
        prefix = ""
    return ([prefix, labels[-1]] if prefix else [labels[-1]]), labels[:-1]


def _stems(text: str, language: str) -> set[str]:
    return {word.stem for word in told(text, language)}


def _stub(table: Table, column: int, language: str) -> str:
    """The header above the labels, where it says what they are; not "overview" or "value"."""
    stub = table.stub[column] if column < len(table.stub) else ""
    wording = row_wording(language)
    says_nothing = wording is not None and not wording.says_something(stub)
    is_empty = says_nothing or names_campus(stub, language) or plain(stub).strip(" :?") in words().empty_stubs
    return "" if is_empty or not told(stub, language) else stub


def _heading(page: Page) -> str:
    """The nearest heading that names something: no question, and more than a price."""
    return next((text for text in reversed(page.chunk.heading_path) if _names(text, page.language)), "")


def _topic(page: Page) -> str:
    """What a table is about where its rows say no more than how long: the first and the nearest heading."""
    first = next((text for text in (*page.chunk.heading_path[:1], page.title) if _names(text, page.language)), "")
    inner = _heading(page)
    topic = f"{first}: {inner}" if first and inner and inner != first else first or inner or page.title
    return topic if len(topic) <= _LONGEST else first


def _names(text: str, language: str) -> bool:
    return not text.rstrip().endswith("?") and bool(told(text, language)) and not says_price_alone(text, language)
