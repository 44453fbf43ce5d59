"""Chooses the rows and columns of a table whose labels a question names, as far as it names any."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from careline.model import Table
from careline.note_signs import signs_of
from careline.search.answer_kind import HOLDS
from careline.search.label_days import asked_days, days_of
from careline.search.label_ranges import ranges
from careline.search.label_words import LabelWord, label_words, says
from careline.search.table_sight import Sight

MISSING = frozenset(("", "-", "–", "—", "/", "x", "n/a", "n.a.", "nvt", "n.v.t.", "s.o.", "n.d.", "?", "..."))
"""What stands in a cell that has no value. A cross is one where others are ticked."""
_MONEY = re.compile(r"€|\beuros?\b|\beur\b|\bchf\b|\bs?frs?\b|£|\bgratis\b|\bfree\b|\bgratuit", re.IGNORECASE)
_AMOUNT = re.compile(r"[0-9]{1,3}(?:[ .,’'][0-9]{3})?[.,](?:[0-9]{2}|-|–)(?:[^0-9].{0,3})?")
BRACKETED = re.compile(r"\([^()]*\)")
"""What a label has in brackets is a unit or an explanation, which a question need not say."""
_DOSE = re.compile(r"\b(?:dos(?:is|e|es|i|age|ering|aggio)|posologi[ea])\b", re.IGNORECASE)
_HOW_OFTEN = re.compile(
    r"\b(?:intervals?|intervalles?|intervall[oi]|frequen\w{1,4}|fréquence|how often|every|hoe vaak)\b", re.IGNORECASE
)
_ASKED_FOR = frozenset(("phone", "price", "time", "floor"))
_AND = frozenset(("en", "and", "et", "e", "ed", "of", "or", "ou", "o"))
_PRICED = ("€", "euro", "prijs", "tarief", "price", "prix", "tarif", "prezz", "tariff", "kost", "cost", "coût")


def is_missing(value: str) -> bool:
    """Whether a cell says nothing, the signs of notes apart."""
    return signs_of(value.strip())[0].casefold() in MISSING


def names_something(word: LabelWord) -> bool:
    """Whether a word of a question may choose a row or column."""
    return not word.is_talk


def choose_rows(words: Sequence[LabelWord], table: Table, sight: Sight, language: str) -> tuple[int, ...]:
    """The rows that account for the most words, those whose label is named whole before others; all when none does."""
    chosen = choose_labels(words, [row.labels for row in table.rows], sight.rows, language, sight.denied_rows)
    if chosen:
        return _with_values(_nearest(words, chosen, table, sight), sight)
    elsewhere = sight.context.union(*sight.columns)
    by_value = [{n for n in one - elsewhere if names_something(words[n])} for one in sight.values]
    most = max(map(len, by_value), default=0)
    if most:
        return tuple(n for n, one in enumerate(by_value) if len(one) == most)
    return tuple(range(len(table.rows)))


def _nearest(words: Sequence[LabelWord], chosen: Sequence[int], table: Table, sight: Sight) -> Sequence[int]:
    """Of rows that one number chooses, each up to or from another, those that lie nearest to it: of "up to 1 hour" and
    "up to 2 hours" the first, where one hour is asked for."""
    if len(chosen) < 2 or len({sight.rows[n] for n in chosen}) > 1:
        return chosen
    if not any(words[at].number is not None for at in sight.rows[chosen[0]]):
        return chosen
    found = {n: [one for label in table.rows[n].labels for one in ranges(label)] for n in chosen}
    if any(len(held) != 1 for held in found.values()):
        return chosen
    bounds = {n: held[0] for n, held in found.items()}
    if all(one.low == -math.inf for one in bounds.values()):
        return [n for n in chosen if bounds[n].high == min(one.high for one in bounds.values())]
    if all(one.high == math.inf for one in bounds.values()):
        return [n for n in chosen if bounds[n].low == max(one.low for one in bounds.values())]
    return chosen


def _with_values(chosen: Sequence[int], sight: Sight) -> tuple[int, ...]:
    """Of rows that fit equally, those whose values account for more."""
    if len(chosen) < 2:
        return tuple(chosen)
    more = {n: len(sight.values[n] - sight.rows[n] - sight.context) for n in chosen}
    return tuple(n for n in chosen if more[n] == max(more.values()))


def choose_labels(
    words: Sequence[LabelWord],
    labels: Sequence[Sequence[str]],
    matched: Sequence[frozenset[int]],
    language: str,
    denied: frozenset[int] = frozenset(),
) -> list[int]:
    """Numbers of the labels that account for the most; of these the ones that the question says whole, where there are
    any. Those that are `denied` ("not urgent") are none of them.

    Labels that account for other words of the question are asked for besides ("MRI and CT").
    """
    weights = [sum(1 for n in one if names_something(words[n])) or 0.5 * bool(one) for one in matched]
    weights = [0.0 if n in denied else weight for n, weight in enumerate(weights)]
    best = max(weights, default=0.0)
    if best < 1:
        # Words that name nothing ("per hour") choose only a label that says no more than they do.
        weights = [weight * _says_no_more(words, labels[n], language) for n, weight in enumerate(weights)]
        best = max(weights, default=0.0)
    if not best:
        return [n for n in range(len(labels)) if n not in denied] if 0 < len(denied) < len(labels) else []
    unsaid = {n: count_unsaid(words, labels[n], language) for n, weight in enumerate(weights) if weight == best}
    chosen = [n for n, count in unsaid.items() if not count and _has_words(labels[n], language)] or list(unsaid)
    chosen = [n for n in chosen if not any(_says_more(words, matched[other], matched[n]) for other in chosen)]
    if any(word.text in _AND for word in words):
        told = frozenset().union(*(matched[n] for n in chosen))
        chosen += [
            n for n, one in enumerate(matched) if one - told and _is_besides(words, labels[n], one, told, language)
        ]
    return sorted(chosen)


def _says_more(words: Sequence[LabelWord], more: frozenset[int], fewer: frozenset[int]) -> bool:
    """Whether a label accounts for what another does and for a meaning or number besides: "per day".
    What is asked for ("number") is no such meaning."""
    besides = more - fewer
    return fewer < more and any(words[n].number is not None or words[n].concepts - _ASKED_FOR for n in besides)


def _has_words(labels: Sequence[str], language: str) -> bool:
    """Whether each label has words to be said; of two columns below one header, that of "°C" is not said by silence."""
    texts = [plain for text in labels if (plain := BRACKETED.sub(" ", text).strip())]
    return all(any(not label.is_talk for label in label_words(text, language)) for text in texts)


def _says_no_more(words: Sequence[LabelWord], labels: Sequence[str], language: str) -> bool:
    own = [label for text in labels for label in label_words(BRACKETED.sub(" ", text), language)]
    return all(label.is_talk or label.number == 1 or any(says(word, label) for word in words) for label in own)


def _is_besides(
    words: Sequence[LabelWord], labels: Sequence[str], matched: frozenset[int], told: frozenset[int], language: str
) -> bool:
    """Whether a label is named whole by other words than those that chose the best ones."""
    named = {n for n in matched - told if names_something(words[n])}
    return bool(named) and matched.isdisjoint(told) and not count_unsaid(words, labels[-1:], language)


def count_unsaid(words: Sequence[LabelWord], labels: Sequence[str], language: str) -> float:
    """How many words of a label the question does not have."""
    own = [label for text in labels for label in label_words(BRACKETED.sub(" ", text), language) if not label.is_talk]
    is_numbered = any(word.number is not None for word in words)
    held = words if is_numbered else [word for word in words if word.number is None]
    return sum(
        not any(says(word, label) for word in held)
        for label in own
        if (label.number is None or (is_numbered and len(ranges(" ".join(labels))) > 1)) and not asked_days(label)
    )


def choose_columns(
    words: Sequence[LabelWord],
    table: Table,
    sight: Sight,
    language: str,
    kinds: frozenset[str],
    about: Sequence[str],
) -> tuple[int, ...] | None:
    """The columns that the question asks for: of those that hold what it asks for, the ones it names, and how often
    beside a dose, which is none without; None when the table holds nothing of the kind."""
    chosen = _asked_columns(words, table, sight, language, kinds, about)
    if not chosen or not any(_DOSE.search(" ".join(table.columns[n])) for n in chosen):
        return chosen
    intervals = (n for n, path in enumerate(table.columns) if _HOW_OFTEN.search(" ".join(path)))
    return tuple(sorted({*chosen, *intervals}))


def _asked_columns(
    words: Sequence[LabelWord],
    table: Table,
    sight: Sight,
    language: str,
    kinds: frozenset[str],
    about: Sequence[str],
) -> tuple[int, ...] | None:
    named = choose_labels(words, table.columns, sight.columns, language, sight.denied_columns)
    named = _by_own_words(words, named, sight)
    fit = _of_kind(range(len(table.columns)), table, kinds, about)
    if when := _telling_when(words, named, table, sight, kinds, language):
        return when
    if fit is None or len(fit) == len(table.columns):
        return tuple(named) if named else fit
    denied = frozenset(at for at, n in enumerate(fit) if n in sight.denied_columns)
    best = choose_labels(words, [table.columns[n] for n in fit], [sight.columns[n] for n in fit], language, denied)
    chosen = tuple(fit[n] for n in best) if best else fit
    told = {word for n in chosen for word in sight.columns[n]}
    if any(names_something(words[word]) and word not in told for n in named for word in sight.columns[n]):
        # The column that is named ("internal number") is not one of those that look like what is asked for; one of
        # names ("the number of the social worker") is told beside these.
        return tuple(named) if _holds_figures(table, named) else tuple(sorted({*named, *chosen}))
    return chosen


def _holds_figures(table: Table, columns: Sequence[int]) -> bool:
    return any(c.isdecimal() for row in table.rows for n in columns for c in row.values[n])


def _telling_when(
    words: Sequence[LabelWord],
    named: Sequence[int],
    table: Table,
    sight: Sight,
    kinds: frozenset[str],
    language: str,
) -> tuple[int, ...]:
    """The columns of hours and days, where it is asked when and the named ones hold neither: "Visitors at one time" is
    no answer to "at what time?". None where a named one tells when or is named by more than that, or no other does."""
    own = frozenset().union(*(sight.columns[n] for n in named)) - sight.context
    if kinds not in ({"time"}, {"duration"}) or not named or any(names_something(words[n]) for n in own):
        return ()
    tells = _tells_when if "time" in kinds else _tells_how_long
    whens = {n: sum(tells(row.values[n], language) for row in table.rows) for n in range(len(table.columns))}
    if any(whens[n] for n in named):
        return ()
    return tuple(n for n, count in whens.items() if count * 2 > len(table.rows))


def _tells_how_long(value: str, language: str) -> bool:
    return HOLDS["duration"].search(value) is not None


def _tells_when(value: str, language: str) -> bool:
    if any(HOLDS[kind].search(value) for kind in ("time", "duration")) or days_of(value, language):
        return True
    return any(word.concepts for word in label_words(value, language) if word.number is None)


def _by_own_words(words: Sequence[LabelWord], named: list[int], sight: Sight) -> list[int]:
    """Of named columns those that words name which nothing around the table has: on a page of visiting hours "Friday"
    names one, and "visitors" does not."""
    own = {n: {at for at in sight.columns[n] - sight.context if names_something(words[at])} for n in named}
    if any(word.text in _AND for word in words) or not any(own.values()):
        return named
    return [n for n in named if own[n]]


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
