"""Finds the run of a timetable that a question asks for: the first or last one, or that at a certain time.

A timetable is a table whose columns are stops and hold one time a row, each later than the one above. Which way a run
goes is told by the order of its stops: "from A to B" is asked of a table that has A before B.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from careline.note_signs import signs_of
from careline.search.answer_kind import HOLDS, asks_for_price, tells_of_cost
from careline.search.asked_cells import WholeTable
from careline.search.asked_words import listed, words_of
from careline.search.distinctions import is_of_another_case
from careline.search.label_choice import is_missing
from careline.search.label_days import days_of
from careline.search.label_words import LabelWord, folded, label_words, question_words, same
from careline.search.table_answer import FoundCells

FEWEST_RUNS = 3
FEWEST_WAYS = 2
_STUB = -1
"""The place of the labels of the rows among the columns, where these are times themselves."""
_NEAR = 90
"""Minutes from the time that is asked for within which a run is told where none is at that time."""
_TIME = re.compile(r"([0-9]{1,2})(?:[:.hu]| h | u )([0-9]{2}) ?(am|pm)?(?![0-9])|([0-9]{1,2}) ?(am|pm|h|u|uur|ore)\b")
_CODE = re.compile(r"\b[a-z]{1,2}[0-9]{1,3}\b")
"""A line: "N1"."""
_FROM = frozenset("van vanuit vanaf from leaving de du d depuis da dal dalla dall dallo dai leaves departs".split())
_TO = frozenset("naar richting to towards for vers pour direction per verso".split())
_ARROW = re.compile(r" ?(?:→|⇒|->|>|») ?")
_LEADS = re.compile(r" ?(?:→|⇒|->) ?| (?:naar|to|vers|verso) ")
"""Between the ends of a way in the label of a row."""
_BETWEEN = 4
"""Words between a preposition and a name that are looked at."""
_SKIPPED = frozenset(
    "campus site sede het the la le les il lo de station gare stazione ziekenhuis hospital hopital".split()
)


@dataclass(frozen=True, slots=True)
class _Stop:
    """A column of times. `named` are the places of the question's words that name it; of a column that is called
    "A → B" those that name A, and `leads_to` those that name B."""

    column: int
    group: tuple[str, ...]
    times: tuple[int | None, ...]
    named: frozenset[int]
    leads_to: frozenset[int] | None = None
    departs: bool = False
    """Whether it is called "departure": where two stops are, each tells its own way."""


@dataclass(frozen=True, slots=True)
class _Wish:
    """What is asked of a timetable: its earliest or latest run, or that at some minutes past midnight."""

    end: str
    minutes: int | None


def wish_of(question: str, language: str) -> _Wish | None:
    """What a question wants of a timetable; None where it asks for no end and names no time, for several, or what
    something costs."""
    if asks_for_price(question):
        return None
    ends = {end for end in ("earliest", "latest") for word in words_of(question) if word.plain in listed(end, language)}
    times = {time for match in _TIME.finditer(folded(question)) if (time := _minutes(match)) is not None}
    if len(ends) == 1 and not times:
        return _Wish(ends.pop(), None)
    return _Wish("", times.pop()) if not ends and len(times) == 1 else None


def run_of(question: str, language: str, whole: WholeTable) -> FoundCells | None:
    """The run of a timetable that a question wants, at the stops that it goes between; None where the table is none, is
    of another way, day or line, or has not that run."""
    wish = wish_of(question, language)
    words = question_words(question, language)
    if wish is None or not _asks_for_a_ride(words, language):
        return None
    if len(whole.table.rows) < whole.table.total or _is_of_another(question, language, whole):
        return None
    groups = _groups(question, language, whole)
    stops = _stops(question, language, whole, groups)
    if not stops:
        return _way_in_a_row(words, whole)
    way = _way(words, stops)
    if way is None:
        return None
    start, goal = way
    columns = [stop for stop in stops if stop.group == start.group and start.column <= stop.column]
    if start.leads_to is not None or (start.departs and goal is None):
        columns = [start, *(stop for stop in columns[1:] if start.column == _STUB)]
    elif goal is not None:
        columns = [stop for stop in columns if stop.column <= goal.column]
    rows = tuple(row for group in groups for row in _rows(wish, start, goal, group))
    told = tuple(stop.column for stop in columns if stop.column != _STUB)
    named = start.named.union(start.leads_to or (), goal.named if goal else ())
    return FoundCells(rows, told, len(named), is_chosen=True) if rows and told else None


def _way_in_a_row(words: Sequence[LabelWord], whole: WholeTable) -> FoundCells | None:
    """The rows of the way that a question goes, where each is called "from A to B" and tells all of its departures, or
    the first and the last."""
    table, language = whole.table, whole.language
    ways: dict[int, frozenset[int]] = {}
    for n, row in enumerate(table.rows):
        sides = _LEADS.split(folded(row.labels[-1])) if row.labels else []
        if len(sides) == 2:
            here, there = (_naming(words, (side,), language) for side in sides)
            ways[n] = here | there if _leads(words, _Stop(0, (), (), here, there)) else frozenset()
    most = max(map(len, ways.values()), default=0)
    rows = tuple(n for n, named in ways.items() if most and len(named) == most)
    told = {column for n in rows for column, value in enumerate(table.rows[n].values) if HOLDS["time"].search(value)}
    if len(ways) < FEWEST_WAYS or not told or len(rows) == len(ways):
        return None
    return FoundCells(rows, tuple(sorted(told)), most, is_chosen=True)


def runs_of(question: str, language: str, wholes: Sequence[WholeTable]) -> list[tuple[WholeTable, FoundCells]]:
    """The runs that a question wants, of those timetables that have the most of the stops it names."""
    runs = [(whole, run) for whole in wholes if (run := run_of(question, language, whole)) is not None]
    words = question_words(question, language)
    runs = [(whole, run) for whole, run in runs if not _is_between_others(words, whole, wholes)]
    most = max((run.matched for _, run in runs), default=0)
    return [(whole, run) for whole, run in runs if run.matched == most]


def _is_between_others(words: Sequence[LabelWord], whole: WholeTable, wholes: Sequence[WholeTable]) -> bool:
    """Whether a question goes from or to a stop that another timetable has and this one has not."""
    others = frozenset().union(*(_stops_named(words, one) for one in wholes)) - _stops_named(words, whole)
    return any(_stands_behind(words, (n,), _FROM | _TO) for n in others)


def _stops_named(words: Sequence[LabelWord], whole: WholeTable) -> frozenset[int]:
    """The places of a question's words that name a column of a table or what it is called."""
    paths = (*whole.table.columns, whole.table.stub, whole.headings[-1:], (whole.table.caption,))
    return _naming(words, (text for path in paths for text in path), whole.language)


def _groups(question: str, language: str, whole: WholeTable) -> list[frozenset[int]]:
    """The rows of each timetable that one table holds: one of each label of days before the times, of those days alone
    that the question names, where it names any."""
    rows = whole.table.rows
    if not all(len(row.labels) > 1 and days_of(row.labels[0], whole.language) for row in rows):
        return [frozenset(range(len(rows)))]
    asked = days_of(question, language)
    labels = dict.fromkeys(row.labels[0] for row in rows)
    if asked:
        labels = {label: None for label in labels if asked & days_of(label, whole.language)}
    return [frozenset(n for n, row in enumerate(rows) if row.labels[0] == label) for label in labels]


def _rows(wish: _Wish, start: _Stop, goal: _Stop | None, among: frozenset[int]) -> tuple[int, ...]:
    runs = [
        (time, n)
        for n, time in enumerate(start.times)
        if n in among and time is not None and (goal is None or goal.times[n] is not None)
    ]
    if not runs:
        return ()
    if wish.minutes is None:
        return ((min if wish.end == "earliest" else max)(runs)[1],)
    at = wish.minutes
    exact = [n for time, n in runs if time == at]
    before = [n for time, n in runs if at - _NEAR <= time < at][-1:]
    after = [n for time, n in runs if at < time <= at + _NEAR][:1]
    return tuple(exact or (*before, *after))


def _stops(question: str, language: str, whole: WholeTable, groups: Sequence[frozenset[int]]) -> list[_Stop]:
    """The columns of times of a timetable, the labels of its rows among them; none where it is no timetable."""
    table, words = whole.table, question_words(question, language)
    if len(table.rows) < FEWEST_RUNS or _is_of_ends_days_or_prices(whole):
        return []
    cells = {n: [row.values[n] for row in table.rows] for n in range(len(table.columns))}
    if table.stub:
        cells[_STUB] = [row.labels[-1] if row.labels else "" for row in table.rows]
    found = []
    for column, texts in sorted(cells.items()):
        path = table.columns[column] if column != _STUB else table.stub[-1:]
        times = tuple(_time_of(text) for text in texts)
        if all(_are_runs([texts[n] for n in sorted(one)], [times[n] for n in sorted(one)]) for one in groups):
            here, *leads = (_naming(words, (side,), whole.language) for side in _ARROW.split(" ".join(path[-1:])))
            called = {word.plain for word in words_of(" ".join(path[-1:]))}
            departs = bool(listed("departures", whole.language) & called)
            found.append(_Stop(column, tuple(path[:-1]), times, here, leads[-1] if leads else None, departs))
    common = frozenset.intersection(*(stop.named for stop in found)) if len(found) > 1 else frozenset()
    return [replace(one, named=one.named - common) for one in found]


def _is_of_ends_days_or_prices(whole: WholeTable) -> bool:
    """Whether labels say "first departure", "Saturday" or a price themselves: such a table has no run in each row."""
    table, language = whole.table, whole.language
    ends = listed("earliest", language) | listed("latest", language)
    are_days = all(len(row.labels) > 1 for row in table.rows)
    labels = [text for path in table.columns for text in path[-1:]] + [
        text for row in table.rows for text in row.labels[are_days:]
    ]
    if any(
        tells_of_cost(text)
        for text in (table.caption, *table.stub, *(label for path in table.columns for label in path))
    ):
        return True  # "1.00" may be a time or an amount.
    return any(days_of(text, language) or ends & {word.plain for word in words_of(text)} for text in labels)


def _are_runs(texts: Sequence[str], times: Sequence[int | None]) -> bool:
    """Whether cells hold one time each, every one later than that above it; a run may leave a stop out."""
    held = [time for time in times if time is not None]
    there = [text for text in texts if not is_missing(text)]
    return len(held) == len(there) > 1 and all(a < b for a, b in pairwise(held))


def _way(words: Sequence[LabelWord], stops: Sequence[_Stop]) -> tuple[_Stop, _Stop | None] | None:
    """From which stop to which a question goes, as far as it says; None where the stops stand the other way round."""
    if any(stop.leads_to is not None for stop in stops):
        return next(((stop, None) for stop in stops if stop.leads_to is not None and _leads(words, stop)), None)
    origins = [stop for stop in stops if _stands_behind(words, stop.named, _FROM)]
    goals = [stop for stop in stops if _stands_behind(words, stop.named, _TO) and stop not in origins]
    named = [stop for _, _, stop in sorted((min(stop.named), stop.column, stop) for stop in stops if stop.named)]
    origins = origins or [stop for stop in named if stop not in goals][:1]
    goals = goals or [stop for stop in named if stop not in origins][:1]
    for start in origins or _firsts(stops):
        behind = [stop for stop in stops if stop.group == start.group and stop.column > start.column]
        goal = next((stop for stop in goals if stop in behind), None)
        if goal is not None or (not goals and (behind or len(stops) == 1)):
            return start, goal
        if start.departs and all(stop.departs for stop in goals):
            return start, None
    return None


def _leads(words: Sequence[LabelWord], stop: _Stop) -> bool:
    """Whether a column called "A → B" goes from and to where the question does, as far as it says."""
    here, there = stop.named, stop.leads_to or frozenset()
    from_there = _stands_behind(words, there - here, _FROM)
    to_here = _stands_behind(words, here - there, _TO)
    return bool(here | there) and not from_there and not to_here


def _stands_behind(words: Sequence[LabelWord], named: Iterable[int], prepositions: frozenset[str]) -> bool:
    """Whether one of such prepositions stands before a name: small words and a noun of the stop may stand between."""
    for n in named:
        before = [word.text for word in words[max(0, n - _BETWEEN) : n]]
        while before and before[-1] in _SKIPPED - prepositions:
            before.pop()
        if before and before[-1] in prepositions:
            return True
    return False


def _firsts(stops: Sequence[_Stop]) -> Iterator[_Stop]:
    """The first stop of each group."""
    seen: set[tuple[str, ...]] = set()
    for stop in stops:
        if stop.group not in seen:
            seen.add(stop.group)
            yield stop


def _naming(words: Sequence[LabelWord], texts: Iterable[str], language: str) -> frozenset[int]:
    labels = [label for text in texts for label in label_words(text, language) if not label.is_talk]
    return frozenset(
        n
        for n, word in enumerate(words)
        if not word.is_talk and word.number is None and any(same(word, label) for label in labels)
    )


def _asks_for_a_ride(words: Sequence[LabelWord], language: str) -> bool:
    """Whether a question names what runs by a timetable or says that it leaves: who asks for the latest visit at a stop
    asks for no bus."""
    known = listed("rides", language)
    return any("shuttle" in word.concepts or word.text in known for word in words)


def _is_of_another(question: str, language: str, whole: WholeTable) -> bool:
    """Whether a timetable is of other days or of another line than the question."""
    about = [*whole.headings, whole.table.caption, *whole.table.stub]
    lines = set(_CODE.findall(folded(" ".join(about))))
    asked = set(_CODE.findall(folded(question)))
    if lines and asked and lines.isdisjoint(asked):
        return True
    ends = listed("earliest", language) | listed("latest", language)
    # "The first bus" is no first one of several.
    kept = " ".join(word.text for word in words_of(question) if word.plain not in ends)
    rows, columns = (row.labels for row in whole.table.rows), whole.table.columns
    texts = [label for labels in (*rows, *columns) for label in labels]
    return is_of_another_case(kept, language, texts, about, whole.language, numbers=False)


def _time_of(text: str) -> int | None:
    match = _TIME.fullmatch(folded(signs_of(text)[0]).strip(" .*"))
    return _minutes(match) if match else None


def _minutes(match: re.Match[str]) -> int | None:
    hour, minute, half = (match[1], match[2], match[3]) if match[1] else (match[4], "0", match[5])
    hours = int(hour) % 12 + 12 * (half == "pm") if half in {"am", "pm"} else int(hour)
    return hours * 60 + int(minute) if hours < 24 and int(minute) < 60 else None
