"""Finds prices in the tables of a document: cells with an amount, under or beside a currency."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from careline.curation.proposals.proposal import Statement
from careline.curation.proposals.reading.amounts import (
    Amount,
    amount_in,
    currency_in,
    says_price_alone,
    says_unit,
    unit_alone,
    unit_in,
    unit_of_row,
    without_currency,
    without_unit,
)
from careline.curation.proposals.reading.cells import Page, PlacedValue, row_text, values_of
from careline.curation.proposals.reading.words import is_nothing, words
from careline.curation.proposals.topics import LONGEST, are_durations, subject_of
from careline.directory.entries import Unit
from careline.model import Table
from careline.text.figure_words import plain


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
    by_duration = are_durations([" ".join(table.rows[row].labels) for row in rows], page.language)
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
    subject, rest = subject_of(page, table, one, by_duration=by_duration)
    if not one.labels or all(says_price_alone(label, language) for label in one.labels):
        path = path[:-1]
    unit = unit or unit_column or "once"
    said = price.amount.beside
    # "€ 3 per visit" is a price of a visit, and "per visit" no condition of it.
    said = "" if says_unit(said, language, unit) else without_unit(said, language, unit)
    narrowed = [*map(without_currency, (*rest, *path)), *beside, said, *one.notes]
    shown = tuple(dict.fromkeys(text for text in narrowed if text and text != "?"))
    missing = ("condition",) if "?" in one.notes else ()
    value = {"amount": str(price.amount.amount), "currency": currency, "unit": unit}
    named = [without_unit(without_currency(part), language, unit) for part in subject]
    labels = tuple(text[:LONGEST] for text in named if text)
    missing = missing if labels else (*missing, "subject")
    source = page.source(row_text(table, one.row), one.row, one.column)
    return Statement("tariff", language, labels, shown, page.context, value, missing, source)


def _is_shared(label: str, table: Table, columns: Sequence[int]) -> bool:
    """Whether a label stands above every column of prices, so that it tells none apart."""
    return all(label in table.columns[column] for column in columns if column < len(table.columns))


def _beside(
    one: PlacedValue, values: Sequence[PlacedValue], columns: Sequence[int], language: str
) -> tuple[Unit | None, list[str]]:
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
    return unit, [text for text in told_of if len(text) <= LONGEST]
