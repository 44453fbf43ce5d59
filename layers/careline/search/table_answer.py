"""Finds the cells of a table that a question asks for, or says that the table does not hold them.

A value is only ever told with the labels of its own row and column. Every word of the question that names something
must be accounted for: by a label of the row, of the column, by what the table stands under, or it must be a word that
names nothing. A question that names what the table has not ("on campus North", "for a child of 9") is not answered.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from careline.model import Table
from careline.search.answer_kind import HOLDS
from careline.search.distinctions import distinguishes
from careline.search.label_days import asked_days
from careline.search.label_ranges import ranges
from careline.search.label_words import LabelWord, asked_kinds, label_words, question_words, says, vocabulary
from careline.search.table_sight import CellPlace, Sight, is_of, label_matches, shared, sight_of

MOST_ROWS = 8
"""Rows that are told when a question does not choose among them; the phone says two and "among others"."""
MOST_CHOSEN = 4
"""Rows that are told when several fit a question equally well."""
MISSING = frozenset(("", "-", "–", "—", "/", "x", "n/a", "n.a.", "nvt", "n.v.t.", "s.o.", "n.d.", "?", "..."))
"""What stands in a cell that has no value. A cross is one where others are ticked."""
_MONEY = re.compile(r"€|\beuros?\b|\beur\b|\bchf\b|£|\bgratis\b|\bfree\b|\bgratuit", re.IGNORECASE)
_AMOUNT = re.compile(r"[0-9]{1,3}(?:[ .,’'][0-9]{3})?[.,](?:[0-9]{2}|-|–)(?:[^0-9].{0,3})?")
_PARTS_OF_DAY = frozenset(("morning", "afternoon", "evening", "night"))
"""An hour that a cell tells says for itself in which part of the day it lies."""
_AGES = frozenset(("child", "adult", "baby", "senior"))
"""Who is meant is said by a number that chose the row."""
_DIGIT = re.compile(r"[0-9]")
_BRACKETED = re.compile(r"\([^()]*\)")
"""What a label has in brackets is a unit or an explanation, which a question need not say."""
_AND = frozenset(("en", "and", "et", "e", "ed", "of", "or", "ou", "o"))
_PRICED = ("€", "euro", "prijs", "tarief", "price", "prix", "tarif", "prezz", "tariff", "kost", "cost", "coût")


@dataclass(frozen=True, slots=True)
class FoundCells:
    """Rows and, of each, the columns that a question asks for.

    `rows` are numbers in the table, `columns` of its value columns. `matched` is how many words of the question the
    labels, title and headings account for; `is_chosen` whether the question names a row or a column itself.
    """

    rows: tuple[int, ...]
    columns: tuple[int, ...]
    matched: int
    is_chosen: bool


def find(question: str, language: str, table: Table, written_in: str, place: CellPlace) -> FoundCells | None:
    """The cells that a question asks for; None when the table does not hold what it names, or too much would fit.

    `written_in` is the table's language.
    """
    words = question_words(question, language)
    sight = sight_of(words, table, written_in, place)
    rows = _rows(words, table, sight, written_in)
    kinds = asked_kinds(question, language)
    about = (*place.titles, *place.headings, table.caption)
    columns = _columns(words, table, _beside(sight, rows), written_in, kinds, about)
    if columns is None or not rows or not _are_told_apart(table, columns):
        return None
    chosen_rows = len(rows) < len(table.rows) or len(table.rows) == 1
    chosen_columns = len(columns) < len(table.columns)
    told = _accounted(sight, rows, columns)
    left = [n for n in range(len(words)) if _names(words[n]) and n not in told]
    if table.total > len(table.rows) and not _is_whole(words, table, rows, written_in):
        # Rows of the same table were not found, and one of them may fit better.
        return None
    by_age = chosen_rows and any(words[n].number is not None for row in rows for n in sight.rows[row])
    spared = (_PARTS_OF_DAY if "time" in kinds and chosen_columns else frozenset()) | (_AGES if by_age else frozenset())
    if not all(_may_be_left(words, n, place, spared) for n in left):
        return None
    named = [n for n in told if _names(words[n])]
    unknown = sum(not words[n].concepts for n in left)
    if unknown and not (
        chosen_rows and unknown < len(named) and _is_meant(words, table, sight, rows, columns, written_in)
    ):
        # A thing is asked for that the table does not name.
        return None
    rows = tuple(row for row in rows if any(not is_missing(table.rows[row].values[column]) for column in columns))
    if not rows or len(rows) > (MOST_CHOSEN if chosen_rows else MOST_ROWS) or not named:
        return None
    return FoundCells(rows, columns, len(named), chosen_rows or chosen_columns)


def _beside(sight: Sight, rows: Sequence[int]) -> Sight:
    """The sight without the words that name the rows: "rice with milk" does not ask for the column of milk."""
    if len(rows) == len(sight.rows):
        return sight
    told = frozenset().union(*(sight.rows[row] for row in rows))
    return replace(sight, columns=tuple(one - told for one in sight.columns))


def _are_told_apart(table: Table, columns: Sequence[int]) -> bool:
    """Whether every column to be told has a name, or there is one alone, or all hold words. Where one of several
    columns of figures has no name, the header is lost or has slipped, and none is believed."""
    named = [any(_BRACKETED.sub("", label).strip(" :") for label in path) for path in table.columns]
    if len(named) == 1:
        return True
    unnamed = [n for n in range(len(named)) if not named[n]]
    slipped = any(_DIGIT.search(row.values[n]) for n in unnamed for row in table.rows)
    return not slipped and (len(unnamed) == len(named) or all(named[column] for column in columns))


def _may_be_left(words: Sequence[LabelWord], n: int, place: CellPlace, spared: frozenset[str]) -> bool:
    """Whether a table need not account for a word: it says how much is asked for and not of what ("a day"), or its
    meaning is not known and it is no name, number or case, and no label of another table."""
    word = words[n]
    if word.concepts and word.concepts <= spared:
        return True
    if distinguishes(words, n) or not word.concepts <= vocabulary().generic:
        return False
    return bool(word.concepts) or not is_of(word, place.elsewhere)


def _is_meant(
    words: Sequence[LabelWord], table: Table, sight: Sight, rows: Sequence[int], columns: Sequence[int], language: str
) -> bool:
    """Whether rows are meant in spite of a word that nothing accounts for: they are named whole; or there is one, and
    one column that the question names too."""
    if _is_sure(words, table, sight, rows, language):
        return True
    if len(rows) != 1 or len(columns) != 1 or len(table.columns) < 2:
        return False
    row, column = sight.rows[rows[0]], sight.columns[columns[0]] - sight.rows[rows[0]]
    if any(words[n].number is not None for n in row):
        # A number tells of which age or weight, and not of what.
        return False
    is_row = any(_is_name(words[n]) for n in row)
    unsaid = _unsaid(words, table.rows[rows[0]].labels[-1:], language)
    return is_row and unsaid < len(row) and any(_is_name(words[n]) for n in column)


def _is_sure(words: Sequence[LabelWord], table: Table, sight: Sight, rows: Sequence[int], language: str) -> bool:
    """Whether the question says every word of these rows' labels, and one of them names more than a number or day."""
    return _is_whole(words, table, rows, language) and all(
        any(_is_name(words[n]) for n in sight.rows[row]) for row in rows
    )


def _is_whole(words: Sequence[LabelWord], table: Table, rows: Sequence[int], language: str) -> bool:
    return all(not _unsaid(words, table.rows[row].labels[-1:], language) for row in rows)


def _is_name(word: LabelWord) -> bool:
    known = vocabulary()
    is_case = bool(word.concepts & known.distinguishing) or (bool(word.concepts) and word.concepts <= known.generic)
    return word.number is None and not word.is_talk and not is_case


def accounted(question: str, language: str, table: Table, written_in: str, place: CellPlace) -> int:
    """How many words of a question that name something the table has together: in what it stands under, and in the
    labels of the row and column that fit best."""
    words = question_words(question, language)
    sight = sight_of(words, table, written_in, place)
    rows = _rows(words, table, sight, written_in)
    columns = _best(words, table.columns, _beside(sight, rows).columns, written_in)
    return sum(_names(words[n]) for n in _accounted(sight, rows[:1], columns[:1]))


def named_rows(text: str, language: str, table: Table, written_in: str) -> frozenset[int]:
    """The rows whose labels a text names, as far as labels tell rows apart: all of them where they do not."""
    words = question_words(text, language)
    matched = label_matches(words, [row.labels for row in table.rows], written_in, table.stub)
    return _most_named(words, matched)


def named_columns(text: str, language: str, table: Table, written_in: str) -> frozenset[int]:
    """The columns whose labels a text names; all of them where the table names none or has one."""
    words = question_words(text, language)
    return _most_named(words, label_matches(words, table.columns, written_in, ()))


def _most_named(words: Sequence[LabelWord], matched: Sequence[frozenset[int]]) -> frozenset[int]:
    """Those that no other one surpasses, when the text names any at all or there is nothing to choose from."""
    if len(matched) < 2:
        return frozenset(range(len(matched)))
    everywhere = shared(matched)
    own = [one - everywhere for one in matched]
    return frozenset(n for n, one in enumerate(own) if one and not any(one < other for other in own))


def is_missing(value: str) -> bool:
    """Whether a cell says nothing."""
    return value.strip().casefold() in MISSING


def _names(word: LabelWord) -> bool:
    return not word.is_talk


def _rows(words: Sequence[LabelWord], table: Table, sight: Sight, language: str) -> tuple[int, ...]:
    """The rows that account for the most words, those whose label is named whole before others; all when none does."""
    chosen = _best(words, [row.labels for row in table.rows], sight.rows, language)
    if chosen:
        return _with_values(chosen, sight)
    by_value = [one - sight.context - frozenset().union(*sight.columns) for one in sight.values]
    most = max(map(len, by_value), default=0)
    if most:
        return tuple(n for n, one in enumerate(by_value) if len(one) == most)
    return tuple(range(len(table.rows)))


def _with_values(chosen: Sequence[int], sight: Sight) -> tuple[int, ...]:
    """Of rows that fit equally, those whose values account for more."""
    if len(chosen) < 2:
        return tuple(chosen)
    more = {n: len(sight.values[n] - sight.rows[n] - sight.context) for n in chosen}
    return tuple(n for n in chosen if more[n] == max(more.values()))


def _best(
    words: Sequence[LabelWord], labels: Sequence[Sequence[str]], matched: Sequence[frozenset[int]], language: str
) -> list[int]:
    """Numbers of the labels that account for the most; then those of which the question leaves the least unsaid.

    Labels that account for other words of the question are asked for besides ("MRI and CT").
    """
    weights = [sum(1 for n in one if _names(words[n])) or 0.5 * bool(one) for one in matched]
    best = max(weights, default=0.0)
    if best < 1:
        # Words that name nothing ("per hour") choose only a label that says no more than they do.
        weights = [weight * _says_no_more(words, labels[n], language) for n, weight in enumerate(weights)]
        best = max(weights, default=0.0)
    if not best:
        return []
    unsaid = {n: _unsaid(words, labels[n], language) for n, weight in enumerate(weights) if weight == best}
    chosen = [n for n, count in unsaid.items() if count == min(unsaid.values())]
    if any(word.text in _AND for word in words):
        told = frozenset().union(*(matched[n] for n in chosen))
        chosen += [
            n for n, one in enumerate(matched) if one - told and _is_besides(words, labels[n], one, told, language)
        ]
    return sorted(chosen)


def _says_no_more(words: Sequence[LabelWord], labels: Sequence[str], language: str) -> bool:
    own = [label for text in labels for label in label_words(_BRACKETED.sub(" ", text), language)]
    return all(label.is_talk or label.number == 1 or any(says(word, label) for word in words) for label in own)


def _is_besides(
    words: Sequence[LabelWord], labels: Sequence[str], matched: frozenset[int], told: frozenset[int], language: str
) -> bool:
    """Whether a label is named whole by other words than those that chose the best ones."""
    named = {n for n in matched - told if _names(words[n])}
    return bool(named) and matched.isdisjoint(told) and not _unsaid(words, labels[-1:], language)


def _unsaid(words: Sequence[LabelWord], labels: Sequence[str], language: str) -> float:
    """How many words of a label the question does not have."""
    own = [label for text in labels for label in label_words(_BRACKETED.sub(" ", text), language) if not label.is_talk]
    is_numbered = any(word.number is not None for word in words)
    held = words if is_numbered else [word for word in words if word.number is None]
    return sum(
        not any(says(word, label) for word in held)
        for label in own
        if (label.number is None or (is_numbered and len(ranges(" ".join(labels))) > 1)) and not asked_days(label)
    )


def _columns(
    words: Sequence[LabelWord],
    table: Table,
    sight: Sight,
    language: str,
    kinds: frozenset[str],
    about: Sequence[str],
) -> tuple[int, ...] | None:
    """The columns that the question asks for: of those that hold what it asks for, the ones it names; None when the
    table holds nothing of the kind."""
    named = _best(words, table.columns, sight.columns, language)
    fit = _of_kind(range(len(table.columns)), table, kinds, about)
    if fit is None or len(fit) == len(table.columns):
        return tuple(named) if named else fit
    best = _best(words, [table.columns[n] for n in fit], [sight.columns[n] for n in fit], language)
    chosen = tuple(fit[n] for n in best) if best else fit
    told = {word for n in chosen for word in sight.columns[n]}
    if any(_names(words[word]) and word not in told for n in named for word in sight.columns[n]):
        # The column that is named ("internal number") is not one of those that look like what is asked for.
        return tuple(named)
    return chosen


def _of_kind(
    columns: Sequence[int], table: Table, kinds: frozenset[str], about: Sequence[str]
) -> tuple[int, ...] | None:
    """Of all columns those that hold what is asked for: a price, a telephone number; None when the table has none."""
    if "time" in kinds and "phone" in kinds:
        return tuple(columns)
    for kind in ("phone", "price", "floor"):
        if kind not in kinds:
            continue
        holding = tuple(n for n in columns if _column_holds(table, n, kind))
        if holding:
            return holding
        if kind == "price" and any(mark in text.casefold() for text in about for mark in _PRICED):
            return tuple(columns)
        if kinds == {kind} and not any(_means(label, kind) for row in table.rows for label in row.labels):
            return None
    return tuple(columns)


def _column_holds(table: Table, column: int, kind: str) -> bool:
    label = " ".join(table.columns[column]).casefold()
    values = [row.values[column] for row in table.rows if not is_missing(row.values[column])]
    if kind == "price":
        amounts = sum(_AMOUNT.fullmatch(one) is not None for one in values)
        return (
            any(mark in label for mark in _PRICED)
            or any(_MONEY.search(one) for one in values)
            or amounts * 2 > len(values)
        )
    if kind == "phone":
        pattern = HOLDS["phone"]
        return sum(bool(pattern.search(value)) for value in values) * 2 > len(values) or _means(label, "phone")
    return _means(label, kind)


def _means(label: str, concept: str) -> bool:
    return any(concept in word.concepts for code in ("nl", "en", "fr", "it") for word in label_words(label, code))


def _accounted(sight: Sight, rows: Sequence[int], columns: Sequence[int]) -> set[int]:
    told = set(sight.context)
    for row in rows:
        told |= sight.rows[row] | sight.values[row]
    for column in columns:
        told |= sight.columns[column]
    return told
