"""Holds a question against a table: which of its words each row, each column and what stands around accounts for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from careline.model import Table
from careline.search.label_days import asked_days, days_of
from careline.search.label_ranges import converted, ranges, unit
from careline.search.label_words import CLOCK, LabelWord, label_words, ordinal, same, vocabulary
from careline.search.with_or_without import is_the_opposite

_COUNTED = re.compile(r"[^\W\d]{2,20}\.? ([0-9]{1,2})")
_AT = frozenset(("at", "in", "op", "te", "au", "aux", "al", "alla", "allo", "all", "presso"))
_TIMES = frozenset(("minute", "hour", "day", "week", "month", "year"))


@dataclass(frozen=True, slots=True)
class CellPlace:
    """What a table stands among: names of its document, headings above it, labels and headings of other tables (each
    with its language), and texts of the same document."""

    titles: tuple[str, ...]
    headings: tuple[str, ...] = ()
    elsewhere: tuple[tuple[str, str], ...] = ()
    texts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sight:
    """What of a question each part of a table accounts for: numbers of its words. `denied_rows` and `denied_columns`
    are numbers of those that it says it does not ask for."""

    context: frozenset[int]
    rows: tuple[frozenset[int], ...]
    columns: tuple[frozenset[int], ...]
    values: tuple[frozenset[int], ...]
    denied_rows: frozenset[int] = frozenset()
    denied_columns: frozenset[int] = frozenset()


def sight_of(words: Sequence[LabelWord], table: Table, language: str, place: CellPlace) -> Sight:
    """What of a question a table accounts for. A word that only the document's title has is another table's where that
    one has it: a page of many things is named after all of them. The place that a page is of is its own."""
    labels = [row.labels for row in table.rows]
    rows = label_matches(words, labels, language, table.stub)
    columns = label_matches(words, table.columns, language, ())
    values = [tuple(value for value in row.values if _is_words(value)) for row in table.rows]
    of_values = tuple(_matches(words, texts, language) for texts in values)
    titles = _before_names(words, frozenset().union(*of_values))
    columns = [one - titles for one in columns]
    shared_rows, shared_columns = shared(rows), shared(columns)
    near = _named(words, [*place.headings, table.caption, *table.stub], language) | shared_rows | shared_columns
    places = places_in(words)
    titled = _named(words, place.titles, language)
    spoken_of = titled | _spoken_of(words, place, language)
    denied_rows, left_rows = _denied(words, labels, language)
    denied_columns, left_columns = _denied(words, table.columns, language)
    return Sight(
        near
        | left_rows
        | left_columns
        | (titled & places)
        | frozenset(n for n in spoken_of if not is_of(words[n], place.elsewhere)),
        tuple(one - shared_rows for one in rows),
        tuple(one - shared_columns for one in columns),
        of_values,
        denied_rows,
        denied_columns,
    )


def _denied(
    words: Sequence[LabelWord], labels: Sequence[Sequence[str]], language: str
) -> tuple[frozenset[int], frozenset[int]]:
    """The labels that the question says it does not ask for ("not urgent", or one with what it is without), and the
    words that deny it; none where these would be all."""
    turned = [replace(word, is_denied=False) if word.is_denied else None for word in words]
    at: dict[int, set[int]] = {}
    for n, path in enumerate(labels):
        own = [label_words(text, language) for text in path]
        told = [label for line in own for label in line if not label.is_ended] if any(turned) else []
        said = {number for number, word in enumerate(turned) if word and any(same(word, one) for one in told)}
        if said or is_the_opposite(words, own):
            at[n] = said
    if len(at) == len(labels):
        return frozenset(), frozenset()
    return frozenset(at), frozenset().union(*at.values())


def _named(words: Sequence[LabelWord], texts: Sequence[str], language: str) -> frozenset[int]:
    """The words that texts around a table account for. A number there ("2026", "Table 3") is nobody's answer."""
    own = [label for text in texts for label in label_words(text, language)]
    return frozenset(n for n, word in enumerate(words) if word.number is None and any(same(word, one) for one in own))


def _before_names(words: Sequence[LabelWord], named: frozenset[int]) -> frozenset[int]:
    """Titles before a name that values have: "doctor" before it does not ask for the column of doctors."""
    return frozenset(n for n, word in enumerate(words) if "doctor" in word.concepts and n + 1 in named)


def places_in(words: Sequence[LabelWord]) -> frozenset[int]:
    """The name of a house or town behind "at" or "in": unknown words that stand there."""
    return _unknown_behind(words, _AT)


def _spoken_of(words: Sequence[LabelWord], place: CellPlace, language: str) -> frozenset[int]:
    """Names of which the document speaks: a table seldom repeats that of its own house."""
    named = _unknown_behind(words, vocabulary().before_places)
    if not named:
        return frozenset()
    own = {label.text for text in place.texts for line in text.splitlines() for label in label_words(line, language)}
    return frozenset(n for n in named if words[n].text in own)


def _unknown_behind(words: Sequence[LabelWord], before: frozenset[str]) -> frozenset[int]:
    named = [n for n in range(1, len(words)) if words[n - 1].text in before and _is_unknown(words[n])]
    return frozenset((*named, *(n + 1 for n in named if n + 1 < len(words) and _is_unknown(words[n + 1]))))


def _is_unknown(word: LabelWord) -> bool:
    return not word.is_talk and not word.concepts and word.number is None


def is_of(word: LabelWord, labels: Sequence[tuple[str, str]]) -> bool:
    """Whether a word names one of the labels, each given with its language."""
    return any(same(word, label) for text, language in labels for label in label_words(text, language))


def label_matches(
    words: Sequence[LabelWord], labels: Sequence[Sequence[str]], language: str, stub: Sequence[str]
) -> list[frozenset[int]]:
    """For each label path the words it accounts for. A word that one label has as it stands is not another's by its
    meaning; where no label is exact, a slip of the keyboard is allowed, and a day is one of those that a label covers.
    """
    found = _by_form_first(words, labels, language, [_matches(words, path, language, stub) for path in labels])
    exact = frozenset().union(*found)
    loose = [_matches(words, path, language, stub, typed_wrong=True) | _days(words, path, language) for path in labels]
    return [one | (other - exact) for one, other in zip(found, loose, strict=True)]


def _by_form_first(
    words: Sequence[LabelWord], labels: Sequence[Sequence[str]], language: str, found: Sequence[frozenset[int]]
) -> list[frozenset[int]]:
    """The matches without those by meaning alone of words that another label has by form: of a restaurant and a
    cafeteria, "cafeteria" names the second."""
    forms = [frozenset(label.stem for text in path for label in label_words(text, language)) for path in labels]
    meant = [n for n, word in enumerate(words) if word.concepts and not word.is_talk]
    literal = {
        n for n in meant if any(n in one and words[n].stem in own for one, own in zip(found, forms, strict=True))
    }
    return [
        frozenset(n for n in one if n not in literal or words[n].stem in own)
        for one, own in zip(found, forms, strict=True)
    ]


def _days(words: Sequence[LabelWord], labels: Sequence[str], language: str) -> frozenset[int]:
    covered = frozenset().union(*(days_of(label, language) for label in labels))
    if not covered:
        return frozenset()
    asked = {n: asked_days(word) for n, word in enumerate(words)}
    return frozenset(n for n, days in asked.items() if days and (days <= covered or covered <= days))


def _matches(
    words: Sequence[LabelWord],
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


def _numbers(words: Sequence[LabelWord], labels: Sequence[str], language: str, stub: Sequence[str]) -> set[int]:
    """Numbers of the question that a label's number or range holds, in the same unit as far as units are known."""
    found = {n for n, word in enumerate(words) if (nth := ordinal(word)) and any(_counts(one, nth) for one in labels)}
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
                found |= {
                    at
                    for at in (n + 1, n + 2)
                    if at < len(words) and words[at].concepts and words[at].concepts <= _TIMES
                }
    return found


def _counts(label: str, number: float) -> bool:
    """Whether a label is a name and that number: "Trip 3"."""
    counted = _COUNTED.fullmatch(label.strip())
    return counted is not None and float(counted[1]) == number


def _is_unit(word: LabelWord) -> bool:
    return bool(word.concepts) and word.concepts <= _TIMES


def _is_words(value: str) -> bool:
    """A value that names something, such as a doctor or a place, and is no figure; or one time of day, as of a bus."""
    return sum(map(str.isalpha, value)) >= 3 or CLOCK.fullmatch(value.strip()) is not None


def shared(found: Sequence[frozenset[int]]) -> frozenset[int]:
    """What every one accounts for does not choose among them."""
    return frozenset.intersection(*found) if len(found) > 1 else frozenset()
