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
from careline.search.answer_kind import answer_kinds
from careline.search.distinctions import distinguishes
from careline.search.label_choice import (
    BRACKETED,
    choose_columns,
    choose_labels,
    choose_rows,
    count_unsaid,
    is_missing,
    names_something,
)
from careline.search.label_words import LabelWord, asked_kinds, question_words, vocabulary
from careline.search.table_sight import CellPlace, Sight, is_of, label_matches, places_in, shared, sight_of

MOST_ROWS = 8
"""Rows that are told when a question does not choose among them; the phone says two and "among others"."""
MOST_CHOSEN = 4
"""Rows that are told when several fit a question equally well."""
_PARTS_OF_DAY = frozenset(("morning", "afternoon", "evening", "night"))
"""An hour that a cell tells says for itself in which part of the day it lies."""
_AGES = frozenset(("child", "adult", "baby", "senior"))
"""Who is meant is said by a number that chose the row."""
_ASKED_IN_WORDS = frozenset(("time", "duration"))
_DIGIT = re.compile(r"[0-9]")


@dataclass(frozen=True, slots=True)
class FoundCells:
    """Rows and, of each, the columns that a question asks for.

    `rows` are numbers in the table, `columns` of its value columns. `matched` is how many words of the question the
    labels, title and headings account for; `is_chosen` whether the question names a row or a column itself; `is_empty`
    whether it names both and nothing stands there; `places` how many of the words say only where.
    """

    rows: tuple[int, ...]
    columns: tuple[int, ...]
    matched: int
    is_chosen: bool
    is_empty: bool = False
    places: int = 0


def find(question: str, language: str, table: Table, written_in: str, place: CellPlace) -> FoundCells | None:
    """The cells that a question asks for; None when the table does not hold what it names, or too much would fit.

    `written_in` is the table's language.
    """
    words = question_words(question, language)
    sight = sight_of(words, table, written_in, place)
    rows = choose_rows(words, table, sight, written_in)
    kinds = asked_kinds(question, language)
    if not kinds:
        # "On which days" and "how many days before" ask so in several words.
        kinds = answer_kinds(question) & _ASKED_IN_WORDS
    about = (*place.titles, *place.headings, table.caption)
    columns = choose_columns(words, table, _beside(sight, rows), written_in, kinds, about)
    if columns is None or not rows or not _are_told_apart(table, columns):
        return None
    chosen_rows = len(rows) < len(table.rows) or len(table.rows) == 1
    chosen_columns = len(columns) < len(table.columns)
    told = _accounted(sight, rows, columns)
    left = [n for n in range(len(words)) if names_something(words[n]) and n not in told]
    if table.total > len(table.rows) and not _is_whole(words, table, rows, written_in):
        # Rows of the same table were not found, and one of them may fit better.
        return None
    by_age = chosen_rows and any(words[n].number is not None for row in rows for n in sight.rows[row])
    spared = (_PARTS_OF_DAY if "time" in kinds and chosen_columns else frozenset()) | (_AGES if by_age else frozenset())
    if not all(_may_be_left(words, n, place, spared) for n in left):
        return None
    named = [n for n in told if names_something(words[n])]
    places = len(places_in(words).intersection(named))
    unknown = sum(not words[n].concepts for n in left)
    if unknown and not (
        chosen_rows and unknown < len(named) and _is_meant(words, table, sight, rows, columns, written_in)
    ):
        # A thing is asked for that the table does not name.
        return None
    held = tuple(row for row in rows if any(not is_missing(table.rows[row].values[column]) for column in columns))
    if not held and chosen_rows and (chosen_columns or len(table.columns) == 1) and named:
        return FoundCells(rows, columns, len(named), is_chosen=True, is_empty=True, places=places)
    if not held or len(held) > (MOST_CHOSEN if chosen_rows else MOST_ROWS) or not named:
        return None
    return FoundCells(held, columns, len(named), chosen_rows or chosen_columns, places=places)


def _beside(sight: Sight, rows: Sequence[int]) -> Sight:
    """The sight without the words that name the rows: "rice with milk" does not ask for the column of milk."""
    if not rows or len(rows) == len(sight.rows):
        return sight
    told = frozenset().union(*(sight.rows[row] for row in rows))
    return replace(sight, columns=tuple(one - told for one in sight.columns))


def _are_told_apart(table: Table, columns: Sequence[int]) -> bool:
    """Whether every column to be told has a name, or there is one alone, or all hold words. Where one of several
    columns of figures has no name, the header is lost or has slipped, and none is believed."""
    named = [any(BRACKETED.sub("", label).strip(" :") for label in path) for path in table.columns]
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
    unsaid = count_unsaid(words, table.rows[rows[0]].labels[-1:], language)
    return is_row and unsaid < len(row) and any(_is_name(words[n]) for n in column)


def _is_sure(words: Sequence[LabelWord], table: Table, sight: Sight, rows: Sequence[int], language: str) -> bool:
    """Whether the question says every word of these rows' labels, and one of them names more than a number or day."""
    return _is_whole(words, table, rows, language) and all(
        any(_is_name(words[n]) for n in sight.rows[row]) for row in rows
    )


def _is_whole(words: Sequence[LabelWord], table: Table, rows: Sequence[int], language: str) -> bool:
    return all(not count_unsaid(words, table.rows[row].labels[-1:], language) for row in rows)


def _is_name(word: LabelWord) -> bool:
    known = vocabulary()
    is_case = bool(word.concepts & known.distinguishing) or (bool(word.concepts) and word.concepts <= known.generic)
    return word.number is None and not word.is_talk and not is_case


def accounted(question: str, language: str, table: Table, written_in: str, place: CellPlace) -> int:
    """How many words of a question that name something the table has together: in what it stands under, and in the
    labels of the row and column that fit best."""
    words = question_words(question, language)
    sight = sight_of(words, table, written_in, place)
    rows = choose_rows(words, table, sight, written_in)
    columns = choose_labels(words, table.columns, _beside(sight, rows).columns, written_in)
    return sum(names_something(words[n]) for n in _accounted(sight, rows[:1], columns[:1]))


@dataclass(frozen=True, slots=True)
class NamedPart:
    """The rows and columns whose labels a question names; none where it names none."""

    rows: tuple[int, ...]
    columns: tuple[int, ...]
    sight: Sight
    is_whole: bool = False
    """Whether the question says every word of the rows' labels, or a time that stands in one row alone."""
    unknown: frozenset[int] = frozenset()
    """Words of the question that name something, of which neither the table nor what it stands under says anything."""

    def is_unnamed(self, read: int) -> bool:
        """Whether the question names a thing that the table has not, and nothing that a row has: beer, not tea."""
        everywhere = shared(self.sight.values)
        named = self.sight.rows[read]
        if sum(named <= other for other in self.sight.rows) > MOST_CHOSEN:
            # What many rows have in common, such as a campus, names none of them.
            named = frozenset()
        return bool(self.unknown) and not named and not self.sight.values[read] - everywhere

    def meant(self, read: int) -> tuple[int, ...]:
        """The rows that are meant where another reading chose one: that one, unless the question names others by the
        same words and more."""
        if not self.rows or read in self.rows:
            return (read,)
        own = self.sight.rows[read]
        if len(self.rows) == 1 and self.is_whole and own.isdisjoint(self.sight.rows[self.rows[0]]):
            # "At what age is the booster given?" is asked of the booster, and not of a row of ages.
            return self.rows
        return self.rows if all(own < self.sight.rows[row] for row in self.rows) else (read,)


def named_part(question: str, language: str, table: Table, written_in: str, place: CellPlace) -> NamedPart:
    """The rows and columns that a question names, whatever else it says."""
    words = question_words(question, language)
    sight = sight_of(words, table, written_in, place)
    rows = choose_labels(words, [row.labels for row in table.rows], sight.rows, written_in, sight.denied_rows)
    is_whole = bool(rows) and _is_sure(words, table, sight, rows, written_in)
    if not rows and (timed := [n for n, one in enumerate(sight.values) if any(":" in words[at].text for at in one)]):
        # "The bus of 9:20" names the row in which that time stands.
        rows, is_whole = timed, len(timed) == 1
    beside = _beside(sight, rows)
    columns = choose_labels(words, table.columns, beside.columns, written_in, sight.denied_columns)
    told = frozenset().union(*(beside.columns[column] for column in columns))
    also = (n for n, own in enumerate(beside.columns) if n not in columns and _names_apart(words, own, told))
    # "How long has white plaster to set, the synthetic sort?": what a follow-up names stands behind what it leaves.
    held = sight.context.union(*sight.rows, *sight.columns, *sight.values)
    unknown = frozenset(n for n, word in enumerate(words) if n not in held and _is_name(word))
    return NamedPart(tuple(rows), tuple(sorted((*columns, *also))), sight, is_whole, unknown)


def _names_apart(words: Sequence[LabelWord], own: frozenset[int], told: frozenset[int]) -> bool:
    """Whether a label is named by words of its own, and by none of those that others are named by."""
    return bool(own) and own.isdisjoint(told) and any(_is_name(words[n]) for n in own)


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


def _accounted(sight: Sight, rows: Sequence[int], columns: Sequence[int]) -> set[int]:
    told = set(sight.context)
    for row in rows:
        told |= sight.rows[row] | sight.values[row]
    for column in columns:
        told |= sight.columns[column]
    return told
