"""Finds the cells of a table that a question asks for, or says that the table does not hold them.

A value is only ever told with the labels of its own row and column. Every word of the question that names something
must be accounted for: by a label of the row, of the column, by what the table stands under, or it must be a word that
names nothing. A question that names what the table has not ("on campus North", "for a child of 9") is not answered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from careline.model import Table
from careline.search.answer_kind import HOLDS
from careline.search.distinctions import distinguishes
from careline.search.label_days import asked_days, days_of
from careline.search.label_ranges import converted, ranges, unit
from careline.search.label_words import Word, asked_kinds, label_words, question_words, same

MOST_ROWS = {False: 6, True: 2}
"""Rows that are told when a question does not choose among them, by whether the answer is spoken."""
MOST_CHOSEN = {False: 4, True: 2}
"""Rows that are told when several fit a question equally well."""
MISSING = frozenset(("", "-", "–", "—", "/", "x", "n/a", "n.a.", "nvt", "n.v.t.", "s.o.", "n.d.", "?", "..."))
"""What stands in a cell that has no value. A cross is one where others are ticked."""
_KIND_CONCEPTS = {"price": "price", "phone": "phone", "floor": "floor"}
_PRICED = ("€", "euro", "eur", "prijs", "tarief", "price", "prix", "tarif", "prezz", "tariff", "kost", "cost", "coût")


@dataclass(frozen=True, slots=True)
class Found:
    """Rows and, of each, the columns that a question asks for.

    `rows` are numbers in the table, `columns` of its value columns. `matched` is how many words of the question the
    labels, title and headings account for; `is_chosen` whether the question names a row or a column itself.
    """

    rows: tuple[int, ...]
    columns: tuple[int, ...]
    matched: int
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class _Sight:
    """What of a question each part of a table accounts for: numbers of its words."""

    context: frozenset[int]
    rows: tuple[frozenset[int], ...]
    columns: tuple[frozenset[int], ...]
    values: tuple[frozenset[int], ...]


def find(
    question: str, language: str, table: Table, written_in: str, about: Sequence[str], *, voice: bool = False
) -> Found | None:
    """The cells that a question asks for; None when the table does not hold what it names, or too much would fit.

    `about` are the title and headings that the table stands under, `written_in` is the table's language.
    """
    words = question_words(question, language)
    sight = _sight(words, table, written_in, about)
    rows = _rows(words, table, sight, written_in)
    columns = tuple(_best(words, table.columns, sight.columns, written_in) or range(len(table.columns)))
    chosen_columns = len(columns) < len(table.columns)
    of_kind = (
        columns
        if chosen_columns
        else _of_kind(columns, table, asked_kinds(question, language), [*about, table.caption])
    )
    if of_kind is None or not rows:
        return None
    chosen_rows = len(rows) < len(table.rows) or len(table.rows) == 1
    told = _accounted(sight, rows, of_kind)
    left = [n for n in range(len(words)) if _names(words[n]) and n not in told]
    if any(_may_not_be_left(words, n) for n in left):
        return None
    if left and not (chosen_rows and _is_whole(words, table, rows, written_in)):
        # A thing is asked for that the table does not name, and which row is meant is not sure either.
        return None
    rows = tuple(row for row in rows if any(not is_missing(table.rows[row].values[column]) for column in of_kind))
    named = [n for n in told if _names(words[n])]
    if not rows or len(rows) > (MOST_CHOSEN if chosen_rows else MOST_ROWS)[voice] or not named:
        return None
    return Found(rows, of_kind, len(named), chosen_rows or chosen_columns)


def _may_not_be_left(words: Sequence[Word], n: int) -> bool:
    """A word that the table does not account for: only one whose meaning is known, and tells no case from another, may
    be left ("day" of "how much is a room a day")."""
    return distinguishes(words, n) or not words[n].concepts


def _is_whole(words: Sequence[Word], table: Table, rows: Sequence[int], language: str) -> bool:
    """Whether the question says every word of the labels of these rows."""
    return all(not _unsaid(words, table.rows[row].labels[-1:], language) for row in rows)


def accounted(question: str, language: str, table: Table, written_in: str, about: Sequence[str]) -> int:
    """How many words of a question that name something the table has: in a label, or in what it stands under."""
    words = question_words(question, language)
    sight = _sight(words, table, written_in, about)
    return sum(_names(words[n]) for n in sight.context.union(*sight.rows, *sight.columns))


def named_rows(text: str, language: str, table: Table, written_in: str) -> frozenset[int]:
    """The rows whose labels a text names, as far as labels tell rows apart: all of them where they do not."""
    words = question_words(text, language)
    matched = _distinct_matches(words, [row.labels for row in table.rows], written_in, table.stub)
    return _most_named(words, matched)


def named_columns(text: str, language: str, table: Table, written_in: str) -> frozenset[int]:
    """The columns whose labels a text names; all of them where the table names none or has one."""
    words = question_words(text, language)
    return _most_named(words, _distinct_matches(words, table.columns, written_in, ()))


def _most_named(words: Sequence[Word], matched: Sequence[frozenset[int]]) -> frozenset[int]:
    """Those that no other one surpasses, when the text names any at all or there is nothing to choose from."""
    if len(matched) < 2:
        return frozenset(range(len(matched)))
    shared = _shared(matched)
    own = [one - shared for one in matched]
    return frozenset(n for n, one in enumerate(own) if one and not any(one < other for other in own))


def is_missing(value: str) -> bool:
    """Whether a cell says nothing."""
    return value.strip().casefold() in MISSING


def _names(word: Word) -> bool:
    return not word.is_talk


def _sight(words: Sequence[Word], table: Table, language: str, about: Sequence[str]) -> _Sight:
    labels = [row.labels for row in table.rows]
    rows = _distinct_matches(words, labels, language, table.stub)
    columns = _distinct_matches(words, table.columns, language, ())
    shared_rows, shared_columns = _shared(rows), _shared(columns)
    around = [*about, table.caption, *table.stub, *(said for _, said in table.notes)]
    context = _matches(words, around, language) | shared_rows | shared_columns
    values = [tuple(value for value in row.values if _is_words(value)) for row in table.rows]
    return _Sight(
        context,
        tuple(one - shared_rows for one in rows),
        tuple(one - shared_columns for one in columns),
        tuple(_matches(words, texts, language) for texts in values),
    )


def _distinct_matches(
    words: Sequence[Word], labels: Sequence[Sequence[str]], language: str, stub: Sequence[str]
) -> list[frozenset[int]]:
    """For each label path the words it accounts for. Where no label is exact, a slip of the keyboard is allowed, and a
    day is one of those that a label covers."""
    found = [_matches(words, path, language, stub) for path in labels]
    exact = frozenset().union(*found)
    loose = [_matches(words, path, language, stub, typed_wrong=True) | _days(words, path, language) for path in labels]
    return [one | (other - exact) for one, other in zip(found, loose, strict=True)]


def _days(words: Sequence[Word], labels: Sequence[str], language: str) -> frozenset[int]:
    covered = frozenset().union(*(days_of(label, language) for label in labels))
    if not covered:
        return frozenset()
    asked = {n: asked_days(word) for n, word in enumerate(words)}
    return frozenset(n for n, days in asked.items() if days and (days <= covered or covered <= days))


def _matches(
    words: Sequence[Word],
    labels: Sequence[str],
    language: str,
    stub: Sequence[str] = (),
    *,
    typed_wrong: bool = False,
) -> frozenset[int]:
    own = [label for text in labels for label in label_words(text, language)]
    found = {n for n, word in enumerate(words) if any(same(word, label, typed_wrong=typed_wrong) for label in own)}
    found |= _numbers(words, labels, language, stub)
    return frozenset(found)


def _numbers(words: Sequence[Word], labels: Sequence[str], language: str, stub: Sequence[str]) -> set[int]:
    """Numbers of the question that a label's number or range holds, in the same unit as far as units are known."""
    found: set[int] = set()
    asked = [n for n, word in enumerate(words) if word.number is not None]
    for label in labels if asked else ():
        own = label_words(label, language)
        if len({concept for word in own for concept in word.concepts} & _TIMES) > 1:
            continue
        of = unit(own) or unit([word for text in stub for word in label_words(text, language)])
        held = ranges(label)
        for n in asked:
            number = words[n].number
            in_unit = unit(words[n + 1 : n + 2]) or unit(words[n + 2 : n + 3])
            if number is not None and any(one.holds(converted(number, in_unit, of)) for one in held):
                found.add(n)
                found |= {at for at in (n + 1, n + 2) if at < len(words) and unit(words[at : at + 1]) is not None}
    return found


_TIMES = frozenset(("minute", "hour", "day", "week", "month", "year"))


def _is_words(value: str) -> bool:
    """A value that names something, such as a doctor or a place, and is no figure."""
    return sum(map(str.isalpha, value)) >= 3


def _shared(found: Sequence[frozenset[int]]) -> frozenset[int]:
    """What every one accounts for does not choose among them."""
    return frozenset.intersection(*found) if len(found) > 1 else frozenset()


def _rows(words: Sequence[Word], table: Table, sight: _Sight, language: str) -> tuple[int, ...]:
    """The rows that account for the most words, those whose label is named whole before others; all when none does."""
    chosen = _best(words, [row.labels for row in table.rows], sight.rows, language)
    if chosen:
        return _with_values(chosen, sight)
    by_value = [one - sight.context - frozenset().union(*sight.columns) for one in sight.values]
    most = max(map(len, by_value), default=0)
    if most:
        return tuple(n for n, one in enumerate(by_value) if len(one) == most)
    return tuple(range(len(table.rows)))


def _with_values(chosen: Sequence[int], sight: _Sight) -> tuple[int, ...]:
    """Of rows that fit equally, those whose values account for more."""
    if len(chosen) < 2:
        return tuple(chosen)
    more = {n: len(sight.values[n] - sight.rows[n] - sight.context) for n in chosen}
    return tuple(n for n in chosen if more[n] == max(more.values()))


def _best(
    words: Sequence[Word], labels: Sequence[Sequence[str]], matched: Sequence[frozenset[int]], language: str
) -> list[int]:
    """Numbers of the labels that account for the most; then those of which the question leaves the least unsaid.

    Labels that account for other words of the question are asked for besides ("MRI and CT").
    """
    weights = [sum(1 for n in one if not words[n].is_talk) or 0.5 * bool(one) for one in matched]
    if not any(weights):
        return []
    chosen: list[int] = []
    left = set().union(*matched)
    while left and len(chosen) < MOST_CHOSEN[False]:
        gains = [len(one & left) and weight for one, weight in zip(matched, weights, strict=True)]
        best = max(gains)
        if not best or (chosen and not any(not words[n].is_talk for n in left)):
            break
        tied = [n for n, gain in enumerate(gains) if gain == best and n not in chosen]
        unsaid = {n: _unsaid(words, labels[n], language) for n in tied}
        least = min(unsaid.values(), default=0.0)
        picked = [n for n in tied if unsaid[n] <= least + 1e-9]
        if not picked:
            break
        chosen += picked
        left -= set().union(*(matched[n] for n in picked))
    return sorted(chosen)


def _unsaid(words: Sequence[Word], labels: Sequence[str], language: str) -> float:
    """How many words of a label the question does not have."""
    own = [label for text in labels for label in label_words(text, language) if not label.is_talk]
    is_numbered = any(word.number is not None for word in words)
    held = words if is_numbered else [word for word in words if word.number is None]
    return sum(
        not any(same(word, label, typed_wrong=True) for word in held)
        for label in own
        if (label.number is None or (is_numbered and len(ranges(" ".join(labels))) > 1)) and not asked_days(label)
    )


def _of_kind(
    columns: Sequence[int], table: Table, kinds: frozenset[str], about: Sequence[str]
) -> tuple[int, ...] | None:
    """Of all columns those that hold what is asked for: a price, a telephone number; None when the table has none."""
    for kind in ("phone", "price", "floor"):
        if kind not in kinds:
            continue
        holding = tuple(n for n in columns if _column_holds(table, n, kind))
        if holding:
            return holding
        if kind == "price" and any(mark in text.casefold() for text in about for mark in _PRICED):
            return tuple(columns)
        if kinds == {kind}:
            return None
    return tuple(columns)


def _column_holds(table: Table, column: int, kind: str) -> bool:
    label = " ".join(table.columns[column]).casefold()
    values = [row.values[column] for row in table.rows if not is_missing(row.values[column])]
    if kind == "price":
        return any(mark in label for mark in _PRICED) or any("€" in one or "eur" in one.casefold() for one in values)
    if kind == "phone":
        pattern = HOLDS["phone"]
        return sum(bool(pattern.search(value)) for value in values) * 2 > len(values) or _means(label, "phone")
    return _means(label, kind)


def _means(label: str, concept: str) -> bool:
    return any(concept in word.concepts for code in ("nl", "en", "fr", "it") for word in label_words(label, code))


def _accounted(sight: _Sight, rows: Sequence[int], columns: Sequence[int]) -> set[int]:
    told = set(sight.context)
    for row in rows:
        told |= sight.rows[row] | sight.values[row]
    for column in columns:
        told |= sight.columns[column]
    return told
